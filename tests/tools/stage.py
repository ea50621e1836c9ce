"""services for tests: a real store in memory, a clock that stands still, ids that count."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from reflection_mcp.store.contract import Store
from reflection_mcp.store.records import Lesson, Outcome, Scope
from reflection_mcp.store.sqlite.memory import MemoryStore
from reflection_mcp.tools.ports import Caller, Model, Services
from reflection_mcp.tools.reflect.request import ReflectRequest

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


@dataclass
class Stage:
    """A place where use cases run: `at` is the time, `heard` what was emitted."""

    store: Store = field(default_factory=MemoryStore)
    at: datetime = NOON
    heard: list[tuple[str, dict[str, Any]]] = field(
        default_factory=list[tuple[str, dict[str, Any]]]
    )
    _numbers: "count[int]" = field(default_factory=lambda: count(1))

    def services(
        self,
        *,
        conversation: str = "conv-a",
        client: str = "tester",
        project: str = "shop",
        models: Sequence[Model] = (),
        max_entries: int = 0,
    ) -> Services:
        """The services of one connection."""
        return Services(
            store=self.store,
            scope=Scope(project=project),
            caller=Caller(conversation_id=conversation, client=client),
            clock=self.clock,
            ids=lambda prefix: f"{prefix}-{next(self._numbers)}",
            models=models,
            max_entries=max_entries,
            emit=lambda event, facts: self.heard.append((event, facts)),
        )

    def clock(self) -> datetime:
        """One second later at each look, so that what came first is known."""
        self.at += timedelta(seconds=1)
        return self.at


def reflect_request(
    question: str,
    answer: str,
    *,
    lesson: str = "",
    strategy: str = "",
    situations: Sequence[str] = (),
    outcome: Outcome | None = None,
    **rest: Any,
) -> ReflectRequest:
    """A request with a lesson, from the arguments of the tool."""
    learned = Lesson(text=lesson, strategy=strategy, situations=tuple(situations), outcome=outcome)
    return ReflectRequest(question=question, answer=answer, lesson=learned, **rest)
