"""Whether the numbers, dates and names of an answer stand in the context it was to rest on.

Rules of this module: without a context nothing is said. What the question says is known as well. A
number that the context may imply in one step, a name that it may know under another form, and all
text that is not English prose is unchecked. Absence is a fact; contradiction is not looked for,
because words alone show no sign of it (measured: AUROC 0.49 to 0.54).
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from reflection_mcp.store.records import Check, Status
from reflection_mcp.tools.judging import grounding_order, grounding_origin, grounding_sole
from reflection_mcp.tools.judging.case import Case, Piece
from reflection_mcp.tools.judging.finding import at
from reflection_mcp.tools.judging.grounding_dates import Calendar, Day, days, months
from reflection_mcp.tools.judging.grounding_derivation import (
    AROUND,
    MEASURE_FACTORS,
    PLAIN_FACTORS,
    TIME_FACTORS,
    Ledger,
)
from reflection_mcp.tools.judging.names import Name, names
from reflection_mcp.tools.judging.numbers import Figure, figures, key, spelled
from reflection_mcp.tools.judging.source import Source, fold

NUMBER, NAME, DATE = "grounding:number", "grounding:name", "grounding:date"
SENTENCES, FACTS = 400, 200
"""Sentences of an answer that are looked at, and facts of each kind in them."""


def check(case: Case) -> Iterator[Check]:
    """Yield one finding for each number, day and name of the answer, if a context was given."""
    if not case.context.strip():
        return
    source = case.source.text
    prose = _INLINE_CODE.sub(lambda code: " " * len(code[0]), case.prose)
    excuse = ""
    if not case.english:
        excuse = "another language may write numbers and count years otherwise"
    elif _ASKS_FOR_NEW.search(case.question):
        excuse = "the question asks for more than the context holds"
    for found in _facts(case, prose, source):
        if excuse and found.status == "wrong":
            yield replace(found, status="unchecked", stated="", why=f"Not checked: {excuse}.")
        else:
            yield found


def _facts(case: Case, prose: str, source: str) -> Iterator[Check]:
    told = days(prose)
    yield from _dates(case, prose, source, told)
    yield from _clock_times(case, prose, source)
    yield from grounding_order.check(case)
    yield from _numbers(case, prose, source, told)
    if case.english:
        yield from grounding_origin.check(case, case.source)
        yield from _names(case, prose, case.source)


_INLINE_CODE = re.compile(r"`[^`\n]{1,200}`")
# Advice, ideas and fiction bring facts of their own.
_ASKS_FOR_NEW = re.compile(
    r"\b(?:suggest\w{0,6}|recommend\w{0,7}|ideas?|brainstorm|imagine|invent|fictional|advice|tips|"
    r"improve|(?:write|tell|compose|create|generate|give)\b[^.?!\n]{0,30}\b(?:story|stories|"
    r"poem|dialogue|examples?)|how (?:can|could|should|do|would) (?:i|we|you|one))\b",
    re.IGNORECASE,
)

# --------------------------------------------------------------------------- dates


def _dates(case: Case, prose: str, source: str, told: list[Day]) -> Iterator[Check]:
    calendar = Calendar(source)
    for day in told[:FACTS]:
        place = day.start, day.end
        written = case.answer[day.start : day.end]
        if _literally(written, source) or (day.day, day.month) in calendar.days:
            yield at(case, *place, DATE, "ok", "The context holds this day.")
        elif calendar.tells_days_otherwise:
            why = "Not checked: the context tells days in another way."
            yield at(case, *place, DATE, "unchecked", why)
        else:
            why = "The context does not hold this day."
            yield at(case, *place, DATE, "wrong", why, stated=written)
    for start, end, month in months(prose, told)[:FACTS]:
        # Only a month that the context names in no way is faulted.
        written = case.answer[start:end]
        if _literally(written, source) or month in calendar.months:
            yield at(case, start, end, DATE, "ok", "The context holds this month.")
        elif calendar.tells_months_otherwise:
            yield at(case, start, end, DATE, "unchecked", "Not checked: told in another way.")
        else:
            why = "The context does not hold this month."
            yield at(case, start, end, DATE, "wrong", why, stated=written)


_CLOCK = re.compile(r"(?<![\d:.])\d{1,2}:[0-5]\d(?: ?[ap]\.?m\b)", re.IGNORECASE)
_TELLS_TIME = re.compile(
    r"\b\d{1,2}[:.]\d{2}\b|\d ?[ap]\.?m\b|o'clock|\b(?:noon|midnight|hours?|minutes?|past|"
    r"quarter|half|\d{4} ?(?:hrs|h|utc|gmt))\b",
    re.IGNORECASE,
)


def _clock_times(case: Case, prose: str, source: str) -> Iterator[Check]:
    """Fault a time of the day, if the context tells none in any form."""
    told = list(islice(_CLOCK.finditer(prose), FACTS))
    if not told or _TELLS_TIME.search(source):
        return
    for found in told:
        why = "The context does not hold any time of the day."
        yield at(case, *found.span(), DATE, "wrong", why, stated=found[0])


# --------------------------------------------------------------------------- numbers


def _numbers(case: Case, prose: str, source: str, told: list[Day]) -> Iterator[Check]:
    dated = {place for day in told for place in range(day.start, day.end)}
    found = [figure for figure in figures(prose) if figure.start not in dated]
    if case.english:
        found += _measured_words(prose)
    ledger = Ledger(source)
    for count, figure in enumerate(found[:FACTS]):
        place = figure.start, figure.end
        stands = _literally(figure.written, source) or _stands(case.answer, figure, ledger.known)
        reason = "" if stands else _implied(figure, found[:count], ledger, case)
        if reason is None:
            why = "The context holds no such number, and none of its numbers leads to it."
            yield at(case, *place, NUMBER, "wrong", why, stated=figure.written)
        elif reason:
            yield at(case, *place, NUMBER, "unchecked", f"Not checked: {reason}.")
        else:
            yield at(case, *place, NUMBER, "ok", "The context holds this number.")


_PERCENT = re.compile(r"%|\w ?(?:%|percent\b|per cent\b)")


def _measured_words(text: str) -> list[Figure]:
    """Return the numbers in words that measure something; others may count what is listed."""
    return [
        Figure(start, end, text[start:end], value, "word")
        for start, end, value in spelled(text)
        if value > 1 and _MEASURE.match(text, end)
    ]


def _literally(written: str, source: str) -> bool:
    """Tell whether a number or a day stands in the source as it is written: quick, and usual."""
    place = source.find(written)
    while place >= 0:
        before, after = (
            source[place - 1 : place],
            source[place + len(written) : place + len(written) + 2],
        )
        if not (_INSIDE.match(before) or _GOES_ON.match(after)):
            return True
        place = source.find(written, place + 1)
    return False


_INSIDE = re.compile(r"[\w.,]")
_GOES_ON = re.compile(r"\w|[.,]\d")


def _stands(answer: str, figure: Figure, known: frozenset[float]) -> bool:
    value = figure.value
    if value in known:
        return True
    if _PERCENT.match(answer, figure.end - 1):
        return key(value / 100) in known
    if figure.shape == "decade":
        first = value if value > 100 else 1900 + value
        return any(first + year in known for year in range(10))
    if figure.shape == "ordinal" and 10 <= value <= 22:
        return any((value - 1) * 100 <= year < value * 100 for year in known)
    return False


def _implied(figure: Figure, before: list[Figure], ledger: Ledger, case: Case) -> str | None:
    """Return why a number that is not in the context may be implied by it; None for no reason."""
    value = figure.value
    if figure.shape == "decade":
        return None
    if figure.shape == "year":
        if _OF_A_WORK.match(case.answer, figure.end):
            return "it may only tell which work is meant"
        leads = ledger.leads_to_year(value)
        return "it may be worked out from a year of the context" if leads else None
    if value == 100 and _PERCENT.match(case.answer, figure.end - 1):
        return "it may mean all of it"
    if value <= COUNTED and not _MEASURE.match(case.answer, figure.end):
        return "it may be counted"
    if ledger.rounds_to(value):
        return "it may be a number of the context, rounded"
    if _FROM_TODAY.match(case.answer, figure.end):
        return "it may be counted from today"
    around = case.answer[max(0, figure.start - AROUND) : figure.end + AROUND]
    factors = _factors(case.answer, figure.end)
    loose = factors is not PLAIN_FACTORS or bool(_WORKED_OUT.search(around))
    if (loose or value >= LARGE) and ledger.leads_to(value, factors, loose=loose):
        return "it may be worked out from numbers of the context"
    if loose and any(ledger.joins(value, one.value) for one in before[-STEPS:]):
        return "it may be worked out from a number of the answer before it"
    return None


STEPS = 4
"""Numbers of the answer before one from which it may have been worked out."""


# The year of a work that is named is often known beside the source: the 2017 film "Title".
_OF_A_WORK = re.compile(
    r" (?:[a-z-]{3,20} ){0,2}(?:film|movie|album|song|single|novel|book|series|show|game|play) "
    r"[\"\u201c*_A-Z]"
)
_FROM_TODAY = re.compile(r"[ -]years?[ -](?:ago|old)\b", re.IGNORECASE)


def _factors(text: str, end: int) -> tuple[float, ...]:
    """Return by which factors the unit after a number can be changed into another one."""
    if _TIME.match(text, end):
        return TIME_FACTORS
    return MEASURE_FACTORS if _MEASURE.match(text, end) else PLAIN_FACTORS


_TIME = re.compile(
    r"[ -]?(?:year|decade|centur|month|week|day|hour|minute|second)\w{0,3}\b", re.IGNORECASE
)
LARGE = 100
"""A number from this on hardly ever comes out of two others by chance."""
COUNTED = 12
"""Things that the context names can be counted; a number up to this is not held against it."""
_MEASURE = re.compile(
    r"[ -]?(?:%|(?:percent(?:age)?|years?|decades?|centur\w{1,3}|months?|weeks?|days?|hours?|"
    r"minutes?|seconds?|miles?|km|kilomet\w{2,4}|met(?:er|re)s?|feet|foot|inch(?:es)?|pounds?|"
    r"dollars?|euros?|kg|tons?|tonnes?|degrees|acres?|hectares?|lbs?|celsius|fahrenheit|"
    r"lit(?:er|re)s?|cm|mm|ft|[kmg]b)\b)",
    re.IGNORECASE,
)
_WORKED_OUT = re.compile(
    r"\b(?:years?|old|aged?|total|altogether|combined|together|difference|more|fewer|less|"
    r"increased?|decreased?|rose|fell|grew|gap|later|earlier|after|before|each|per|average|mean|"
    r"half|double|times|sum|remaining|left|decades?|hours?|minutes?|days?|weeks?|months?|km|kg|"
    r"miles?|kilomet\w{2,4}|met(?:er|re)s?|feet|foot|inch(?:es)?|pounds?|lbs?|celsius|fahrenheit|"
    r"degrees|lit(?:er|re)s?|acres?|hectares?|so|therefore|=|ratio|percent(?:age)?)\b|%|\u00b0",
    re.IGNORECASE,
)
# --------------------------------------------------------------------------- names


def _names(case: Case, prose: str, source: Source) -> Iterator[Check]:
    if not source.cased:
        return
    seen: set[tuple[str, ...]] = set()
    before: Name | None = None
    alone = len(case.sentences) == 1
    if alone:
        yield from grounding_sole.check(case, source)
    for sentence in case.sentences[:SENTENCES]:
        text, start = _without_label(sentence)
        for name in names(text, start, alone=alone):
            status, why = _known(name, source)
            if status == "wrong" and before is not None and _places(case.answer, before, name):
                status, why = "unchecked", "Not checked: it may place a name that is known."
            elif status == "wrong" and alone and _is_where(case, name, source):
                status, why = "unchecked", "Not checked: it may say where a known place lies."
            before = name if status != "wrong" else None
            if name.words not in seen and prose[name.start : name.end] == name.written:
                seen.add(name.words)
                stated = name.written if status == "wrong" else ""
                yield at(case, name.start, name.end, NAME, status, why, stated=stated)
            if len(seen) == FACTS:
                return


# "- **Market Share:** ...": what stands before the colon is the writer's own heading.
_LABEL = re.compile(
    r"[\s>*+\u2022-]{0,8}(?:\d{1,3}[.)]\s{0,4})?(?:\*\*[^*\n]{1,80}\*\*:?|[^:*|\n.]{1,60}:)(?=\s|$)"
)


def _without_label(sentence: Piece) -> tuple[str, int]:
    """Return what of a line may hold names, and where it begins; nothing of headings and tables."""
    text = sentence.text
    if text.startswith(("#", "|")):
        return "", sentence.start
    label = _LABEL.match(text)
    end = label.end() if label else 0
    return text[end:], sentence.start + end


def _places(answer: str, before: Name, name: Name) -> bool:
    """Tell whether a name says where the one before lies: "in Calgary, Alberta"."""
    if len(name.words) > 1 or answer[before.end : name.start].strip() != ",":
        return False
    return bool(re.search(r"\b(?:in|at|from|of|near|to)\s+$", answer[: before.start][-12:]))


_ASKS_WHERE = re.compile(r"\b(?:where|city|town|village|place|located|location)\b", re.IGNORECASE)
_PLACE = re.compile(r"\W*([^\W\d_]{2,30}),\s*")


def _is_where(case: Case, name: Name, source: Source) -> bool:
    """Tell whether the answer is a known place and where it lies: "Halifax, Nova Scotia"."""
    place = _PLACE.fullmatch(case.answer[: name.start][-60:])
    if not place or case.answer[name.end :].strip(" .") or not _ASKS_WHERE.search(case.question):
        return False
    return source.has_word(fold(place[1]))


def _known(name: Name, source: Source) -> tuple[Status, str]:
    missing = [word for word in name.words if not source.has_word(word)]
    missing = [word for word in missing if not source.has_like(word)]
    if not missing:
        return "ok", "The context holds this name."
    if (
        source.has_initials(name.written)
        or source.runs_together(name.words)
        or (len(name.words) == 1 and name.written.isupper() and source.spells_out(name.words[0]))
    ):
        return "ok", "The context holds this name in another form."
    if name.opens and missing == [name.words[0]]:
        return "unchecked", "Not checked: its first word may owe its capital to the sentence."
    if len(missing) == 1 and len(name.words) > SPLIT:
        return "unchecked", "Not checked: the context holds a part of this long name."
    if len(missing) < len(name.words):
        return "wrong", f"The context does not hold {missing[0]!r} of this name."
    return "wrong", "The context does not hold this name."


SPLIT = 4
"""Words of a name above which a missing one may belong to its description."""
