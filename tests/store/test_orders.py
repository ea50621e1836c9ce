"""Listing by time and by importance: what it costs does not depend on how much is kept."""

import sqlite3
from pathlib import Path

import pytest

from reflection_mcp.store.contract import Order
from reflection_mcp.store.records import Reflection, Scope
from reflection_mcp.store.sqlite import recording as sqlite_recording
from reflection_mcp.store.sqlite.reflections import listed
from reflection_mcp.store.sqlite.session import Session
from tests.bench.store_bench import PATIENT
from tests.contract.samples import HERE, learned, met

FEW, MANY = 100, 2000
EVERYWHERE = Scope(tenant=HERE.tenant)


def record(session: Session, numbers: range) -> None:
    def all_of_them(db: sqlite3.Connection) -> None:
        for number in numbers:
            # All of one importance and of one moment, so that the order rests on the ids, too.
            row = learned(f"{number:05}", importance=0.5)
            scope = HERE if number % 2 else EVERYWHERE
            sqlite_recording.record(db, scope, met(row, f"e{number}"))

    session.write(PATIENT, all_of_them)


def page(session: Session, order: Order, floor: float) -> tuple[int, list[Reflection]]:
    """The first ten, and how many hundred steps SQLite took to find them."""
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


@pytest.mark.parametrize("order", ["newest", "importance"])
@pytest.mark.parametrize("floor", [0.0, 0.4])
def test_a_page_costs_the_same_in_a_store_of_twenty_times_the_size(
    path: Path, order: Order, floor: float
) -> None:
    session = Session(path, read_only=False)
    session.open(PATIENT)
    record(session, range(FEW))
    before, first = page(session, order, floor)
    record(session, range(FEW, MANY))
    after, again = page(session, order, floor)
    session.close()
    assert [row.id for row in first] == [f"ref-{number:05}" for number in range(10)]
    assert [row.id for row in again] == [row.id for row in first]
    assert after <= 2 * before
