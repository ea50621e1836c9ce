"""Whether the numbers of an answer stand in the context it was to rest on, or follow from it.

Rules of this module: what the source may imply in one step is unchecked, and what the answer itself
calls a rough figure only has to come near one. Everything else that is absent is wrong: a number is
copied or worked out, not made up.
"""

import re
from collections.abc import Iterator

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.finding import at
from reflection_mcp.tools.judging.grounding.dates import Day
from reflection_mcp.tools.judging.grounding.derivation import (
    MEASURE_FACTORS,
    PLAIN_FACTORS,
    TIME_FACTORS,
    Ledger,
)
from reflection_mcp.tools.judging.grounding.told import AROUND
from reflection_mcp.tools.judging.texts.numbers import Figure, figures, key, spelled, values
from reflection_mcp.tools.judging.texts.wording import signs

NUMBER = "grounding:number"
_Range = tuple[float, float]
FACTS = 200
"""Numbers of an answer that are looked at."""


def check(case: Case, prose: str, told: list[Day]) -> Iterator[Check]:
    """Yield one finding for each number of the answer.

    Args:
        case: question, answer and context.
        prose: the answer without its code, of the same length.
        told: the days that it names, which are no numbers.
    """
    dated = {place for day in told for place in range(day.start, day.end)}
    found = [figure for figure in figures(prose) if figure.start not in dated]
    if case.english:
        found += _measured_words(prose)
    ledger = Ledger(case.source)
    for count, figure in enumerate(found[:FACTS]):
        place = figure.start, figure.end
        stands = case.source.has_figure(figure.written)
        stands = stands or _stands(case.answer, figure, ledger.known)
        reason = "" if stands else _implied(figure, found[:count], ledger, case)
        if reason is None:
            why = "The context holds no such number, and none of its numbers leads to it."
            yield at(case, *place, NUMBER, "wrong", why, stated=figure.written)
        elif reason:
            yield at(case, *place, NUMBER, "unchecked", f"Not checked: {reason}.")
        else:
            yield at(case, *place, NUMBER, "ok", "The context holds this number.")


_PERCENT = re.compile(r"%|\w ?(?:%|percent\b|per cent\b)")
_AFTER_A_FIGURE = re.compile(r"\d[ -]?$")


def _measured_words(text: str) -> list[Figure]:
    """Return the numbers in words that measure something; others may count what is listed."""
    return [
        Figure(start, end, text[start:end], value, "word")
        for start, end, value in spelled(text)
        if value > 1
        and _MEASURE.match(text, end)
        and not _AFTER_A_FIGURE.search(text[max(0, start - 2) : start])
    ]


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
    rough = _rough(case.answer, figure.start)
    if figure.shape == "year" and not rough:
        if _OF_A_WORK.match(case.answer, figure.end):
            return "it may only tell which work is meant"
        before_it = case.answer[max(0, figure.start - AROUND) : figure.start]
        leads = ledger.leads_to_year(value) or ledger.is_years_from(value, values(before_it))
        return "it may be worked out from a year of the context" if leads else None
    if figure.shape == "ordinal" and value > COUNTED:
        anniversary = _ANNIVERSARY.match(case.answer, figure.end) and ledger.spans_years(value)
        return "it may be the time between two years of the context" if anniversary else None
    if value == 100 and _PERCENT.match(case.answer, figure.end - 1):
        return "it may mean all of it"
    if value <= COUNTED and not _MEASURE.match(case.answer, figure.end):
        return "it may be counted"
    if ledger.rounds_to(value):
        return "it may be a number of the context, rounded"
    if _FROM_TODAY.match(case.answer, figure.end):
        return "it may be counted from today"
    return _worked_out(figure, before, ledger, case, rough)


def _worked_out(
    figure: Figure, before: list[Figure], ledger: Ledger, case: Case, rough: _Range | None
) -> str | None:
    value = figure.value
    around = case.answer[max(0, figure.start - AROUND) : figure.end + AROUND].lower()
    words = frozenset(signs(around))
    unit = _YEARS_IN.get(case.answer[figure.end : figure.end + 5].strip(" -").lower()[:4], 1)
    if not _OF_YEARS.isdisjoint(words) and ledger.spans_years(value, unit):
        return "it may be the time between two years of the context"
    factors = _factors(case.answer, figure.end, around, words, ledger)
    loose = bool(rough) or factors is not PLAIN_FACTORS or _speaks_of_reckoning(around, words)
    if ledger.scale_of_columns > 1 and value >= ledger.scale_of_columns:
        value = key(value / ledger.scale_of_columns)
        if value in ledger.known:
            return "the context may count in thousands or more"
    tried = loose or value >= LARGE or value != int(value)
    if tried and ledger.leads_to(value, factors, loose=loose, rough=rough):
        return "it may be worked out from numbers of the context"
    if ledger.is_short and value in ledger.few_steps:
        return "it may be worked out from the few numbers of the context"
    if loose and any(ledger.joins(value, one.value) for one in before[-STEPS:]):
        return "it may be worked out from a number of the answer before it"
    total = not _OF_A_TOTAL.isdisjoint(words) or _TOTAL.search(around)
    if (ledger.is_short or total) and ledger.adds_up_to(value, rough):
        return "it may be a total of numbers of the context"
    return None


STEPS = 4
"""Numbers of the answer before one from which it may have been worked out."""
ROUGHLY = 24
"""Characters before a number in which it is called a rough one."""
_ROUGHLY = re.compile(
    r"(?:\b(?:(?P<near>about|around|roughly|approximately|approx\.?|some|circa|ca\.?|an estimated)|"
    r"(?P<below>nearly|almost|(?:just )?(?:under|below)|(?:less|fewer) than|(?:close|up) to|"
    r"at most)|(?P<above>(?:just )?(?:over|above)|more than|at least|a little over))\s|~\s?)"
    r"(?:a |the |an )?\W?$",
    re.IGNORECASE,
)
# One of these is the last word before a rough number, or the last but an article.
_ENDS_OF_ROUGHLY = frozenset(
    """about around roughly approximately approx some circa ca estimated nearly almost under below
    than to most over above least""".split()
)
_NEAR, _ABOVE, _BELOW = (0.95, 1.05), (1.0, 1.2), (0.85, 1.0)
"""Which share of a rough number what it stands for may be."""


def _rough(text: str, start: int) -> _Range | None:
    """Return how rough the answer calls a number that begins there; None for exact."""
    first = max(0, start - ROUGHLY)
    before = text[first:start].lower()
    if "~" not in before and _ENDS_OF_ROUGHLY.isdisjoint(signs(before)[-2:]):
        return None
    found = _ROUGHLY.search(text, first, start)
    if found is None:
        return None
    return _ABOVE if found["above"] else _BELOW if found["below"] else _NEAR


_YEARS_IN = {"deca": 10, "cent": 100}
# The year of a work that is named is often known beside the source: the 2017 film "Title".
_OF_A_WORK = re.compile(
    r" (?:[a-z-]{3,20} ){0,2}(?:film|movie|album|song|single|novel|book|series|show|game|play) "
    r"[\"\u201c*_A-Z]"
)
_ANNIVERSARY = re.compile(r" (?:wedding )?(?:anniversary|birthday|year|jubilee)\b")
_FROM_TODAY = re.compile(r"[ -]years?[ -](?:ago|old)\b", re.IGNORECASE)
# Words around a number that say what it is of.
_OF_YEARS = frozenset(
    """year years age aged ages old born died turns turned when at lived century centuries decade
    decades""".split()
)
_OF_A_TOTAL = frozenset(
    """total totals totaling totalling altogether sum overall combined together amount
    amounts""".split()
)
_TOTAL = re.compile(r"\b(?:in all|comes? to|adds? up)\b")


def _factors(
    text: str, end: int, around: str, words: frozenset[str], ledger: Ledger
) -> tuple[float, ...]:
    """Return by which factors the unit after a number can be changed into another one."""
    often = None if _TIMES.isdisjoint(words) else _PER_TIME.search(around)
    if _TIME.match(text, end) or (often and often[0] not in ledger.source.small):
        return TIME_FACTORS
    return MEASURE_FACTORS if _MEASURE.match(text, end) else PLAIN_FACTORS


_TIME = re.compile(
    r"[ -]?(?:year|decade|centur|month|week|day|hour|minute|second)\w{0,3}\b", re.IGNORECASE
)
_OFTEN = ("daily", "weekly", "monthly", "yearly", "annual", "annually", "hourly")
_SPANS = ("year", "month", "week", "day", "hour", "minute", "second")
_TIMES = frozenset((*_OFTEN, *_SPANS))
_PER_TIME = re.compile(
    rf"\b(?:per|an?|each|every) (?:{'|'.join(_SPANS)})\b|\b(?:{'|'.join(_OFTEN)})\b"
)
LARGE = 100
"""A number from this on hardly ever comes out of two others by chance."""
COUNTED = 12
"""Things that the context names can be counted; a number up to this is not held against it."""
_MEASURE = re.compile(
    r"[ -]?(?:%|\u00b0|(?:percent(?:age)?|years?|decades?|centur\w{1,3}|months?|weeks?|days?|"
    r"hours?|minutes?|seconds?|miles?|km|kilomet\w{2,4}|met(?:er|re)s?|feet|foot|inch(?:es)?|"
    r"pounds?|dollars?|euros?|kg|kilos?|g|grams?|tons?|tonnes?|degrees|acres?|hectares?|lbs?|"
    r"celsius|fahrenheit|lit(?:er|re)s?|cm|mm|ms|ft|mph|km/h|knots|oz|ounces?|gallons?|yards?|[kmg]b)\b)",
    re.IGNORECASE,
)
_OF_RECKONING = frozenset(
    """year years old age aged total totals altogether combined together difference more fewer less
    increase increased decrease decreased rose fell grew growth lost gained dropped gap later
    earlier after before each per average mean rate half double times sum overall cost remaining
    left decade decades hour hours minute minutes day days week weeks month months km kg mile miles
    kilometer kilometers kilometre kilometres meter meters metre metres feet foot inch inches pound
    pounds lb lbs celsius fahrenheit degrees liter liters litre litres acre acres hectare hectares
    so therefore ratio percent percentage ahead behind lead lighter heavier taller shorter faster
    slower cheaper bigger larger smaller higher lower older younger longer colder warmer wider
    deeper stronger weaker dearer""".split()
)
_RECKONING = re.compile(r"\b(?:in all|up by|down by)\b|\w=\w|%|\u00b0")


def _speaks_of_reckoning(around: str, words: frozenset[str]) -> bool:
    return not _OF_RECKONING.isdisjoint(words) or bool(_RECKONING.search(around))
