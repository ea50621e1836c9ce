"""Checks of calculations: false ones, and false-looking ones that are right in context."""
