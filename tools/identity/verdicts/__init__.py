"""Finds the lines that say what failed, and where, in whatever a tool printed."""
