"""The mapping between reflections and their rows in two tables: texts, and counters.

Rule of this module: the records are made by `store.rows`, the same for every database; only the
columns are put together here.
"""

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Any

from reflection_mcp.store.postgres.connections import PostgresDb
from reflection_mcp.store.records import (
    Key,
    Link,
    Observation,
    Reflection,
    Wording,
)
from reflection_mcp.store.rows import (
    ReflectionRow,
    StoredRow,
    WholeRow,
    WordingRow,
    reflection_from,
    reflection_row,
    wording_row,
)
from reflection_mcp.store.sql.db import Row

COUNTED = ("last_seen", "occurrences", "sources", "shown", "helped", "failed", "recurred")
"""The columns of a reflection that stand in the narrow table `standing`."""
NAMES = ReflectionRow._fields[2:]
TEXTS = tuple(name for name in NAMES if name not in COUNTED)
"""Its columns in the table `reflection`, in their order."""

SELECT = "r.place, " + ", ".join(
    f"s.{name}" if name in COUNTED else f'r."{name}"' for name in NAMES
)
STORED = f"{SELECT}, r.rid, r.author, s.repeated, r.keys, r.features"
WORDING = ", ".join(f"w.{name}" for name in WordingRow._fields)
WHOLE = (
    f"{STORED},"
    f" ARRAY(SELECT ROW({WORDING}) FROM wording w WHERE w.tenant = $1 AND w.rid = r.rid"
    "  ORDER BY w.at, w.source, w.lesson, w.strategy),"
    " ARRAY(SELECT ROW(l.kind, l.target_id) FROM link l WHERE l.tenant = $1 AND l.rid = r.rid"
    "  ORDER BY l.kind, l.target_id)"
)
"""The columns of a row with all that hangs on it, for `whole_from`."""
ROWS = "reflection r JOIN standing s ON s.tenant = $1 AND s.rid = r.rid"
_WIDTH = 1 + len(NAMES)


def _row(db: PostgresDb, values: Row) -> ReflectionRow:
    place, *columns = values[:_WIDTH]
    return ReflectionRow(db.scope.tenant, db.projects[place], *columns)


def bare_from(db: PostgresDb, values: Row) -> Reflection:
    """The reflection of a row that starts with `SELECT`, without links and wordings."""
    return reflection_from(_row(db, values))


def whole_from(db: PostgresDb, values: Row) -> WholeRow:
    """The row of values that start with `WHOLE`."""
    row = StoredRow(_row(db, values), *values[_WIDTH : _WIDTH + 5])
    wordings, links = values[_WIDTH + 5 : _WIDTH + 7]
    return WholeRow(
        row,
        [Link(kind=kind, target_id=target) for kind, target in links],
        [*map(WordingRow._make, wordings)],
    )


def columns_of(reflection: Reflection) -> dict[str, Any]:
    """The values of both tables by column."""
    values = reflection_row(reflection)._asdict()
    return {name: values[name] for name in NAMES}


# --------------------------------------------------------------------- numbers


def number(text: str) -> int:
    """64 bits that stand for a text."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little", signed=True)


_HEX = frozenset("0123456789abcdef")
_WRAP = 1 << 64
_SIGN = 1 << 63


def digest_number(digest: str) -> int:
    """The number of a key's digest: itself where it is 16 hex digits, as nearly always."""
    if len(digest) == 16 and _HEX.issuperset(digest):
        return (int(digest, 16) + _SIGN) % _WRAP - _SIGN
    return number(digest)


def said_number(row: WordingRow) -> int:
    """The number of a wording: the words may be longer than an index takes."""
    return number("\0".join(row.key))


_CONTENT = (
    "lesson", "strategy", "trigger", "evidence", "example", "question", "tags", "situations",
    "error_type", "category", "pattern", "iteration", "quality_delta", "outcome", "importance",
    "suspicious", "links",
)  # fmt: skip


def repetition(observation: Observation) -> int:
    """Return the number of what an observation says, its event and its times aside.

    What was merged once changes nothing when it is merged again. So of an observation with the
    number that a row has, everything is known, and it is counted by one statement. 0 means that
    it has to be looked at.
    """
    new = observation.reflection
    special = observation.corrects or observation.refutes or observation.of_vote
    if special or new.wordings or new.kind != "reflection":
        return 0
    said = (
        observation.source,
        *(getattr(new, name) for name in _CONTENT),
        *((key.kind, key.digest) for key in observation.keys),
        observation.features,
    )
    return number(repr(said))


# --------------------------------------------------------------------- what hangs on a row


def wording_columns(wordings: Iterable[Wording]) -> list[list[Any]]:
    """The columns of the table `wording`, each wording once with all times it was said."""
    rows: dict[int, WordingRow] = {}
    for said in wordings:
        row = wording_row(said)
        name = said_number(row)
        before = rows.get(name)
        rows[name] = row if before is None else before._replace(times=before.times + row.times)
    columns: Sequence[Sequence[Any]] = list(zip(*rows.values(), strict=True)) or [
        () for _ in WordingRow._fields
    ]
    return [list(rows), *map(list, columns)]


def key_columns(keys: Iterable[Key]) -> tuple[list[int], list[str]]:
    """The digests and kinds of keys, each pair once."""
    pairs = dict.fromkeys((digest_number(key.digest), key.kind) for key in keys)
    return [digest for digest, _ in pairs], [kind for _, kind in pairs]
