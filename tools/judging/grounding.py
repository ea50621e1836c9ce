"""Whether the numbers, dates and names of an answer stand in the context it was to rest on.

Rules of this module: without a context nothing is said. What the question says is known as well. A
number that the context may imply in one step, a name that it may know under another form, and all
text that is not English prose is unchecked. Absence is a fact; contradiction is not looked for,
because words alone show no sign of it (measured: AUROC 0.49 to 0.54).
"""

import re
from collections.abc import Iterator

from reflection_mcp.store.records import Check, Status
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.finding import at
from reflection_mcp.tools.judging.grounding_derivation import derivable, rounded, sequence
from reflection_mcp.tools.judging.names import Name, Source, names
from reflection_mcp.tools.judging.numbers import Figure, figures, spelled, values

NUMBER, NAME = "grounding:number", "grounding:name"
SENTENCES = 400
"""Sentences of an answer that are looked at."""


def check(case: Case) -> Iterator[Check]:
    """Yield one finding for each number and each name of the answer, if a context was given."""
    if not case.context.strip():
        return
    source = f"{case.context}\n{case.question}"
    yield from _numbers(case, source)
    if case.english:
        yield from _names(case, Source(source))


# --------------------------------------------------------------------------- numbers


def _numbers(case: Case, source: str) -> Iterator[Check]:
    found = figures(case.prose)
    if not found:
        return
    known = values(source)
    order: list[float] | None = None
    for figure in found:
        place = figure.start, figure.end
        if _stands(figure, known):
            yield at(case, *place, NUMBER, "ok", "The context holds this number.")
            continue
        order = sequence(source) if order is None else order
        reason = _implied(figure, known, order, source, case)
        if reason:
            yield at(case, *place, NUMBER, "unchecked", f"Not checked: {reason}.")
        else:
            why = "The context holds no such number, and none of its numbers leads to it."
            yield at(case, *place, NUMBER, "wrong", why, stated=figure.written)


def _stands(figure: Figure, known: frozenset[float]) -> bool:
    value = figure.value
    if value in known:
        return True
    if figure.shape == "decade":
        first = value if value > 100 else 1900 + value
        return any(first + year in known for year in range(10))
    if figure.shape == "ordinal" and 10 <= value <= 22:
        return any((value - 1) * 100 <= year < value * 100 for year in known)
    return False


def _implied(
    figure: Figure, known: frozenset[float], order: list[float], source: str, case: Case
) -> str:
    value = figure.value
    if figure.shape == "year":
        return _implied_year(value, known, source)
    if value <= 1:
        return "too small a number"
    if rounded(value, known):
        return "it may be a number of the context, rounded"
    if derivable(value, order):
        return "it may be worked out from numbers of the context"
    return ""


_NEAR = re.compile(
    r"\b(?:following|next|previous|same|subsequent|preceding|later|earlier|ago|last|prior)\b",
    re.IGNORECASE,
)
_YEARS = re.compile(r"\b(\d{1,3})[ -]years?\b", re.IGNORECASE)


def _implied_year(year: float, known: frozenset[float], source: str) -> str:
    if (year - 1 in known or year + 1 in known) and _NEAR.search(source):
        return "the context may mean it by the year before or after"
    spans = {float(span) for span in _YEARS.findall(source)} | {
        value for _, _, value in spelled(source) if value < 200
    }
    if any(year - span in known or year + span in known for span in spans if span > 1):
        return "it may be worked out from a year of the context"
    return ""


# --------------------------------------------------------------------------- names


def _names(case: Case, source: Source) -> Iterator[Check]:
    if not source.cased:
        return
    seen: set[tuple[str, ...]] = set()
    before: Name | None = None
    for sentence in case.sentences[:SENTENCES]:
        known_before = False
        for name in names(sentence.text, sentence.start):
            status, why = _known(name, source)
            follows = (
                before is not None
                and known_before
                and case.answer[before.end : name.start].strip() == ","
            )
            if status == "wrong" and follows:
                status, why = "unchecked", "Not checked: it places a name that is known."
            known_before = status != "wrong"
            before = name
            if name.words in seen:
                continue
            seen.add(name.words)
            yield at(
                case,
                name.start,
                name.end,
                NAME,
                status,
                why,
                stated=name.written if status == "wrong" else "",
            )


def _known(name: Name, source: Source) -> tuple[Status, str]:
    present = [source.has_word(word) for word in name.words]
    if all(present):
        return "ok", "The context holds this name."
    if (
        source.has_initials(name.words)
        or source.runs_together(name.words)
        or (len(name.words) == 1 and name.written.isupper() and source.spells_out(name.words[0]))
    ):
        return "ok", "The context holds this name in another form."
    if any(present):
        return "unchecked", "Not checked: the context holds a part of this name."
    return "wrong", "The context does not hold this name."
