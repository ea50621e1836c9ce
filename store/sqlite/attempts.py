"""Attempts in SQLite: appended once, found by id, conversation, quality and time."""

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any, NamedTuple, cast

from reflection_mcp.store.records import GLOBAL_PROJECT, Attempt, Check, Scope, Score
from reflection_mcp.store.sqlite.columns import (
    check_types,
    known_fields,
    micros,
    moment,
    text_of,
    types_of,
)
from reflection_mcp.store.sqlite.errors import decoded


class AttemptRow(NamedTuple):
    """The columns of an attempt: what is asked for; `body` is the JSON of all the rest."""

    id: str
    conversation_id: str
    at: int
    judged_quality: float | None
    quality: float | None
    feedback: str | None
    body: str


_ATTEMPT_TYPES = types_of(AttemptRow)
ATTEMPT = ", ".join(f"a.{name}" for name in AttemptRow._fields)


def attempt_row(attempt: Attempt) -> AttemptRow:
    """The columns of an attempt."""
    body = asdict(attempt)
    columns: dict[str, Any] = {n: body.pop(n) for n in AttemptRow._fields if n != "body"}
    columns |= {"at": micros(attempt.at), "body": text_of(body)}
    return AttemptRow(**columns)


@decoded
def attempt_from(values: Sequence[Any]) -> Attempt:
    """The attempt of the values of `ATTEMPT`."""
    check_types(values, _ATTEMPT_TYPES)
    row = AttemptRow._make(values)
    body = cast("dict[str, Any]", json.loads(row.body))
    for name in ("confidence", "relevance", "completeness"):
        body[name] = Score(**known_fields(Score, body[name]))
    body["checks"] = tuple(Check(**known_fields(Check, check)) for check in body["checks"])
    for name in ("issues", "improvements", "tags"):
        body[name] = tuple(body[name])
    columns: dict[str, Any] = row._asdict()
    columns |= {"at": moment(row.at)}
    del columns["body"]
    return Attempt(**known_fields(Attempt, body, **columns))


MOST = 2**31 - 1
"""No limit in practice, and a number that SQLite can bind."""


def bounded(limit: int) -> int:
    """A limit as SQL wants it: a negative one would mean none at all."""
    return min(max(limit, 0), MOST)


def add(db: sqlite3.Connection, scope: Scope, attempt: Attempt, event_id: str) -> Attempt:
    """See `Store.add_attempt`."""
    place = (scope.tenant, scope.project)
    known = db.execute(
        f"SELECT {ATTEMPT} FROM attempt a WHERE tenant = ? AND project = ? AND event_id = ?",
        (*place, event_id),
    ).fetchall()
    if known:
        return attempt_from(known[0])
    if db.execute(
        "SELECT 1 FROM attempt WHERE tenant = ? AND project = ? AND id = ?", (*place, attempt.id)
    ).fetchall():
        raise ValueError("this id already names another attempt")
    db.execute(
        "INSERT INTO attempt(tenant, project, event_id, id, conversation_id, at, judged_quality,"
        " quality, feedback, body) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (*place, event_id, *attempt_row(attempt)),
    )
    return attempt


def by_id(db: sqlite3.Connection, scope: Scope, attempt_id: str) -> Attempt | None:
    """See `Store.attempt`."""
    rows = db.execute(
        f"SELECT {ATTEMPT} FROM attempt a WHERE tenant = ? AND project IN (?, ?) AND id = ?"
        " ORDER BY project = ? DESC LIMIT 1",
        (scope.tenant, scope.project, GLOBAL_PROJECT, attempt_id, scope.project),
    ).fetchall()
    return attempt_from(rows[0]) if rows else None


def listed(
    db: sqlite3.Connection,
    scope: Scope,
    *,
    conversation_id: str | None,
    max_quality: float | None,
    since: datetime | None,
    limit: int,
) -> Sequence[Attempt]:
    """See `Store.attempts`."""
    where = ["tenant = ? AND project IN (?, ?)"]
    values: list[object] = [scope.tenant, scope.project, GLOBAL_PROJECT]
    if conversation_id is not None:
        where.append("conversation_id = ?")
        values.append(conversation_id)
    if max_quality is not None:
        where.append("quality < ?")
        values.append(max_quality)
    if since is not None:
        where.append("at >= ?")
        values.append(micros(since))
    rows = db.execute(
        f"SELECT {ATTEMPT} FROM attempt a WHERE {' AND '.join(where)} ORDER BY at DESC, id LIMIT ?",
        (*values, bounded(limit)),
    ).fetchall()
    return [attempt_from(row) for row in rows]
