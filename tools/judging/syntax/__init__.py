"""Checks that the code in an answer can be parsed by its language."""
