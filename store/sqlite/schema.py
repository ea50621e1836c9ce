"""The tables, and the migrations from one version of them to the next.

Rules of this module: a migration that was released is never edited; a step only adds, so that an
older program can still read what a newer one wrote. Every upgrade runs under the gate, inside one
`BEGIN IMMEDIATE`, after a look at `user_version` in that transaction, and after a `VACUUM INTO`
copy of a file that has data: `Migrations.apply` alone computes what is pending outside the
transaction, and 40 % of first starts by two processes failed over that when it was measured.
`sqlite_utils` costs 140 ms to import, so it is imported here and only when there is work.

`CHECK(json_valid())` and triggers that maintain the word index are left out on purpose:
`trusted_schema=OFF` refuses both. The triggers that maintain `tally` are plain SQL; they cannot be
forgotten by a statement, and spare `stats` a look at every row. `repeated` replaces the count of
the shown wording, so that the commonest count touches one row of one table, and of the indexes only
those by time and by count. Child rows that carry the row number first go by cascade; the others are
deleted by hand in `sqlite_reflections.erase`, because an index for that alone would double their
size.
"""

import sqlite3
from collections.abc import Callable
from typing import TYPE_CHECKING

from reflection_mcp.store.versions import version_id

if TYPE_CHECKING:
    from sqlite_utils import Database

APPLICATION_ID = 0x5265_666C
"""`Refl`: distinguishes our files from those of other programs (`PRAGMA application_id`)."""

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


ORDERS = """
CREATE INDEX reflection_newest ON reflection(tenant, project, last_seen DESC, id);
CREATE INDEX reflection_weightiest ON reflection(tenant, project, importance DESC, id);
CREATE INDEX reflection_first ON reflection(tenant, project, first_seen);
CREATE INDEX attempt_quality ON attempt(tenant, project, at, quality);
DROP INDEX attempt_at;
CREATE INDEX lookup_verdict ON lookup(tenant, project, verdict, at);
CREATE TABLE tally(
  tenant TEXT NOT NULL, project TEXT NOT NULL, kind TEXT NOT NULL,
  reflections INTEGER NOT NULL, occurrences INTEGER NOT NULL, shown INTEGER NOT NULL,
  helped INTEGER NOT NULL, failed INTEGER NOT NULL, recurred INTEGER NOT NULL,
  PRIMARY KEY(tenant, project, kind)) STRICT, WITHOUT ROWID;
INSERT INTO tally SELECT tenant, project, kind, count(*), sum(occurrences), sum(shown),
  sum(helped), sum(failed), sum(recurred) FROM reflection GROUP BY tenant, project, kind;
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
"""


OCCASIONS = """
CREATE TABLE vote_on_occasion(
  tenant TEXT NOT NULL, project TEXT NOT NULL, target_id TEXT NOT NULL, source TEXT NOT NULL,
  kind TEXT NOT NULL, at INTEGER NOT NULL, comment TEXT NOT NULL,
  occasion TEXT NOT NULL DEFAULT '',
  PRIMARY KEY(tenant, project, target_id, source, occasion)) STRICT, WITHOUT ROWID;
INSERT INTO vote_on_occasion SELECT tenant, project, target_id, source, kind, at, comment, ''
  FROM vote;
DROP TABLE vote;
ALTER TABLE vote_on_occasion RENAME TO vote;
"""


SITUATIONS = """
ALTER TABLE reflection ADD COLUMN situations TEXT NOT NULL DEFAULT '[]';
DROP TABLE words;
CREATE VIRTUAL TABLE words USING fts5(
  lesson, strategy, "trigger", evidence, example, question, tags, situations,
  content='reflection', content_rowid='rid', tokenize='unicode61');
INSERT INTO words(words) VALUES('rebuild');
"""


KEY_FIRST = """
CREATE TABLE vote_key_first(
  tenant TEXT NOT NULL, project TEXT NOT NULL, target_id TEXT NOT NULL, source TEXT NOT NULL,
  occasion TEXT NOT NULL DEFAULT '', kind TEXT NOT NULL, at INTEGER NOT NULL,
  comment TEXT NOT NULL,
  PRIMARY KEY(tenant, project, target_id, source, occasion)) STRICT, WITHOUT ROWID;
INSERT INTO vote_key_first(tenant, project, target_id, source, occasion, kind, at, comment)
  SELECT tenant, project, target_id, source, occasion, kind, at, comment FROM vote;
DROP TABLE vote;
ALTER TABLE vote_key_first RENAME TO vote;
"""
"""Up to SQLite 3.40, which Debian 12 has, `quick_check` reads the wrong column of a table WITHOUT
ROWID that has a column of its key behind others, and calls a healthy store damaged."""


NEAR = """
ALTER TABLE lookup ADD COLUMN neighbour_id TEXT;
ALTER TABLE lookup ADD COLUMN asked_id TEXT;
"""


LESSONS = """
ALTER TABLE wording ADD COLUMN situations TEXT NOT NULL DEFAULT '[]';
ALTER TABLE wording ADD COLUMN outcome TEXT;
"""


HOOKS = """
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


VERSIONS = """
ALTER TABLE wording ADD COLUMN helped INTEGER NOT NULL DEFAULT 0;
ALTER TABLE wording ADD COLUMN failed INTEGER NOT NULL DEFAULT 0;
CREATE INDEX wording_judged ON wording(rid) WHERE helped + failed > 0;
ALTER TABLE lookup ADD COLUMN versions TEXT NOT NULL DEFAULT '[]';
"""
"""The votes of the version that is shown are those of its row; in `wording` are those of the
others. So what is kept of a judged row is found without a look at every wording."""


DAILY = """
ALTER TABLE lookup ADD COLUMN recurred INTEGER NOT NULL DEFAULT 0;
UPDATE lookup AS l SET recurred = 1 WHERE matched_id IS NOT NULL AND EXISTS(
  SELECT 1 FROM lookup e WHERE e.tenant = l.tenant AND e.project = l.project
  AND e.signature = l.signature AND e.rid < l.rid AND instr(e.shown, '"' || l.matched_id || '"'));
CREATE INDEX lookup_matched ON lookup(tenant, project, matched_id, at, recurred)
  WHERE matched_id IS NOT NULL;
CREATE INDEX lookup_at ON lookup(tenant, project, at);
DROP INDEX lookup_verdict;
CREATE INDEX vote_at ON vote(tenant, project, at);
CREATE INDEX reflection_met ON reflection(tenant, project, occurrences DESC, id)
  WHERE occurrences > 1;
CREATE INDEX reflection_type ON reflection(tenant, project, error_type, last_seen DESC, id)
  WHERE error_type IS NOT NULL;
CREATE TABLE lookup_day(
  tenant TEXT NOT NULL, project TEXT NOT NULL, day INTEGER NOT NULL, verdict TEXT NOT NULL,
  lookups INTEGER NOT NULL, shown INTEGER NOT NULL, recurred INTEGER NOT NULL,
  PRIMARY KEY(tenant, project, day, verdict)) STRICT, WITHOUT ROWID;
INSERT INTO lookup_day SELECT tenant, project, at / 86400000000 AS day, verdict, count(*),
  sum(shown <> '[]'), sum(recurred) FROM lookup GROUP BY tenant, project, day, verdict;
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
"""
"""A look-up `recurred` when it matched what an earlier one had shown for its signature. They are
counted by day of 86,400,000,000 microseconds as they are logged, so that neither a page of the last
days nor `stats` reads the log. Most rows were met once: they need no place in `reflection_met`, and
stand behind the others in the order of their ids."""


def statements(script: str) -> list[str]:
    """The statements of a script, for `execute`: `executescript` would commit first."""
    return [statement for part in script.split(";\n") if (statement := part.strip())]


def first(database: "Database") -> None:
    """The schema of 0.1."""
    for statement in statements(FIRST):
        database.conn.execute(statement)


def trail(database: "Database") -> None:
    """The steps of a conversation, while it goes on."""
    for statement in statements(TRAIL):
        database.conn.execute(statement)


def orders(database: "Database") -> None:
    """The newest rows, the most important ones and the counts, without a look at all of them."""
    for statement in statements(ORDERS):
        database.conn.execute(statement)


def occasions(database: "Database") -> None:
    """Votes separated by their occasion; a reader sees one more column."""
    for statement in statements(OCCASIONS):
        database.conn.execute(statement)


def situations(database: "Database") -> None:
    """The situations of a lesson; the word index is built again, since it takes no new column."""
    for statement in statements(SITUATIONS):
        database.conn.execute(statement)


def key_first(database: "Database") -> None:
    """Votes with the columns of their key before all others; nothing else changes."""
    for statement in statements(KEY_FIRST):
        database.conn.execute(statement)


def near(database: "Database") -> None:
    """The reflection that a look-up showed as a neighbour's, and the one it asked about."""
    for statement in statements(NEAR):
        database.conn.execute(statement)


def lessons(database: "Database") -> None:
    """The situations and the outcome of each wording, as of the one that is shown."""
    for statement in statements(LESSONS):
        database.conn.execute(statement)


def hooks(database: "Database") -> None:
    """The showings of conversations, and the actions that failed in a project."""
    for statement in statements(HOOKS):
        database.conn.execute(statement)


def versions(database: "Database") -> None:
    """Votes of their own for each version of a lesson: those cast so far are for the shown one."""
    for statement in statements(VERSIONS):
        database.conn.execute(statement)
    rows = database.conn.execute(
        "SELECT r.tenant, r.project, r.id, r.lesson, r.strategy FROM reflection r"
        " WHERE EXISTS(SELECT 1 FROM vote v WHERE v.tenant = r.tenant AND v.project = r.project"
        " AND v.target_id = r.id)"
    ).fetchall()
    database.conn.executemany(
        "UPDATE vote SET target_id = ? WHERE tenant = ? AND project = ? AND target_id = ?",
        [(version_id(row[2], row[3], row[4]), *row[:3]) for row in rows],
    )


def daily(database: "Database") -> None:
    """The activity of each day, the rows most often met and those of one error type, without a look
    at all of them."""
    for statement in statements(DAILY):
        database.conn.execute(statement)


STEPS: tuple[Callable[["Database"], None], ...] = (
    first,
    trail,
    orders,
    occasions,
    situations,
    key_first,
    near,
    lessons,
    hooks,
    versions,
    daily,
)
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
