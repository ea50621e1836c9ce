"""A year or a name that the context holds only where it tells of nothing else a sentence says.

Rules of this module: only a sentence of many telling words is looked at, most of which the context
holds as well, so that it is about the same and not merely told in other words. A year of a full
date is left alone: when a page was written is often when it happened.
"""

from bisect import bisect_right
from functools import cached_property

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.grounding.dates import Calendar
from reflection_mcp.tools.judging.texts.source import fold
from reflection_mcp.tools.judging.texts.wording import STOP, signs

OTHERS_OF_A_YEAR, OTHERS_OF_A_NAME = 8, 10
"""Other telling words that a sentence must have."""
KNOWN = 0.6
"""Share of them that the context must hold anywhere."""
REACH = 300
"""Characters around a place in which none but one of them may stand."""
BEGINNING = 5
"""Letters by which a word is known in another inflection."""
PLACES = 40
"""Places that are looked at; what stands more often is what the context is about."""


class Elsewhere:
    """What the context holds away from all else that a sentence of the answer says."""

    def __init__(self, case: Case, calendar: Calendar) -> None:
        self._case = case
        self._calendar = calendar
        self._said: dict[int, frozenset[str]] = {}

    @cached_property
    def _starts(self) -> list[int]:
        return [sentence.start for sentence in self._case.sentences]

    def holds_year(self, found: Check) -> bool:
        """Tell whether the context holds a year of the answer only elsewhere."""
        return (
            found.quote.isdecimal()
            and len(found.quote) == 4
            and self._only_elsewhere(found, OTHERS_OF_A_YEAR)
            and int(found.quote) not in self._calendar.years_of_dates
        )

    def holds_name(self, found: Check) -> bool:
        """Tell whether the context holds a name of the answer only elsewhere."""
        return self._only_elsewhere(found, OTHERS_OF_A_NAME)

    def _only_elsewhere(self, found: Check, least: int) -> bool:
        sentence = bisect_right(self._starts, found.start or 0) - 1
        # Most sentences are too short, which is quick to tell.
        if self._case.sentences[sentence].text.count(" ") < least:
            return False
        telling = self._telling(sentence)
        own = signs(fold(found.quote)) if len(telling) > least else []
        others = telling.difference(f" {word[:BEGINNING]}" for word in own)
        if not own or len(others) < least:
            return False
        text = self._case.source.joined
        word = f" {own[-1]} "
        place = text.find(word)
        seen = 0
        while place >= 0:
            around = text[max(0, place - REACH) : place + REACH]
            seen += 1
            if seen > PLACES or _holds_two(around, others):
                return False
            place = text.find(word, place + 1)
        return seen > 0 and sum(one in text for one in others) >= KNOWN * len(others)

    def _telling(self, place: int) -> frozenset[str]:
        """Return how the telling words of a sentence begin, each behind a space."""
        if place not in self._said:
            words = signs(fold(self._case.sentences[place].text))
            self._said[place] = frozenset(
                f" {word[:BEGINNING]}" for word in words if len(word) > 1 and word not in STOP
            )
        return self._said[place]


def _holds_two(text: str, beginnings: frozenset[str]) -> bool:
    held = 0
    for one in beginnings:
        held += one in text
        if held == 2:
            return True
    return False
