"""Proof with programs nobody here wrote. Not part of the normal run.

The files are called `check_*`, which pytest collects only when they are named. docs/hosts.md has
the commands.
"""
