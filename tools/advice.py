"""Stored lessons as advice: which are offered, and which are withheld, with the reason.

Rules: stored text is data with a source and a date, cleaned for showing and cut to length. A text
that tries to give instructions is never offered, nor is advice that did harm; both are counted and
said. Nothing disappears silently.

A verdict on a reflection is about the words that it shows. What other sources said of the same
error is shown behind them, with an id of its own: it takes verdicts, and is shown first when it has
proven better.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import combinations

from reflection_mcp.store.lesson_versions import first_id, second_opinions, version_id
from reflection_mcp.store.person import another_than, client_of, person_of
from reflection_mcp.store.records import Reflection, Wording
from reflection_mcp.tools.learning import track_record
from reflection_mcp.tools.learning.contradiction import contradict
from reflection_mcp.tools.learning.user_words import said_by_user
from reflection_mcp.tools.untrusted import presentable, stored
from reflection_mcp.tools.untrusted.dangers import mark

LESSON_LENGTH = 500  # characters: enough for a lesson, too few for a speech
EVIDENCE_LENGTH = 200
CLIENT_SHOWN = 40
MOST_OF_ONE = 50  # advice on one error, as many as are asked for at most
READ_IT = "; read it with `reflection-mcp show`"
MARKED = f"its text tries to give instructions{READ_IT}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """One lesson as it is shown: the words are the source's, not the server's."""

    id: str
    kind: str
    lesson: str
    strategy: str
    evidence: str
    track_record: str
    worked: bool
    source: str
    learned: datetime
    last_seen: datetime
    occurrences: int
    sources: int
    tags: tuple[str, ...]
    project: str
    mark: str = ""
    """What its reader is warned of, or empty."""
    version: str = ""
    """The id of these words; `id` is that of the reflection, whatever it says."""

    @property
    def by_user(self) -> bool:
        """Whether these are the user's own words."""
        return said_by_user(self.source)

    @property
    def standing(self) -> str:
        """How it has done so far, and what its reader is warned of."""
        return "; ".join(part for part in (self.track_record, self.mark) if part)


@dataclass(frozen=True, slots=True, kw_only=True)
class Withheld:
    """A lesson that is known and not offered."""

    id: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AlsoSaid:
    """What other sources said of an error, with the verdicts on it; `at` is the newest."""

    id: str
    track_record: str
    lesson: str
    strategy: str
    source: str
    sources: int
    at: datetime
    mark: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """What is shown, what is withheld, and how many more there are."""

    advice: tuple[Advice, ...] = ()
    also_said: tuple[AlsoSaid, ...] = ()
    withheld: tuple[Withheld, ...] = ()
    more: int = 0


NOTHING_OFFERED = Offer()


def offer(
    reflections: Iterable[Reflection], now: datetime, limit: int, *, in_order: bool = False
) -> Offer:
    """Split reflections into shown and withheld, ranked by how well they did.

    With `in_order` they stay as they come: somebody has ranked them by how well they fit.
    """
    shown: list[Reflection] = []
    withheld: list[Withheld] = []
    for reflection in reflections if in_order else track_record.ranked(reflections, now):
        if not (reflection.lesson or reflection.strategy):
            continue
        reason = why_withheld(reflection)
        if reason:
            withheld.append(Withheld(id=reflection.id, reason=reason))
        else:
            shown.append(reflection)
    # A strategy is a record of its own, too: with its lesson it is one thing that is left out.
    told = {row.strategy for row in shown if row.kind != "strategy"}
    against = _contradictions(shown[:limit])
    first = _better_proven_first(shown[:limit], against)
    return Offer(
        advice=tuple(_marked(present(row), against.get(row.id, ())) for row in first),
        withheld=tuple(withheld),
        more=sum(not _is_beside(row, told, shown[:limit]) for row in shown[limit:]),
    )


def _contradictions(rows: Sequence[Reflection]) -> dict[str, list[str]]:
    """Return for each row the ids of those that say the opposite, its own strategy aside."""
    against: dict[str, list[str]] = {}
    for one, other in combinations(rows, 2):
        if one.lesson == other.strategy or other.lesson == one.strategy:
            continue
        if any(contradict(mine, theirs) for mine in _said(one) for theirs in _said(other)):
            against.setdefault(one.id, []).append(other.id)
            against.setdefault(other.id, []).append(one.id)
    return against


def _said(row: Reflection) -> tuple[str, ...]:
    return tuple(text for text in (row.lesson, row.strategy) if text)


def _better_proven_first(
    rows: Sequence[Reflection], against: Mapping[str, Sequence[str]]
) -> list[Reflection]:
    """Return the rows in their order, but of two that contradict each other the better first."""
    first = list(rows)
    for place, row in enumerate(first):
        rivals = [n for n in range(place) if first[n].id in against.get(row.id, ())]
        if rivals and track_record.proven(row) > track_record.proven(first[rivals[0]]):
            first.insert(rivals[0], first.pop(place))
    return first


def _marked(advice: Advice, rivals: Sequence[str]) -> Advice:
    if not rivals:
        return advice
    told = f"contradicts {', '.join(rivals)}"
    return replace(advice, mark="; ".join(part for part in (advice.mark, told) if part))


def _is_beside(row: Reflection, told: Set[str], first: Sequence[Reflection]) -> bool:
    """Whether a row that is left out is the strategy of a lesson, or the lesson of one that is
    shown."""
    if row.kind == "strategy":
        return row.lesson in told
    return bool(row.strategy) and any(
        each.kind == "strategy" and each.lesson == row.strategy for each in first
    )


def offer_of_error(known: Sequence[Reflection], now: datetime, limit: int) -> Offer:
    """The lessons of one error as advice: one of each place that knows it, best first, and behind
    them what others said of it."""
    if len(known) == 1:
        return offer_of_one(known[0], now, limit)
    rows = {(row.lesson, row.strategy): row for row in reversed(track_record.ranked(known, now))}
    both = offer(rows.values(), now, limit)
    each = [offer_of_one(row, now, MOST_OF_ONE) for row in known]
    told = {(one.lesson, one.strategy) for one in both.advice}
    also_said = [
        said for one in each for said in one.also_said if (said.lesson, said.strategy) not in told
    ]
    room = max(0, limit - len(both.advice))
    marked = [held for one in each for held in one.withheld if held not in both.withheld]
    return replace(
        both,
        also_said=tuple(also_said[:room]),
        withheld=(*both.withheld, *marked),
        more=both.more + max(0, len(also_said) - room),
    )


def offer_of_one(whole: Reflection, now: datetime, limit: int) -> Offer:
    """The lesson of one error as advice, and behind it what others said of the same error."""
    own = offer([whole], now, limit)
    others = second_opinions(whole)
    marked = sum(said.suspicious for said in others)
    of_others = Withheld(id=whole.id, reason=f"{marked} more by others: {MARKED}")
    room = max(0, limit - len(own.advice))
    told = [
        replace(
            each, mark="; ".join(part for part in (each.mark, f"contradicts {whole.id}") if part)
        )
        if any(contradict(a, b) for a in (each.lesson, each.strategy) for b in _said(whole))
        else each
        for each in _merged(whole.id, [said for said in others if not said.suspicious])
    ]
    return replace(
        own,
        also_said=tuple(told[:room]),
        withheld=(*own.withheld, *((of_others,) if marked else ())),
        more=own.more + max(0, len(told) - room),
    )


def _merged(row_id: str, said: Iterable[Wording]) -> list[AlsoSaid]:
    """The same words once: what helped most, then what most sources said, then the newest."""
    by_words: dict[tuple[str, str], list[Wording]] = {}
    for one in said:
        by_words.setdefault(one.words, []).append(one)
    ranked = sorted(
        by_words.values(),
        key=lambda alike: (alike[0].helped - alike[0].failed, _sources(alike), _newest(alike).at),
        reverse=True,
    )
    return [
        AlsoSaid(
            id=version_id(row_id, lesson, strategy),
            track_record=track_record.of_votes(alike[0].helped, alike[0].failed),
            lesson=presentable(lesson, LESSON_LENGTH),
            strategy=presentable(strategy, LESSON_LENGTH),
            source=presentable(_newest(alike).source, 80),
            sources=_sources(alike),
            at=_newest(alike).at,
            mark=mark(lesson, strategy),
        )
        for alike in ranked
        for lesson, strategy in [alike[0].words]
    ]


def _sources(alike: Sequence[Wording]) -> int:
    return len({person_of(one.source) for one in alike})


def _newest(alike: Sequence[Wording]) -> Wording:
    return max(alike, key=lambda one: one.at)


def why_withheld(reflection: Reflection) -> str:
    """Why a lesson may not be offered, or an empty text."""
    if reflection.suspicious:
        return MARKED
    if track_record.is_harmful(reflection):
        return (
            f"it failed {reflection.failed} times and helped {reflection.helped}; positive votes "
            "on its id, one for each conversation and day, bring it back once it has failed at "
            "most one time more than it helped"
        )
    return ""


def told_by(source: str, at: datetime | None, reader: str = "") -> str:
    """In short who said it and when; of a team it names the person who is not the one who reads."""
    person = another_than(reader, source)
    name = f"{stored(person, CLIENT_SHOWN)}" if person else ""
    if said_by_user(source):
        who = f"said by {name or 'the user'}"
    else:
        who = f"from {stored(client_of(source), CLIENT_SHOWN)}{name and f' by {name}'}"
    return f"{who} on {at:%Y-%m-%d}" if at else who


def origin(advice: Advice, reader: str = "") -> str:
    """Who wrote a lesson, as `told_by` says it, and when its error was last seen."""
    return f"{told_by(advice.source, None, reader)}, last seen {advice.last_seen:%Y-%m-%d}"


def present(reflection: Reflection) -> Advice:
    """A reflection as advice, its texts cleaned and cut."""
    return Advice(
        id=reflection.id,
        kind=reflection.kind,
        lesson=presentable(reflection.lesson, LESSON_LENGTH),
        strategy=presentable(reflection.strategy, LESSON_LENGTH),
        evidence=presentable(reflection.evidence, EVIDENCE_LENGTH),
        track_record=track_record.summary(reflection),
        mark=mark(reflection.lesson, reflection.strategy),
        worked=not track_record.ended_badly(reflection),
        source=presentable(reflection.source, 80),
        learned=reflection.first_seen,
        last_seen=reflection.last_seen,
        occurrences=reflection.occurrences,
        sources=reflection.sources,
        tags=reflection.tags,
        project=reflection.scope.project,
        version=first_id(reflection),
    )


def how_often_met(reported: int, occurred: int, looked_up: int) -> str:
    """Return how often an error was reported, occurred under a hook, and was looked up; a number of
    0 is left out."""
    counts = (
        ("met {}", reported),
        ("failed {} under a hook", occurred),
        ("looked up {}", looked_up),
    )
    words = {1: "once", 2: "twice"}
    said = (form.format(words.get(each, f"{each:,} times")) for form, each in counts if each)
    return ", ".join(said)
