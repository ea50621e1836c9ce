"""Statements of a text that one expression equals another.

Rules of this module: a statement is a relation symbol or word with the longest expression that ends
before it and the longest one that begins after it. When the end of an expression is unclear ("half
of 10 + 4 = 9", "5 feet 3 inches + 4 inches = ..."), the statement is unread, with a reason.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from reflection_mcp.tools.judging.maths.boundaries import left_doubt, right_doubt
from reflection_mcp.tools.judging.maths.evaluation import (
    LONGEST_GLOSS,
    LONGEST_ROW,
    Value,
    evaluate,
    evaluate_prefix,
)
from reflection_mcp.tools.judging.maths.exact import Unreadable
from reflection_mcp.tools.judging.maths.tokens import Token
from reflection_mcp.tools.judging.maths.words import (
    APPROXIMATE_WORDS,
    CLAUSE_WORDS,
)

MOST_STATEMENTS = 2000
"""Relations of one text that are read; an honest answer of 100 kB has fewer."""


class Side(NamedTuple):
    """One side: the tokens `row[first:last]` and what they come to."""

    first: int
    last: int
    value: Value


class Equality(NamedTuple):
    """`left = right` at `text[start:end]`; `relation` is the token that says so."""

    start: int
    end: int
    relation: int
    approximate: bool
    left: Side
    right: Side


class Unread(NamedTuple):
    """A statement at `text[start:end]` whose sides are unclear, and why."""

    start: int
    end: int
    why: str


class _Relation(NamedTuple):
    """The tokens `row[first:last]` say "comes to"."""

    first: int
    last: int
    approximate: bool


def statements(row: Sequence[Token]) -> Iterator[Equality | Unread]:
    """Yield the statements of a text in order; those without any arithmetic are left out."""
    partners = _partners(row)
    for relation in islice(_relations(row), MOST_STATEMENTS):
        statement = _read(row, partners, relation)
        if statement is not None:
            yield statement


def _partners(row: Sequence[Token]) -> list[int | None]:
    """For each bracket the place of the one that belongs to it."""
    partners: list[int | None] = [None] * len(row)
    opened: list[int] = []
    for place, token in enumerate(row):
        if token.kind == "open":
            opened.append(place)
        elif token.kind == "close" and opened:
            other = opened.pop()
            partners[place], partners[other] = other, place
        elif token.text == "\n":
            opened.clear()
    return partners


def _relations(row: Sequence[Token]) -> Iterator[_Relation]:
    for place, token in enumerate(row):
        if token.kind == "equals":
            after = place + 1
            about = after < len(row) and (
                row[after].text in APPROXIMATE_WORDS or row[after].text == "~"
            )
            yield _Relation(place, after + about, about or token.text == "~")
        elif token.text == "equals":
            yield _Relation(place, place + 1, False)
        elif (
            token.text == "equal"
            and 0 < place < len(row) - 1
            and row[place - 1].text in ("is", "are")
            and row[place + 1].text == "to"
        ):
            yield _Relation(place - 1, place + 2, False)


def _read(
    row: Sequence[Token], partners: Sequence[int | None], relation: _Relation
) -> Equality | Unread | None:
    """None when there is nothing to compute on either side, such as in "cost = 5"."""
    first = relation.first
    start, end = row[first].start, row[relation.last - 1].end
    try:
        begin = _left_start(row, partners, first)
        if begin is None:
            return None
        start = row[begin].start
        left = Side(begin, first, evaluate(row, begin, first))
        right_value = evaluate_prefix(row, relation.last, len(row))
        right = Side(relation.last, right_value.end, right_value)
        end = row[right.last - 1].end
        if not left.value.operations and not right.value.operations:
            return None
        doubt = left_doubt(row, begin, left.value) or right_doubt(row, right.last)
    except Unreadable as reason:
        return Unread(start, end, str(reason))
    if doubt:
        return Unread(start, end, doubt)
    return Equality(start, end, first, relation.approximate, left, right)


# ---- where the left side begins ------------------------------------------------------------


def _left_start(row: Sequence[Token], partners: Sequence[int | None], relation: int) -> int | None:
    """The first token of the expression before the relation; None when there is none."""
    lowest = max(0, relation - LONGEST_ROW)
    begin: int | None = None
    at = relation - 1
    while True:
        operand = _operand_start(row, partners, at, lowest)
        if operand is None:
            if begin is None:
                return None
            raise Unreadable("an operator without a number before it")
        begin = operand
        # Signs before the operand: "5 - -3" has one operator and one sign.
        while begin - 1 >= lowest and row[begin - 1].text in ("+", "-"):
            before = row[begin - 2] if begin - 2 >= lowest else None
            if before is not None and before.kind not in ("operator", "open", "equals", "stop"):
                break
            begin -= 1
        before = row[begin - 1] if begin - 1 >= lowest else None
        if before is None:
            if lowest > 0:
                raise Unreadable("a very long expression")
            return begin
        if before.kind == "operator":
            at = begin - 2
        elif _joined(before, row[begin]):
            at = begin - 1
        else:
            return begin


def _joined(before: Token, token: Token) -> bool:
    """A product without a sign: )( or 3( or 2 root."""
    if token.kind == "open":
        return before.kind == "close" or (before.kind == "number" and before.end == token.start)
    return token.kind in ("sqrt", "frac") and before.kind in ("number", "close")


def _operand_start(
    row: Sequence[Token], partners: Sequence[int | None], at: int, lowest: int
) -> int | None:
    """The first token of the operand that ends at `at`, its unit words skipped."""
    words = 0
    while at >= lowest and words <= LONGEST_GLOSS:
        token = row[at]
        opening = partners[at] if token.kind == "close" else None
        if token.kind == "word" and token.text not in CLAUSE_WORDS:
            words += 1
            at -= 2 if at - 1 >= lowest and row[at - 1].text == "/" else 1
        elif opening is not None and opening >= lowest and _only_words(row, opening, at):
            at = opening - 1
        elif (
            token.kind == "number" and at - 2 >= lowest
            and row[at - 1].text == "^" and row[at - 2].kind == "word"
        ):  # fmt: skip
            at -= 2
        else:
            break
    if at >= lowest and row[at].kind == "percent":
        at -= 1
    if at < lowest:
        return None
    if row[at].kind == "number":
        root = at - 1 >= lowest and row[at - 1].kind == "sqrt"
        return at - 1 if root else at
    opening = partners[at] if row[at].kind == "close" else None
    if opening is None or opening < lowest:
        return None
    if row[opening].text == "{":
        return _command_start(row, partners, opening, lowest)
    if opening - 1 >= lowest and row[opening - 1].kind == "sqrt":
        return opening - 1
    return opening


def _only_words(row: Sequence[Token], opening: int, closing: int) -> bool:
    inner = row[opening + 1 : closing]
    return 0 < len(inner) <= LONGEST_GLOSS and all(
        token.kind == "word" and len(token.text) > 1 for token in inner
    )


def _command_start(
    row: Sequence[Token], partners: Sequence[int | None], opening: int, lowest: int
) -> int | None:
    r"""The start of \frac{a}{b}, \sqrt{a} or a^{b}, given where its last brace opens."""
    before = opening - 1
    if row[before].text == "}":
        other = partners[before]
        before = other - 1 if other is not None else lowest - 1
    if before >= lowest and row[before].kind in ("frac", "sqrt"):
        return before
    if before >= lowest and row[before].text == "^":
        return _operand_start(row, partners, before - 1, lowest)
    return None
