"""The showings of a conversation and the failed actions of a project, in SQLite."""

import sqlite3
from collections.abc import Sequence

from reflection_mcp.store.columns import micros, moment
from reflection_mcp.store.contract import FOUND_ACTIONS, MOST_FAILED_ACTIONS, SHOWINGS_LAST
from reflection_mcp.store.interactions import FailedAction, Showing
from reflection_mcp.store.records import Scope


def add(db: sqlite3.Connection, scope: Scope, showing: Showing) -> None:
    """See `Store.add_showing`."""
    place = (scope.tenant, scope.project)
    db.execute(
        "INSERT INTO showing(tenant, project, conversation_id, subject_id, kind, at)"
        " VALUES(?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        (*place, showing.conversation_id, showing.subject_id, showing.kind, micros(showing.at)),
    )
    db.execute(
        "DELETE FROM showing WHERE tenant = ? AND project = ? AND at < ?",
        (*place, micros(showing.at - SHOWINGS_LAST)),
    )


def of_conversation(
    db: sqlite3.Connection, scope: Scope, conversation_id: str
) -> Sequence[Showing]:
    """See `Store.showings`."""
    rows = db.execute(
        "SELECT subject_id, kind, at FROM showing"
        " WHERE tenant = ? AND project = ? AND conversation_id = ? ORDER BY at, subject_id, kind",
        (scope.tenant, scope.project, conversation_id),
    ).fetchall()
    return [
        Showing(conversation_id=conversation_id, subject_id=subject, kind=kind, at=moment(at))
        for subject, kind, at in rows
    ]


def count_action(db: sqlite3.Connection, scope: Scope, action: FailedAction) -> None:
    """See `Store.count_action`."""
    place = (scope.tenant, scope.project)
    if not action.failed:
        db.execute(
            "UPDATE failed_action SET worked = worked + ?"
            " WHERE tenant = ? AND project = ? AND id = ?",
            (action.worked, *place, action.id),
        )
        return
    db.execute(
        "INSERT INTO failed_action(tenant, project, id, heading, tool, told, error,"
        " conversation_id, at, failed, worked) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT DO UPDATE SET heading = excluded.heading, tool = excluded.tool,"
        " told = excluded.told, error = excluded.error, at = excluded.at,"
        " failed = failed + iif(conversation_id = excluded.conversation_id, 0, excluded.failed),"
        " worked = worked + excluded.worked, conversation_id = excluded.conversation_id",
        (
            *place,
            action.id,
            action.heading,
            action.tool,
            action.told,
            action.error,
            action.conversation_id,
            micros(action.at),
            action.failed,
            action.worked,
        ),
    )
    db.execute(
        "DELETE FROM failed_action WHERE tenant = ?1 AND project = ?2 AND id IN"
        " (SELECT id FROM failed_action WHERE tenant = ?1 AND project = ?2"
        "  ORDER BY at DESC, id LIMIT -1 OFFSET ?3)",
        (*place, MOST_FAILED_ACTIONS),
    )


def failed_actions(
    db: sqlite3.Connection, scope: Scope, headings: Sequence[str]
) -> Sequence[FailedAction]:
    """See `Store.failed_actions`."""
    rows = db.execute(
        "SELECT id, heading, tool, told, error, conversation_id, at, failed, worked"
        " FROM failed_action WHERE tenant = ? AND project = ?"
        f" AND heading IN ({', '.join('?' * len(headings))}) ORDER BY at DESC, id LIMIT ?",
        (scope.tenant, scope.project, *headings, FOUND_ACTIONS),
    ).fetchall()
    return [
        FailedAction(
            id=id_,
            heading=heading,
            tool=tool,
            told=told,
            error=error,
            conversation_id=conversation_id,
            at=moment(at),
            failed=failed,
            worked=worked,
        )
        for id_, heading, tool, told, error, conversation_id, at, failed, worked in rows
    ]
