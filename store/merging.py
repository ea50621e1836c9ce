"""The merge of a reflection with a new observation of it.

Rules of this module: pure functions, shared by every backend, so that two stores cannot merge
differently. Lesson, strategy, outcome and evidence are one version and are replaced together; no
version is lost. A version is replaced by its author, or by whoever tried it and saw it fail: two
sources whose errors collide must not overwrite each other's fix. What is proven by votes stays
until it fails. A text that attempts prompt injection (`suspicious`) neither replaces nor fills in
one that does not; a clean text replaces a suspicious one, and everything that was marked with it.
Counting is not done here but by the backend, atomically.
"""

from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
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
"""The fields that a later observation fills in while they are empty (at their default)."""

FAILING = ("failure", "timeout", "error")
"""The outcomes of work that did not succeed."""

_ONE_VERSION = ("lesson", "strategy", "outcome", "evidence", "suspicious")
"""The fields of a version: words, the end of the work that they come from, and the mark."""

_EMPTY = {field.name: field.default for field in fields(Reflection) if field.name in FILLED_IN}


def met_first(scope: Scope, observation: Observation) -> Reflection:
    """The new row: as given, but in `scope`, with every counter at its beginning and all that was
    said; what was met before counts as met."""
    return replace(
        observation.reflection,
        scope=scope,
        source=observation.reflection.source or observation.source,
        occurrences=1 + observation.met_before,
        sources=1,
        shown=0,
        helped=0,
        failed=0,
        recurred=0,
        wordings=wordings_said(observation),
    )


def met_again(
    stored: Reflection, observation: Observation, *, author: str
) -> tuple[Reflection, str]:
    """The row after an observation, and the author of the lesson that it shows first.

    Counters and `last_seen` are untouched, but for `helped` and `failed`, which are those of the
    version that is shown.

    Args:
        stored: the row with its wordings, those of the observation among them or not.
        observation: what was met.
        author: the source whose lesson is the shown one.
    """
    new = observation.reflection
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
    if (
        stored.lesson
        and new.lesson != stored.lesson
        and not _completes(stored, observation, author)
    ):
        changes.pop("strategy", None)  # it belongs to other words
        changes.pop("outcome", None)
    if importance > stored.importance:
        changes["importance"] = importance
    tags = tuple(dict.fromkeys(stored.tags + new.tags))
    if tags != stored.tags:
        changes["tags"] = tags
    situations = both_situations(stored, new)
    if situations != stored.situations:
        changes["situations"] = situations
    if cures := stored.suspicious and not new.suspicious and bool(new.lesson):
        changes |= {"trigger": new.trigger, "situations": new.situations}  # may be why it is marked
    if cures or _takes_over(stored, observation, author):
        changes |= {name: getattr(new, name) for name in _ONE_VERSION}
        changes |= _votes_of(stored, new)
        changes["source"] = author = observation.source
    elif new.lesson and new.lesson == stored.lesson and new.outcome == "success" != stored.outcome:
        changes["outcome"] = new.outcome  # these words have worked since
    return (replace(stored, **changes) if changes else stored), author


def put_first(stored: Reflection, said: Wording) -> Reflection:
    """The row with one of its other versions as the one that it shows first."""
    return replace(
        stored,
        lesson=said.lesson.text,
        strategy=said.lesson.strategy,
        outcome=said.lesson.outcome,
        evidence="",  # it was that of other words
        suspicious=said.suspicious,
        source=said.source,
        helped=said.helped,
        failed=said.failed,
    )


def replaced(before: Reflection, after: Reflection, author: str) -> Wording | None:
    """The version that a row showed first before others took its place; None if it still does.

    A version that only gained its strategy is the same one.
    """
    if not before.lesson or (before.lesson, before.strategy) == (after.lesson, after.strategy):
        return None
    if is_completed(before, after):
        return None
    words = (author, before.lesson, before.strategy)
    known = next((said for said in before.wordings if said.key == words), None)
    return known or before.wording(author, before.first_seen)


def without_votes_of(row: Reflection, wordings: Iterable[Wording]) -> tuple[Wording, ...]:
    """Wordings as they are stored: the votes on the words that the row shows are its own."""
    first = (row.lesson, row.strategy)
    return tuple(
        replace(said, helped=0, failed=0)
        if said.words == first and (said.helped or said.failed)
        else said
        for said in wordings
    )


def is_completed(before: Reflection, after: Reflection) -> bool:
    """Return True if the shown version only gained its strategy, so that its votes stay its own."""
    return before.lesson in ("", after.lesson) and not before.strategy


def _votes_of(stored: Reflection, new: Reflection) -> dict[str, int]:
    """The votes on the new words, which somebody may have said before; unless they are the same
    ones as before with a strategy."""
    if is_completed(stored, new):
        return {}
    words = (new.lesson, new.strategy)
    known = next((said for said in stored.wordings if said.words == words), None)
    return {"helped": known.helped if known else 0, "failed": known.failed if known else 0}


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


def _takes_over(stored: Reflection, observation: Observation, author: str) -> bool:
    """Return True if the observation's lesson becomes the shown one.

    It does if the shown one was tried and failed, or fails more often than it helps; else only its
    author replaces it, and not while it is proven, unless the author has to say that the work
    failed.
    """
    new = observation.reflection
    if not new.lesson or (new.lesson, new.strategy) == (stored.lesson, stored.strategy):
        return False
    if new.lesson == stored.lesson and not new.strategy:
        return False  # the same words again, in short
    if not stored.lesson or observation.refutes or stored.failed > stored.helped:
        return True
    return observation.source == author and (not _is_proven(stored) or new.outcome in FAILING)


def _completes(stored: Reflection, observation: Observation, author: str) -> bool:
    """Return True if the author of the lesson brings the strategy that it came without."""
    return not observation.reflection.lesson and observation.source == author


def _is_proven(stored: Reflection) -> bool:
    """Return True if the shown words got votes, and not more of them negative."""
    return stored.helped > 0 and stored.helped >= stored.failed


def wordings_said(observation: Observation) -> tuple[Wording, ...]:
    """The observation's own wording, if it has a lesson, and those that it brings along."""
    new = observation.reflection
    own = new.wording(observation.source, new.last_seen)
    return ((own,) if new.lesson else ()) + new.wordings
