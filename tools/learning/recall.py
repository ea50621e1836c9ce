"""Which lessons fit what somebody is about to do? Ranking by words, and silence when none fits.

Rules: pure, and the same for every store, which only fetches candidates. A word counts by how much
it tells (`everyday`) and by how rare it is among the candidates; a synonym counts less than the
word. A lesson fits when it meets enough of what the query tells, and more of it when the query does
not tell of trouble (`intent`); a single word that names a technology or stands in every text is
never enough. Nothing fits, nothing is returned: a lesson shown for nothing costs trust.

What a model of meaning says (`standing`, only where it is switched on) is added to the score of the
words, and asks for more before a lesson is shown: it never speaks alone.

The numbers were tuned on the first and the third part of the questions of `tests/learning/data`, so
that at most 3 in 100 unrelated ones are answered, and measured on the second and the fourth:
`tests/bench/paraphrase.py`.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from reflection_mcp.store.records import Reflection
from reflection_mcp.tools.learning.everyday import NAMING, TELLING, weight
from reflection_mcp.tools.learning.intent import Intent, intent_of
from reflection_mcp.tools.learning.synonyms import SYNONYM_WEIGHT, related, spellings
from reflection_mcp.tools.learning.words import stem, tokens

MOST_TERMS = 24  # words of a query that count, the telling ones first
BODY = 0.8  # what a word counts in question, evidence and example, beside 1 in what was learned
EACH_MORE = 0.15  # what every further word that is met adds to a lesson's score
UNKNOWN_BUT_RELATED = 0.5  # what an unmet word counts when a synonym of it is in some candidate

CORE = 4  # telling words that even a short lesson is taken to have
FLOOR, WEIGHT_OF_CORE = 0.15, 0.25
"""How much it counts which part of a lesson's own telling words is met, beside what is met at all:
whoever has its trouble names its core, whoever has not, hits it at its edge."""

KEY_WORDS = 2  # so few words are no sentence: whoever types them wants what holds them

LEAST: Mapping[Intent, float] = {"trouble": 0.65, "task": 0.8, "making": 2.0}
"""The score below which a lesson is not shown."""

BY_MEANING = 0.15  # what one standard deviation adds by which a lesson stands out in meaning
LEAST_TOGETHER: Mapping[Intent, float] = {"trouble": 1.16, "task": 1.12, "making": 2.6}
"""The score below which a lesson is not shown when meaning counts."""


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the query: as typed, its stem, how much it tells, what may stand for it."""

    word: str
    stem: str
    weight: float
    others: frozenset[str]


@dataclass(frozen=True, slots=True)
class Query:
    """A query as it is compared: its terms, what it is about, and how many words were typed."""

    terms: tuple[Term, ...]
    intent: Intent
    typed: int = 0


@dataclass(frozen=True, slots=True)
class Fit:
    """A lesson that fits, and how well; the score has no unit and no upper limit."""

    reflection: Reflection
    score: float


def understood(query: str) -> Query:
    """The words of a query that tell something, the telling ones first, then in their order."""
    found: dict[str, Term] = {}
    for word in tokens(query):
        value, root = weight(word), stem(word)
        if value and root not in found:
            found[root] = Term(word, root, value, related().get(root, frozenset()))
    ordered = sorted(found.values(), key=lambda term: -term.weight)
    return Query(tuple(ordered[:MOST_TERMS]), intent_of(query), len(query.split()))


def searched_words(query: Query) -> tuple[str, ...]:
    """What a word index should be asked for, the most telling first: typed words, forms, synonyms.

    An index that knows no stems is given the forms that English would make of one.
    """
    typed = [term.word for term in query.terms]
    forms = [f"{term.stem}{end}" for term in query.terms for end in ("", "e", "s", "ed", "ing")]
    others = [w for term in query.terms for o in sorted(term.others) for w in sorted(spellings(o))]
    return tuple(dict.fromkeys([*typed, *forms, *others]))


def fitting(
    query: Query, candidates: Iterable[Reflection], stands: Mapping[str, float] | None = None
) -> tuple[Fit, ...]:
    """The lessons that fit, best first; ties go by id.

    Args:
        query: what is asked.
        candidates: the lessons that share a word with it, or a synonym.
        stands: for each of them how far it stands out by its meaning among all lessons; nothing
            where only words count.
    """
    rows = [*candidates]
    least = (LEAST_TOGETHER if stands else LEAST)[query.intent]
    fits = {fit.reflection.id: fit for fit in scored(query, rows)}
    if stands:
        words = {id: fit.score for id, fit in fits.items()}
        fits = {
            row.id: Fit(row, words.get(row.id, 0.0) + BY_MEANING * stands[row.id]) for row in rows
        }
    held = {row.id: Fit(row, 0.0) for row in rows if _holds_all(row, query)}
    chosen = {id: fit for id, fit in fits.items() if fit.score >= least or id in held}
    return tuple(sorted((held | chosen).values(), key=lambda fit: (-fit.score, fit.reflection.id)))


def _holds_all(row: Reflection, query: Query) -> bool:
    """Whether the query is a key word or two, and the lesson holds them as they were typed."""
    if not 1 <= len(query.terms) == query.typed <= KEY_WORDS:
        return False
    held = _stems_of(row)
    return all(term.stem in held for term in query.terms)


def scored(query: Query, candidates: Iterable[Reflection]) -> tuple[Fit, ...]:
    """Every candidate that meets more than a faint word, best first, whether it fits or not."""
    held = [(row, _stems_of(row)) for row in candidates]
    spread = Counter(each for _, found in held for each in found)
    known = [_Known(term, spread, len(held)) for term in query.terms]
    whole = sum(each.expected for each in known)
    reach = _reach(query)
    fits: list[Fit] = []
    for row, found in held:
        score = _score(found, known, whole)
        if score:
            fits.append(Fit(row, round(score * _met_of_core(row, reach), 6)))
    return tuple(sorted(fits, key=lambda fit: (-fit.score, fit.reflection.id)))


def _reach(query: Query) -> dict[str, float]:
    """What each stem counts that the query, or a synonym of it, names."""
    reach = {other: SYNONYM_WEIGHT for term in query.terms for other in term.others}
    return reach | {term.stem: 1.0 for term in query.terms}


def _met_of_core(row: Reflection, reach: Mapping[str, float]) -> float:
    """How much of what the lesson itself is about the query names; near 1, and never 0."""
    words = (word for text in (row.lesson, row.trigger) for word in tokens(text))
    core = {stem(word) for word in words if weight(word) >= NAMING}
    met = math.fsum(reach.get(each, 0.0) for each in core)
    return float((FLOOR + met / max(CORE, len(core))) ** WEIGHT_OF_CORE)


class _Known:
    """A term beside the candidates: what meeting it is worth, and what a good lesson would meet."""

    def __init__(self, term: Term, spread: Mapping[str, int], of: int) -> None:
        self.telling = term.weight >= TELLING
        own = term.weight * _rarity(spread.get(term.stem, 0), of)
        # Sorted, since sums and ties must not depend on the order of a set.
        self.worth = {
            other: SYNONYM_WEIGHT * term.weight * _rarity(spread[other], of)
            for other in sorted(term.others)
            if other in spread
        }
        known_otherwise = bool(self.worth) and term.stem not in spread
        self.expected = UNKNOWN_BUT_RELATED * term.weight if known_otherwise else own
        self.worth[term.stem] = own

    def met(self, found: Mapping[str, float]) -> float:
        return max(
            (worth * found[each] for each, worth in self.worth.items() if each in found),
            default=0.0,
        )


def _rarity(having: int, of: int) -> float:
    """1 for a word that at most one candidate has, less for a word of many."""
    if having <= 1:
        return 1.0
    return math.sqrt(math.log(1 + (of + 1) / having) / math.log(2 + of))


def _score(found: Mapping[str, float], known: Sequence[_Known], whole: float) -> float:
    met = [(each, value) for each in known if (value := each.met(found))]
    if not met or (len(met) == 1 and not met[0][0].telling):
        return 0.0
    evidence = sum(value for _, value in met)
    return evidence * min(1.0, evidence / whole) * (1 + EACH_MORE * (len(met) - 1))


def _stems_of(row: Reflection) -> dict[str, float]:
    """The stems of a lesson with what each counts there."""
    body = (row.question, row.evidence, row.example)
    title = (row.lesson, row.strategy, row.trigger, *row.tags, row.error_type or "")
    found = {stem(word): BODY for text in body for word in tokens(text)}
    return found | {stem(word): 1.0 for text in title for word in tokens(text)}
