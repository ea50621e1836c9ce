"""Doubts about the ends of the two sides of a statement.

Rules of this module: each function names text next to an expression that may be a part of it ("half
of 10 + 4 = 9", "twice as much as 4 * 3 = 24", "= 3 remainder 2", "= 1 hour 40 minutes"), or returns
nothing. A reason is a few words for a reader.
"""

from collections.abc import Sequence

from reflection_mcp.tools.judging.maths.evaluation import LONGEST_GLOSS, Value
from reflection_mcp.tools.judging.maths.tokens import Token
from reflection_mcp.tools.judging.maths.words import (
    CLAUSE_WORDS,
    MATH_WORDS,
    OPERATOR_WORDS,
)

_BEGINNINGS = frozenset(
    {"from", "in", "for", "on", "at", "by", "after", "since", "per", "during", "within"}
)
"""Words after a result that begin something new even if a number follows ("= 60 in 3 days")."""

_SOON = 14
"""Tokens within which a new statement has its relation."""


def _is_stated(row: Sequence[Token], place: int) -> bool:
    """Return True if a statement of its own begins here ("... = 36 and 36 - 6 = 30")."""
    for token in row[place : place + _SOON]:
        if token.kind in ("equals", "stop"):
            return token.kind == "equals"
    return False


_SUM_WORDS = frozenset({"sum", "product", "difference", "total", "quotient"})


def left_doubt(row: Sequence[Token], first: int, value: Value) -> str:
    """Why the left side may begin earlier than its first token, or nothing."""
    if not value.operations and value.units:
        return "a change of units"
    if first == 0:
        return ""
    before, begins = row[first - 1], row[first]
    if before.text == ":" and first > 1 and row[first - 2].kind in ("number", "close"):
        return "a ratio" if row[first - 2].end < before.start else ""  # "2/3 : 4/5 = 5/6"
    if before.kind in ("stop", "equals"):
        return ""
    if before.kind == "open":
        outer = row[first - 2] if first >= 2 else None
        glued = outer is not None and outer.kind == "word" and outer.end == before.start
        return "a bracket that belongs to a name" if glued else ""
    if before.kind != "word":
        return f"'{before.text.strip()[:10]}' before it"
    if begins.kind == "open" and before.end == begins.start:
        return "a function"
    if not value.operations and before.text not in CLAUSE_WORDS:
        return "a definition"
    return _word_doubt(row, first - 1)


def _word_doubt(row: Sequence[Token], place: int) -> str:
    """Return a doubt if the word before an expression may be a part of it."""
    word = row[place].text
    before = row[place - 1] if place else None
    if word in _LABELS and row[place + 1].kind == "number":
        return "a label before it"
    if word == "of" and before is not None:
        if before.text in _SUM_WORDS:
            return "a comparison before it" if _compared(row, place - 1) else ""
        numeric = before.kind in ("number", "percent", "close")
        counted = place >= 2 and row[place - 2].kind == "number"
        if numeric or counted or before.text in MATH_WORDS:
            return "'of' something"
        return "a comparison before it" if _compared(row, place) else ""
    if word == "by" and before is not None and before.text.endswith(("creased", "ceeded", "duced")):
        return ""
    if word in MATH_WORDS or word in OPERATOR_WORDS or word == "than":
        return f"the word '{word}' before it"
    if word in _LINKS and _compared(row, place):
        return "a comparison before it"
    if len(word) == 1 and word not in _ONE_LETTER_WORDS:
        return "an unknown before it"
    if before is not None and before.kind in ("number", "percent"):
        if word == "and" and place >= 2 and row[place - 2].kind == "equals":
            return ""  # "3 * 12 = 36 and 36 - 6 = 30"
        if word == "to" and place >= 2 and row[place - 2].text == "by":
            return ""  # "increased by $20 to $45 + $20 = $65"
        if word in ("and", "from", "to", "or"):
            return "a number before it"
        if word not in CLAUSE_WORDS and row[place + 1].kind == "number":
            return "a number before it"
    return ""


_LABELS = frozenset(
    """day week month year step level grade page chapter lesson round lap section part group stage
    question version line row column figure table exercise case""".split()
)
"""Words that give a number to a thing: "10 pages on day 1 * 2 = 20 pages"."""
# English, and "to" and "is" in French, Italian and Portuguese: no unknown has an accent.
_ONE_LETTER_WORDS = frozenset("a i \u00e0 \u00e8 \u00e9 \u00c0 \u00c8 \u00c9".split())
_LINKS = frozenset({"as", "the", "that", "from", "to", "with", "of", "what"})
_COMPARISONS = MATH_WORDS | OPERATOR_WORDS | {"more", "less", "fewer", "than"}


def _compared(row: Sequence[Token], place: int) -> bool:
    """Return True if the clause so far multiplies or compares: "twice as much as 4 * 3 = 24"."""
    for token in reversed(row[max(0, place - LONGEST_GLOSS) : place]):
        if token.kind != "word" or token.text in ("so", "then", "is", "are", "was", "and"):
            return False
        if token.text in _COMPARISONS:
            return True
    return False


def right_doubt(row: Sequence[Token], last: int) -> str:
    """Why the right side may end later than its last token, or nothing."""
    if last >= len(row):
        return ""
    after = row[last]
    following = row[last + 1] if last + 1 < len(row) else None
    glued = row[last - 1].end == after.start
    if after.kind == "stop":
        if after.text == ":" and following is not None and following.kind == "number":
            return "a ratio"
        if after.text == "..." and glued and row[last - 1].decimals == 0:
            return "digits left out"  # 2^100 = 12676...
        return "a factorial" if after.text == "!" else ""
    if after.kind in ("equals", "close"):
        return ""
    if after.kind == "open":
        if glued:
            return "a bracket after it"
        inner = row[last : last + 4]
        return "a modulus" if any(token.text in ("mod", "modulo") for token in inner) else ""
    if after.kind != "word":
        return f"'{after.text.strip()[:10]}' after it"
    if after.text in ("mod", "modulo", "r", "remainder", "choose", "squared", "cubed", "with"):
        if after.text == "with" and not any(
            token.text.startswith("remain") for token in row[last : last + 4]
        ):
            return ""
        return "a remainder or a power"
    if following is not None and following.kind == "number":
        new = after.text in _BEGINNINGS or (after.text == "and" and _is_stated(row, last + 1))
        return "" if new else "two numbers after each other"
    if (
        following is not None and following.text == "and" and last + 3 < len(row)
        and row[last + 2].kind == "number" and row[last + 3].kind == "word"
    ):  # fmt: skip
        return "two quantities"
    return ""
