"""One transaction on one connection: a counted write, a light one, a read of one snapshot.

Rule of this module: whatever happens inside, no transaction is left open after it.
"""

import sqlite3
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

T = TypeVar("T")
Body = Callable[[sqlite3.Connection], T]


def in_transaction(
    db: sqlite3.Connection, body: Body[tuple[T, int]], *, counted: bool = True
) -> tuple[T, int | None]:
    """Return the result of `body`, and the number of writes of the file with it, if it counts."""
    db.execute("BEGIN IMMEDIATE")
    try:
        result, count = body(db)
        mark: int | None = None
        if counted:
            count_up = "UPDATE ledger SET writes = writes + ? RETURNING writes"
            mark = db.execute(count_up, (count,)).fetchall()[0][0]
        db.execute("COMMIT")
    except BaseException:
        roll_back(db)
        raise
    return result, mark


def lightly(db: sqlite3.Connection, body: Body[tuple[T, int]]) -> tuple[T, int | None]:
    """The same without waiting for the disk, and without counting what a power cut may take."""
    db.execute("PRAGMA synchronous=NORMAL")
    try:
        return in_transaction(db, body, counted=False)
    finally:
        db.execute("PRAGMA synchronous=FULL")


def snapshot(db: sqlite3.Connection, body: Body[T]) -> T:
    """Run all statements of `body` on one snapshot."""
    db.execute("BEGIN")
    try:
        return body(db)
    finally:
        roll_back(db)


def roll_back(db: sqlite3.Connection) -> None:
    """Leave no transaction open."""
    if db.in_transaction:
        with suppress(sqlite3.Error):  # the error that led here is the one to report
            db.execute("ROLLBACK")


def scour(db: sqlite3.Connection) -> None:
    """Remove deleted words from the index, and deleted rows from the log.

    Another process in the way only postpones it to the next checkpoint: the deletion itself is
    done.
    """
    try:
        db.execute("BEGIN IMMEDIATE")
        db.execute("INSERT INTO words(words) VALUES('optimize')")
        db.execute("COMMIT")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    except sqlite3.Error:
        roll_back(db)
