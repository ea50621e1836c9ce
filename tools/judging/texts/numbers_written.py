"""Readings of a number by the notations of different countries.

Rules of this module: a point, a comma, an apostrophe or a space before three digits may separate
thousands; a point or a comma before other digits may begin the decimals. The usual English reading
comes first, and no reading is left out: a check may flag a number only if it is wrong under all of
them.
"""

import re
from fractions import Fraction

_SPACES = " \u00a0\u202f"
_APART = re.compile(rf"[.,'\u2019{_SPACES}]")


def written(text: str) -> tuple[tuple[Fraction, int], ...]:
    """Each value that a number may have, with its decimals.

    Args:
        text: digits with points, commas, apostrophes or spaces between them.
    """
    *before, last = _APART.split(text)
    signs: list[str] = _APART.findall(text)
    if not signs:
        return ((Fraction(text), 0),)
    head, sign = "".join(before), signs[-1]
    grouped, pointed = (Fraction(head + last), 0), (Fraction(f"{head}.{last}"), len(last))
    if sign in _SPACES:
        return (grouped, (Fraction(last), 0), (Fraction(head) * Fraction(last), 0))  # 2 500 ml: two
    alone = signs.count(sign) == 1
    if sign in "'\u2019" or not alone:
        return (grouped,)
    if len(signs) > 1 or len(last) != 3 or len(head) > 3:
        return (pointed,)
    return (pointed, grouped) if sign == "." else (grouped, pointed)
