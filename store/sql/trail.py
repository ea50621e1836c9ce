"""The steps and showings of a conversation, and the failed actions of a project, read."""

from collections.abc import Sequence

from reflection_mcp.store.columns import moment
from reflection_mcp.store.interactions import FailedAction, Showing, Step
from reflection_mcp.store.sql.db import Db, Statement
from reflection_mcp.store.terms import FOUND_ACTIONS

_STEPS = Statement(
    "SELECT t.id, t.at, t.tool, t.told, t.error FROM step t"
    " WHERE t.tenant = $1 AND t.place = $2 AND t.conversation_id = $3 ORDER BY t.rid"
)
_SHOWINGS = Statement(
    "SELECT s.subject_id, s.kind, s.at FROM showing s"
    " WHERE s.tenant = $1 AND s.place = $2 AND s.conversation_id = $3"
    " ORDER BY s.at, s.subject_id, s.kind"
)
_ACTIONS = Statement(
    "SELECT f.id, f.heading, f.tool, f.told, f.error, f.conversation_id, f.at, f.failed, f.worked"
    " FROM failed_action f WHERE f.tenant = $1 AND f.place = $2 AND f.heading = ANY($3::text[])"
    " ORDER BY f.at DESC, f.id LIMIT $4"
)


async def steps(db: Db, conversation_id: str) -> Sequence[Step]:
    """See `Store.steps`."""
    rows = await db.rows(_STEPS, db.place, conversation_id)
    return [
        Step(id=id_, conversation_id=conversation_id, at=moment(at), tool=tool, told=told, error=e)
        for id_, at, tool, told, e in rows
    ]


async def showings(db: Db, conversation_id: str) -> Sequence[Showing]:
    """See `Store.showings`."""
    rows = await db.rows(_SHOWINGS, db.place, conversation_id)
    return [
        Showing(conversation_id=conversation_id, subject_id=subject, kind=kind, at=moment(at))
        for subject, kind, at in rows
    ]


async def failed_actions(db: Db, headings: Sequence[str]) -> Sequence[FailedAction]:
    """See `Store.failed_actions`."""
    rows = await db.rows(_ACTIONS, db.place, list(headings), FOUND_ACTIONS)
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
