"""Do lessons come back when users ask in their own words, and stay away when nothing fits?

    python -m tests.bench.paraphrase

150 lessons in one store, each with three questions; 200 questions that no lesson answers, 50 of
them trouble of other kinds. All were written before the ranking; the numbers of the ranking were
tuned on the first half only, so the second half is the figure to believe.
"""

import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import anyio

from reflection_mcp.store.contract import Store
from reflection_mcp.store.memory import MemoryStore
from reflection_mcp.store.open import open_store
from reflection_mcp.store.records import Reflection, Scope, Sighting
from reflection_mcp.tools.get_insights import candidates
from reflection_mcp.tools.learning.recall import fitting, understood

DATA = Path(__file__).parent.parent / "learning" / "data"
HALVES = ("first", "second")
LEARNED = datetime(2026, 11, 1, tzinfo=UTC)
SCOPE = Scope(project="shop")


@dataclass(frozen=True)
class Half:
    """Questions of one half: those that a lesson answers, with its id, and those that none does."""

    asked: Sequence[tuple[str, str]]
    unrelated: Sequence[str]


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text().splitlines()]


def lessons() -> list[Reflection]:
    """The 150 lessons as `reflect` would have stored them."""
    return [
        Reflection(
            id=row["id"],
            scope=SCOPE,
            kind="reflection",
            signature=f"sig1:{number:016x}",
            lesson=row["lesson"],
            strategy=row["strategy"],
            question=row["question"],
            trigger=row["error"] or row["question"],
            example=row["error"],
            tags=tuple(row["tags"]),
            first_seen=LEARNED,
            last_seen=LEARNED,
        )
        for number, row in enumerate(row for half in HALVES for row in rows(f"lessons_{half}"))
    ]


def half(name: str) -> Half:
    trouble = [row["query"] for row in rows("unrelated_trouble")]
    share = trouble[:25] if name == "first" else trouble[25:]
    asked = [(row["id"], query) for row in rows(f"lessons_{name}") for query in row["queries"]]
    return Half(asked, [*(row["query"] for row in rows(f"unrelated_{name}")), *share])


async def filled(store: Store) -> Store:
    for lesson in lessons():
        sighting = Sighting(reflection=lesson, event_id=lesson.id, source="bench")
        await store.record(SCOPE, sighting)
    return store


async def best(store: Store, query: str) -> list[str]:
    """The ids of the three lessons that are shown first, as `get_insights` finds them."""
    asked = understood(query)
    found = await candidates(store, SCOPE, asked)
    return [fit.reflection.id for fit in fitting(asked, found)[:3]]


async def measure(store: Store, name: str, every: int = 1) -> dict[str, float]:
    """Hit at 3 and the share of unrelated questions that were answered with a lesson."""
    questions = half(name)
    asked, unrelated = questions.asked[::every], questions.unrelated[::every]
    hits = [identity in await best(store, query) for identity, query in asked]
    answered = [bool(await best(store, query)) for query in unrelated]
    return {
        "questions": len(hits),
        "hit_at_3": round(sum(hits) / len(hits), 3),
        "unrelated": len(answered),
        "answered_though_unrelated": round(sum(answered) / len(answered), 3),
    }


async def main(location: str) -> None:
    store = await filled(MemoryStore() if location == "memory:" else await open_store(location))
    for name in HALVES:
        began = time.process_time()
        figures = await measure(store, name)
        each = (time.process_time() - began) / (figures["questions"] + figures["unrelated"])
        print(name, figures, f"{each * 1000:.2f} ms a question")
    await store.close()


if __name__ == "__main__":
    anyio.run(main, sys.argv[1] if len(sys.argv) > 1 else "memory:")
