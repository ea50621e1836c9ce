"""What checks of every family need to know of a text: its words, names, numbers and language."""
