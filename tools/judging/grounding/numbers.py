"""Whether the numbers of an answer stand in the context it was to rest on, or follow from it.

Rules of this module: what the source may imply in one step is unchecked, and what the answer itself
calls a rough figure only has to come near one. Everything else that is absent is wrong: a number is
copied or worked out, not made up.
"""

import re
from collections.abc import Iterator
from itertools import combinations

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.finding import at
from reflection_mcp.tools.judging.grounding.bounds import BEFORE, is_bound, side
from reflection_mcp.tools.judging.grounding.dates import Calendar, Day
from reflection_mcp.tools.judging.grounding.derivation import PLAIN_FACTORS, Ledger, digits
from reflection_mcp.tools.judging.grounding.multiples import is_multiple
from reflection_mcp.tools.judging.grounding.surroundings import MEASURE, Surroundings
from reflection_mcp.tools.judging.grounding.told import AROUND
from reflection_mcp.tools.judging.texts.numbers import Figure, figures, key, spelled, values
from reflection_mcp.tools.judging.texts.wording import Signs, signs

NUMBER = "grounding:number"
FACTS = 200
"""Numbers of an answer that are looked at."""
QUESTION = 2_000
"""Characters of a question in which it shows what is asked for."""


def check(
    case: Case, prose: str, told: list[Day], calendar: Calendar, *, in_english: bool
) -> Iterator[Check]:
    """Yield one finding for each number of the answer.

    Args:
        case: question, answer and context.
        prose: the answer without its code, of the same length.
        told: the days that it names, which are no numbers.
        calendar: the days of the context.
        in_english: whether number words are to be read.
    """
    dated = {place for day in told for place in range(day.start, day.end)}
    found = [figure for figure in figures(prose) if figure.start not in dated]
    if in_english:
        found += _measured_words(prose)
    ledger, words = Ledger(case.source), Signs(case.answer)
    asked = frozenset(signs(case.question[:QUESTION].lower()))
    for count, figure in enumerate(found[:FACTS]):
        place = figure.start, figure.end
        stands = case.source.has_figure(figure.written)
        stands = stands or _stands(case.answer, figure, ledger.known)
        reason = "" if stands else _implied(found, count, ledger, case, words, asked)
        if reason is None and _may_be_written_otherwise(found, count, ledger, case, words, asked):
            reason = "it may be a number of the context with other signs between its thousands"
        if reason is None and figure.shape == "year" and _ends_a_day(figure, told, calendar):
            reason = "it may be the year of a day that follows from the context"
        if reason is None:
            why = "The context holds no such number, and none of its numbers leads to it."
            yield at(case, *place, NUMBER, "wrong", why, stated=figure.written)
        elif reason:
            yield at(case, *place, NUMBER, "unchecked", f"Not checked: {reason}.")
        else:
            yield at(case, *place, NUMBER, "ok", "The context holds this number.")


def _ends_a_day(figure: Figure, told: list[Day], calendar: Calendar) -> bool:
    """Tell whether a year stands behind a day that may be meant by the context."""
    return any(0 < figure.start - day.end <= len(" of ") and calendar.may_mean(day) for day in told)


_PARTED = re.compile(r"[1-9]\d{0,2}(?:[ \u00a0\u202f]\d{3}){1,4}(?![\d.,]\d|\d)")
_POINTED = re.compile(r"\D{0,3}([1-9]\d{0,2}\.\d{3})")
PARTS = 16
"""Characters before a number in which it may have begun."""


def _may_be_written_otherwise(
    found: list[Figure],
    place: int,
    ledger: Ledger,
    case: Case,
    words: Signs,
    asked: frozenset[str],
) -> bool:
    """Tell whether a number is known once its thousands are put together: 1 250 and 1.250."""
    figure = found[place]
    pointed = _POINTED.fullmatch(figure.written)
    if pointed:
        written = pointed[1].replace(".", "")
        other = figure._replace(value=float(written))
    else:
        parts = _parts(case.answer, figure)
        if parts is None:
            return False
        value = float("".join(filter(str.isdecimal, parts[0])))
        other = Figure(*parts.span(), parts[0], value, "figure")
    if other.value in ledger.known:
        return True
    rest = [*found[:place], other, *found[place + 1 :]]
    return not pointed and _implied(rest, place, ledger, case, words, asked) is not None


def _parts(answer: str, figure: Figure) -> re.Match[str] | None:
    """Return the number of several groups of digits of which one is a figure."""
    first = max(0, figure.start - PARTS)
    around = _PARTED.finditer(answer, first, figure.end + PARTS)
    return next((one for one in around if one.start() <= figure.start < one.end()), None)


_PERCENT = re.compile(r"%|\w ?(?:%|percent\b|per cent\b)")
_AFTER_A_FIGURE = re.compile(r"\d[ -]?$")


def _measured_words(text: str) -> list[Figure]:
    """Return the numbers in words that measure something; others may count what is listed."""
    return [
        Figure(start, end, text[start:end], value, "word")
        for start, end, value in spelled(text)
        if value > 1
        and MEASURE.match(text, end)
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


def _implied(
    found: list[Figure],
    place: int,
    ledger: Ledger,
    case: Case,
    words: Signs,
    asked: frozenset[str],
) -> str | None:
    """Return why a number that is not in the context may be implied by it; None for no reason.

    Args:
        found: the numbers of the answer.
        place: which of them.
        ledger: the numbers of the context.
        case: question, answer and context.
        words: of the answer.
        asked: the words of the question.
    """
    figure = found[place]
    value = figure.value
    if figure.shape == "decade":
        return None
    about = Surroundings(case.answer, words, figure, asked)
    if about.is_label:
        return None
    if figure.shape == "year" and not about.rough:
        if _OF_A_WORK.match(case.answer, figure.end):
            return "it may only tell which work is meant"
        # An age may stand behind the year it leads to, years do so before it.
        end = figure.end + AROUND if about.of_an_age else figure.start
        beside = values(case.answer[max(0, figure.start - AROUND) : end])
        leads = ledger.leads_to_year(value) or ledger.is_years_from(
            value, beside, age=about.of_an_age
        )
        return "it may be worked out from a year of the context" if leads else None
    if figure.shape == "ordinal" and value > COUNTED:
        anniversary = _ANNIVERSARY.match(case.answer, figure.end) and ledger.spans_years(value)
        return "it may be the time between two years of the context" if anniversary else None
    if value == 100 and _PERCENT.match(case.answer, figure.end - 1):
        return "it may mean all of it"
    if value <= COUNTED and value == int(value) and not about.is_measured:
        return "it may be counted"
    where = side(case.answer[max(0, figure.start - BEFORE) : figure.start])
    if where and is_bound(value, where, about.things, sorted(asked), ledger):
        return "it may be a bound of a number of the context"
    if is_multiple(value, ledger.order, about.multiples(case.question[:QUESTION].lower())):
        return "it may be a multiple of a number of the context"
    if about.rough and about.is_plain_count and ledger.counts(about.things):
        near = ledger.of_one_kind(value, about.things, about.rough)
        return "it may be a rough one for a number of the context" if near else None
    if ledger.rounds_to(value):
        return "it may be a number of the context, rounded"
    if about.minutes and ledger.lasts(about.minutes):
        return "it may be a part of a time that the context gives"
    if _FROM_TODAY.match(case.answer, figure.end):
        return "it may be counted from today"
    if about.takes_steps:
        return "the question asks for what may take several steps"
    return _worked_out(found, place, ledger, about)


def _beside(found: list[Figure], place: int) -> tuple[list[float], list[float]]:
    """Return the amounts of an answer that stand near one of them, before it and behind it."""
    start = found[place].start
    sides = found[max(0, place - STEPS) : place], found[place + 1 : place + 1 + STEPS]
    before, behind = (
        [one.value for one in side if one.shape != "year" and abs(one.start - start) <= AROUND]
        for side in sides
    )
    return before, behind


def _worked_out(found: list[Figure], place: int, ledger: Ledger, about: Surroundings) -> str | None:
    value = found[place].value
    if about.of_years and ledger.spans_years(value, about.years_in_one):
        return "it may be the time between two years of the context"
    factors = about.factors(ledger.source.small)
    loose = bool(about.rough) or factors is not PLAIN_FACTORS or about.of_reckoning
    if ledger.scale_of_columns > 1 and value >= ledger.scale_of_columns:
        value = key(value / ledger.scale_of_columns)
        if value in ledger.known or ledger.rounds_to(value):
            return "the context may count in thousands or more"
    tried = loose or value >= LARGE or value != int(value)
    if not (ledger.is_short or about.puts_together or digits(value) > BY_CHANCE):
        # Of many numbers any small one can be made: only what is of one kind is put together.
        if ledger.of_one_kind(value, about.things, about.rough):
            return "it may be worked out from what the context says of the same kind"
    elif tried and ledger.leads_to(value, factors, loose=loose, rough=about.rough):
        return "it may be worked out from numbers of the context"
    if ledger.is_short and value in ledger.few_steps:
        return "it may be worked out from the few numbers of the context"
    before, behind = _beside(found, place)
    if loose and any(ledger.joins(value, other) for other in before):
        return "it may be worked out from a number of the answer before it"
    beside = before + behind
    scaled = {other for by in factors for other in (value * by, value / by)}
    if about.is_measured and not scaled.isdisjoint(beside):
        return "it may be the number beside it in another unit"
    shown = [other for other in beside if other in ledger.known]
    if any(_makes(value, *two) for two in combinations(shown, 2)):
        return "it may be worked out from the numbers beside it"
    if (ledger.is_short or value > COUNTED) and value in ledger.of_neighbours:
        return "it may be worked out from two numbers of one sentence of the context"
    if (ledger.is_short or about.of_a_total) and ledger.adds_up_to(value, about.rough):
        return "it may be a total of numbers of the context"
    return None


def _makes(value: float, one: float, other: float) -> bool:
    """Tell whether two numbers make a third, which may have been rounded."""
    results = (one + other, abs(one - other), one * other)
    return any(abs(value - result) <= ROUNDED * value for result in results)


ROUNDED = 0.006
"""Relative error of a result that is given to three digits."""
BY_CHANCE = 1
"""Digits of a number up to which it comes out of two others of a long text by chance."""
STEPS = 4
"""Numbers of the answer on each side of one from which it may have been worked out."""
# The year of a work that is named is often known beside the source: the 2017 film "Title".
_OF_A_WORK = re.compile(
    r" (?:[a-z-]{3,20} ){0,2}(?:film|movie|album|song|single|novel|book|series|show|game|play) "
    r"[\"\u201c*_A-Z]"
)
_ANNIVERSARY = re.compile(r" (?:wedding )?(?:anniversary|birthday|year|jubilee)\b")
_FROM_TODAY = re.compile(r"[ -]years?[ -](?:ago|old)\b", re.IGNORECASE)
LARGE = 100
"""A number from this on hardly ever comes out of two others by chance."""
COUNTED = 12
"""Things that the context names can be counted; a number up to this is not held against it. Nor
does it say much that two numbers of a long text make one."""
