"""Damage that SQLite does not notice: what cannot be read is called damaged."""

import random
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from reflection_mcp.store.errors import StoreError
from reflection_mcp.store.open import open_store
from reflection_mcp.tools.insights.get_insights import InsightQuery, get_insights
from reflection_mcp.tools.ports import Services
from reflection_mcp.tools.recall.has_seen_error_before import ErrorQuestion, has_seen_error_before
from reflection_mcp.tools.reflect.reflect import reflect
from tests.rows import enough
from tests.tools.stage import Stage, reflect_request

pytestmark = pytest.mark.anyio

SEEDS = enough(15, 40)
PAGE = 4096
ERRORS = [f"Traceback:\nKeyError: 'price of {name}'" for name in ("pens", "ink", "paper", "glue")]


async def lived_in(path: Path) -> bytes:
    """The file of a store in which a day's work was kept."""
    store = await open_store(str(path))
    services = Stage(store=store).services()
    for number, error in enumerate(ERRORS * 3):
        work = reflect_request(
            question=f"Mend number {number}",
            answer=f"2 + 2 = {5 + number % 2}",
            error=error,
            outcome="success",
            lesson=f"The table of prices has no row for {error[-6:]}.",
            strategy="Add the row before the sum is made.",
            tags=("prices", "shop"),
        )
        await reflect(services, work)
        await has_seen_error_before(services, ErrorQuestion(error=error))
    await store.close()
    return path.read_bytes()


READS: dict[str, Callable[[Services, Any], Awaitable[object]]] = {
    "has_seen_error_before": lambda services, error: has_seen_error_before(
        services, ErrorQuestion(error=error)
    ),
    "get_insights": lambda services, error: get_insights(services, InsightQuery()),
    "get_insights for a task": lambda services, error: get_insights(
        services, InsightQuery(query="the sum of prices in the shop")
    ),
    "reflect": lambda services, error: reflect(
        services,
        reflect_request(
            question="Mend", answer="done", error=error, outcome="success", lesson="Add a row."
        ),
    ),
}


async def test_whatever_byte_is_flipped_a_call_answers_or_names_the_damage(
    tmp_path: Path,
) -> None:
    whole = await lived_in(tmp_path / "whole" / "store.db")
    path = tmp_path / "store.db"
    named = 0
    for seed in range(SEEDS):
        chance = random.Random(seed)
        damaged = bytearray(whole)
        for _ in range(1 << chance.randrange(9)):
            damaged[chance.randrange(PAGE, len(damaged))] ^= 1 << chance.randrange(8)
        for left in tmp_path.glob("store.db*"):
            left.unlink()
        path.write_bytes(damaged)
        try:
            store = await open_store(str(path))
        except StoreError:
            named += 1
            continue
        stage = Stage(store=store)
        for read in READS.values():
            try:
                await read(stage.services(), ERRORS[seed % len(ERRORS)])
            except StoreError as error:
                assert error.hint
                named += 1
        await store.close()
    assert named
