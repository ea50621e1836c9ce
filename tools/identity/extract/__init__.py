"""From the lines of a machine to what they say went wrong, and where."""
