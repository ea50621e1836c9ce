"""A connection to SQLite for one scope, and the translation of shared statements to SQLite.

Rule of this module: the statements of `store.sql` are PostgreSQL's words; most differ in marks, in
casts and in the name of a column, and those that differ in more are in `OTHERWISE`. Rows of a child
table belong to one row of `reflection`, whose number is that of one tenant, so that those tables
have no tenant of their own.
"""

import json
import re
import sqlite3
from collections.abc import Coroutine, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, TypeVar, cast

from reflection_mcp.store.records import Scope
from reflection_mcp.store.sql.activity import CAME_BACK, LOOKUPS_BY_DAY
from reflection_mcp.store.sql.db import Statement
from reflection_mcp.store.sql.maintenance import PEOPLE_BROUGHT, VERDICTS
from reflection_mcp.store.sql.recording import SOURCE_ADDED
from reflection_mcp.store.sql.statements import Statements

T = TypeVar("T")


def now(work: Coroutine[Any, Any, T]) -> T:
    """The result of work with a `SqliteDb`, which never waits."""
    try:
        work.send(None)
    except StopIteration as done:
        return cast(T, done.value)
    raise AssertionError("work with SQLite waited for something else")


OTHERWISE: Mapping[Statement, str] = {
    SOURCE_ADDED: ("INSERT INTO source(rid, source) VALUES(?2, ?3) ON CONFLICT DO NOTHING"),
    PEOPLE_BROUGHT: (
        "INSERT OR IGNORE INTO source(rid, source) SELECT ?3, source FROM source WHERE rid = ?2"
    ),
    LOOKUPS_BY_DAY: (
        "SELECT day, verdict, lookups, shown, recurred FROM lookup_day WHERE tenant = ?1"
        " AND project = ?2 AND day >= ?3 / 86400000000 AND day < ?4 / 86400000000 AND lookups > 0"
    ),
    # The index has all that is asked for; the order of its columns is that of the reflections.
    CAME_BACK: (
        "SELECT matched_id, count(*) FROM lookup INDEXED BY lookup_matched WHERE tenant = ?1"
        " AND project = ?2 AND matched_id IS NOT NULL AND at >= ?3 AND recurred GROUP BY matched_id"
    ),
    VERDICTS: (
        "SELECT json_extract(body, '$.judge') AS judge, count(*),"
        " count(iif(feedback = 'positive', 1, NULL)),"
        " avg(json_extract(body, '$.metadata.reported')) FROM attempt"
        " WHERE tenant = ?1 AND project = ?2 AND feedback IS NOT NULL"
        " AND json_extract(body, '$.metadata.reported') IS NOT NULL GROUP BY judge ORDER BY judge"
    ),
}
"""The statements that SQLite says in another way."""

_PLACES = re.compile(r"= ANY\(\$(\d+)::bigint\[\]\)")
_TEXTS = re.compile(r"= ANY\(\$(\d+)::text\[\]\)")
_WORDS = (
    (re.compile(r"(?:other_)?(?:wording|link|source|tag)\.tenant = \$1 AND "), ""),
    (_TEXTS, r"IN (SELECT value FROM json_each($\1))"),
    (re.compile(r"::(?:text|bigint|double precision)\b"), ""),
    (re.compile(r"to_timestamp\(([^)]*)\)"), r"\1"),
    (re.compile(r"\bLIMIT ALL\b"), "LIMIT -1"),
    (re.compile(r" FOR UPDATE\b"), ""),
    (re.compile(r"\bplace\b"), "project"),
    (re.compile(r"SELECT FROM"), "SELECT 1 FROM"),
    (re.compile(r"strpos\("), "instr("),
    (re.compile(r"a\.error_signature"), "json_extract(a.body, '$.error_signature')"),
    (
        re.compile(r"a\.body::jsonb #>> '\{metadata,(\w+)\}'"),
        r"json_extract(a.body, '$.metadata.\1')",
    ),
    (re.compile(r"\$(\d)"), r"?\1"),
    (re.compile(r" RETURNING \w+$"), ""),  # it is counted, which takes half of the time
)


class _Form(NamedTuple):
    """A statement in SQLite's words, and the numbers of its values that are lists."""

    text: str
    places: int
    texts: tuple[int, ...]


@cache
def _form(statement: Statement, places: int) -> _Form:
    """Return the statement for a list of so many places, whose values stand behind the others."""
    text = OTHERWISE.get(statement, str(statement))
    listed = {int(number) for number in _PLACES.findall(text)}
    texts = tuple({int(number) for number in _TEXTS.findall(text)})
    behind = 1 + max(int(number) for number in re.findall(r"[$?](\d+)", text))
    marks = ", ".join(f"${number}" for number in range(behind, behind + places))
    text = _PLACES.sub(f"IN ({marks})", text)
    for words, said in _WORDS:
        text = words.sub(said, text)
    return _Form(text, max(listed, default=0), texts)


class SqliteDb:
    """A `Db` in SQLite; `execute` is the connection's own, for the statements of this room."""

    __slots__ = ("connection", "execute", "executemany", "place", "places", "scope", "statements")

    def __init__(
        self, connection: sqlite3.Connection, scope: Scope, statements: Statements
    ) -> None:
        self.connection = connection
        self.execute = connection.execute
        self.executemany = connection.executemany
        self.scope = scope
        self.place = scope.project
        self.places: Sequence[str] = scope.projects
        self.statements = statements

    async def at(self, scope: Scope) -> "SqliteDb":
        """The same connection, for another scope of the tenant."""
        return SqliteDb(self.connection, scope, self.statements)

    def place_of(self, scope: Scope) -> str:
        """The project of a scope."""
        return scope.project

    async def rows(self, statement: Statement, *values: object) -> list[Any]:
        """The rows of a statement; the tenant is its first value."""
        form = _form(statement, len(self.places))
        asked: list[Any] = [self.scope.tenant, *values]
        if form.places:
            asked += asked[form.places - 1]
            asked[form.places - 1] = None
        for number in form.texts:
            asked[number - 1] = json.dumps(asked[number - 1])
        cursor = self.execute(form.text, asked)
        return [()] * cursor.rowcount if cursor.description is None else cursor.fetchall()
