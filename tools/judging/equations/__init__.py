"""Check that a stated solution satisfies its equation."""
