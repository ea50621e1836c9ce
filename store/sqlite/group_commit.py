"""Writes that wait at the same time share a transaction.

Rules of this module: making a transaction durable is most of what a write costs, so those that wait
for the disk anyway pay it once. Each of them is a savepoint: one that fails is rolled back alone,
and none is acknowledged before all of them are durable.
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from reflection_mcp.store.sqlite.errors import named
from reflection_mcp.store.sqlite.session import Session
from reflection_mcp.store.sqlite.store_worker import StoreJob, Unattended


@dataclass(frozen=True, slots=True)
class _Failure:
    """The outcome of a piece that was rolled back."""

    error: BaseException


def commit_group(session: Session, pieces: Sequence[StoreJob[Any]]) -> None:
    """Do all pieces in one transaction and report to each of them its result."""
    light = all(piece.light for piece in pieces)
    try:
        if len(pieces) == 1:
            outcomes: list[object] = [session.write(pieces[0], pieces[0].body, light=light)]
        else:
            last = max(pieces, key=lambda piece: piece.until)
            outcomes = session.write_all(last, lambda db: _each_by_itself(db, pieces), light=light)
    except BaseException as error:  # handed to the waiters, who raise it
        outcomes = [_Failure(error)] * len(pieces)
    for piece, outcome in zip(pieces, outcomes, strict=True):
        if isinstance(outcome, _Failure):
            piece.fail(outcome.error)
        else:
            piece.finish(outcome)


def _each_by_itself(
    db: sqlite3.Connection, pieces: Sequence[StoreJob[Any]]
) -> tuple[list[object], int]:
    outcomes = [_one(db, piece) for piece in pieces]
    return outcomes, sum(not isinstance(outcome, _Failure) for outcome in outcomes)


def _one(db: sqlite3.Connection, piece: StoreJob[Any]) -> object:
    if not piece.start():
        return _Failure(Unattended())
    db.execute("SAVEPOINT piece")
    try:
        result: object = piece.body(db)
    except Exception as error:
        if not db.in_transaction:  # a full disk: SQLite has rolled back all of it
            raise
        db.execute("ROLLBACK TO piece")
        db.execute("RELEASE piece")
        return _Failure(_told(error))
    db.execute("RELEASE piece")
    return result


def _told(error: Exception) -> Exception:
    return (named(error) or error) if isinstance(error, sqlite3.Error) else error
