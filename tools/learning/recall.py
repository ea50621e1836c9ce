"""Which lessons fit what somebody is about to do? Ranking, and silence when none fits.

Rules: pure, and the same for every store, which only fetches candidates. How a lesson resembles the
query (`resemblance`) and what the query is about (`intent`) are weighed to one number (`weighing`),
the chance that the lesson is meant. Below a threshold nothing is shown, and neither for a single
word that names a technology or stands in every text: a lesson shown for nothing costs trust.

A model of meaning, only where it is switched on, is asked about the lessons that are ahead by their
words; what it says is weighed with the rest and never speaks alone. Whoever asks may rephrase the
query: a lesson on its cause or its remedy need not share a word with its symptom.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from reflection_mcp.store.records import Reflection
from reflection_mcp.tools.learning.everyday import weight
from reflection_mcp.tools.learning.intent import Intent, intent_of
from reflection_mcp.tools.learning.resemblance import (
    NONE,
    Text,
    phrasings,
    read,
    resemblances,
    stems_of,
)
from reflection_mcp.tools.learning.synonyms import related, spellings
from reflection_mcp.tools.learning.weighing import (
    BY_WORDS,
    agreed,
    circumstances,
    figures,
    nearness,
    weights_for,
)
from reflection_mcp.tools.learning.words import as_written, stem, tokens

MOST_TERMS = 24  # words of a query that count, the telling ones first
KEY_WORDS = 2  # so few words are no sentence: whoever types them wants what holds them
SURE = 0.97  # of a query by its own words: what is said beside them, a wrong guess, counts no more
COMPARED = 12  # lessons that a model of meaning is asked about, the first by their words

Nearness = Mapping[str, Sequence[float]]
"""By the id of a lesson, how near each phrasing of it is to what is asked, -1 to 1: to the query
and its rephrasings together."""


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the query: as typed, its stem, how much it tells, what may stand for it."""

    word: str
    stem: str
    weight: float
    others: frozenset[str]


@dataclass(frozen=True, slots=True)
class Query:
    """A query as it is compared: its terms, the telling ones first, the same in their order, what
    it is about, how many words were typed, and those that an index may know only as written."""

    terms: tuple[Term, ...]
    text: Text
    intent: Intent
    typed: int = 0
    written: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fit:
    """A lesson and the chance that it is the one that is meant, 0 to 1."""

    reflection: Reflection
    score: float


def understood(query: str) -> Query:
    """The words of a query that tell something, the telling ones first, then in their order."""
    found: dict[str, Term] = {}
    for word in tokens(query):
        value, root = weight(word), stem(word)
        if value and root not in found:
            found[root] = Term(word, root, value, related().get(root, frozenset()))
    terms = tuple(sorted(found.values(), key=lambda term: -term.weight)[:MOST_TERMS])
    chosen = {term.stem for term in terms}
    text = read(" ".join(word for word in tokens(query) if stem(word) in chosen))
    written = as_written(query)[:MOST_TERMS]
    return Query(terms, text, intent_of(query), len(query.split()), written)


def searched_words(query: Query) -> tuple[str, ...]:
    """What a word index should be asked for, the most telling first: typed words, forms, synonyms.

    An index that knows no stems is given the forms that English would make of one.
    """
    typed = [term.word for term in query.terms]
    forms = [f"{term.stem}{end}" for term in query.terms for end in ("", "e", "s", "ed", "ing")]
    others = [w for term in query.terms for o in sorted(term.others) for w in sorted(spellings(o))]
    return tuple(dict.fromkeys([*typed, *query.written, *forms, *others]))


def fitting(
    query: Query,
    candidates: Iterable[Reflection],
    near: Nearness | None = None,
    rephrased: Sequence[Query] = (),
) -> tuple[Fit, ...]:
    """The lessons that fit, best first; ties go by id.

    Args:
        query: what is asked.
        candidates: the lessons that share a word with it, or a synonym.
        near: what a model of meaning said of those it was asked about; the others then do not fit.
        rephrased: the query in other words, as whoever asks said it.
    """
    rows = [*candidates]
    least = weights_for(meaning=near is not None, rephrased=bool(rephrased)).least
    fits = {fit.reflection.id: fit for fit in scored(query, rows, near, rephrased)}
    held = {row.id: Fit(row, 0.0) for row in rows if _holds_all(row, query)}
    chosen = {id: fit for id, fit in fits.items() if fit.score >= least or id in held}
    return _ordered((held | chosen).values())


def scored(
    query: Query,
    candidates: Iterable[Reflection],
    near: Nearness | None = None,
    rephrased: Sequence[Query] = (),
) -> tuple[Fit, ...]:
    """Every candidate that meets more than a faint word, best first, whether it fits or not."""
    rows = {row.id: row for row in candidates}
    weights = weights_for(meaning=near is not None, rephrased=bool(rephrased))
    told = told_of(query, rows.values(), near, rephrased)
    chances = {id: weights.chance(known) for id, known in told.items()}
    if rephrased:
        alone = {id: BY_WORDS.chance(known) for id, known in told.items()}
        chances |= {id: max(chances[id], sure) for id, sure in alone.items() if sure >= SURE}
    return _ordered(Fit(rows[id], chance) for id, chance in chances.items())


def told_of(
    query: Query,
    candidates: Iterable[Reflection],
    near: Nearness | None = None,
    rephrased: Sequence[Query] = (),
) -> dict[str, dict[str, float]]:
    """The figures that are weighed, by the id of each candidate that meets more than a faint word
    and, where a model of meaning was asked, was asked about."""
    rows = [row for row in candidates if near is None or row.id in near]
    found = resemblances([each.text for each in (query, *rephrased)], rows)
    told: dict[str, dict[str, float]] = {}
    for row in rows:
        each = [one.get(row.id, NONE) for one in found]
        if not any(one.telling for one in each):
            continue
        first, *others = map(figures, each)
        meant = nearness(near[row.id]) if near is not None else {}
        told[row.id] = first | agreed(others) | meant | circumstances(row, query.intent)
    return told


def compared(
    query: Query, candidates: Iterable[Reflection], rephrased: Sequence[Query] = ()
) -> dict[str, tuple[str, ...]]:
    """What a model of meaning is asked about: by id, the phrasings of those that are ahead."""
    ahead = scored(query, candidates, None, rephrased)[:COMPARED]
    return {fit.reflection.id: phrasings(fit.reflection) for fit in ahead}


def _ordered(fits: Iterable[Fit]) -> tuple[Fit, ...]:
    return tuple(sorted(fits, key=lambda fit: (-fit.score, fit.reflection.id)))


def _holds_all(row: Reflection, query: Query) -> bool:
    """Whether the query is a key word or two, and the lesson holds them as they were typed."""
    if not 1 <= len(query.terms) == query.typed <= KEY_WORDS:
        return False
    held = stems_of(row)
    return all(term.stem in held for term in query.terms)
