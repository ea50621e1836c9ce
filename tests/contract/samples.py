"""Records to store, with everything that a test does not care about filled in."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from reflection_mcp.store.interactions import Feedback, FeedbackKind, Lookup, MatchLevel
from reflection_mcp.store.records import Attempt, Key, Kind, Observation, Reflection, Scope

HERE = Scope(tenant="acme", project="shop")
THERE = Scope(tenant="acme", project="bank")
EVERYWHERE = Scope(tenant="acme")
MINE = HERE.of("ann")
STRANGER = Scope(tenant="rival", project="shop")


def at(minute: float) -> datetime:
    """A minute of a certain day."""
    return datetime(2026, 11, 21, 8, tzinfo=UTC) + timedelta(minutes=minute)


def learned(
    name: str, *, minute: float = 0, kind: Kind = "reflection", scope: Scope = HERE, **more: Any
) -> Reflection:
    """A reflection whose id and signature follow from its name."""
    base = Reflection(
        id=f"ref-{name}",
        scope=scope,
        kind=kind,
        signature=f"sig1:{name}",
        lesson=f"the lesson of {name}",
        first_seen=at(minute),
        last_seen=at(minute),
    )
    return replace(base, **more)


def met(
    reflection: Reflection,
    event: str,
    *,
    by: str = "ann",
    keys: tuple[str, ...] = (),
    features: tuple[int, ...] = (),
    same_as: str | None = None,
    corrects: bool = False,
) -> Observation:
    """An observation of a reflection; `keys` are digests of keys of the kind `exact`."""
    return Observation(
        reflection=reflection,
        event_id=event,
        source=by,
        keys=tuple(Key(kind="exact", digest=digest) for digest in keys),
        features=features,
        same_as=same_as,
        corrects=corrects,
    )


def tried(name: str, *, minute: float = 0, conversation: str = "talk", **more: Any) -> Attempt:
    """An attempt."""
    base = Attempt(
        id=f"att-{name}",
        conversation_id=conversation,
        iteration=0,
        at=at(minute),
        question="how many?",
        answer_hash="0f",
    )
    return replace(base, **more)


def asked(
    name: str,
    *,
    signature: str = "sig1:lock",
    minute: float = 0,
    verdict: MatchLevel = "new",
    shown: tuple[str, ...] = (),
    conversation: str = "talk",
    **more: Any,
) -> Lookup:
    """A look-up."""
    base = Lookup(
        id=f"look-{name}",
        at=at(minute),
        signature=signature,
        verdict=verdict,
        conversation_id=conversation,
        source="ann",
        shown=shown,
    )
    return replace(base, **more)


def said(
    kind: FeedbackKind,
    target: str | None = None,
    *,
    conversation: str | None = None,
    said_in: str = "talk",
    by: str = "ann",
    minute: float = 90,
) -> Feedback:
    """What a person said."""
    return Feedback(
        kind=kind,
        at=at(minute),
        source=by,
        target_id=target,
        conversation_id=conversation,
        said_in=said_in,
    )
