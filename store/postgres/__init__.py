"""A store in PostgreSQL, for many machines at once."""

from reflection_mcp.store.postgres.store import PostgresStore, open_postgres

__all__ = ["PostgresStore", "open_postgres"]
