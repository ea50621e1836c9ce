"""From a pasted text to the lines that a machine printed."""
