"""Gather what is worth knowing before a task: issues, lessons, strategies, unresolved errors."""
