"""Checks of what an answer computes: sums, shares, equations and changes of units."""
