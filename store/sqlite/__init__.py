"""A store in one SQLite file, shared by any number of processes."""

from reflection_mcp.store.sqlite.store import SqliteStore, open_sqlite

__all__ = ["SqliteStore", "open_sqlite"]
