"""The limit of lessons of a project."""

from datetime import timedelta
from typing import Any, NoReturn

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reflection_mcp.store.maintenance import StoredReflection
from reflection_mcp.store.records import Kind, Link, Scope
from reflection_mcp.store.sqlite.memory import MemoryStore
from reflection_mcp.tools.learning import row_limit, stored_rows
from reflection_mcp.tools.reflect.reflect import reflect
from tests.learning.test_consolidation import TWIN, row
from tests.requirements import requirement
from tests.rows import enough
from tests.tools.stage import NOON, Stage, reflect_request

SHOP = Scope(project="shop")


async def filled() -> MemoryStore:
    store = MemoryStore()
    await store.adopt(SHOP, [row(), row("ref-2", TWIN)])
    return store


@requirement("memory:max-entries")
@pytest.mark.anyio
async def test_what_is_over_the_limit_is_the_least_useful_and_is_said() -> None:
    store = MemoryStore()
    rows = [
        row("best", "One.", helped=3),
        row("plain", "Two."),
        row("old", "Three.", last_seen=NOON - timedelta(days=300)),
        row("harmful", "Four.", failed=3, importance=0.9),
        row("marked", "Five.", suspicious=True),
        row("retired", "Six.", retired=True),
    ]
    await store.adopt(SHOP, rows)
    planned = await row_limit.excess(store, SHOP, NOON, 1)
    order = ["retired", "marked", "harmful", "old", "plain"]
    assert [each.id for each in planned.rows] == order
    assert len(await store.stored(SHOP)) == 6
    seen: list[int] = []
    gone = await row_limit.excess(store, SHOP, NOON, 2)
    await row_limit.evict(store, SHOP, gone.rows, lambda what, total: seen.append)
    assert ([each.id for each in gone.rows], gone.total) == (order[:4], 6)
    assert seen == [0, 1, 2, 3]
    assert [each.reflection.id for each in await store.stored(SHOP)] == ["best", "plain"]


def test_what_was_needed_once_is_kept_longer_than_what_nobody_asked_for() -> None:
    rows = [
        row("never-shown", "One.").reflection,
        row("shown", "Two.", shown=1).reflection,
        row("shown-in-vain", "Three.", shown=30).reflection,
    ]
    order = [each.id for part in row_limit.eviction_order(rows, NOON) for each in part]
    assert order == ["shown-in-vain", "never-shown", "shown"]


@requirement("memory:max-entries")
@pytest.mark.anyio
async def test_no_limit_is_no_excess() -> None:
    store = await filled()
    for most in (0, 2, 9):
        assert (await row_limit.excess(store, SHOP, NOON, most)).rows == ()


@requirement("memory:max-entries")
@pytest.mark.anyio
async def test_a_new_row_over_the_limit_drives_the_least_useful_out() -> None:
    store = await filled()
    nothing = row_limit.Excess((), 0, 0)
    assert await row_limit.enforce_limit(store, SHOP, NOON, 0) == nothing
    assert await row_limit.enforce_limit(store, SHOP, NOON, 2) == nothing
    await store.adopt(SHOP, [row("ref-3", "Three.", helped=1)])
    gone = await row_limit.enforce_limit(store, SHOP, NOON, 2)
    assert [each.id for each in gone.rows] == ["ref-1"]


@pytest.mark.anyio
async def test_rows_that_others_share_are_not_evicted_here() -> None:
    store = await filled()
    everywhere = Scope(tenant=SHOP.tenant)
    await store.adopt(everywhere, [row(f"g-{n}", f"Lesson {n}.") for n in range(3)])
    assert (await row_limit.enforce_limit(store, SHOP, NOON, 2)).rows == ()
    assert len(await store.stored(SHOP)) == 2


@pytest.mark.anyio
async def test_rows_that_others_share_cost_no_look_at_every_row() -> None:
    class Unread(MemoryStore):
        async def stored(
            self, scope: Scope, *, after: str = "", limit: int = 500, only: str = ""
        ) -> NoReturn:
            raise AssertionError("every row was read")

    store = Unread()
    everywhere = Scope(tenant=SHOP.tenant)
    for scope in (SHOP, everywhere):
        await store.adopt(scope, [row(f"g-{n}", f"Lesson {n}.") for n in range(2)])
        assert (await row_limit.enforce_limit(store, scope, NOON, 2)).rows == ()


@pytest.mark.anyio
async def test_what_another_process_has_made_room_for_is_not_evicted_once_more() -> None:
    class Busy(MemoryStore):
        async def count(self, scope: Scope, kind: Kind) -> int:
            counted = await super().count(scope, kind)
            await self.forget(SHOP, "ref-1")  # between the count and the look at the rows
            return counted

    store = Busy()
    await store.adopt(SHOP, [row(f"ref-{n}", f"Lesson {n}.") for n in range(101)])
    assert await row_limit.enforce_limit(store, SHOP, NOON, 100) == row_limit.Excess((), 0, 100)


# --------------------------------------------------------------------- lessons with strategies


def strategy(id: str, *lessons: str, **more: Any) -> StoredReflection:
    links = tuple(Link(kind="strategy_of", target_id=each) for each in lessons)
    return row(id, f"Do {id}.", kind="strategy", links=links, **more)


@pytest.mark.anyio
async def test_a_lesson_is_evicted_with_its_strategy_and_not_before_it() -> None:
    store = MemoryStore()
    rows = [
        row("ref-1", "One.", strategy="Do str-1.", last_seen=NOON - timedelta(days=300)),
        row("ref-2", "Two.", strategy="Do str-23."),
        row("ref-3", "Three.", strategy="do str-23.", helped=1),
        strategy("str-1", "ref-1", "ref-gone", last_seen=NOON - timedelta(days=300)),
        strategy("str-23", "ref-2", "ref-3"),
        strategy("str-old", "ref-3", retired=True),
        strategy("str-dropped", "ref-2", "ref-3"),
        strategy("str-alone"),
    ]
    await store.adopt(SHOP, rows)
    found = [each.reflection async for each in stored_rows.rows_of(store, SHOP)]
    order = [each.id for part in row_limit.eviction_order(found, NOON) for each in part]
    assert order[:4] == ["str-dropped", "str-old", "str-1", "ref-1"]
    assert order[-2:] == ["str-23", "ref-3"]
    gone = await row_limit.excess(store, SHOP, NOON, 3)
    assert [each.id for each in gone.rows] == ["str-dropped", "str-old", "str-1", "ref-1"]
    assert (gone.lessons, gone.total) == (3, 6)
    spared = await row_limit.excess(store, SHOP, NOON, 3, frozenset({"ref-1"}))
    assert "ref-1" not in [each.id for each in spared.rows]
    assert "str-1" not in [each.id for each in spared.rows]


CALLS = st.lists(
    st.tuples(st.integers(0, 12), st.booleans()),
    min_size=1,
    max_size=14,
)


@requirement("memory:max-entries")
@settings(max_examples=enough(10, 100))
@given(most=st.integers(1, 7), calls=CALLS)
def test_after_any_calls_no_strategy_has_lost_its_lesson_and_the_newest_lesson_is_there(
    most: int, calls: list[tuple[int, bool]]
) -> None:
    async def run() -> None:
        stage = Stage()
        services = stage.services(max_entries=most)
        for turn, (number, with_error) in enumerate(calls):
            word, rule = WORDS[number], ("own", "shared", "")[number % 3]
            judged = await reflect(
                services,
                reflect_request(
                    question=f"Repair the {word}, part {turn}",
                    answer="Done.",
                    lesson=f"The {word} breaks in winter.",
                    strategy={"own": f"Oil the {word} weekly.", "shared": "Oil it weekly."}.get(
                        rule, ""
                    ),
                    error=f"{word.title()}Error: the {word} broke" if with_error else "",
                    outcome="success",
                ),
            )
            left = await stage.store.reflections(services.scope, limit=50)
            ids = {each.reflection.id for each in await stage.store.stored(services.scope)}
            lessons = [each for each in left if each.kind == "reflection"]
            rules = {each.lesson for each in left if each.kind == "strategy"}
            assert rules == {each.strategy for each in lessons} - {""}
            assert {each.id for each in judged.kept} <= ids
            assert len(lessons) <= most

    anyio.run(run)


WORDS = (
    "wheel", "lamp", "door", "roof", "wall", "gate", "ship", "boat", "cart", "gear", "pump",
    "valve", "hinge",
)  # fmt: skip
