"""Recognition of a store's file: its owner, its version, and its number of writes.

Rule of this module: a store is never taken for a new one because it is empty; only a file that was
never written to is new.
"""

import sqlite3

from reflection_mcp.store.errors import StoreCorrupt, StoreUnavailable
from reflection_mcp.store.sqlite import schema
from reflection_mcp.store.sqlite.transaction import snapshot


def recognised(db: sqlite3.Connection, marked: int) -> int:
    """The schema version of the file, 0 for a new one.

    Raises:
        StoreCorrupt: it is empty although writes were acknowledged.
        StoreUnavailable: it belongs to another program.
    """
    application, version, tables = _looked_at(db) if db.in_transaction else snapshot(db, _looked_at)
    if application == schema.APPLICATION_ID:
        return version
    if application or tables:
        raise StoreUnavailable(
            "the file is a database of another program", "set another location for the store"
        )
    if marked:
        raise StoreCorrupt(
            f"the store is empty, but {marked} writes were acknowledged:"
            " the file or its -wal was deleted, emptied or damaged",
            "restore them or a backup; to start again, delete every file of the store,"
            " also the one that ends in .gate",
        )
    return 0


def _looked_at(db: sqlite3.Connection) -> tuple[int, int, int]:
    """Return the owner of a file, its version and whether it has tables, from one snapshot, since
    another process may be making the schema right now."""
    ((application,),) = db.execute("PRAGMA application_id").fetchall()
    ((version,),) = db.execute("PRAGMA user_version").fetchall()
    ((tables,),) = db.execute("SELECT count(*) FROM sqlite_master").fetchall()
    return application, version, tables


def acknowledged(db: sqlite3.Connection) -> int:
    """Return the number of writes that the file has recorded."""
    ((writes,),) = db.execute("SELECT writes FROM ledger").fetchall()
    count: int = writes
    return count
