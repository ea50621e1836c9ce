"""Check of every statement that one expression equals another.

Rules of this module: every statement that a text makes about plain numbers is computed exactly; it
is "wrong" only when the sides differ under every usual rounding and no doubt is left (`doubts`); a
statement that could not be read is reported as "unchecked". The location of a wrong statement is
where its left side begins.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from reflection_mcp.store.records import Check, Status
from reflection_mcp.tools.judging import finding
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.maths.doubts import doubt
from reflection_mcp.tools.judging.maths.prose import row_of, statements_of
from reflection_mcp.tools.judging.maths.rounding import Rounded, agrees, shown, shown_like
from reflection_mcp.tools.judging.maths.statements import Equality, Unread, statements
from reflection_mcp.tools.judging.maths.surroundings import other_topics
from reflection_mcp.tools.judging.maths.suspect import WINDOW, Suspect
from reflection_mcp.tools.judging.maths.tokens import tokens

KIND = "arithmetic"
SUSPECT = 600
"""Work to look into a statement that looks false."""
QUESTION = 4_000
"""Characters of a question that may redefine its signs."""


def check(case: Case) -> Iterator[Check]:
    """The statements of an answer, each `ok`, `wrong` or `unchecked`."""
    if not case.view(statements_of):
        return
    row, rounded = case.view(row_of), set[Fraction]()
    topics: Sequence[int] | None = None
    faulty: Equality | None = None
    for statement in case.view(statements_of):
        if isinstance(statement, Unread):
            yield finding.at(case, statement.start, statement.end, KIND, "unchecked", statement.why)
        elif agrees(row, statement, rounded):
            yield _told(case, statement, "ok")
            if _is_rounded(statement):
                rounded.add(row[statement.right.value.numbers[0]].value)
        elif faulty is not None and _led_back(faulty, statement):
            yield _told(case, statement, "unchecked", "only what stands before it is wrong")
        elif not case.budget.grant(1, SUSPECT):
            yield _told(case, statement, "unchecked", "too many statements that look false")
        else:
            if topics is None:
                topics = [-1] if _redefined(case) else other_topics(case.question, case.answer)
            suspect = _suspect(case, statement, rounded, topics)
            if reason := doubt(suspect):
                yield _told(case, statement, "unchecked", reason)
            else:
                faulty = statement
                yield _wrong(case, suspect)


def _redefined(case: Case) -> bool:
    """Return True if the question itself says what is false in school: 1 + 4 = 5, 2 + 5 = 12, 3 + 6
    = ?"""
    row = tokens(case.question[:QUESTION])
    stated = [one for one in statements(row) if isinstance(one, Equality)]
    return sum(not one.right.value.operations and not agrees(row, one) for one in stated) > 1


def _led_back(faulty: Equality, statement: Equality) -> bool:
    """2 * (9 + 40) = 12 * 49 = 98: what stands in the middle is wrong, and the end is right."""
    joined = faulty.right.first == statement.left.first
    return joined and faulty.left.value.number == statement.right.value.number


def _is_rounded(statement: Equality) -> bool:
    """Return True if the result is a rounded one: 33.33 after 100 / 3."""
    left, right = statement.left.value, statement.right.value
    return not right.operations and left.number != right.number


def _suspect(case: Case, statement: Equality, rounded: Rounded, topics: Sequence[int]) -> Suspect:
    start, end = statement.start, statement.end
    return Suspect(
        row=case.view(row_of),
        statement=statement,
        said=case.answer[start:end],
        before=case.answer[max(0, start - WINDOW) : start],
        after=case.answer[end : end + WINDOW],
        topics=topics,
        rounded=rounded,
        english=case.english,
        question=case.question,
    )


def _told(case: Case, statement: Equality, status: Status, why: str = "") -> Check:
    start = finding.with_currency(case.answer, statement.start, statement.end)
    return finding.at(
        case, start, statement.end, KIND, status, why,
        stated=shown(statement.right.value.number), expected=shown(statement.left.value.number),
    )  # fmt: skip


def _wrong(case: Case, suspect: Suspect) -> Check:
    row, statement = suspect.row, suspect.statement
    expected, stated = statement.left.value.number, statement.right.value.number
    right, belongs = statement.right, shown(expected)
    token = row[right.first]
    # As it is written ("$1,100", "6 dozen", "12 * 49"), so that it is found and can be replaced.
    written = case.answer[token.start : row[right.last - 1].end]
    comes = shown(stated)
    if right.value.numbers == (right.first,):
        scale = stated / token.value if token.value else Fraction(1)
        nearest = min(expected, expected / scale, key=lambda value: abs(value - token.value))
        written = comes = case.answer[token.start : token.end]
        belongs = shown_like(nearest, written)
    start, relation = statement.start, row[statement.relation].start
    # A result on a line of its own: the fault is on that line, not where the left side stands.
    if "\n" in case.answer[start:relation]:
        start = relation
    start = finding.with_currency(case.answer, start, statement.end)
    subject = case.answer[start:relation].strip() or "This"
    why = f"{finding.short(subject)} comes to {belongs}, not {comes}."
    return finding.at(
        case, start, statement.end, KIND, "wrong", why, stated=written, expected=belongs
    )
