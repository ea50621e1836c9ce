"""The tables, and the migrations from one version of them to the next.

Rules of this module: a migration that was released is never edited; a step only adds, so that an
older program can still read what a newer one wrote. Every upgrade runs under the gate, inside one
`BEGIN IMMEDIATE`, after a look at `user_version` in that transaction, and after a `VACUUM INTO`
copy of a file that has data: `Migrations.apply` alone computes what is pending outside the
transaction, and 40 % of first starts by two processes failed over that when it was measured.
`sqlite_utils` costs 140 ms and 27 MB to import, so it is imported only when a file is upgraded.

`CHECK(json_valid())` and triggers that maintain the word index are left out on purpose:
`trusted_schema=OFF` refuses both. The triggers that maintain `tally` are plain SQL; they cannot be
forgotten by a statement, and spare `stats` a look at every row. `repeated` replaces the count of
the shown wording, so that the commonest count touches one row of one table, and of the indexes only
those by time and by count. Child rows that carry the row number first go by cascade; the others are
deleted by hand in `sqlite/rows.py`, because an index for that alone would double their
size.
"""

import sqlite3
from typing import TYPE_CHECKING

from reflection_mcp.store.errors import StoreUnavailable

if TYPE_CHECKING:
    from sqlite_utils import Database

APPLICATION_ID = 0x5265_666C
"""`Refl`: distinguishes our files from those of other programs (`PRAGMA application_id`)."""

FIRST = """
CREATE TABLE ledger(
  one INTEGER PRIMARY KEY CHECK(one = 1),
  writes INTEGER NOT NULL) STRICT;
INSERT INTO ledger VALUES(1, 0);
CREATE TABLE attempt(
  rid INTEGER PRIMARY KEY,
  tenant TEXT NOT NULL, project TEXT NOT NULL, id TEXT NOT NULL, event_id TEXT NOT NULL,
  conversation_id TEXT NOT NULL, at INTEGER NOT NULL,
  judged_quality REAL, quality REAL, feedback TEXT, body TEXT NOT NULL,
  UNIQUE(tenant, project, id), UNIQUE(tenant, project, event_id)) STRICT;
CREATE INDEX attempt_conversation ON attempt(tenant, project, conversation_id, at);
CREATE INDEX attempt_quality ON attempt(tenant, project, at, quality);
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
  situations TEXT NOT NULL DEFAULT '[]',
  UNIQUE(tenant, project, kind, signature), UNIQUE(tenant, project, id)) STRICT;
CREATE INDEX reflection_newest ON reflection(tenant, project, last_seen DESC, id);
CREATE INDEX reflection_weightiest ON reflection(tenant, project, importance DESC, id);
CREATE INDEX reflection_first ON reflection(tenant, project, first_seen);
CREATE INDEX reflection_met ON reflection(tenant, project, occurrences DESC, id)
  WHERE occurrences > 1;
CREATE INDEX reflection_type ON reflection(tenant, project, error_type, last_seen DESC, id)
  WHERE error_type IS NOT NULL;
CREATE VIRTUAL TABLE words USING fts5(
  lesson, strategy, "trigger", evidence, example, question, tags, situations,
  content='reflection', content_rowid='rid', tokenize='unicode61');
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
  situations TEXT NOT NULL DEFAULT '[]', outcome TEXT,
  helped INTEGER NOT NULL DEFAULT 0, failed INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY(rid, source, lesson, strategy)) STRICT, WITHOUT ROWID;
CREATE INDEX wording_judged ON wording(rid) WHERE helped + failed > 0;
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
CREATE TABLE tally(
  tenant TEXT NOT NULL, project TEXT NOT NULL, kind TEXT NOT NULL,
  reflections INTEGER NOT NULL, occurrences INTEGER NOT NULL, shown INTEGER NOT NULL,
  helped INTEGER NOT NULL, failed INTEGER NOT NULL, recurred INTEGER NOT NULL,
  PRIMARY KEY(tenant, project, kind)) STRICT, WITHOUT ROWID;
CREATE TRIGGER tally_made AFTER INSERT ON reflection BEGIN
  INSERT INTO tally VALUES(new.tenant, new.project, new.kind,
    1, new.occurrences, new.shown, new.helped, new.failed, new.recurred)
  ON CONFLICT DO UPDATE SET reflections = reflections + 1,
    occurrences = occurrences + excluded.occurrences, shown = shown + excluded.shown,
    helped = helped + excluded.helped, failed = failed + excluded.failed,
    recurred = recurred + excluded.recurred; END;
CREATE TRIGGER tally_counted
AFTER UPDATE OF occurrences, shown, helped, failed, recurred ON reflection BEGIN
  UPDATE tally SET occurrences = occurrences + new.occurrences - old.occurrences,
    shown = shown + new.shown - old.shown, helped = helped + new.helped - old.helped,
    failed = failed + new.failed - old.failed, recurred = recurred + new.recurred - old.recurred
  WHERE tenant = new.tenant AND project = new.project AND kind = new.kind; END;
CREATE TRIGGER tally_deleted AFTER DELETE ON reflection BEGIN
  UPDATE tally SET reflections = reflections - 1,
    occurrences = occurrences - old.occurrences, shown = shown - old.shown,
    helped = helped - old.helped, failed = failed - old.failed, recurred = recurred - old.recurred
  WHERE tenant = old.tenant AND project = old.project AND kind = old.kind; END;
CREATE TABLE lookup(
  rid INTEGER PRIMARY KEY,
  tenant TEXT NOT NULL, project TEXT NOT NULL, id TEXT NOT NULL,
  conversation_id TEXT NOT NULL, at INTEGER NOT NULL, signature TEXT NOT NULL,
  verdict TEXT NOT NULL, source TEXT NOT NULL, summary TEXT NOT NULL, error_type TEXT,
  matched_id TEXT, shown TEXT NOT NULL, neighbour_id TEXT, asked_id TEXT,
  versions TEXT NOT NULL DEFAULT '[]', recurred INTEGER NOT NULL DEFAULT 0,
  UNIQUE(tenant, project, id)) STRICT;
CREATE INDEX lookup_signature ON lookup(tenant, project, signature);
CREATE INDEX lookup_conversation ON lookup(tenant, project, conversation_id);
CREATE INDEX lookup_matched ON lookup(tenant, project, matched_id, at, recurred)
  WHERE matched_id IS NOT NULL;
CREATE INDEX lookup_at ON lookup(tenant, project, at);
CREATE TABLE lookup_day(
  tenant TEXT NOT NULL, project TEXT NOT NULL, day INTEGER NOT NULL, verdict TEXT NOT NULL,
  lookups INTEGER NOT NULL, shown INTEGER NOT NULL, recurred INTEGER NOT NULL,
  PRIMARY KEY(tenant, project, day, verdict)) STRICT, WITHOUT ROWID;
CREATE TRIGGER lookup_logged AFTER INSERT ON lookup BEGIN
  INSERT INTO lookup_day VALUES(new.tenant, new.project, new.at / 86400000000, new.verdict,
    1, new.shown <> '[]', new.recurred)
  ON CONFLICT DO UPDATE SET lookups = lookups + 1, shown = shown + excluded.shown,
    recurred = recurred + excluded.recurred; END;
CREATE TRIGGER lookup_deleted AFTER DELETE ON lookup BEGIN
  UPDATE lookup_day SET lookups = lookups - 1, shown = shown - (old.shown <> '[]'),
    recurred = recurred - old.recurred
  WHERE tenant = old.tenant AND project = old.project AND day = old.at / 86400000000
    AND verdict = old.verdict; END;
CREATE TABLE shown(
  tenant TEXT NOT NULL, project TEXT NOT NULL, signature TEXT NOT NULL,
  reflection_id TEXT NOT NULL,
  PRIMARY KEY(tenant, project, signature, reflection_id)) STRICT, WITHOUT ROWID;
CREATE TABLE vote(
  tenant TEXT NOT NULL, project TEXT NOT NULL, target_id TEXT NOT NULL, source TEXT NOT NULL,
  occasion TEXT NOT NULL DEFAULT '', kind TEXT NOT NULL, at INTEGER NOT NULL,
  comment TEXT NOT NULL,
  PRIMARY KEY(tenant, project, target_id, source, occasion)) STRICT, WITHOUT ROWID;
CREATE INDEX vote_at ON vote(tenant, project, at);
CREATE TABLE veto(
  tenant TEXT NOT NULL, project TEXT NOT NULL, signature TEXT NOT NULL,
  reflection_id TEXT NOT NULL, source TEXT NOT NULL, at INTEGER NOT NULL, comment TEXT NOT NULL,
  PRIMARY KEY(tenant, project, signature, reflection_id)) STRICT, WITHOUT ROWID;
CREATE TABLE step(
  rid INTEGER PRIMARY KEY,
  tenant TEXT NOT NULL, project TEXT NOT NULL, id TEXT NOT NULL,
  conversation_id TEXT NOT NULL, at INTEGER NOT NULL,
  tool TEXT NOT NULL, told TEXT NOT NULL, error TEXT NOT NULL,
  UNIQUE(tenant, project, id)) STRICT;
CREATE INDEX step_conversation ON step(tenant, project, conversation_id);
CREATE INDEX step_at ON step(tenant, project, at);
CREATE TABLE showing(
  tenant TEXT NOT NULL, project TEXT NOT NULL, conversation_id TEXT NOT NULL,
  subject_id TEXT NOT NULL, kind TEXT NOT NULL, at INTEGER NOT NULL,
  PRIMARY KEY(tenant, project, conversation_id, subject_id, kind)) STRICT, WITHOUT ROWID;
CREATE INDEX showing_at ON showing(tenant, project, at);
CREATE TABLE failed_action(
  tenant TEXT NOT NULL, project TEXT NOT NULL, id TEXT NOT NULL,
  heading TEXT NOT NULL, tool TEXT NOT NULL, told TEXT NOT NULL, error TEXT NOT NULL,
  conversation_id TEXT NOT NULL, at INTEGER NOT NULL,
  failed INTEGER NOT NULL, worked INTEGER NOT NULL,
  PRIMARY KEY(tenant, project, id)) STRICT, WITHOUT ROWID;
CREATE INDEX failed_action_heading ON failed_action(tenant, project, heading, at);
CREATE INDEX failed_action_at ON failed_action(tenant, project, at);
"""
"""The schema that the program had when it was first released.

The votes of the version that is shown are those of its row; in `wording` are those of the others.
So what is kept of a judged row is found without a look at every wording. A look-up `recurred` when
it matched what an earlier one had shown for its signature. Look-ups are counted by day of
86,400,000,000 microseconds as they are logged, so that neither a page of the last days nor `stats`
reads the log. Most rows were met once: they need no place in `reflection_met`, and stand behind the
others in the order of their ids. In a table WITHOUT ROWID the columns of the key come first: up to
SQLite 3.40, which Debian 12 has, `quick_check` reads the wrong column otherwise, and calls a
healthy store damaged."""

RELEASED = 11
"""The version of `FIRST`; those before it were never released."""


CONSOLIDATION = """
CREATE TABLE consolidation(
  tenant TEXT NOT NULL, project TEXT NOT NULL, changes TEXT NOT NULL, ran REAL NOT NULL,
  PRIMARY KEY(tenant, project)) STRICT, WITHOUT ROWID;
"""
"""The undo journal, which was a file beside the store. `ran` is in seconds since 1970."""

MIGRATIONS: tuple[tuple[str, str], ...] = (("first", FIRST), ("consolidation", CONSOLIDATION))
"""Every migration that was ever released, oldest first: its name, and what it runs."""


def version() -> int:
    """The schema that this program writes (`PRAGMA user_version`)."""
    return RELEASED - 1 + len(MIGRATIONS)


def make(db: sqlite3.Connection) -> None:
    """Make the schema in a database that ends with this process, so that nobody upgrades it."""
    for _, script in MIGRATIONS:
        _run(db, script)


def _run(db: sqlite3.Connection, script: str) -> None:
    for statement in script.split(";\n"):  # `executescript` would commit first
        db.execute(statement)


def migrate(db: sqlite3.Connection) -> None:
    """Bring the schema up to `version()` inside the transaction that is open on `db`.

    Raises:
        StoreUnavailable: it was made by a program that was never released.
    """
    from sqlite_utils import Database, Migrations

    ((found,),) = db.execute("PRAGMA user_version").fetchall()
    if 0 < found < RELEASED:
        raise StoreUnavailable(
            f"the store has version {found}, of a program that was never released",
            "export its lessons with that program, and import them into a new store",
        )
    migrations = Migrations("reflection-mcp")
    for name, script in MIGRATIONS:

        def step(database: "Database", script: str = script) -> None:
            _run(database.conn, script)

        migrations(name=name)(step)
    migrations.apply(Database(db, execute_plugins=False))
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute(f"PRAGMA user_version = {version()}")
