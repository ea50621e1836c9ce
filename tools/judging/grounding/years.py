"""Whether a year, or a number of years, follows from the years that a source tells.

Rule of this module: a year is one of a source, some years from one of it, or next to one where the
source speaks of a following or a previous one. Years that merely lie near are no reason.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from reflection_mcp.tools.judging.grounding.told import AROUND, MOST, SPELLED, Told, holds
from reflection_mcp.tools.judging.texts.numbers import spelled, values
from reflection_mcp.tools.judging.texts.source import Source

# "After leaving in 1979" says nothing of 1980; "the year after" does.
_NEAR = re.compile(
    r"\b(?:following|next|previous|subsequent|preceding|later|earlier|ago|last|prior|"
    r"(?:year|season|spring|summer|autumn|fall|winter|months?|weeks?|annual\w{0,2}) "
    r"(?:before|after))\b",
    re.IGNORECASE,
)


_DASH = re.compile(r"[-\u2013\u2014/]")
_SPANS = (" year", "-year", " decade", "-decade")
_SPAN = re.compile(r"[ -](?:years?|decades?)\b")
_YEARS_TOLD = re.compile(r"(?<!\w)\d{1,3}\Z")
_AGE = re.compile(r"(\d(?<!\w.)\d?)(?=[,.;]| and\b)")
_AGED = re.compile(
    r"\b(?:aged?|turned|(?:he|she|they|who) was|at (?:the age of )?)\s?$", re.IGNORECASE
)
_LAST_OF_AGED = ("age", "aged", "turned", "was", "at", "of")


class Years(Told):
    """The years of one source, and the numbers of years."""

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self._read: dict[int, frozenset[float]] = {}

    @cached_property
    def spans(self) -> Mapping[float, Sequence[int]]:
        """The numbers of years in the source, each with the places where it stands."""
        places: list[tuple[float, int]] = []
        for end in self._ends_of_spans():
            before = self.text[max(0, end - SPELLED) : end]
            if before[-1:].isalpha():
                told = [value for _, last, value in spelled(before) if last == len(before)]
                places += [(value, end) for value in told]
            elif self.source.small[end + 1] == "y" and (years := _YEARS_TOLD.search(before)):
                places.append((float(years[0]), end - len(years[0])))
        for found in self._figures(_AGE, len(self.text)):
            first = max(0, found.start() - SPELLED)
            if not self.source.small[first : found.start()].rstrip().endswith(_LAST_OF_AGED):
                continue
            if aged := _AGED.search(self.text, first, found.start()):
                places.append((float(found[1]), aged.start()))
        by_span: dict[float, list[int]] = defaultdict(list)
        for span, place in places[:MOST]:
            if 1 < span < 200:
                by_span[span].append(place)
        return by_span

    def _ends_of_spans(self) -> list[int]:
        """Return where the words "years" and "decades" follow on a number or another word."""
        text, places = self.source.small, list[int]()
        for word in _SPANS:
            place = text.find(word)
            while place >= 0:
                if _SPAN.match(text, place):
                    places.append(place)
                place = text.find(word, place + 1)
        return sorted(places)

    def near(self, year: float, place: int) -> bool:
        """Tell whether a year stands around a place."""
        around = self.text[max(0, place - 2 * AROUND) : place + 2 * AROUND]
        if not _may_hold(around, f"{year:.0f}"):
            return False
        if place not in self._read:
            self._read[place] = values(around)
        return year in self._read[place]

    def spans_years(self, value: float, unit: int = 1) -> bool:
        """Tell whether so many years lie between two years of the source, in full or nearly so.

        Args:
            value: how many.
            unit: years in one of what is counted: 10 for decades, 100 for centuries.
        """
        least = max(1.0, value * unit)
        most = (value + 1) * unit
        return any(holds(self.years, early + least, early + most) for early in self.years)

    def is_years_from(self, year: float, spans: frozenset[float], *, age: bool = False) -> bool:
        """Tell whether a year lies some years from one of the source: "two years after 1492".

        Args:
            year: of the answer.
            spans: the numbers of years that are meant.
            age: they are ages: who was born in 1932 and died at 91 may have died in 2024 as well.
        """
        return any(
            holds(self.years, year - span - age, year - span)
            or holds(self.years, year + span, year + span + age)
            for span in spans
            if 0 < span < MOST
        )

    def leads_to_year(self, year: float) -> bool:
        """Tell whether a year may be meant by one next to it, or by a number of years from one."""
        for span, places in self.spans.items():
            others = self.known.intersection((year - span, year + span))
            if any(self.near(other, place) for other in others for place in places):
                return True
        beside = [str(int(year) + step) for step in (-1, 1) if year + step in self.known]
        return any(
            _NEAR.search(self.text, max(0, place - AROUND), place + len(other) + AROUND)
            for other in beside
            for place in _places(other, self.text)
        )


def _places(written: str, text: str) -> Iterator[int]:
    """Yield where a number stands in a text."""
    place = text.find(written)
    while place >= 0:
        yield place
        place = text.find(written, place + 1)


def _may_hold(text: str, year: str) -> bool:
    """Tell, by its digits, whether it is worth the while to read the numbers of a text."""
    # 1998 may be 1,998 or the end of 1995-98; 1900 may be nineteen hundred.
    return (
        year[-3:] in text or year[-2:] == "00" or (year[-2:] in text and bool(_DASH.search(text)))
    )
