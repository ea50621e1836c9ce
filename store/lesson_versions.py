"""The versions of a lesson: their ids, which one a vote is about, and which one is shown first.

Rules of this module: pure functions, shared by every backend. A version is the words of a lesson
and its strategy, whoever said them; its id is made of them and of the id of its row, so that it is
the same in every store. Votes count for the version that was shown. The votes of the version that
is shown first are the counters of the row; the other versions have their own.

A version that is not first takes the first place when it has proven better, or when the first one
failed more often than it helped. Words that their own author has replaced come back only if they
have helped.
"""

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime

from reflection_mcp.store.interactions import Judged, Lookup
from reflection_mcp.store.records import Reflection, Wording
from reflection_mcp.store.state import TrackRecord, Vote

DIGITS = 6
"""Hex digits of the part of an id that names a version: a row has a handful of versions."""
_VERSION = re.compile(rf"\.[0-9a-f]{{{DIGITS}}}$")


def version_id(row_id: str, lesson: str, strategy: str) -> str:
    """Return the id of these words in this row; that of the row as long as there is no lesson."""
    if not lesson:
        return row_id
    words = f"{lesson}\0{strategy}".encode()
    return f"{row_id}.{hashlib.sha256(words).hexdigest()[:DIGITS]}"


def first_id(row: Reflection) -> str:
    """Return the id of the version that a row shows first."""
    return version_id(row.id, row.lesson, row.strategy)


def row_named(target_id: str) -> str:
    """Return the id of the row of a version."""
    return target_id.rpartition(".")[0]


def has_version(row: Reflection, target_id: str) -> bool:
    """Return True if this is the id of a version of the row, which is whole."""
    return target_id in {first_id(row), *_by_id(row)}


def meant(row: Reflection, lookup: Lookup | None) -> str:
    """Return the id of the version that a vote on a row is about: the one that a look-up showed.

    Args:
        row: the row, whole.
        lookup: the look-up that offered it, if there was one.
    """
    shown = lookup.versions if lookup else ()
    return next((each for each in shown if has_version(row, each)), first_id(row))


def first_after(row: Reflection, judged: str, kind: str) -> Wording | None:
    """Return the version that takes the first place after a vote, or None if none does.

    Args:
        row: the row with all its versions, their votes counted.
        judged: the id of the version that was judged.
        kind: `positive` or `negative`; nothing that is withdrawn changes the order.
    """
    if kind == "withdrawn":
        return None
    now = row.helped - row.failed
    others = {name: said for name, said in _by_id(row).items() if name != first_id(row)}
    if judged != first_id(row):
        said = others[judged]
        net = said.helped - said.failed
        return said if kind == "positive" and net > max(now, 0) and not said.suspicious else None
    if now >= 0:
        return None
    return max(
        (said for said in others.values() if _may_be_first(row, said, now)),
        key=lambda said: (said.helped - said.failed, said.at),
        default=None,
    )


def vote_on(
    target_id: str, kind: str, at: datetime, source: str, comment: str, occasion: str
) -> Vote:
    """Return the vote that is stored under the id of an attempt or of a version."""
    versioned = _VERSION.search(target_id)
    return Vote(
        target_id=row_named(target_id) if versioned else target_id,
        kind="positive" if kind == "positive" else "negative",
        at=at,
        source=source,
        version=target_id if versioned else "",
        comment=comment,
        occasion=occasion,
    )


def second_opinions(row: Reflection) -> tuple[Wording, ...]:
    """Return what may be tried beside the version shown first, the row being whole.

    What has failed more often than it helped is no opinion any more, nor is what its author has
    replaced, unless it has helped.
    """
    first = (row.lesson, row.strategy)
    return tuple(
        said
        for said in row.wordings
        if said.words != first and said.failed <= said.helped and _stands(row, said)
    )


def votes_on(row: Reflection, version: str) -> Judged:
    """Return the votes on a version of a row, which is whole."""
    if version == first_id(row):
        return Judged(id=version, helped=row.helped, failed=row.failed)
    said = _by_id(row)[version]
    return Judged(id=version, helped=said.helped, failed=said.failed)


def _may_be_first(row: Reflection, said: Wording, now: int) -> bool:
    """Return True if a version has done better, and its author has not replaced it untried."""
    if said.suspicious or said.helped - said.failed <= now:
        return False
    return _stands(row, said)


def _stands(row: Reflection, said: Wording) -> bool:
    """Return True if a version is the last word of its author, or has helped."""
    latest = max(each.at for each in row.wordings if each.source == said.source)
    return said.helped > said.failed or (said.source != row.source and said.at == latest)


def _by_id(row: Reflection) -> Mapping[str, Wording]:
    """Return the versions of a row by their ids: of the same words the newest telling."""
    return {version_id(row.id, *said.words): said for said in row.wordings}


def subjects(
    came_back: Iterable[tuple[str, int]], cast: Iterable[tuple[str, int, int]]
) -> Iterator[str]:
    """Yield the ids of rows that `track_records_of` asks for; some may be those of nothing."""
    yield from (each for each, _ in came_back)
    for target, _, _ in cast:
        yield from filter(None, (target, row_named(target)))


def track_records_of(
    came_back: Iterable[tuple[str, int]],
    cast: Iterable[tuple[str, int, int]],
    there: Iterable[tuple[str]],
) -> dict[str, TrackRecord]:
    """Return the track record of each row.

    Args:
        came_back: how often the error of a row came back.
        cast: the votes on a row or a version: positive ones, then negative ones. Those on any
            version are the row's: who says why a lesson failed often gives it its next words.
        there: the ids of the rows that still exist; others are left out.
    """
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    rows = {row for (row,) in there}
    for row, times in came_back:
        found[row]["recurred"] += times
    for target, helped, failed in cast:
        row = target if target in rows else row_named(target)
        found[row].update(helped=helped, failed=failed)
    return {row: TrackRecord(**counts) for row, counts in found.items() if row in rows}
