"""The merge of a reflection with a new sighting of it.

Rules of this module: pure functions, shared by every backend, so that two stores cannot merge
differently. No wording is lost: it is the shown lesson or one of the wordings. Only its author may
rewrite a lesson, since two sources whose errors collide must not overwrite each other's fix; and
not even its author rewrites one that helped (`_holds`), since its votes would then count for words
that nobody tried. A text that attempts prompt injection (`suspicious`) neither replaces nor fills
in one that does not; a clean text replaces a suspicious one, and everything that was marked with
it. Counting is not done here but by the backend, atomically.
"""

from collections.abc import Sequence
from dataclasses import fields, replace
from datetime import datetime
from typing import Any

from reflection_mcp.store.records import (
    MOST_SITUATIONS,
    MOST_TEXTS,
    TO_THE_LETTER,
    Key,
    Observation,
    Reflection,
    Scope,
    Wording,
)

FILLED_IN = (
    "strategy", "trigger", "evidence", "error_type", "category", "pattern", "example", "question",
    "iteration", "quality_delta", "outcome",
)  # fmt: skip
"""The fields that a later sighting fills in while they are empty (at their default)."""

_MARKED_TOGETHER = ("lesson", "strategy", "trigger", "situations", "suspicious")
"""The texts for which a row is marked, and the mark: any of them may be why."""

_EMPTY = {field.name: field.default for field in fields(Reflection) if field.name in FILLED_IN}


def met_first(scope: Scope, sighting: Observation) -> Reflection:
    """The new row: as given, but in `scope` and with every counter at its beginning."""
    return replace(
        sighting.reflection,
        scope=scope,
        source=sighting.reflection.source or sighting.source,
        occurrences=1,
        sources=1,
        shown=0,
        helped=0,
        failed=0,
        recurred=0,
        wordings=(),
    )


def met_again(stored: Reflection, sighting: Observation, *, author: str) -> tuple[Reflection, str]:
    """The row after a sighting, counters and `last_seen` untouched, and the lesson's new author.

    `author` is the source whose lesson is the shown one.
    """
    new = sighting.reflection
    importance = max(stored.importance, new.importance)
    if new.suspicious and not stored.suspicious:
        return (
            replace(stored, importance=importance) if importance > stored.importance else stored
        ), author
    changes: dict[str, Any] = {
        name: value
        for name, empty in _EMPTY.items()
        if getattr(stored, name) == empty and (value := getattr(new, name)) != empty
    }
    if _holds(stored) and new.lesson not in ("", stored.lesson):
        changes.pop("strategy", None)  # it belongs to other words
    if importance > stored.importance:
        changes["importance"] = importance
    tags = tuple(dict.fromkeys(stored.tags + new.tags))
    if tags != stored.tags:
        changes["tags"] = tags
    situations = both_situations(stored, new)
    if situations != stored.situations:
        changes["situations"] = situations
    if _cures(stored, new):
        changes |= {name: getattr(new, name) for name in (*_MARKED_TOGETHER, "outcome")}
        author = sighting.source
    elif _takes_over(stored, sighting, author):
        changes |= {"lesson": new.lesson, "strategy": new.strategy or stored.strategy}
        changes["outcome"] = (
            new.outcome
        )  # the outcome belongs to the words that were learned from it
        author = sighting.source
    elif new.lesson and new.lesson == stored.lesson and new.outcome == "success":
        changes["outcome"] = new.outcome  # these words have worked since
    return (replace(stored, **changes) if changes else stored), author


def both_situations(stored: Reflection, new: Reflection) -> tuple[str, ...]:
    """The phrasings of both, each once; where there are too many, the first ones stay."""
    if new.suspicious and not stored.suspicious:
        return stored.situations
    return tuple(dict.fromkeys(stored.situations + new.situations))[:MOST_SITUATIONS]


def both_keys(stored: Sequence[Key], new: Sequence[Key]) -> list[Key]:
    """Return the keys of both, each once, the latest last; of those of whole texts only the latest.

    An error that prints the time has a different text each time it occurs. Its other keys are the
    same, and if every text key were stored, the thousandth occurrence would cost more than the
    first.
    """
    keys = list(dict.fromkeys((*stored, *new)))
    texts = [key for key in keys if key.kind == TO_THE_LETTER]
    gone = set(texts[:-MOST_TEXTS])
    return [key for key in keys if key not in gone] if gone else keys


def _takes_over(stored: Reflection, sighting: Observation, author: str) -> bool:
    """Return True if the sighting's lesson becomes the shown one."""
    new = sighting.reflection
    said = (new.lesson, new.strategy or stored.strategy)
    if not new.lesson or said == (stored.lesson, stored.strategy):
        return False
    return not stored.lesson or (sighting.source == author and not _holds(stored))


def _cures(stored: Reflection, new: Reflection) -> bool:
    """Return True if a clean text replaces a suspicious one."""
    return stored.suspicious and not new.suspicious and bool(new.lesson)


def _holds(stored: Reflection) -> bool:
    """Return True if the shown words got votes, and not more of them negative."""
    return bool(stored.lesson) and stored.helped > 0 and stored.helped >= stored.failed


def later(stored: datetime, seen: datetime) -> datetime:
    """`last_seen` never goes backwards, whatever the clock did."""
    return max(stored, seen)


def wordings_said(sighting: Observation) -> tuple[Wording, ...]:
    """The sighting's own wording, if it has a lesson, and those that it brings along."""
    new = sighting.reflection
    own = new.wording(sighting.source, new.last_seen)
    return ((own,) if new.lesson else ()) + new.wordings
