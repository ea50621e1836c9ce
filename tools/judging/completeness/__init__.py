"""Checks for unfinished, truncated and empty answers, and for fewer items than were asked for."""
