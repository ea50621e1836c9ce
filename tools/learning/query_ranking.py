"""Ranking of lessons by how well they match a query, and silence when none does.

Rules: pure, and the same for every store, which only fetches candidates. How similar a lesson is to
the query (`similarity`) and whether it asks for something new are combined (`relevance_model`) into
one number, the probability that the lesson is relevant. Below a threshold nothing is shown, nor for
a single shared word: an irrelevant lesson costs trust.

An embedding model, only where it is switched on, is asked about the lessons that rank first by
their words; its similarity is one more feature and never decides alone. The caller may rephrase the
query: a lesson about its cause or its remedy need not share a word with its symptom.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from reflection_mcp.store.records import Reflection
from reflection_mcp.tools.learning.relevance_model import (
    BY_WORDS,
    FITTED_AMONG,
    context_features,
    embedding_features,
    rephrasing_features,
    weights_for,
    word_features,
)
from reflection_mcp.tools.learning.similarity import (
    NONE,
    Text,
    phrasings,
    read,
    similarities,
    stems_of,
)
from reflection_mcp.tools.learning.synonyms import related, spellings
from reflection_mcp.tools.learning.user_words import relevance, said_by_user
from reflection_mcp.tools.learning.words import (
    as_written,
    is_about_making,
    stem,
    telling_words,
    tokens,
)

MOST_TERMS = 24  # words of a query that count, the first ones
IN_A_ROW = 4  # words, short ones included, that quote an error: "address already in use"
QUOTED_LESS = 0.2  # by how much an error ranks lower of which nothing is quoted, beside a whole one
MOST_SAID = 40  # words of a query that may quote an error
KEY_WORDS = 2  # so few words are no sentence, but key words that the lesson has to contain
SURE = 0.97  # of the query alone: then a rephrasing, which may be a wrong guess, cannot lower it
COMPARED = 12  # lessons that a model of meaning is asked about, the first by their words

TELLING = "telling"
"""A feature that has no weight: 1 where more than one word is shared."""

Cosines = Mapping[str, Sequence[float]]
"""By the id of a lesson, the cosine of each of its phrasings with the query and its rephrasings
together, -1 to 1."""


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the query: as typed, its stem, and the stems that may replace it."""

    word: str
    stem: str
    others: frozenset[str]


@dataclass(frozen=True, slots=True)
class Query:
    """A query prepared for comparison: its terms, the same as a text, whether it asks for something
    new, the number of words typed, those that an index may know only as written, and its parts that
    may be quoted from an error."""

    terms: tuple[Term, ...]
    text: Text
    making: bool
    typed: int = 0
    written: tuple[str, ...] = ()
    quotations: tuple[tuple[str, frozenset[str]], ...] = ()


@dataclass(frozen=True, slots=True)
class ScoredLesson:
    """A lesson, the probability that it is relevant, 0 to 1, and whether the query shares more than
    a word with it."""

    reflection: Reflection
    score: float
    telling: bool = True


def parse_query(query: str) -> Query:
    """Return the query with its words that count."""
    first: dict[str, str] = {}
    for word in telling_words(query):
        first.setdefault(stem(word), word)
    terms = tuple(
        Term(word, root, related().get(root, frozenset()))
        for root, word in list(first.items())[:MOST_TERMS]
    )
    chosen = {term.stem for term in terms}
    text = read(" ".join(word for word in telling_words(query) if stem(word) in chosen))
    written = as_written(query)[:MOST_TERMS]
    making = is_about_making(query)
    return Query(terms, text, making, len(query.split()), written, tuple(_quotations(query)))


def _quotations(query: str) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the whole query and every `IN_A_ROW` words of it that say what it is about, each with
    the stems of its words that count."""
    said = tokens(query)[:MOST_SAID]
    rows = {said, *(said[at : at + IN_A_ROW] for at in range(len(said) - IN_A_ROW + 1))}
    for row in rows:
        stems = read(" ".join(row)).stems
        if len(row) > KEY_WORDS and stems:
            yield f" {' '.join(row)} ", frozenset(stems)


def searched_words(query: Query) -> tuple[str, ...]:
    """Return the words to search the index for: typed words, then forms, then synonyms.

    An index that knows no stems is given the forms that English would make of one.
    """
    typed = [term.word for term in query.terms]
    forms = [f"{term.stem}{end}" for term in query.terms for end in ("", "e", "s", "ed", "ing")]
    others = [w for term in query.terms for o in sorted(term.others) for w in sorted(spellings(o))]
    return tuple(dict.fromkeys([*typed, *query.written, *forms, *others]))


def select_relevant(
    query: Query,
    candidates: Iterable[Reflection],
    near: Cosines | None = None,
    rephrased: Sequence[Query] = (),
    stored: int = FITTED_AMONG,
) -> tuple[ScoredLesson, ...]:
    """Return the lessons that match, best first; ties are ordered by id.

    Args:
        query: what is asked.
        candidates: the lessons that share a word with it, or a synonym.
        near: cosines of those that the embedding model compared; the others then do not match.
        rephrased: the query in other words, from the caller.
        stored: number of lessons that can be read; among few of them the threshold is lower.
    """
    rows = [*candidates]
    weights = weights_for(meaning=near is not None, rephrased=bool(rephrased))
    least = weights.least_among(stored)
    fits = {fit.reflection.id: fit for fit in score_lessons(query, rows, near, rephrased)}
    spoken = {fit.reflection.id: fit for fit in _said_by_user(query, rows, rephrased)}
    held = {row.id: ScoredLesson(row, 0.0) for row in rows if _holds_all(row, query)}
    # By its meaning a lesson may be near that shares a single word.
    chosen = {
        id: fit
        for id, fit in fits.items()
        if id in held or (fit.score >= least and (fit.telling or near is not None))
    }
    shares = {row.id: (row, _quoted(row, query)) for row in rows}
    most = max((share for _, share in shares.values()), default=0)
    quoted = {
        id: ScoredLesson(row, 1 - QUOTED_LESS * (1 - share / most))
        for id, (row, share) in shares.items()
        if share
    }
    return _ordered((held | chosen | spoken | quoted).values())


def _said_by_user(
    query: Query, rows: Sequence[Reflection], rephrased: Sequence[Query]
) -> Iterator[ScoredLesson]:
    """Return the user's own words that fit a task like the one they were said about."""
    own = [row for row in rows if said_by_user(row.source)]
    if not own:
        return
    found = similarities([each.text for each in (query, *rephrased)], rows)
    for row in own:
        alone, *others = (one.get(row.id, NONE) for one in found)
        fit = relevance(alone, others)
        if fit is not None:
            yield ScoredLesson(row, fit)


def score_lessons(
    query: Query,
    candidates: Iterable[Reflection],
    near: Cosines | None = None,
    rephrased: Sequence[Query] = (),
) -> tuple[ScoredLesson, ...]:
    """Return every candidate that shares a word, best first, relevant or not."""
    rows = {row.id: row for row in candidates}
    weights = weights_for(meaning=near is not None, rephrased=bool(rephrased))
    features = features_by_id(query, rows.values(), near, rephrased)
    chances = {id: weights.chance(known) for id, known in features.items()}
    if rephrased:
        alone = {id: BY_WORDS.chance(known) for id, known in features.items()}
        chances |= {id: max(chances[id], sure) for id, sure in alone.items() if sure >= SURE}
    return _ordered(
        ScoredLesson(rows[id], chance, bool(features[id][TELLING]))
        for id, chance in chances.items()
    )


def features_by_id(
    query: Query,
    candidates: Iterable[Reflection],
    near: Cosines | None = None,
    rephrased: Sequence[Query] = (),
) -> dict[str, dict[str, float]]:
    """Return the features of the relevance model, by the id of each candidate that shares a word
    and, if an embedding model was asked, was compared."""
    rows = [row for row in candidates if near is None or row.id in near]
    found = similarities([each.text for each in (query, *rephrased)], rows)
    features: dict[str, dict[str, float]] = {}
    for row in rows:
        each = [one.get(row.id, NONE) for one in found]
        if each.count(NONE) == len(each):
            continue
        first, *others = map(word_features, each)
        cosines = embedding_features(near[row.id]) if near is not None else {}
        features[row.id] = (
            first
            | rephrasing_features(others)
            | cosines
            | context_features(row, making=query.making)
            | {TELLING: float(any(one.telling for one in each))}
        )
    return features


def texts_to_compare(
    query: Query, candidates: Iterable[Reflection], rephrased: Sequence[Query] = ()
) -> dict[str, tuple[str, ...]]:
    """Return what the embedding model compares: by id, the phrasings of the first candidates."""
    ahead = score_lessons(query, candidates, None, rephrased)[:COMPARED]
    return {fit.reflection.id: phrasings(fit.reflection) for fit in ahead}


def _ordered(fits: Iterable[ScoredLesson]) -> tuple[ScoredLesson, ...]:
    return tuple(sorted(fits, key=lambda fit: (-fit.score, fit.reflection.id)))


def _quoted(row: Reflection, query: Query) -> int:
    """Return how many parts of the query quote the first line of the error that the lesson was
    learned from. Elsewhere all words of "address already in use" but one are too common to count.
    """
    held = read(row.trigger).stems if row.example and query.quotations else ()
    near = [said for said, stems in query.quotations if stems.issubset(held)]
    error = f" {' '.join(tokens(row.trigger))} " if near else ""
    return sum(said in error for said in near)


def _holds_all(row: Reflection, query: Query) -> bool:
    """Return True if the query is one or two key words, and the lesson contains them as typed, or
    has a tag that means the same: a tag is a key word, too."""
    if not 1 <= len(query.terms) == query.typed <= KEY_WORDS:
        return False
    held, tags = stems_of(row), frozenset(map(stem, tokens(" ".join(row.tags))))
    return all(term.stem in held or term.others & tags for term in query.terms)
