"""How does a lesson resemble what somebody asks? A few figures for each, each with a meaning.

Rules: pure, and the same for every store. A lesson has several phrasings: its own texts, and the
situations that a caller named for it. A query is held against each of them, and the nearest counts,
since whoever asks says one of these things and not all. A word counts by how much it tells
(`everyday`) and by how rare it is among the lessons that are compared; a synonym counts less than
the word. What the figures are worth together is weighed in `weighing`.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from reflection_mcp.store.records import Reflection
from reflection_mcp.tools.learning.everyday import TELLING, weight
from reflection_mcp.tools.learning.synonyms import SYNONYM_WEIGHT, related
from reflection_mcp.tools.learning.words import stem, tokens

LETTERS = 4  # of a run: what a form of a word, or a part of it, shares with the word
READ_KEPT = 4_096  # texts that are kept as they were read, of about 1 KB each


@dataclass(frozen=True, slots=True)
class Text:
    """A text as it is compared: its stems with what each tells, and its telling words in a row."""

    stems: Mapping[str, float]
    letters: str


@lru_cache(maxsize=READ_KEPT)
def read(text: str) -> Text:
    """The text without the words that tell nothing."""
    told = [(word, value) for word in tokens(text) if (value := weight(word))]
    stems: dict[str, float] = {}
    for word, value in told:
        root = stem(word)
        stems[root] = max(value, stems.get(root, 0.0))
    return Text(MappingProxyType(stems), f" {' '.join(word for word, _ in told)} ")


def phrasings(row: Reflection) -> tuple[str, ...]:
    """The texts of which one may be what somebody asks, each once."""
    texts = (row.lesson, row.strategy, row.trigger, row.question, row.example, *row.situations)
    return tuple(dict.fromkeys(text for text in texts if text))


def stems_of(row: Reflection) -> frozenset[str]:
    """The stems of all that tells something in a lesson."""
    aside = " ".join((*row.tags, row.error_type or "", row.evidence))
    return frozenset(each for text in (*phrasings(row), aside) for each in read(text).stems)


@dataclass(frozen=True, slots=True)
class Resemblance:
    """What a lesson shares with a query.

    Attributes:
        met: what the words tell together that the lesson has, as ln(1 + sum).
        share: of all that the words tell, what the lesson has, 0 to 1.
        alike: likeness of the query and the nearest phrasing, 0 to 1.
        letters: share of the query's runs of four letters that the lesson has, by rarity, 0 to 1.
        telling: whether more is met than one word that names a technology or stands everywhere.
    """

    met: float
    share: float
    alike: float
    letters: float
    telling: bool


NONE = Resemblance(met=0.0, share=0.0, alike=0.0, letters=0.0, telling=False)
"""What a lesson shares with a query of which it meets no word."""


def resemblances(asked: Iterable[Text], rows: Iterable[Reflection]) -> list[dict[str, Resemblance]]:
    """For each text that is asked, and each lesson that meets a word of it, by id, how the lesson
    resembles it."""
    held = [_Held(row) for row in rows]
    spread = Counter(each for one in held for each in one.stems)
    return [
        {each.id: found for each in held if (found := text.beside(each))}
        for text in (_Asked(text, held, spread) for text in asked)
    ]


class _Held:
    """A lesson taken apart."""

    def __init__(self, row: Reflection) -> None:
        self.id = row.id
        self.phrasings = [read(text) for text in phrasings(row)]
        self.stems = stems_of(row)
        self.letters = "\n".join(text.letters for text in self.phrasings)


class _Asked:
    """A query beside the lessons that are compared."""

    def __init__(self, query: Text, held: Sequence[_Held], spread: Mapping[str, int]) -> None:
        self.of = len(held)
        self.spread = spread
        self.query = query
        self.terms = [
            (root, value * self.rarity(spread.get(root, 0)), related().get(root, frozenset[str]()))
            for root, value in query.stems.items()
        ]
        self.whole = math.fsum(worth for _, worth, _ in self.terms)
        runs = dict.fromkeys(
            query.letters[at : at + LETTERS] for at in range(len(query.letters) - LETTERS + 1)
        )
        having = {run: sum(run in one.letters for one in held) for run in runs}
        self.runs = {run: self.rarity(number) for run, number in having.items()}
        self.all_runs = math.fsum(self.runs.values())

    def rarity(self, having: int) -> float:
        """1 for what at most one lesson has, less for what many have."""
        if having <= 1:
            return 1.0
        return math.sqrt(math.log(1 + (self.of + 1) / having) / math.log(2 + self.of))

    def beside(self, one: _Held) -> Resemblance | None:
        met = self._met(one.stems)
        if not met:
            return None
        told = math.fsum(worth for _, worth in met)
        runs = math.fsum(worth for run, worth in self.runs.items() if run in one.letters)
        return Resemblance(
            met=math.log1p(told),
            share=told / self.whole,
            alike=max(map(self._alike, one.phrasings), default=0.0),
            letters=runs / self.all_runs,
            telling=len(met) > 1 or self.query.stems[met[0][0]] >= TELLING,
        )

    def _met(self, stems: Iterable[str]) -> list[tuple[str, float]]:
        """The words of the query that are among these, with what each is worth there."""
        return [
            (root, worth if root in stems else SYNONYM_WEIGHT * worth)
            for root, worth, others in self.terms
            if root in stems or not others.isdisjoint(stems)
        ]

    def _alike(self, text: Text) -> float:
        """As the cosine of two texts: what is shared, by what both tell."""
        shared = math.fsum(worth for _, worth in self._met(text.stems))
        if not shared:
            return 0.0
        own = math.fsum(
            value * self.rarity(self.spread[root]) for root, value in text.stems.items()
        )
        return shared / math.sqrt(self.whole * own)
