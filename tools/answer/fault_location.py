"""The location of a finding: which step of a draft to redo, and which to leave alone.

Models do not find their mistakes but do correct them when told where they are (shown by BIG-Bench
Mistake, 2023), so the place, what stands there, what is wrong with it, and what follows from it are
said. Which of two sides is the wrong one only who knows the task can tell.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from decimal import Decimal

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.finding import difference, of_form, told

TOLD = 8  # findings at once; more are not redone one by one
QUOTE = 120  # characters of a quote in a line of advice
REACH = 20_000  # characters behind a finding in which its value is looked for again
# A full stop or comma belongs to the number only when a digit follows it.
_NUMBER = re.compile(r"(?<![\w.,])\d{1,18}(?:,\d{3}){0,5}(?:\.\d{1,12})?(?!\w|[.,]\d)")


def all_located(case: Case, findings: Sequence[Check]) -> tuple[str, ...]:
    """A line for each finding; of very many the first ones, and a line that says how many more."""
    lines = dict.fromkeys(located(case, finding) for finding in findings[:TOLD])
    more = len(findings) - TOLD
    return (*lines, f"and {more} more, shown once these are redone") if more > 0 else tuple(lines)


def located(case: Case, finding: Check) -> str:
    """A line such as `step 3: “12*3 = 38”: the sides differ: 36 and 38`."""
    where = step_name(case, finding.start)
    said = _short(finding.quote or finding.stated)
    if of_form(finding) and finding.why:
        what = told(finding)
    elif said and (sides := difference(finding)):
        what = f"“{said}”: {_short(sides)}"
    elif said and finding.why:
        what = f"“{said}”: {finding.why}"
    elif said:
        what = f"“{said}”" + (f": {finding.expected} was expected" if finding.expected else "")
    else:
        what = finding.why or finding.kind
    return f"{where}{what}{_reuse(case, finding)}"


def step_name(case: Case, start: int | None) -> str:
    """`step 3: `, counted in lines, or in sentences when all is one line; empty for the whole."""
    steps = case.view(_steps)
    number = 0 if start is None else bisect_right(steps, start)
    return f"step {number}: " if number and len(steps) > 1 else ""


def _steps(case: Case) -> Sequence[int]:
    """Where the steps begin."""
    lines = [line.start for line in case.lines if line.text.strip()]
    return lines if len(lines) > 1 else [sentence.start for sentence in case.sentences]


def _reuse(case: Case, finding: Check) -> str:
    """How often a wrong value is used again further down; those places have to follow."""
    value = finding.stated.strip().strip("$€£%")
    if finding.end is None or not finding.expected or not value[:1].isdigit():
        return ""
    later = _uses(case.answer[finding.end : finding.end + REACH], value)
    if not later:
        return ""
    return (
        f"; {later} later values reuse {value}" if later > 1 else f"; a later value reuses {value}"
    )


def _uses(text: str, value: str) -> int:
    """How often a number stands in a text by itself, however many noughts it is written with."""
    if not _NUMBER.fullmatch(value):
        return 0
    wanted = _plain(value)
    return sum(_plain(found[0]) == wanted for found in _NUMBER.finditer(text))


def _plain(written: str) -> Decimal:
    return Decimal(written.replace(",", ""))


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= QUOTE else f"{flat[: QUOTE - 1]}…"
