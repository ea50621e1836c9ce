"""What the use cases need from outside, and get handed.

A use case takes a `Workshop`: the store (or the reason why there is none), a clock, a source of
ids, and who is asking. Nothing in `tools/` reaches for any of these by itself.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from reflection_mcp.store.contract import Store
from reflection_mcp.store.errors import StoreError
from reflection_mcp.store.records import Scope

Clock = Callable[[], datetime]
"""Returns the time now, aware, in UTC."""

Ids = Callable[[str], str]
"""Takes a prefix such as `ref` and returns a new id such as `ref-7k3f9q2m4x`."""

Emit = Callable[[str, dict[str, Any]], None]
"""Takes the name of a stage and its facts (counts, milliseconds, ids; never argument text)."""


def silent(event: str, facts: dict[str, Any]) -> None:
    """Observe nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much of each argument is accepted, in characters or items."""

    question: int = 20_000
    answer: int = 200_000
    context: int = 200_000
    error: int = 20_000
    lesson: int = 2_000
    comment: int = 2_000
    events: int = 200
    tags: int = 20
    tag: int = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who is asking: the connection's conversation, and the client's name as it gave it."""

    conversation_id: str
    client: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Workshop:
    """Everything a use case may use.

    `store` is a `StoreError` when the store could not be opened: judging goes on without it, and
    the result says that nothing was kept.
    """

    store: Store | StoreError
    scope: Scope
    caller: Caller
    clock: Clock
    ids: Ids
    emit: Emit = silent
    limits: Limits = field(default_factory=Limits)
    mode: Literal["lite", "full", "off"] = "lite"
