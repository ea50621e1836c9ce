"""The faults of a store's file, in sentences.

Rule of this module: a damaged store is what it is for, so nothing here raises over damage.
"""

import sqlite3

from reflection_mcp.store.errors import StoreError
from reflection_mcp.store.sqlite.session import Session
from reflection_mcp.store.sqlite.store_worker import WorkerTurn
from reflection_mcp.store.state import Health

EXAMINED_BYTES = 50_000_000
"""Up to this size the whole file is checked, in about 0.1 s."""

_BUG_SINCE, _BUG_UNTIL = (3, 7, 0), (3, 51, 2)
"""SQLite versions in which simultaneous checkpoints may damage a file: https://sqlite.org/wal.html#walresetbug."""


def examined(session: Session, turn: WorkerTurn) -> Health:
    """The state of the open store."""
    size = session.size()
    problems: list[str] = []
    notes = [*session.notes, *session.gate_notes]
    if not session.intact:
        problems.append("the file was removed or replaced while it was in use")
    if session.schema > 0 and not session.writable and session.intact:
        notes.append("the store can only be read")
    if size > EXAMINED_BYTES:
        notes.append(f"larger than {EXAMINED_BYTES // 1_000_000} MB: its pages were not checked")
    else:
        problems += _damage(session, turn)
    if _BUG_SINCE <= sqlite3.sqlite_version_info <= _BUG_UNTIL:
        notes.append(
            f"SQLite {sqlite3.sqlite_version} may damage a file that several processes write; this"
            " program prevents that, so you need to do nothing unless another program writes it"
        )
    return Health(
        backend="sqlite",
        location=str(session.path),
        writable=session.writable,
        schema=session.schema,
        engine=f"SQLite {sqlite3.sqlite_version}",
        size_bytes=size,
        problems=tuple(problems),
        notes=tuple(notes),
    )


def _damage(session: Session, turn: WorkerTurn) -> list[str]:
    try:
        rows = session.far(turn, lambda db: db.execute("PRAGMA quick_check(3)").fetchall())
    except StoreError as error:
        return [f"{error.message}: {error.hint}"]
    return [f"damaged: {finding}" for (finding,) in rows if finding != "ok"]
