"""Services with a store in memory, a clock that ticks, and the wrong sum that the tests share."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from reflection_mcp.store.contract import Store
from reflection_mcp.store.records import Scope
from reflection_mcp.store.sqlite.memory import MemoryStore
from reflection_mcp.tools.answer.request import AnswerRequest
from reflection_mcp.tools.ports import Caller, Model, Services

SECRET = b"0123456789abcdef0123456789abcdef"
QUESTION = "There are 12 boxes of 3 pens and 4 loose pens. How many pens are there?"
WRONG = "Each of the 12 boxes has 3 pens.\n12*3 = 38 pens.\nWith the loose ones 38 + 4 = 42 pens."
RIGHT = "Each of the 12 boxes has 3 pens.\n12*3 = 36 pens.\nWith the loose ones 36 + 4 = 40 pens."
OTHER_WRONG = WRONG.replace("38", "39").replace("42", "43")


class Scene:
    """Services, and all that was emitted in it."""

    def __init__(self, *models: Model, store: Store | None = None, tick: float = 0.0) -> None:
        """Every look at the clock takes `tick` seconds."""
        self.events: list[tuple[str, dict[str, Any]]] = []
        self.heard: list[tuple[float, float, str]] = []
        self.store = MemoryStore() if store is None else store
        ticks, numbers = count(), count(1)
        began = datetime(2026, 1, 1, tzinfo=UTC)
        self.services = Services(
            store=self.store,
            scope=Scope(project="p"),
            caller=Caller(conversation_id="talk", client="test"),
            clock=lambda: began + timedelta(seconds=tick * next(ticks)),
            ids=lambda prefix: f"{prefix}-{next(numbers)}",
            models=models,
            emit=lambda event, facts: self.events.append((event, facts)),
        )

    async def listen(self, done: float, most: float, message: str) -> None:
        self.heard.append((done, most, message))

    def steps(self) -> Sequence[str]:
        return [str(facts["step"]) for event, facts in self.events if event == "loop_step"]


def request(draft: str | None = WRONG, **more: Any) -> AnswerRequest:
    return AnswerRequest(question=QUESTION, secret=SECRET, draft=draft, **more)
