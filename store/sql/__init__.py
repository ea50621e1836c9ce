"""The code that the SQLite and PostgreSQL stores share."""
