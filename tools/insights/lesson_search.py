"""Stored lessons that fit a text: what the store's word index finds, ranked by likeness and votes.

Rule of this module: when nothing fits, nothing is found; without a model for meaning lessons are
ranked by their words alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from reflection_mcp.store.contract import Store
from reflection_mcp.store.records import Reflection, Scope
from reflection_mcp.tools.learning import query_ranking, track_record
from reflection_mcp.tools.ports import Meaning, MeaningMissing

WORDS_AT_ONCE = 32  # words of one search that a store looks for
MOST_WORDS = 4 * WORDS_AT_ONCE
CANDIDATES = 100  # rows of one search; the index ranks rare words first
AGAIN = 25  # rows of a search by other words: what is meant is near by more than one of them
AGAIN_WORDS = 24  # of each of them: with 16 a lesson was lost, with 32 none is won


@dataclass(frozen=True, slots=True)
class Found:
    """Lessons, best first, a line about how they were ranked if not by their words alone, whether
    filters dropped some, and a line if not all that are stored were looked through."""

    rows: list[Reflection]
    ranked: str = ""
    dropped: bool = False
    unread: str = ""


async def found_for(
    store: Store,
    scope: Scope,
    text: str,
    meaning: Meaning | None = None,
    rephrased: Sequence[str] = (),
) -> Found:
    """Stored lessons that fit a task or question, best first; none when nothing fits.

    Raises:
        StoreError: the store cannot be read.
    """
    query, others = (
        query_ranking.parse_query(text),
        [query_ranking.parse_query(each) for each in rephrased],
    )
    rows = await candidates(store, scope, query, others)
    near: query_ranking.Cosines | None = None
    ranked = ""
    if meaning is not None:
        try:
            ahead = query_ranking.texts_to_compare(query, rows, others)
            near = await nearness_of(meaning, (text, *rephrased), ahead)
            ranked = f"ranked by words and by the model {meaning.name}"
        except MeaningMissing as missing:
            ranked = str(missing)
    places = scope.readable if rows else ()
    stored = sum([await store.count(place, "reflection") for place in places])
    fits = query_ranking.select_relevant(query, rows, near, others, stored)
    newest = max((fit.reflection.last_seen for fit in fits), default=datetime.min)
    best_first = sorted(fits, key=lambda fit: _rank(fit, newest))
    return Found([fit.reflection for fit in best_first], ranked)


def _rank(fit: query_ranking.ScoredLesson, newest: datetime) -> tuple[float, bool, int]:
    """The sort key: how well it fits, its votes, and how long before the `newest` its error was
    seen; then the project's own lessons first, then what most people said."""
    row = fit.reflection
    standing = track_record.vote_factor(row) - track_record.staleness(row, newest)
    return -fit.score * standing, track_record.is_wide(row), -row.sources


async def nearness_of(
    meaning: Meaning, asked: Sequence[str], compared: Mapping[str, Sequence[str]]
) -> query_ranking.Cosines:
    """How near each phrasing of each lesson is to what is asked, in one go."""
    said = list(dict.fromkeys(each for phrasings in compared.values() for each in phrasings))
    likeness = await meaning.likeness(asked, said) if said else ()
    near = dict(zip(said, likeness, strict=True))
    return {id: [near[text] for text in phrasings] for id, phrasings in compared.items()}


async def candidates(
    store: Store,
    scope: Scope,
    query: query_ranking.Query,
    rephrased: Sequence[query_ranking.Query] = (),
) -> list[Reflection]:
    """Every stored lesson that may fit: what the word index finds, a handful of words at a time; of
    what is only rephrased the typed words and some of their forms."""
    words = query_ranking.searched_words(query)[:MOST_WORDS]
    searches = [
        *(
            (words[at : at + WORDS_AT_ONCE], CANDIDATES)
            for at in range(0, len(words), WORDS_AT_ONCE)
        ),
        *((query_ranking.searched_words(each)[:AGAIN_WORDS], AGAIN) for each in rephrased),
    ]
    found: dict[str, Reflection] = {}
    for some, limit in searches:
        for row, _ in await store.search(scope, some, limit=limit) if some else ():
            found.setdefault(row.id, row)
    return list(found.values())
