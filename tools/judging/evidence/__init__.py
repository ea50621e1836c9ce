"""Checks of an answer against the output of tools.

Rule of this room: no other input is as strong as the output of a tool, so it is read literally, and
a claim is compared with it only when both are about the same thing.
"""
