"""What is left in front of a message whose record said that it is a warning.

Rule of this module: cleaning takes the head of a record off, and whoever chooses the verdict must
still know that it was a warning; so one sign stays, and goes with the warning.
"""

WARNED = "\u26a0 "
