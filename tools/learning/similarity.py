"""Similarity of a query and a lesson, as a few features.

Rules: pure, and the same for every store. A lesson has several phrasings: its own texts, and the
situations that a caller named for it. A query is compared with each of them, and the nearest
counts, since a query is like one of them and not like all. A word counts by how rare it is among
the lessons that are compared; a synonym counts less than the word. `relevance_model` combines the
features into one probability.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from reflection_mcp.store.records import Reflection
from reflection_mcp.tools.learning.synonyms import SYNONYM_WEIGHT, related
from reflection_mcp.tools.learning.words import stem, telling_words

LETTERS = 4  # length of a run of letters that a form of a word shares with the word
READ_KEPT = 2_048  # cached texts, of about 1 kB each


@dataclass(frozen=True, slots=True)
class Text:
    """A text prepared for comparison: its stems in their order, and its words that count in a
    row."""

    stems: tuple[str, ...]
    letters: str


@lru_cache(maxsize=READ_KEPT)
def read(text: str) -> Text:
    """Return the text without its stop words."""
    told = telling_words(text)
    return Text(tuple(dict.fromkeys(map(stem, told))), f" {' '.join(told)} ")


def phrasings(row: Reflection) -> tuple[str, ...]:
    """Return the texts of a lesson that a query may be like, each once."""
    texts = (row.lesson, row.strategy, row.trigger, row.question, row.example, *row.situations)
    return tuple(dict.fromkeys(text for text in texts if text))


def stems_of(row: Reflection) -> frozenset[str]:
    """Return the stems of all words of a lesson that count."""
    aside = " ".join((*row.tags, row.error_type or "", row.evidence))
    return frozenset(each for text in (*phrasings(row), aside) for each in read(text).stems)


@dataclass(frozen=True, slots=True)
class Similarity:
    """The similarity of a lesson and a query.

    Attributes:
        met: the weight of the query's words that the lesson has, as ln(1 + sum).
        share: the share of the weight of all the query's words that the lesson has, 0 to 1.
        alike: the cosine of the query and the nearest phrasing, 0 to 1.
        letters: share of the query's runs of four letters that the lesson has, by rarity, 0 to 1.
        telling: True if more than one word is shared.
    """

    met: float
    share: float
    alike: float
    letters: float
    telling: bool


NONE = Similarity(met=0.0, share=0.0, alike=0.0, letters=0.0, telling=False)
"""The similarity of a lesson that shares no word with the query."""


def similarities(asked: Iterable[Text], rows: Iterable[Reflection]) -> list[dict[str, Similarity]]:
    """Return for each query text the similarity of each lesson that shares a word with it, by
    id."""
    held = [_Held(row) for row in rows]
    spread = Counter(each for one in held for each in one.stems)
    return [
        {each.id: found for each in held if (found := text.beside(each))}
        for text in (_Asked(text, held, spread) for text in asked)
    ]


class _Held:
    """A lesson prepared for comparison."""

    def __init__(self, row: Reflection) -> None:
        self.id = row.id
        self.phrasings = [read(text) for text in phrasings(row)]
        self.stems = stems_of(row)
        self.letters = "\n".join(text.letters for text in self.phrasings)


class _Asked:
    """A query prepared for comparison with these lessons."""

    def __init__(self, query: Text, held: Sequence[_Held], spread: Mapping[str, int]) -> None:
        self.of = len(held)
        self.spread = spread
        self.query = query
        self.terms = [
            (root, self.rarity(spread.get(root, 0)), related().get(root, frozenset[str]()))
            for root in query.stems
        ]
        self.whole = math.fsum(worth for _, worth, _ in self.terms)
        runs = dict.fromkeys(
            query.letters[at : at + LETTERS] for at in range(len(query.letters) - LETTERS + 1)
        )
        having = {run: sum(run in one.letters for one in held) for run in runs}
        self.runs = {run: self.rarity(number) for run, number in having.items()}
        self.all_runs = math.fsum(self.runs.values())

    def rarity(self, having: int) -> float:
        """Return 1 for what at most one lesson has, less for what many have."""
        if having <= 1:
            return 1.0
        return math.sqrt(math.log(1 + (self.of + 1) / having) / math.log(2 + self.of))

    def beside(self, one: _Held) -> Similarity | None:
        met = self._met(one.stems)
        if not met:
            return None
        told = math.fsum(worth for _, worth in met)
        runs = math.fsum(worth for run, worth in self.runs.items() if run in one.letters)
        return Similarity(
            met=math.log1p(told),
            share=told / self.whole,
            alike=max(map(self._alike, one.phrasings), default=0.0),
            letters=runs / self.all_runs,
            telling=len(met) > 1,
        )

    def _met(self, stems: Iterable[str]) -> list[tuple[str, float]]:
        """Return the words of the query that are among these stems, with their weights."""
        return [
            (root, worth if root in stems else SYNONYM_WEIGHT * worth)
            for root, worth, others in self.terms
            if root in stems or not others.isdisjoint(stems)
        ]

    def _alike(self, text: Text) -> float:
        """Return the cosine of two texts over weighted stems."""
        shared = math.fsum(worth for _, worth in self._met(text.stems))
        if not shared:
            return 0.0
        own = math.fsum(self.rarity(self.spread[root]) for root in text.stems)
        return shared / math.sqrt(self.whole * own)
