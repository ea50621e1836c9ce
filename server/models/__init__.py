"""Implementations of the `Model` port; each imported on first use."""
