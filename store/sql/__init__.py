"""All that a store in SQLite and one in PostgreSQL do in the same way."""
