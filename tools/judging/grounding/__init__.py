"""Checks of an answer against the context that it has to rest on."""
