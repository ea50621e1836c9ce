"""Roles a model can play, each a renderer and a parser around a versioned prompt file."""
