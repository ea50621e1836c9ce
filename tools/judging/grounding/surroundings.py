"""What the words around a number of an answer say of it.

Rules of this module: words are looked up in small closed sets. A unit alone says that a number may
have been changed into it; only a word like "more" or "altogether" says that two were put together.
"""

import re
from functools import cached_property

from reflection_mcp.tools.judging.expressions.units import unit_of
from reflection_mcp.tools.judging.grounding.derivation import (
    MEASURE_FACTORS,
    PLAIN_FACTORS,
    TIME_FACTORS,
)
from reflection_mcp.tools.judging.grounding.multiples import multiples
from reflection_mcp.tools.judging.grounding.told import AROUND
from reflection_mcp.tools.judging.texts.numbers import Figure, spelled
from reflection_mcp.tools.judging.texts.wording import Signs, signs

Range = tuple[float, float]

_UNITS = frozenset(
    """year years old age aged decade decades hour hours minute minutes day days week weeks month
    months km kg mile miles kilometer kilometers kilometre kilometres meter meters metre metres feet
    foot inch inches pound pounds lb lbs celsius fahrenheit degrees liter liters litre litres acre
    acres hectare hectares""".split()
)
# These stand beside numbers that are reckoned, and beside many others.
_VAGUE = frozenset("after before so cost left lost lead".split())
_PUT_TOGETHER = frozenset(
    """total totals altogether combined together difference more fewer less increase increased
    decrease decreased rose fell grew growth gained dropped gap later earlier each per average mean
    rate half double times sum overall remaining therefore ratio percent percentage ahead behind
    lighter heavier taller shorter faster slower cheaper bigger larger smaller higher lower older
    younger longer colder warmer wider deeper stronger weaker dearer""".split()
)
_OF_RECKONING = _UNITS | _VAGUE | _PUT_TOGETHER
_PHRASES = frozenset(("all", "by"))
_RECKONING = re.compile(r"\b(?:in all|up by|down by)\b")
_EQUATES = re.compile(r"=(?<=\w=)\w")
# What a question asks for that no text tells in figures, but leads to.
_ASKS_TO_RECKON = _PUT_TOGETHER | frozenset(
    """totalling totaling share margin change changed left saved save spent spend additional
    extra""".split()
)
_ASKS_FOR_STEPS = frozenset(
    "discount discounted including excluding without afford budget profit balance".split()
)
_OF_YEARS = frozenset(
    """year years age aged ages old born died turns turned when at lived century centuries decade
    decades""".split()
)
_OF_AN_AGE = frozenset("age aged lived old turned turns".split())
_ASKS_FOR_YEARS = frozenset(("old", "age"))
_OF_A_TOTAL = frozenset(
    """total totals totaling totalling altogether sum overall combined together amount
    amounts""".split()
)
_OF_ADDING = frozenset("all come comes add adds".split())
_TOTAL = re.compile(r"\b(?:in all|comes? to|adds? up)\b")
_YEARS_IN = {"deca": 10, "cent": 100}
_TIME = re.compile(
    r"[ -]?(?:year|decade|centur|month|week|day|hour|minute|second)\w{0,3}\b", re.IGNORECASE
)
_OFTEN = ("daily", "weekly", "monthly", "yearly", "annual", "annually", "hourly")
_SPANS = ("year", "month", "week", "day", "hour", "minute", "second")
_TIMES = frozenset((*_OFTEN, *_SPANS))
_PER_TIME = re.compile(
    rf"\b(?:per|an?|each|every) (?:{'|'.join(_SPANS)})\b|\b(?:{'|'.join(_OFTEN)})\b"
)
MEASURE = re.compile(
    r"(?=[ -]?[%\u00b0a-z])"  # most numbers are followed by a sign
    r"[ -]?(?:%|\u00b0|(?:percent(?:age)?|years?|decades?|centur\w{1,3}|months?|weeks?|days?|"
    r"hours?|minutes?|seconds?|miles?|km|kilomet\w{2,4}|met(?:er|re)s?|feet|foot|inch(?:es)?|"
    r"pounds?|dollars?|euros?|kg|kilos?|g|grams?|tons?|tonnes?|degrees|acres?|hectares?|lbs?|"
    r"celsius|fahrenheit|lit(?:er|re)s?|cm|mm|ms|ft|mph|km/h|knots|oz|ounces?|gallons?|yards?|[kmg]b)\b)",
    re.IGNORECASE,
)
"""What measures a number that stands before it."""
_THINGS = re.compile(r"[ -]?([^\W\d_]{1,30})(?:[ -]([^\W\d_]{1,30}))?")
_WRITTEN_UNIT = re.compile(r"(?<=\d)(?!st|nd|rd|th|s)(?:[a-z]{1,3}|%)$")
# "in more than 80 countries" is a rough number; "8 more than before" is a difference.
_MORE_THAN = re.compile(r"\b(?:more|less|fewer|higher|lower) than (?:an? )?[$\u20ac\u00a3]?\d")
_LABELS = frozenset("version release flight gate room ticket article".split())
_LABEL = re.compile(rf"\b(?:{'|'.join(_LABELS)}) (?:no\.? |number |#)?$")
_HOURS_AND_MINUTES = frozenset("h hr hrs hour hours m min mins minute minutes".split())
_NUMBER = r"(?:\d{1,3}|an?|[a-z]{3,9}(?:-[a-z]{3,5})?)"
_DURATION = re.compile(
    rf"\b(?P<hours>{_NUMBER}) ?h(?:ours?|rs?)?,? (?:and )?(?P<minutes>{_NUMBER}) ?"
    r"m(?:in(?:ute)?s?)?\b"
)
ROUGHLY = 24
"""Characters before a number in which it is called a rough one."""
_ROUGHLY = re.compile(
    r"(?:\b(?:(?P<near>about|around|roughly|approximately|approx\.?|some|circa|ca\.?|an estimated)|"
    r"(?P<below>nearly|almost|(?:just )?(?:under|below)|(?:less|fewer) than|(?:close|up) to|"
    r"at most)|(?P<above>(?:just )?(?:over|above)|more than|at least|a little over))\s|~\s?)"
    r"(?:a |the |an |(?:eur|usd|gbp|chf|us) ?)?\W?$",
    re.IGNORECASE,
)
# One of these is the last word before a rough number, or the last but an article.
_ENDS_OF_ROUGHLY = frozenset(
    """about around roughly approximately approx some circa ca estimated nearly almost under below
    than to most over above least""".split()
)
_NEAR, _ABOVE, _BELOW = (0.95, 1.05), (1.0, 1.2), (0.85, 1.0)
"""Which share of a rough number what it stands for may be."""


class Surroundings:
    """What stands around one number of an answer.

    Args:
        answer: the text.
        words: of the answer.
        figure: the number in it.
        asked: the words of the question, in small letters.
    """

    def __init__(self, answer: str, words: Signs, figure: Figure, asked: frozenset[str]) -> None:
        start, end = figure.start, figure.end
        self._answer = answer
        self._figure = figure
        self._asked = asked
        self._text = answer[max(0, start - AROUND) : end + AROUND].lower()
        self._words = frozenset(words.between(max(0, start - AROUND), end + AROUND))
        self._before = answer[max(0, start - ROUGHLY) : start].lower()
        # Asked for at nearly every number, and soon told.
        self.rough = self._rough(words.between(max(0, start - ROUGHLY), start)[-2:])
        """How rough the answer calls the number; None for exact."""
        self.things = self._things()
        """The one or two words behind the number, and the unit that is written with it."""

    def _rough(self, last_words: list[str]) -> Range | None:
        if "~" not in self._before and _ENDS_OF_ROUGHLY.isdisjoint(last_words):
            return None
        found = _ROUGHLY.search(self._before)
        if found is None:
            return None
        return _ABOVE if found["above"] else _BELOW if found["below"] else _NEAR

    @property
    def is_plain_count(self) -> bool:
        """Whether the number counts things: no measure, no rate, not made of others."""
        return bool(
            self.things
            and not (any(map(unit_of, self.things)) or self.is_measured or self.puts_together)
            and not _PER_TIME.search(self._text)
        )

    def multiples(self, question: str) -> frozenset[float]:
        """Return by what the question, or what stands around the number, multiplies another."""
        return multiples(self._text, self._words) | multiples(question, self._asked)

    @property
    def of_years(self) -> bool:
        """Whether the number may be one of years."""
        return not (_OF_YEARS.isdisjoint(self._words) and _ASKS_FOR_YEARS.isdisjoint(self._asked))

    @property
    def of_an_age(self) -> bool:
        """Whether an age is told around the number."""
        return not _OF_AN_AGE.isdisjoint(self._words)

    @property
    def minutes(self) -> float:
        """The minutes of a time of which the number is a part: "2 h 28 min"; 0 for none."""
        if _HOURS_AND_MINUTES.isdisjoint(self.things):
            return 0.0
        place = min(self._figure.start, AROUND)
        for told in _DURATION.finditer(self._text):
            if told.start() <= place < told.end():
                return 60 * _read(told["hours"]) + _read(told["minutes"])
        return 0.0

    @property
    def years_in_one(self) -> int:
        """Years in one of what is counted: 10 for decades, 100 for centuries."""
        end = self._figure.end
        return _YEARS_IN.get(self._answer[end : end + 5].strip(" -").lower()[:4], 1)

    @property
    def of_a_total(self) -> bool:
        """Whether the number may be a sum of several."""
        if not _OF_A_TOTAL.isdisjoint(self._words) or not _OF_A_TOTAL.isdisjoint(self._asked):
            return True
        return not _OF_ADDING.isdisjoint(self._words) and bool(_TOTAL.search(self._text))

    @cached_property
    def _has_signs(self) -> bool:
        """Whether signs or phrases of reckoning stand around the number."""
        if "%" in self._text or "\u00b0" in self._text or _EQUATES.search(self._text):
            return True
        return not _PHRASES.isdisjoint(self._words) and bool(_RECKONING.search(self._text))

    @property
    def of_reckoning(self) -> bool:
        """Whether the number may have been worked out, or changed into another unit."""
        return not _OF_RECKONING.isdisjoint(self._words) or self._has_signs

    @property
    def takes_steps(self) -> bool:
        """Whether the question asks for what may take several steps to work out."""
        return not _ASKS_FOR_STEPS.isdisjoint(self._asked)

    @property
    def puts_together(self) -> bool:
        """Whether a word says that the number was made of others."""
        if self._has_signs or not _ASKS_TO_RECKON.isdisjoint(self._asked):
            return True
        if _PUT_TOGETHER.isdisjoint(self._words):
            return False
        words = self._words
        if "than" in words:
            words = frozenset(signs(_MORE_THAN.sub(" ", self._text)))
        # "half a million" is no half of anything.
        return not _PUT_TOGETHER.isdisjoint(words.difference(signs(self._figure.written)))

    def factors(self, source: str) -> tuple[float, ...]:
        """Return by which factors the unit of the number can be changed into another one.

        Args:
            source: the context in small letters.
        """
        often = None if _TIMES.isdisjoint(self._words) else _PER_TIME.search(self._text)
        if _TIME.match(self._answer, self._figure.end) or (often and often[0] not in source):
            return TIME_FACTORS
        return MEASURE_FACTORS if self.is_measured else PLAIN_FACTORS

    @property
    def is_label(self) -> bool:
        """Whether the number tells which one is meant: nothing to be worked out."""
        return not _LABELS.isdisjoint(self._words) and bool(_LABEL.search(self._before))

    @property
    def is_measured(self) -> bool:
        """Whether a unit stands behind the number, or is written with it."""
        return bool(_WRITTEN_UNIT.search(self._figure.written)) or bool(
            MEASURE.match(self._answer, self._figure.end)
        )

    def _things(self) -> tuple[str, ...]:
        found = _THINGS.match(self._answer, self._figure.end)
        own = _WRITTEN_UNIT.search(self._figure.written)
        words = found.groups() if found else ()
        behind = tuple(word.lower() for word in words if word)
        return (own[0], *behind) if own else behind


def _read(number: str) -> float:
    """Return a small number in figures or words; what is no number counts as one: "an hour"."""
    if number.isdecimal():
        return float(number)
    return next((value for _, _, value in spelled(number)), 1.0)
