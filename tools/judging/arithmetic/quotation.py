"""Signs that a wrong statement is somebody else's, and quoted in order to correct it.

Rules of this module: each function tells of one `Suspect` whether the words around it say so. What
corrects it behind names the value that its left side comes to; a right statement elsewhere does not
make a wrong one a quotation.
"""

import re
from fractions import Fraction

from reflection_mcp.tools.judging.arithmetic.suspect import Suspect
from reflection_mcp.tools.judging.texts.corrections import (
    INSTEAD,
    WROTE,
    called_an_error,
    right_values,
)
from reflection_mcp.tools.judging.texts.hedges import rest, so_far


def corrected(suspect: Suspect) -> bool:
    """You wrote 7 * 8 = 54, and it should be 56."""
    before, after = so_far(suspect.before), rest(suspect.after, 1)
    if WROTE.search(before) or WROTE.search(after) or INSTEAD.search(before):
        return True
    if called_an_error(suspect.before):
        return True
    expected = suspect.left.value.number
    first, last = suspect.row[suspect.left.first], suspect.row[suspect.left.last - 1]
    start = suspect.statement.start
    left = suspect.said[first.start - start : last.end - start]
    values = right_values(rest(suspect.after), left)
    return any(expected in _meant(number) for number in values)


def _meant(number: str) -> tuple[Fraction, ...]:
    """Return what a number may mean whose points and commas may open its decimals or not."""
    plain = Fraction(re.sub(r"[.,]", "", number))
    whole, _, decimals = number.replace(",", ".").rpartition(".")
    if not whole or "." in whole:
        return (plain,)
    return plain, Fraction(f"{whole}.{decimals}")


_NO = frozenset(
    """no false wrong incorrect n \u2717 \u2718 \u274c nein falsch non faux incorrecto falso errado
    sbagliato fout nie \u017ale b\u0142\u0119dnie hay\u0131r yanl\u0131\u015f \u043d\u0435\u0442
    \u043d\u0435\u0432\u0435\u0440\u043d\u043e \u5426 \u9519 \u932f \u00d7""".split()
)


def marked_wrong(suspect: Suspect) -> bool:
    """Return True if another cell of its row says no: | Ann | 3 + 4 = 8 | no |."""
    before, after = suspect.before.rpartition("\n")[2], suspect.after.partition("\n")[0]
    if "|" not in after:
        return False
    cells = [*before.split("|")[:-1], *after.split("|")[1:]]
    return any(cell.strip(" *_`.").lower() in _NO for cell in cells)
