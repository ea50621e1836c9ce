"""Readers of a text for checks of every family: its words, names, numbers and language."""
