"""The steps of a conversation, in SQLite: appended, cut at the old end, read in order."""

import sqlite3
from collections.abc import Sequence

from reflection_mcp.store.columns import micros, moment
from reflection_mcp.store.contract import MOST_STEPS, STEPS_LAST
from reflection_mcp.store.interactions import Step
from reflection_mcp.store.records import Scope

_OF_CONVERSATION = "tenant = ? AND project = ? AND conversation_id = ?"


def add(db: sqlite3.Connection, scope: Scope, step: Step) -> None:
    """See `Store.add_step`."""
    place = (scope.tenant, scope.project)
    db.execute(
        "INSERT INTO step(tenant, project, id, conversation_id, at, tool, told, error)"
        " VALUES(?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(tenant, project, id) DO NOTHING",
        (*place, step.id, step.conversation_id, micros(step.at), step.tool, step.told, step.error),
    )
    db.execute(
        "DELETE FROM step WHERE tenant = ? AND project = ? AND at < ?",
        (*place, micros(step.at - STEPS_LAST)),
    )
    db.execute(
        "DELETE FROM step WHERE rid IN"
        f" (SELECT rid FROM step WHERE {_OF_CONVERSATION} ORDER BY rid DESC LIMIT -1 OFFSET ?)",
        (*place, step.conversation_id, MOST_STEPS),
    )


def of_conversation(db: sqlite3.Connection, scope: Scope, conversation_id: str) -> Sequence[Step]:
    """See `Store.steps`."""
    rows = db.execute(
        f"SELECT id, at, tool, told, error FROM step WHERE {_OF_CONVERSATION} ORDER BY rid",
        (scope.tenant, scope.project, conversation_id),
    ).fetchall()
    return [
        Step(
            id=id_,
            conversation_id=conversation_id,
            at=moment(at),
            tool=tool,
            told=told,
            error=error,
        )
        for id_, at, tool, told, error in rows
    ]
