"""Check that the numbers of an answer are in its context, or follow from it.

Rules of this module: a number that may follow from the context in a step is unchecked: a sum, a
difference, a product, a quotient or a percentage of two numbers that are close together, another
unit, a rounding. Parts of dates, versions and identifiers are not used for that. Another number is
reported only where the context counts or measures something of its kind, and a year always.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.finding import at
from reflection_mcp.tools.judging.texts.dates import MONTH, days
from reflection_mcp.tools.judging.texts.numbers import (
    UNITS,
    Figure,
    figures,
    key,
    values,
)
from reflection_mcp.tools.judging.texts.source import Source
from reflection_mcp.tools.judging.texts.wording import STOP, stem

NUMBER = "grounding:number"
FACTS = 200
"""Numbers of an answer that are looked at."""
COUNTED = 12
"""Things that the context names can be counted: a number up to this is not held against it."""
MATERIAL = 250
"""Numbers of the context from which others may follow."""
NEAR = 4
"""Numbers of the context that are combined with each one before them."""
ROUGH, ROUNDED = 0.06, 0.006
"""Relative error of a number that is called a rough one, and of one with three digits."""
OF_UNITS = (
    1e3, 1e6, 1e9, 100.0, 60.0, 24.0, 7.0, 12.0, 52.0, 365.0, 30.0, 3600.0, 1440.0, 86400.0, 10.0,
    1024.0, 1.609344, 0.3048, 2.54, 0.45359, 3.78541, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0,
)  # fmt: skip
"""The ratios of a larger unit to a smaller one, and how often a number may be taken."""
YEARS = (1000, 2100)
TOLD = 200
"""Characters around a year in which a number of years may lead to another one."""

_DAY_OF = re.compile(rf"(?<!\w){MONTH}\s(?:the\s)?$", re.IGNORECASE)
_DAY = re.compile(r"\d{1,2}(?:st|nd|rd|th)?\b", re.IGNORECASE)
# What begins with a digit and is no number: a date, a clock time, a version, a word like "3ware".
_NO_NUMBER = re.compile(
    rf"\d{{1,2}}(?:st|nd|rd|th)?\s(?:of\s)?{MONTH}(?!\w)"
    r"|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d{1,6})?"
    r"|\d{1,9}(?:\.\d{1,9}){2,5}|\d(?<!\w.)\d{0,9}[A-Za-z_]{4,40}",
    re.IGNORECASE,
)
_FIRST = re.compile(r"\d(?<!\d.)")
_NAME_HEAD = re.compile(r"(?<![\w-])[A-Za-z_#][\w-]{0,60}$")
_NAME_TAIL = re.compile(r"\d[\w.-]{0,60}")
MONTH_LENGTH, NAME_LENGTH = 16, 64
_BLANK = " \n\t\u00a0"
_APART = frozenset(f"{_BLANK}.,;:!?()[]{{}}<>|/=+*%$\u20ac\u00a3'\"`~@&\\\u2013\u2014\u201c\u201d")
_LABEL = re.compile(
    r"\b(?:version|release|python|node|java|line|lines|page|step|section|chapter|figure|table|room|"
    r"port|status|code|exit|rfc|pep|http|iso|no\.|number|nr\.?|issue|pull request|pr)\s?#?\(?$",
    re.IGNORECASE,
)
_ROUGHLY = re.compile(
    r"(?:\b(?:about|around|roughly|approximately|approx\.?|some|circa|ca\.?|nearly|almost|over|under"
    r"|above|below|up to|at (?:least|most)|(?:more|less|fewer) than|close to|estimated)\s"
    r"|[~\u2248<>]\s?)"
    r"(?:an? |the )?\W?$",
    re.IGNORECASE,
)
_MEASURED = re.compile(
    r"[ -]?(?:%|\u00b0|(?:per ?cent|years?|months?|weeks?|days?|hours?|minutes?|seconds?|miles?|km"
    r"|kilo\w+|met(?:er|re)s?|feet|inch(?:es)?|pounds?|dollars?|euros?|kg|grams?|tons?|tonnes?"
    r"|degrees|acres?|hectares?|[kmgt]i?b|ms|ghz|mhz)\b)",
    re.IGNORECASE,
)

_YEAR = re.compile(r"(?<![\w.])(?:1\d|20)\d\d(?!\w)")
_YEARS_TOLD = re.compile(
    rf"\b(\d{{1,3}}|{'|'.join(UNITS)})[ -](?:year|decade)|\b(?:aged?|turned|was|\()\s?(\d{{2}})\b"
)
_NEXT_YEAR = re.compile(
    r"\b(?:following|next|previous|subsequent|preceding|later|earlier|ago|last|prior"
    r"|(?:year|season|spring|summer|autumn|fall|winter) (?:before|after))\b"
)


def check(case: Case, prose: str) -> Iterator[Check]:
    """Yield one finding for each number of the answer.

    Args:
        case: question, answer and context.
        prose: the answer without its code, of the same length.
    """
    skip = _spans(prose)
    found = [one for one in figures(prose) if not _covered(skip, one.start)]
    ledger = Ledger(case.source)
    known = {one.date for one in days(case.source.text)}
    others = {one.end for one in days(prose) if one.year and one.date not in known}
    for figure in found[:FACTS]:
        place = figure.start, figure.end
        if _stands(figure, prose, ledger):
            if figure.end in others:
                why = "Not checked: the context holds this year, and not this day of it."
                yield at(case, *place, NUMBER, "unchecked", why)
            else:
                yield at(case, *place, NUMBER, "ok", "The context holds this number.")
        elif reason := _reason(figure, prose, ledger):
            yield at(case, *place, NUMBER, "unchecked", f"Not checked: {reason}.")
        else:
            why = "The context holds no such number, and none of its numbers leads to it."
            yield at(case, *place, NUMBER, "wrong", why, stated=figure.written)


def _spans(text: str) -> list[tuple[int, int]]:
    """Return where dates, versions and identifiers stand, in order."""
    found: list[tuple[int, int]] = []
    for first in _FIRST.finditer(text):
        start = first.start()
        if found and start < found[-1][1]:
            continue
        last = text[start - 1] if start else " "
        before = text[start - NAME_LENGTH if start > NAME_LENGTH else 0 : start]
        if last not in _APART and (name := _NAME_HEAD.search(before)):
            tail = _NAME_TAIL.match(text, start)
            found.append((start - len(name[0]), tail.end() if tail else start))
        elif no_number := _NO_NUMBER.match(text, start):
            found.append(no_number.span())
        elif last in _BLANK and (month := _DAY_OF.search(before[-MONTH_LENGTH:])):
            day = _DAY.match(text, start)
            found += [(start - len(month[0]), day.end())] if day else []
    return sorted(found)


def _covered(spans: list[tuple[int, int]], place: int) -> bool:
    first = bisect_left(spans, (place + 1, 0))
    return any(end > place for _, end in spans[max(0, first - 2) : first])


def _stands(figure: Figure, prose: str, ledger: "Ledger") -> bool:
    if ledger.source.has_figure(figure.written) or figure.value in ledger.plain:
        return True
    if "%" in figure.written or _percent(prose, figure):
        return key(figure.value / 100) in ledger.plain
    if figure.shape == "decade":
        first = figure.value if figure.value > 100 else 1900 + figure.value
        return any(first + year in ledger.known for year in range(10))
    return False


def _percent(prose: str, figure: Figure) -> bool:
    return prose[figure.end : figure.end + 9].lstrip(" -").startswith(("%", "percent", "per cent"))


def _reason(figure: Figure, prose: str, ledger: "Ledger") -> str:
    """Return why a number that is not in the context may be implied by it, or nothing."""
    value = figure.value
    if value in ledger.known:
        return "it may stand there, written in another way"
    before = prose[max(0, figure.start - 24) : figure.start]
    if _LABEL.search(before):
        return "a number that tells which one is meant"
    if figure.shape in ("decade", "ordinal") or value <= 1 or value == 100:
        return "it may be counted, or mean all of it"
    measured = _MEASURED.match(prose, figure.end)
    if value <= COUNTED and value == int(value) and not measured:
        return "it may be counted"
    rough = ROUGH if _ROUGHLY.search(before) else 0.0
    if figure.shape == "year" and not rough:
        return "it may follow from a year of the context" if value in ledger.led_to else ""
    if ledger.near(value, rough or ROUNDED):
        return "it may be a number of the context, rounded"
    if not ledger.has_rival(_unit(prose, figure)):
        return "the context counts nothing of that kind"
    if ledger.leads_to(value, rough or ROUNDED):
        return "it may be worked out from numbers of the context"
    return ""


_OWN_UNIT = re.compile(r"(?<=\d)[A-Za-z]{1,3}$|^[$\u20ac\u00a3\u00a5]|%$")
_UNIT = re.compile(r"[ -]?([^\W\d_]{1,20})")


def _unit(prose: str, figure: Figure) -> str:
    """Return the unit or the word behind a number, in small letters."""
    behind = _UNIT.match(prose, figure.end)
    if _percent(prose, figure):
        return "%"
    own = _OWN_UNIT.search(figure.written) if figure.shape != "word" else None
    return (own[0] if own else behind[1] if behind else "").lower()


class Ledger:
    """The numbers of a context, and what follows from them in one step."""

    def __init__(self, source: Source) -> None:
        self.source = source

    @cached_property
    def _figures(self) -> list[Figure]:
        return figures(self.source.text)

    @cached_property
    def known(self) -> frozenset[float]:
        """Every value that a number of the context may have been meant as."""
        return values(self.source.text)

    @cached_property
    def _ascending(self) -> list[float]:
        return sorted(self.known)

    @cached_property
    def _in_order(self) -> list[tuple[int, float]]:
        """Return offset and value of each number that is no part of a date or a name."""
        text = self.source.text
        skip = _spans(text)
        written = [one for one in self._figures if not _covered(skip, one.start)]
        return sorted((one.start, one.value) for one in written)

    @cached_property
    def plain(self) -> frozenset[float]:
        """The numbers that stand in the context as such."""
        return frozenset(value for _, value in self._in_order)

    @cached_property
    def material(self) -> list[float]:
        """The numbers from which others may follow, in order."""
        return [value for _, value in self._in_order[:MATERIAL]]

    @cached_property
    def _years(self) -> list[float]:
        return [one for one in self._ascending if YEARS[0] <= one <= YEARS[1]][:MATERIAL]

    def near(self, value: float, error: float) -> bool:
        """Return True if a number of the context lies so near."""
        return _holds(self._ascending, value, error) and value > COUNTED

    @cached_property
    def led_to(self) -> frozenset[float]:
        """The years that lie as many years from one of the context as are named close to it."""
        text, found = self.source.small, set[float]()
        for year in _YEAR.finditer(text):
            around = text[max(0, year.start() - TOLD) : year.end() + TOLD]
            told = {one or other for one, other in _YEARS_TOLD.findall(around)}
            spans = {float(one) for one in told if one.isdecimal()}
            spans |= {float(UNITS[one]) for one in UNITS.keys() & told}
            spans |= {1.0} if _NEXT_YEAR.search(around) else set[float]()
            found |= {float(year[0]) + span for span in spans}
            found |= {float(year[0]) - span for span in spans}
        return frozenset(found)

    @cached_property
    def _units(self) -> frozenset[str]:
        """Return the quantities that the context measures, from the words after its numbers."""
        found = self._figures[:MATERIAL]
        return frozenset(stem(word) for one in found if (word := _unit(self.source.text, one)))

    def has_rival(self, word: str) -> bool:
        """Return True if the context counts, or measures in the same unit, what a word names."""
        return bool(word) and word not in STOP and stem(word) in self._units

    @cached_property
    def _results(self) -> list[float]:
        """The results of two numbers that stand close together, and the years between two."""
        order = self.material
        found = {later - early for early in self._years for later in self._years}
        found |= {100 - one for one in order}
        for apart in range(1, NEAR + 1):
            for one, other in zip(order, order[apart:], strict=False):
                found.update((one + other, abs(one - other), one * other))
                for part, whole in ((one, other), (other, one)):
                    share = part / whole if whole else 0.0
                    found.update((share, 100 * share, 100 * abs(1 - share)))
                    found.update((part * (1 + whole / 100), part * (1 - whole / 100)))
                    found.add(part * whole / 100)
        return sorted(found)

    def leads_to(self, value: float, error: float) -> bool:
        """Return True if a number is one of the context in another unit, or two come to it."""
        return _holds(self._results, value, error) or any(
            _holds(self._ascending, changed, error)
            for factor in OF_UNITS
            for changed in (value * factor, value / factor)
        )


def _holds(numbers: list[float], value: float, error: float) -> bool:
    """Return True if a sorted list holds a number so near to a value."""
    place = bisect_left(numbers, value * (1 - error))
    return place < len(numbers) and numbers[place] <= value * (1 + error)
