"""What a text calculates: numbers, signs, statements and units, read exactly or not at all."""
