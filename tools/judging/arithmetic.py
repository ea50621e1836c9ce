"""Does what is written after an equals sign follow from what is written before it?

Rules of this module: every statement that a text makes about plain numbers is computed exactly;
"wrong" is said only when the sides differ under every usual rounding and no doubt is left
(`arithmetic_doubts`); what could not be read is told as "unchecked". The place of a wrong statement
is where its left side begins, and the reader is told how many later steps build on its result.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.arithmetic_doubts import WINDOW, Suspect, doubt
from reflection_mcp.tools.judging.arithmetic_rounding import Rounded, agrees, shown
from reflection_mcp.tools.judging.arithmetic_statements import Side, Statement, statements
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.expressions_tokens import Token, tokens

KIND = "arithmetic"
LONGEST_TOPIC = 4000


def check(case: Case) -> Iterator[Check]:
    """The statements of an answer, each `ok`, `wrong` or `unchecked`."""
    row = tokens(case.prose)
    found = statements(row)
    rounded: set[Fraction] = set()
    for place, statement in enumerate(found):
        if statement.unread:
            yield _told(case, statement, "unchecked", statement.unread)
            continue
        if agrees(row, statement, rounded):
            yield _told(case, statement, "ok")
            _remember_rounded(row, statement, rounded)
        else:
            suspect = _suspect(case, row, statement, rounded)
            reason = doubt(suspect)
            if reason:
                yield _told(case, statement, "unchecked", reason)
            else:
                yield _wrong(case, suspect, found[place + 1 :], row)


def _remember_rounded(row: Sequence[Token], statement: Statement, rounded: set[Fraction]) -> None:
    """Keep the results that stand for something longer: 33.33 after 100 / 3."""
    right, left = statement.right, statement.left
    assert left is not None
    assert right is not None
    if not right.value.operations and left.value.number != right.value.number:
        rounded.add(row[right.value.numbers[0]].value)


def _suspect(case: Case, row: Sequence[Token], statement: Statement, rounded: Rounded) -> Suspect:
    left, right = statement.left, statement.right
    assert left is not None
    assert right is not None
    start, end = statement.start, statement.end
    return Suspect(
        row=row, statement=statement, left=left, right=right, rounded=rounded,
        said=case.answer[start:end], before=case.answer[max(0, start - WINDOW) : start],
        after=case.answer[end : end + WINDOW],
        topic=case.question[:LONGEST_TOPIC]
        + "\\n"
        + case.answer[max(0, start - LONGEST_TOPIC) : end + LONGEST_TOPIC],
    )  # fmt: skip


def _told(case: Case, statement: Statement, status: str, why: str = "") -> Check:
    left, right = statement.left, statement.right
    return Check(
        kind=KIND,
        status="ok" if status == "ok" else "unchecked",
        start=statement.start,
        end=statement.end,
        quote=case.answer[statement.start : statement.end],
        stated=shown(right.value.number) if right else "",
        expected=shown(left.value.number) if left else "",
        why=why,
    )


def _wrong(case: Case, suspect: Suspect, later: Sequence[Statement], row: Sequence[Token]) -> Check:
    statement = suspect.statement
    expected, stated = suspect.left.value.number, suspect.right.value.number
    start = statement.start
    # A result on a line of its own: the fault is on that line, not where the left side stands.
    if "\n" in case.answer[start : row[statement.relation].start]:
        start = row[statement.relation].start
    reused = sum(_uses(row, other, stated) for other in later)
    subject = case.answer[start : row[statement.relation].start].strip() or "This"
    why = f"{subject} comes to {shown(expected)}, not {shown(stated)}"
    if reused:
        why += f"; {_count(reused)} {shown(stated)}"
    return Check(
        kind=KIND,
        status="wrong",
        start=start,
        end=statement.end,
        quote=case.answer[start : statement.end],
        stated=shown(stated),
        expected=shown(expected),
        why=why + ".",
    )


def _uses(row: Sequence[Token], statement: Statement, value: Fraction) -> bool:
    left: Side | None = statement.left
    return left is not None and any(row[place].value == value for place in left.value.numbers)


def _count(number: int) -> str:
    names = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    name = names[number] if number < len(names) else str(number)
    return f"{name} later {'value reuses' if number == 1 else 'values reuse'}"
