"""Check that an answer agrees with its context, and, if that was asked for, has nothing else.

Rules of this module: without a context nothing is reported. A contradiction of the context is a
fault; a claim that the context merely lacks is one only in a closed world (`closed_world`). Names
are compared with prose alone: a log, a plan or a diff is explained in words that it does not have.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.case import Case, english
from reflection_mcp.tools.judging.finding import whole
from reflection_mcp.tools.judging.grounding import contradiction
from reflection_mcp.tools.judging.grounding import name_check as names
from reflection_mcp.tools.judging.grounding import number_check as numbers

PROSE_WINDOW = 6_000
"""Characters of a context in which it shows whether it is prose."""
PLAIN_WORDS = 0.72
"""Share of plain words from which a context is prose: pages have .76 to 1, logs .1 to .6."""
_INLINE_CODE = re.compile(r"`[^`\n]{1,200}`")
_WORD = re.compile(
    r"(?<!\S)[\"'(\u201c]?[^\W\d_]+(?:['\u2019-][^\W\d_]+)*[\"')\u201d]?[.,;:!?]?[\"')\u201d]?"
)
_SENTENCE_END = re.compile(r"[a-z]{2}[\"')\u201d]?[.!?](?:\s|$)")
_CODE = re.compile(r"[;{}]\s*$|^\s*(?:[-+@#$>|]|\w{1,40}\s?[:=])", re.MULTILINE)


def check(case: Case) -> Iterator[Check]:
    """Yield one finding for each fact of the answer that is held against the context."""
    if not case.context.strip() or not case.answer.strip():
        return
    compared = False
    for found in _findings(case):
        compared = True
        yield found
    if not compared:
        yield whole("grounding", "unchecked", "Nothing in it could be compared with the context.")


def _findings(case: Case) -> Iterator[Check]:
    prose = _INLINE_CODE.sub(lambda code: " " * len(code[0]), case.prose)
    faulty: list[tuple[int, int]] = []
    for found in contradiction.check(case):
        faulty.append((found.start or 0, found.end or 0))
        yield found
    for found in _facts(case, prose):
        if any(start <= (found.start or 0) < end for start, end in faulty):
            continue
        if found.status == "wrong" and _unsaid(case, found.start or 0):
            why = "Not checked: the sentence says that the context does not tell this."
            yield replace(found, status="unchecked", stated="", why=why)
        else:
            yield found


def _facts(case: Case, prose: str) -> Iterator[Check]:
    """Yield what the context lacks, where the answer was to have nothing else."""
    if case.closed_world and english(case.context[:PROSE_WINDOW]) and case.english:
        yield from numbers.check(case, prose)
        if is_prose(case.context):
            yield from names.check(case)


def is_prose(context: str) -> bool:
    """Return True if a context is running text rather than code, a log, a table or a listing."""
    window = context[:PROSE_WINDOW]
    tokens = window.split()
    plain = len(_WORD.findall(window))
    lines = window.count("\n") + 1
    like_code = len(_CODE.findall(window))
    return (
        plain >= PLAIN_WORDS * len(tokens)
        and (bool(_SENTENCE_END.search(window)) or lines == 1)
        and like_code <= max(1, 0.3 * lines)
    )


_UNSAID = re.compile(
    r"\b(?:not|n['\u2019]t|never|nor|neither|nothing|nowhere|no|without|cannot)\b[^.!?\n]{0,60}"
    r"\b(?:sa(?:y|id|ys)|tell\w{0,2}|told|mention\w{0,3}|stat(?:e|es|ed)|giv(?:e|es|en)|gave"
    r"|specif\w{0,4}|contain\w{0,3}|includ\w{0,3}|know\w?|information|clear|confirm\w{0,3}"
    r"|provid\w{0,3}|show\w?|reveal\w{0,3}|cover\w{0,3}|name[sd]?|refer\w{0,5}|discuss\w{0,3})\b"
    r"|\b(?:unclear|unknown|unsaid|unspecified|outside|general knowledge|assum\w{1,5}|beyond)\b",
    re.IGNORECASE,
)
SENTENCE = 600
"""Characters of a sentence in which it may say that the context does not tell."""


def _unsaid(case: Case, place: int) -> bool:
    """Return True if the sentence of this place says that the context does not tell something."""
    first = max(0, place - SENTENCE)
    start = max(case.answer.rfind(mark, first, place) for mark in ("\n", ". ", "? ", "! "))
    end = min(
        (at for mark in ("\n", ". ", "? ", "! ") if (at := case.answer.find(mark, place)) >= 0),
        default=len(case.answer),
    )
    sentence = case.answer[max(start, first) : min(end, place + SENTENCE)]
    return _UNSAID.search(sentence) is not None
