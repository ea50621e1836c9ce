"""Listing by time and by importance: what it costs does not depend on how much is kept."""

import sqlite3
from itertools import product
from pathlib import Path

import pytest

from reflection_mcp.store.contract import Order
from reflection_mcp.store.records import Reflection, Scope
from reflection_mcp.store.sqlite import recording as sqlite_recording
from reflection_mcp.store.sqlite.reflections import listed
from reflection_mcp.store.sqlite.session import Session
from tests.bench.store_bench import PATIENT, opened
from tests.contract.samples import HERE, learned, met
from tests.new_store import placed

pytestmark = pytest.mark.costly

FEW, MANY = 100, 2000
ORDERS: tuple[Order, ...] = ("newest", "importance")
FLOORS = (0.0, 0.4)
EVERYWHERE = Scope(tenant=HERE.tenant)

Page = tuple[int, list[Reflection]]
"""How many hundred steps SQLite took to find the first ten, and those."""
Pages = tuple[dict[tuple[Order, float], Page], dict[tuple[Order, float], Page]]


def record(session: Session, numbers: range) -> None:
    def all_of_them(db: sqlite3.Connection) -> None:
        for number in numbers:
            # All of one importance and of one moment, so that the order rests on the ids, too.
            row = learned(f"{number:05}", importance=0.5)
            scope = HERE if number % 2 else EVERYWHERE
            sqlite_recording.record(db, scope, met(row, f"e{number}"))

    session.write(PATIENT, all_of_them)


def page(session: Session, order: Order, floor: float) -> Page:
    steps = 0

    def step() -> int:
        nonlocal steps
        steps += 1
        return 0

    def look(db: sqlite3.Connection) -> list[Reflection]:
        db.set_progress_handler(step, 100)
        try:
            return [
                *listed(
                    db, HERE, kind="reflection", tags=(), min_importance=floor, error_type=None,
                    include_retired=False, order=order, limit=10, offset=0,
                )
            ]  # fmt: skip
        finally:
            db.set_progress_handler(None, 100)

    found = session.near(look)
    return steps, found


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Pages:
    """Every page of a store, and of the same store when it holds twenty times as much."""
    session = opened(Path(placed(tmp_path_factory.mktemp("kept") / "store.db")))
    found: list[dict[tuple[Order, float], Page]] = []
    for numbers in (range(FEW), range(FEW, MANY)):
        record(session, numbers)
        found.append({which: page(session, *which) for which in product(ORDERS, FLOORS)})
    session.close()
    return found[0], found[1]


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("floor", FLOORS)
def test_a_page_costs_the_same_in_a_store_of_twenty_times_the_size(
    pages: Pages, order: Order, floor: float
) -> None:
    (before, first), (after, again) = (each[order, floor] for each in pages)
    assert [row.id for row in first] == [f"ref-{number:05}" for number in range(10)]
    assert [row.id for row in again] == [row.id for row in first]
    assert after <= 2 * before
