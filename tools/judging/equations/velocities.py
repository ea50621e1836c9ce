"""Velocities near that of light, which do not add up: 0.5c + 0.5c = 0.8c.

Rule of this module: the letter is a c, and what is stated is Einstein's sum, as it is rounded.
"""

import re
from fractions import Fraction

_SUM = re.compile(
    r"\s*(\d{0,3}(?:\.\d{1,9})?) ?c\s?\+\s?(\d{0,3}(?:\.\d{1,9})?) ?c\s?[=\u2248]\s?"
    r"(\d{0,3}(?:\.(\d{1,9}))?) ?c"
)


def add_up(said: str) -> bool:
    """Tell whether a text states the sum of two velocities as that of light bounds it."""
    found = _SUM.match(said)
    if found is None:
        return False
    one, other, stated = (Fraction(found[place] or 1) for place in (1, 2, 3))
    gap = abs((one + other) / (1 + one * other) - stated)
    return 2 * gap <= Fraction(1, 10 ** len(found[4] or ""))
