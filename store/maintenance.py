"""Records of whole rows, for export, import and consolidation.

Rules of this module: pure functions, shared by every backend. Bringing the same row in twice
changes nothing the second time, and the order does not matter: counters take the larger value,
texts fill in what is empty, sets are united. A change of a row names what it was before, so that it
can be taken back; what was counted in between stays counted.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from itertools import count
from typing import Any

from reflection_mcp.store.merging import FILLED_IN, both_situations, is_completed
from reflection_mcp.store.person import person_of
from reflection_mcp.store.records import Key, Lesson, Reflection, Scope, Wording

COUNTERS = ("occurrences", "sources", "shown", "helped", "failed", "recurred")
EMPTY = {field.name: field.default for field in fields(Reflection) if field.name in FILLED_IN}


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredReflection:
    """A reflection, with its links and wordings, and all by which it is found again.

    `author` is the source whose lesson is the shown one.
    """

    reflection: Reflection
    keys: tuple[Key, ...] = ()
    features: tuple[int, ...] = ()
    author: str = ""

    @property
    def people(self) -> tuple[str, ...]:
        """Everybody who recorded it, each once."""
        named = (self.author, *(said.source for said in self.reflection.wordings))
        return tuple(dict.fromkeys(person_of(name) for name in named if name))


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A row before and after, under the same id.

    `renamed` are signatures under which things are logged, each with the one that takes its place.
    `unrecorded` are the ids of events that are taken back, so that they may be recorded again. If
    the row is to be `gone`, it is deleted, unless others have reported it or voted on it since.
    """

    before: StoredReflection
    after: StoredReflection
    renamed: tuple[tuple[str, str], ...] = ()
    unrecorded: tuple[str, ...] = ()
    gone: bool = False

    @property
    def reversed(self) -> "Change":
        """The change that undoes it."""
        back = tuple((new, old) for old, new in self.renamed)
        return Change(before=self.after, after=self.before, renamed=back)


@dataclass(frozen=True, slots=True, kw_only=True)
class Adopted:
    """The result of an import of rows."""

    created: int = 0
    changed: int = 0
    unchanged: int = 0

    def __add__(self, other: "Adopted") -> "Adopted":
        """Both together."""
        return Adopted(
            created=self.created + other.created,
            changed=self.changed + other.changed,
            unchanged=self.unchanged + other.unchanged,
        )


def placed(scope: Scope, row: StoredReflection, new_id: str | None = None) -> StoredReflection:
    """Return the row as it would be in `scope`, its fields in the order in which they are read."""
    reflection = replace(row.reflection, scope=scope, id=new_id or row.reflection.id)
    return tidy(replace(row, reflection=reflection))


def relinked(row: StoredReflection, named: Mapping[str, str]) -> StoredReflection:
    """Return the row with links to rows under the ids that they have now."""
    links = (
        replace(link, target_id=named.get(link.target_id, link.target_id))
        for link in row.reflection.links
    )
    return replace(row, reflection=replace(row.reflection, links=tuple(links)))


def tidy(row: StoredReflection) -> StoredReflection:
    """The row with links, wordings, keys and features in their order, each once."""
    reflection = row.reflection
    links = sorted(set(reflection.links), key=lambda link: (link.kind, link.target_id))
    return StoredReflection(
        reflection=replace(reflection, links=tuple(links), wordings=_wordings(reflection.wordings)),
        keys=tuple(sorted(set(row.keys), key=lambda key: (key.kind, key.digest))),
        features=tuple(sorted(set(row.features))),
        author=row.author or reflection.source,
    )


def united(
    stored: StoredReflection, incoming: StoredReflection, *, by_hand: bool = False
) -> StoredReflection:
    """Return the stored row with what an imported one adds to it.

    `by_hand` says that a person has edited the imported row: a lesson that is new then becomes the
    shown one. An old file brings back no old wording, since that was stored before. A suspicious
    wording is one among others: it fills in nothing of a row that is not suspicious.
    """
    old, new = stored.reflection, incoming.reflection
    changes: dict[str, Any] = {}
    if old.suspicious or not new.suspicious:
        changes = {
            name: getattr(new, name) for name, empty in EMPTY.items() if getattr(old, name) == empty
        }
        changes["lesson"] = old.lesson or new.lesson
        if old.lesson and new.lesson not in ("", old.lesson):
            changes.pop("strategy", None)  # it belongs to other words
            changes.pop("outcome", None)
    changes |= {name: max(getattr(old, name), getattr(new, name)) for name in COUNTERS}
    people = {*stored.people, *incoming.people}
    changes |= {
        "sources": max(old.sources, new.sources, len(people)),
        "importance": max(old.importance, new.importance),
        "confidence": max(old.confidence, new.confidence),
        "tags": tuple(dict.fromkeys(old.tags + new.tags)),
        "situations": both_situations(old, new),
        "links": old.links + new.links,
        "wordings": old.wordings + new.wordings + _as_wording(old, new),
    }
    author = stored.author
    if not by_hand:  # what a person writes has no time of its own
        changes["first_seen"] = min(old.first_seen, new.first_seen)
        changes["last_seen"] = max(old.last_seen, new.last_seen)
    elif _is_edited(old, new):
        author = incoming.author
        changes |= {
            "lesson": new.lesson,
            "strategy": new.strategy,
            "outcome": new.outcome,
            "suspicious": new.suspicious,
            "wordings": (*old.wordings, *_as_wording(old, new), *_as_wording(new, old)),
        }
    return tidy(
        StoredReflection(
            reflection=_with_its_votes(replace(old, **changes), old, new),
            keys=stored.keys + incoming.keys,
            features=stored.features + incoming.features,
            author=author,
        )
    )


def added_up(stored: StoredReflection, moved: StoredReflection) -> StoredReflection:
    """Return the stored row with one that is moved to its place: as `united`, but what each of the
    two has counted for itself is added up."""
    both = united(stored, moved)
    row = both.reflection
    first = (row.lesson, row.strategy)
    times, helped, failed = Counter[Any](), Counter[Any](), Counter[Any]()
    for each in (stored.reflection, moved.reflection):
        times.update({said.key: said.times for said in each.wordings})
        judged = {said.words: (said.helped, said.failed) for said in each.wordings}
        judged.pop((each.lesson, each.strategy), None)
        shown = first if is_completed(each, row) else (each.lesson, each.strategy)
        for words, votes in (*judged.items(), (shown, (each.helped, each.failed))):
            helped[words] += votes[0]
            failed[words] += votes[1]
    counted = {
        name: getattr(stored.reflection, name) + getattr(moved.reflection, name)
        for name in ("occurrences", "shown", "recurred")
    }
    wordings = tuple(
        replace(
            said,
            times=max(times[said.key], said.times),
            helped=helped[said.words],
            failed=failed[said.words],
        )
        for said in row.wordings
    )
    return replace(
        both,
        reflection=replace(
            row, helped=helped[first], failed=failed[first], wordings=wordings, **counted
        ),
    )


def _with_its_votes(row: Reflection, *known: Reflection) -> Reflection:
    """The row with the votes on the version that it shows, and on no other."""
    words = (row.lesson, row.strategy)
    shown = [each for each in known if (each.lesson, each.strategy) in (words, (row.lesson, ""))]
    votes = [(each.helped, each.failed) for each in shown]
    votes += [(each.helped, each.failed) for each in row.wordings if each.words == words]
    helped, failed = (max(column) for column in zip((0, 0), *votes, strict=True))
    return replace(row, helped=helped, failed=failed)


def _is_edited(old: Reflection, new: Reflection) -> bool:
    """Return True if the new row has a wording that is not stored yet."""
    said = {each.key[1:] for each in old.wordings} | {(old.lesson, old.strategy)}
    return bool(new.lesson) and (new.lesson, new.strategy) not in said


def _fullness(lesson: Lesson) -> tuple[object, ...]:
    """A total order of lessons with the same words, so that no order of imports matters."""
    return (len(lesson.situations), lesson.situations, lesson.outcome or "")


def _as_wording(old: Reflection, new: Reflection) -> tuple[Wording, ...]:
    """Return the wording of the incoming row, if it differs from the stored one."""
    if not new.lesson or (new.lesson, new.strategy) == (old.lesson, old.strategy):
        return ()
    return (new.wording(new.source, new.first_seen),)


def _wordings(said: Iterable[Wording]) -> tuple[Wording, ...]:
    """Each wording of each source once, with the larger count and the earlier time."""
    kept: dict[tuple[str, str, str], Wording] = {}
    for one in said:
        before = kept.get(one.key)
        kept[one.key] = (
            one
            if before is None
            else replace(
                before,
                lesson=max(before.lesson, one.lesson, key=_fullness),
                times=max(before.times, one.times),
                helped=max(before.helped, one.helped),
                failed=max(before.failed, one.failed),
                at=min(before.at, one.at),
                suspicious=before.suspicious or one.suspicious,
            )
        )
    return tuple(sorted(kept.values(), key=lambda w: (w.at, *w.key)))


def carried_out(current: StoredReflection, change: Change) -> StoredReflection | None:
    """The row after a change, or None when something else was done to it in the meantime.

    Counts may have changed: what was counted since `before` is added to `after`, votes to the words
    that they were cast on, which stay as a version. Links that came or went meanwhile stay so,
    since what they lead to may be new or gone.
    """
    now, before, after = current.reflection, change.before.reflection, change.after.reflection
    told = [(each.occurrences, _votes_on(each)) for each in (now, before)]
    if _content(current) != _content(change.before) or (change.gone and told[0] != told[1]):
        return None
    counted: dict[str, Any] = {
        name: max(0, getattr(after, name) + getattr(now, name) - getattr(before, name))
        for name in COUNTERS
    }
    since, votes = _votes_on(now), _votes_on(after)
    since.subtract(_votes_on(before))
    votes.update(since)
    judged = {words for (words, _), number in since.items() if number > 0}
    judged -= {said.words for said in after.wordings} | {(after.lesson, after.strategy)}
    said_since = tuple(said for said in now.wordings if said.words in judged)
    counted["wordings"] = (*after.wordings, *said_since)
    met_since = now.last_seen != before.last_seen
    counted["last_seen"] = max(after.last_seen, now.last_seen) if met_since else after.last_seen
    gone = set(before.links) - set(now.links)
    came = [link for link in now.links if link not in before.links]
    counted["links"] = tuple(link for link in (*after.links, *came) if link not in gone)
    return replace(change.after, reflection=_with_votes(replace(after, **counted), votes))


Votes = Counter[tuple[tuple[str, str], str]]
"""The number of votes, by the words voted on and the vote: `helped` or `failed`."""


def with_votes_of(row: StoredReflection, now: StoredReflection) -> StoredReflection:
    """Return the row with the votes that `now` has on each of its versions."""
    return replace(row, reflection=_with_votes(row.reflection, _votes_on(now.reflection)))


def _votes_on(row: Reflection) -> Votes:
    votes = Votes()
    judged = {said.words: (said.helped, said.failed) for said in row.wordings}
    judged[row.lesson, row.strategy] = (row.helped, row.failed)
    for words, (helped, failed) in judged.items():
        votes.update({(words, "helped"): helped, (words, "failed"): failed})
    return votes


def _with_votes(row: Reflection, votes: Votes) -> Reflection:
    def on(words: tuple[str, str]) -> dict[str, Any]:
        return {name: max(0, votes[words, name]) for name in ("helped", "failed")}

    wordings = tuple(replace(said, **on(said.words)) for said in row.wordings)
    return replace(row, wordings=wordings, **on((row.lesson, row.strategy)))


def _content(row: StoredReflection) -> tuple[object, ...]:
    r = row.reflection
    return (
        r.kind, r.signature, r.lesson, r.strategy, r.importance, r.retired, r.suspicious, r.tags,
        r.situations,
        frozenset(w.key for w in r.wordings),
        frozenset(row.keys), frozenset(row.features),
    )  # fmt: skip


def free_id(wanted: str, taken: Callable[[str], bool]) -> str:
    """An id for an imported row: its own, or with a number if another row has that one."""
    if not taken(wanted):
        return wanted
    numbered = (f"{wanted}-{number}" for number in count(2))
    return next(each for each in numbered if not taken(each))


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteTally:
    """People's feedback on the attempts of one judge.

    `given` votes, `positive` among them, and the mean quality that the judge had `reported`.
    """

    judge: str
    given: int
    positive: int
    reported: float
