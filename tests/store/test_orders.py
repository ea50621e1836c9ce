"""Listing in any order: what it costs does not depend on how much is kept, nor on the page."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reflection_mcp.store.records import Reflection, Scope
from reflection_mcp.store.sqlite import reflections as sqlite_reflections
from reflection_mcp.store.sqlite.reflections import listed
from reflection_mcp.store.sqlite.session import Session
from reflection_mcp.store.sqlite.store import body_of
from reflection_mcp.store.terms import Order
from tests.bench.store_bench import PATIENT, opened, recorded
from tests.contract.samples import HERE, learned, met
from tests.new_store import placed
from tests.requirements import requirement

pytestmark = pytest.mark.costly

FEW, MANY = 100, 2000
TEN = [f"ref-{number:05}" for number in range(10)]
EVERYWHERE = Scope(tenant=HERE.tenant)
LISTS: tuple[dict[str, Any], ...] = (
    {"order": "newest"},
    {"order": "newest", "min_importance": 0.4},
    {"order": "newest", "error_type": "Common"},
    {"order": "importance"},
    {"order": "importance", "min_importance": 0.4},
    {"order": "importance", "error_type": "Common"},
    {"order": "most_met"},
    {"order": "most_met", "error_type": "Common"},
)
ORDERS: tuple[Order, ...] = ("newest", "importance", "most_met")

Page = tuple[int, list[str]]
"""How many hundred steps SQLite took to find the first ten, and their ids."""


def row(number: int) -> Reflection:
    """A row of one importance and moment with all others, so that the order rests on the ids."""
    kind = "Rare" if number % 50 == 49 else "Common"
    scope = HERE if number % 2 else EVERYWHERE
    return learned(f"{number:05}", importance=0.5, error_type=kind, scope=scope)


def record(session: Session, numbers: range) -> None:
    def all_of_them(db: sqlite3.Connection) -> None:
        for number in numbers:
            each = row(number)
            recorded(db, met(each, f"e{number}"), each.scope)

    session.write(PATIENT, all_of_them)


def page(session: Session, **asked: Any) -> Page:
    steps = 0

    def step() -> int:
        nonlocal steps
        steps += 1
        return 0

    def look(db: sqlite3.Connection) -> list[str]:
        filters: dict[str, Any] = {"min_importance": 0.0, "error_type": None, "after": None}
        filters |= {"kind": "reflection", "tags": (), "include_retired": False, "limit": 10}
        more: dict[str, Any] = filters | asked
        db.set_progress_handler(step, 100)
        try:
            rows = body_of(HERE, lambda it: listed(it, **more))(db)
            return [each.id for each in rows]
        finally:
            db.set_progress_handler(None, 100)

    found = session.near(look)
    return steps, found


@pytest.fixture(scope="module")
def sessions(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Session, Session]]:
    """A store, and one that holds twenty times as much."""
    folder = tmp_path_factory.mktemp("kept")
    made = tuple(opened(Path(placed(folder / f"{count}.db"))) for count in (FEW, MANY))
    for session, count in zip(made, (FEW, MANY), strict=True):
        record(session, range(count))
    yield made[0], made[1]
    for session in made:
        session.close()


@pytest.mark.parametrize("asked", LISTS, ids=lambda asked: " ".join(map(str, asked.values())))
def test_a_page_costs_the_same_in_a_store_of_twenty_times_the_size(
    sessions: tuple[Session, Session], asked: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_reflections, "FREQUENT", 20)
    (before, first), (after, again) = (page(session, **asked) for session in sessions)
    assert first == again == TEN
    assert after <= 2 * before


@requirement("overview:pages")
@pytest.mark.parametrize("order", ORDERS)
def test_a_page_far_behind_costs_what_the_first_one_costs(
    sessions: tuple[Session, Session], order: Order
) -> None:
    first, _ = page(sessions[1], order=order)
    behind, found = page(sessions[1], order=order, after=row(MANY - 11))
    assert found == [f"ref-{number:05}" for number in range(MANY - 10, MANY)]
    assert behind <= 2 * first


@pytest.mark.parametrize("order", ORDERS)
def test_a_rare_error_type_is_found_without_a_look_at_the_others(
    sessions: tuple[Session, Session], order: Order
) -> None:
    steps, found = page(sessions[1], order=order, error_type="Rare")
    assert found == [f"ref-{50 * number + 49:05}" for number in range(10)]
    assert steps <= MANY // 50, "so many rows are of this type, and are sorted"
