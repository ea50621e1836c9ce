"""Checks for refused, unfinished and truncated answers."""
