"""The tables, and how a file gets from one version of them to the next.

Rules of this module: a migration that was released is never edited; a step only adds, so that an
older program can still read what a newer one wrote. Every upgrade runs under the gate, inside one
`BEGIN IMMEDIATE`, after a look at `user_version` in that transaction, and after a `VACUUM INTO`
copy of a file that holds something: `Migrations.apply` alone computes what is pending outside the
transaction, and 40 % of first starts by two processes failed over that when it was measured.
`sqlite_utils` costs 140 ms to import, so it is imported here and only when there is work.

Triggers and `CHECK(json_valid())` are left out on purpose: `trusted_schema=OFF` refuses them.
There is no index on `last_seen`, because every count would move an entry of it; `repeated` stands
in for the count of the shown wording, so that the commonest count touches one row of one table.
Child rows that carry the row number first go by cascade; the others are deleted by hand in
`sqlite_reflections.erase`, because an index for that alone would double their size.
"""

import sqlite3
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite_utils import Database

APPLICATION_ID = 0x5265_666C
"""`Refl`: tells our files from those of other programs (`PRAGMA application_id`)."""

FIRST = """
CREATE TABLE ledger(
  one INTEGER PRIMARY KEY CHECK(one = 1),
  writes INTEGER NOT NULL) STRICT;
CREATE TABLE attempt(
  rid INTEGER PRIMARY KEY,
  tenant TEXT NOT NULL, project TEXT NOT NULL, id TEXT NOT NULL, event_id TEXT NOT NULL,
  conversation_id TEXT NOT NULL, at INTEGER NOT NULL,
  judged_quality REAL, quality REAL, feedback TEXT, body TEXT NOT NULL,
  UNIQUE(tenant, project, id), UNIQUE(tenant, project, event_id)) STRICT;
CREATE INDEX attempt_conversation ON attempt(tenant, project, conversation_id, at);
CREATE INDEX attempt_at ON attempt(tenant, project, at);
CREATE TABLE reflection(
  rid INTEGER PRIMARY KEY,
  tenant TEXT NOT NULL, project TEXT NOT NULL, id TEXT NOT NULL,
  kind TEXT NOT NULL, signature TEXT NOT NULL,
  lesson TEXT NOT NULL, strategy TEXT NOT NULL, "trigger" TEXT NOT NULL, evidence TEXT NOT NULL,
  example TEXT NOT NULL, question TEXT NOT NULL, tags TEXT NOT NULL,
  error_type TEXT, category TEXT NOT NULL, pattern TEXT,
  iteration INTEGER NOT NULL, quality_delta REAL, outcome TEXT,
  importance REAL NOT NULL, confidence REAL NOT NULL,
  source TEXT NOT NULL, author TEXT NOT NULL,
  suspicious INTEGER NOT NULL, retired INTEGER NOT NULL,
  first_seen INTEGER NOT NULL, last_seen INTEGER NOT NULL,
  occurrences INTEGER NOT NULL CHECK(occurrences > 0), sources INTEGER NOT NULL,
  shown INTEGER NOT NULL DEFAULT 0, helped INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0, recurred INTEGER NOT NULL DEFAULT 0,
  repeated INTEGER NOT NULL DEFAULT 0, keys TEXT NOT NULL, features BLOB NOT NULL,
  UNIQUE(tenant, project, kind, signature), UNIQUE(tenant, project, id)) STRICT;
CREATE TABLE event(
  tenant TEXT NOT NULL, project TEXT NOT NULL, event_id TEXT NOT NULL, kind TEXT NOT NULL,
  rid INTEGER NOT NULL,
  PRIMARY KEY(tenant, project, event_id, kind)) STRICT, WITHOUT ROWID;
CREATE TABLE source(
  rid INTEGER NOT NULL REFERENCES reflection(rid) ON DELETE CASCADE,
  source TEXT NOT NULL, PRIMARY KEY(rid, source)) STRICT, WITHOUT ROWID;
CREATE TABLE wording(
  rid INTEGER NOT NULL REFERENCES reflection(rid) ON DELETE CASCADE,
  source TEXT NOT NULL, lesson TEXT NOT NULL, strategy TEXT NOT NULL, at INTEGER NOT NULL,
  times INTEGER NOT NULL, suspicious INTEGER NOT NULL,
  PRIMARY KEY(rid, source, lesson, strategy)) STRICT, WITHOUT ROWID;
CREATE TABLE link(
  rid INTEGER NOT NULL REFERENCES reflection(rid) ON DELETE CASCADE,
  kind TEXT NOT NULL, target_id TEXT NOT NULL,
  PRIMARY KEY(rid, kind, target_id)) STRICT, WITHOUT ROWID;
CREATE TABLE key(
  tenant TEXT NOT NULL, project TEXT NOT NULL, digest TEXT NOT NULL,
  rid INTEGER NOT NULL, kind TEXT NOT NULL,
  PRIMARY KEY(tenant, project, digest, rid, kind)) STRICT, WITHOUT ROWID;
CREATE TABLE feature(
  h INTEGER NOT NULL, rid INTEGER NOT NULL, PRIMARY KEY(h, rid)) STRICT, WITHOUT ROWID;
CREATE TABLE tag(
  tag TEXT NOT NULL, rid INTEGER NOT NULL, PRIMARY KEY(tag, rid)) STRICT, WITHOUT ROWID;
CREATE TABLE lookup(
  rid INTEGER PRIMARY KEY,
  tenant TEXT NOT NULL, project TEXT NOT NULL, id TEXT NOT NULL,
  conversation_id TEXT NOT NULL, at INTEGER NOT NULL, signature TEXT NOT NULL,
  verdict TEXT NOT NULL, source TEXT NOT NULL, summary TEXT NOT NULL, error_type TEXT,
  matched_id TEXT, shown TEXT NOT NULL,
  UNIQUE(tenant, project, id)) STRICT;
CREATE INDEX lookup_signature ON lookup(tenant, project, signature);
CREATE INDEX lookup_conversation ON lookup(tenant, project, conversation_id);
CREATE TABLE shown(
  tenant TEXT NOT NULL, project TEXT NOT NULL, signature TEXT NOT NULL,
  reflection_id TEXT NOT NULL,
  PRIMARY KEY(tenant, project, signature, reflection_id)) STRICT, WITHOUT ROWID;
CREATE TABLE vote(
  tenant TEXT NOT NULL, project TEXT NOT NULL, target_id TEXT NOT NULL, source TEXT NOT NULL,
  kind TEXT NOT NULL, at INTEGER NOT NULL, comment TEXT NOT NULL,
  PRIMARY KEY(tenant, project, target_id, source)) STRICT, WITHOUT ROWID;
CREATE TABLE veto(
  tenant TEXT NOT NULL, project TEXT NOT NULL, signature TEXT NOT NULL,
  reflection_id TEXT NOT NULL, source TEXT NOT NULL, at INTEGER NOT NULL, comment TEXT NOT NULL,
  PRIMARY KEY(tenant, project, signature, reflection_id)) STRICT, WITHOUT ROWID;
CREATE VIRTUAL TABLE words USING fts5(
  lesson, strategy, "trigger", evidence, example, question, tags,
  content='reflection', content_rowid='rid', tokenize='unicode61');
INSERT INTO ledger VALUES(1, 0);
"""


TRAIL = """
CREATE TABLE step(
  rid INTEGER PRIMARY KEY,
  tenant TEXT NOT NULL, project TEXT NOT NULL, id TEXT NOT NULL,
  conversation_id TEXT NOT NULL, at INTEGER NOT NULL,
  tool TEXT NOT NULL, told TEXT NOT NULL, error TEXT NOT NULL,
  UNIQUE(tenant, project, id)) STRICT;
CREATE INDEX step_conversation ON step(tenant, project, conversation_id);
CREATE INDEX step_at ON step(tenant, project, at);
"""


def statements(script: str) -> list[str]:
    """The statements of a script, for `execute`: `executescript` would commit first."""
    return [statement for part in script.split(";\n") if (statement := part.strip())]


def first(database: "Database") -> None:
    """The schema of 0.1."""
    for statement in statements(FIRST):
        database.conn.execute(statement)


def trail(database: "Database") -> None:
    """What was done in a conversation, while it goes on."""
    for statement in statements(TRAIL):
        database.conn.execute(statement)


STEPS: tuple[Callable[["Database"], None], ...] = (first, trail)
"""Every migration that was ever released, oldest first."""


def version() -> int:
    """The schema that this program writes (`PRAGMA user_version`)."""
    return len(STEPS)


def migrate(db: sqlite3.Connection) -> None:
    """Bring the schema up to `version()` inside the transaction that is open on `db`."""
    from sqlite_utils import Database, Migrations

    migrations = Migrations("reflection-mcp")
    for step in STEPS:
        migrations()(step)
    migrations.apply(Database(db, execute_plugins=False))
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute(f"PRAGMA user_version = {version()}")
