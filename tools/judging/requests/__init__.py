"""Checks of the requested form of an answer."""
