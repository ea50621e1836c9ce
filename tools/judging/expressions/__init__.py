"""Readers of calculations in a text: numbers, operators, statements and units, exact or not at
all."""
