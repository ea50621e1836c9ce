"""Answers that are none: refusals, placeholders, and promises to answer later.

Rules of this module: a refusal is a hint, because it may be the right answer. A placeholder or a
promise is a fault only where the whole answer consists of it. Asked to write a refusal, an apology
or a template, an answer may hold these words.
"""

import re
from collections.abc import Iterator

from reflection_mcp.store.records import Check, Severity
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.completeness.refusal_phrases import MEANT, PHRASES, Kind, Phrase
from reflection_mcp.tools.judging.finding import at, whole

LONGEST: dict[Kind, int] = {"refusal": 60, "placeholder": 25, "deferral": 25}
"""Words of an answer beyond which it usually answers after all."""
HEAD = 400
"""Characters at the start in which an answer refuses."""
PARTS = 3
"""Parts still to be filled in that are reported."""

_WHY: dict[Kind, str] = {
    "refusal": "The answer declines to answer.",
    "placeholder": "The answer is a placeholder.",
    "deferral": "The answer only promises an answer.",
}
_PART = re.compile(
    r"\[(?:insert|fill in|placeholder|to be (?:added|completed|filled)|todo|tbd)\b[^\]\n]{0,120}\]|"
    r"\b(?:TODO|TBD|FIXME)\b(?=[: ]|$)|\(insert [^)\n]{1,80}\)|\blorem ipsum dolor\b",
    re.IGNORECASE,
)
_SIGNS = (
    "[insert", "[fill in", "[placeholder", "[to be ", "(insert", "todo", "tbd", "fixme", "lorem"
)  # fmt: skip
_ANNOUNCES = re.compile(
    r"(?:here(?:'s| is| are)|below (?:is|are)|following|as follows|sure|certainly|of course)\b",
    re.IGNORECASE,
)
_SALUTATION = re.compile(r"(?:dear|to|hello|hi)\b", re.IGNORECASE)
_EMPTY_SIGNS = frozenset(".\u2026-\u2013\u2014_*~#>|?! \n\t")


def check(case: Case) -> Iterator[Check]:
    """Yield a finding if the answer is, or begins with, a refusal, a placeholder or a promise."""
    text = case.answer.strip()
    if not any(map(str.isalnum, text)):
        yield from _nothing(case, text)
        return
    if not case.english:
        return
    start = len(case.answer) - len(case.answer.lstrip())
    head = text[:HEAD].replace("\u2019", "'")
    count = len(text.split())
    for phrase in PHRASES:
        found = phrase.pattern.match(head)
        if found and count <= LONGEST[phrase.kind] and not _delivers(phrase, head[found.end() :]):
            yield _finding(case, phrase, start, start + found.end())
            return
    yield from _announced(case, head, start, start + len(text), count)
    yield from _parts(case)


def _delivers(phrase: Phrase, rest: str) -> bool:
    """Return True if a promise is kept at once: "Let me check: it is 4."."""
    return phrase.kind == "deferral" and bool(rest.partition(":")[2].strip())


def _nothing(case: Case, text: str) -> Iterator[Check]:
    kind = "completeness:placeholder"
    if not text:
        yield whole(kind, "wrong", "The answer is empty.")
    elif _EMPTY_SIGNS.issuperset(text):
        yield at(case, 0, len(case.answer), kind, "wrong", "The answer holds no word.")


def _finding(case: Case, phrase: Phrase, start: int, end: int) -> Check:
    kind = f"completeness:{phrase.kind}"
    if MEANT[phrase.kind].search(case.question):
        why = "Not checked: the question may ask for these words."
        return at(case, start, end, kind, "unchecked", why)
    # Whether a refusal is right nobody can tell from its words.
    severity: Severity = "hard" if phrase.certain and phrase.kind != "refusal" else "hint"
    return at(case, start, end, kind, "wrong", _WHY[phrase.kind], severity=severity)


def _announced(case: Case, head: str, start: int, end: int, count: int) -> Iterator[Check]:
    """An announcement with nothing after it: "Sure! Here is the answer:"."""
    if case.answer[end - 1] != ":" or count > LONGEST["deferral"] or _SALUTATION.match(head):
        return
    if count >= 6 or _ANNOUNCES.search(head):
        why = "The answer announces something and then ends."
        yield at(case, start, end, "completeness:deferral", "wrong", why)


def _parts(case: Case) -> Iterator[Check]:
    small = case.answer.lower()
    if not any(sign in small for sign in _SIGNS) or MEANT["placeholder"].search(case.question):
        return
    for _, found in zip(range(PARTS), _PART.finditer(case.answer), strict=False):
        why = "A part of the answer is still to be filled in."
        yield at(case, *found.span(), "completeness:placeholder", "wrong", why, severity="hint")
