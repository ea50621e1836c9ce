"""Runs code of answers in child processes, where the owner allowed it."""
