"""Stores of a million lessons for a measurement, put down by the table instead of by the row.

Both hold what as many calls of `record` would have left; PostgreSQL's sums are folded. Rows go into
tables without indexes, and those are made afterwards; what is half filled is thrown away, so that
nothing waits for the disk.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from reflection_mcp.store.columns import salt
from reflection_mcp.store.merging import met_first, wordings_said
from reflection_mcp.store.postgres.connections import tenant_of
from reflection_mcp.store.postgres.location import connect
from reflection_mcp.store.postgres.rows import (
    COUNTED,
    TEXTS,
    columns_of,
    digest_number,
    repetition,
    said_number,
)
from reflection_mcp.store.postgres.words import words_of
from reflection_mcp.store.records import Observation, Scope
from reflection_mcp.store.rows import (
    COLUMNS,
    MARKS,
    WORDING,
    WORDING_MARKS,
    WordingRow,
    features_blob,
    keys_text,
    reflection_row,
    signed,
    wording_row,
)
from reflection_mcp.store.sqlite.file import connect as connect_file
from reflection_mcp.store.sqlite.session import READ_WRITE
from tests.bench.store_bench import opened

PART = 5_000
Made = Callable[[int], Observation]
Columns = dict[str, Sequence[Any]]


def parts(rows: int, made: Made) -> Iterator[list[tuple[int, Observation]]]:
    """The row numbers and observations of `range(rows)`, some at a time."""
    for first in range(0, rows, PART):
        numbers = range(first, min(first + PART, rows))
        yield [(number + 1, made(number)) for number in numbers]


# --------------------------------------------------------------------- SQLite


def fill_file(path: Path, scope: Scope, rows: int, made: Made, *, words: bool = False) -> None:
    """Fill a new file; the observations are different errors, each of one source.

    `words` says that they are to be found by their words, too, which takes as long again.
    """
    opened(path).close()
    db = connect_file(path, mode=READ_WRITE, wait=1, writing=True)
    for pragma in ("journal_mode=OFF", "synchronous=OFF", "cache_size=-2000000"):
        db.execute(f"PRAGMA {pragma}").fetchall()
    mixed, place = salt(scope), (scope.tenant, scope.project)
    db.execute("BEGIN")
    db.execute("CREATE TEMP TABLE loose(h INTEGER, rid INTEGER)")
    for some in parts(rows, made):
        put = db.executemany
        put(
            f"INSERT INTO reflection(rid, {COLUMNS}, author, keys, features)"
            f" VALUES(?, {MARKS}, ?, ?, ?)",
            (
                (rid, *reflection_row(met_first(scope, one)), one.source, keys_text(one.keys),
                 features_blob(one.features))
                for rid, one in some
            ),
        )  # fmt: skip
        put("INSERT INTO source VALUES(?, ?)", ((rid, one.person) for rid, one in some))
        put(
            f"INSERT INTO wording(rid, {WORDING}) VALUES(?, {WORDING_MARKS})",
            ((rid, *wording_row(said)) for rid, one in some for said in wordings_said(one)),
        )
        put(
            "INSERT INTO event VALUES(?, ?, ?, ?, ?)",
            ((*place, one.event_id, one.reflection.kind, rid) for rid, one in some),
        )
        put(
            "INSERT INTO key(tenant, project, digest, rid, kind) VALUES(?, ?, ?, ?, ?)",
            ((*place, key.digest, rid, key.kind) for rid, one in some for key in one.keys),
        )
        put(
            "INSERT INTO tag VALUES(?, ?)",
            ((tag, rid) for rid, one in some for tag in one.reflection.tags),
        )
        put(
            "INSERT INTO loose VALUES(?, ?)",
            ((signed(each) ^ mixed, rid) for rid, one in some for each in one.features),
        )
    db.execute("INSERT OR IGNORE INTO feature SELECT h, rid FROM loose ORDER BY h, rid")
    if words:
        db.execute("INSERT INTO words(words) VALUES('rebuild')")
    db.execute("COMMIT")
    db.close()
    opened(path).close()


# --------------------------------------------------------------------- PostgreSQL

_KEYS = """
SELECT c.conname AS name, t.relname AS table, pg_get_constraintdef(c.oid) AS made
FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid
WHERE c.contype IN ('p', 'u') AND t.relname = ANY($1::text[])
AND t.relnamespace = current_schema()::regnamespace
"""
_INDEXES = """
SELECT indexname, indexdef FROM pg_indexes
WHERE schemaname = current_schema() AND tablename = ANY($1::text[])
"""
_TYPES = """
SELECT attname, format_type(atttypid, NULL) FROM pg_attribute
WHERE attrelid = $1::text::regclass AND attnum > 0
"""


async def fill_database(url: str, scope: Scope, rows: int, made: Made) -> None:
    """Fill the empty tables of a database, as their owner."""
    tables = ["reflection", "standing", "event", "source", "wording", "key", "feature", "tag"]
    connection: Any = await connect(url)
    await connection.execute("SET synchronous_commit = off; SET maintenance_work_mem = '1GB'")
    keys = await connection.fetch(_KEYS, tables)
    for name, table, _ in keys:
        await connection.execute(f'ALTER TABLE "{table}" DROP CONSTRAINT "{name}"')
    indexes = await connection.fetch(_INDEXES, tables)
    for name, _ in indexes:
        await connection.execute(f'DROP INDEX "{name}"')
    types = {table: dict(await connection.fetch(_TYPES, table)) for table in tables}
    for some in parts(rows, made):
        for table, columns in _columns(scope, some).items():
            names = ", ".join(f'"{name}"' for name in columns)
            kinds = (types[table][name] for name in columns)
            marks = ", ".join(
                f"${number}::{'text' if kind == 'tsvector' else kind}[]"
                for number, kind in enumerate(kinds, 1)
            )
            read = ", ".join(
                f'u."{name}"{"::tsvector" if types[table][name] == "tsvector" else ""}'
                for name in columns
            )
            await connection.execute(
                f"INSERT INTO {table}({names}) SELECT {read} FROM unnest({marks}) AS u({names})",
                *columns.values(),
                timeout=600,
            )
    for _, table, how in keys:
        await connection.execute(f'ALTER TABLE "{table}" ADD {how}', timeout=1800)
    for _, how in indexes:
        await connection.execute(how, timeout=1800)
    place = (tenant_of(scope), salt(scope))
    await connection.execute(f"ALTER TABLE reflection ALTER rid RESTART WITH {rows + 1}")
    await connection.fetch("INSERT INTO place VALUES($1, $2, $3, $4)", *place, *_names(scope))
    await connection.fetch(
        "INSERT INTO tally VALUES($1, $2, 'reflection', $3, $3, 0, 0, 0, 0)", *place, rows
    )
    await connection.execute("VACUUM ANALYZE", timeout=1800)
    await connection.close()


def _names(scope: Scope) -> tuple[str, str]:
    return scope.tenant, scope.project


def _columns(scope: Scope, some: Sequence[tuple[int, Observation]]) -> dict[str, Columns]:
    """The columns of each table for some observations."""
    tenant, place = tenant_of(scope), salt(scope)
    new = [met_first(scope, one) for _, one in some]
    values = [columns_of(each) for each in new]
    wordings = [(rid, wording_row(said)) for rid, one in some for said in wordings_said(one)]
    keys = [(rid, key) for rid, one in some for key in one.keys]
    tags = [(rid, tag) for rid, one in some for tag in one.reflection.tags]
    rids = [rid for rid, _ in some]
    features = [[*{signed(each) ^ place for each in one.features}] for _, one in some]

    def owned(of: Sequence[int], **more: Sequence[Any]) -> Columns:
        return {"tenant": [tenant] * len(of), "rid": of} | more

    def placed(of: Sequence[int], **more: Sequence[Any]) -> Columns:
        return owned(of, place=[place] * len(of)) | more

    return {
        "reflection": placed(
            rids,
            **{name: [each[name] for each in values] for name in TEXTS},
            author=[one.source for _, one in some],
            keys=[keys_text(one.keys) for _, one in some],
            features=[features_blob(one.features) for _, one in some],
            words=[words_of(each, place) for each in new],
        ),
        "standing": placed(
            rids,
            **{name: [each[name] for each in values] for name in COUNTED},
            repeated=[0] * len(some),
            again=[repetition(one) for _, one in some],
        ),
        "event": placed(
            rids,
            event_id=[one.event_id for _, one in some],
            kind=[one.reflection.kind for _, one in some],
        ),
        "source": owned(rids, source=[one.person for _, one in some]),
        "wording": owned(
            [rid for rid, _ in wordings],
            said=[said_number(row) for _, row in wordings],
            **{
                name: [row[number] for _, row in wordings]
                for number, name in enumerate(WordingRow._fields)
            },
        ),
        "key": placed(
            [rid for rid, _ in keys],
            digest=[digest_number(key.digest) for _, key in keys],
            kind=[key.kind for _, key in keys],
        ),
        "feature": owned(
            [rid for rid, of in zip(rids, features, strict=True) for _ in of],
            h=[*chain.from_iterable(features)],
        ),
        "tag": placed([rid for rid, _ in tags], tag=[tag for _, tag in tags]),
    }
