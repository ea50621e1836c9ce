"""The steps and showings of a conversation, and the failed actions of a project."""

from collections.abc import Sequence

from reflection_mcp.store.columns import micros, moment
from reflection_mcp.store.interactions import FailedAction, Showing, Step
from reflection_mcp.store.sql.db import Db, Statement
from reflection_mcp.store.terms import (
    FOUND_ACTIONS,
    MOST_FAILED_ACTIONS,
    MOST_STEPS,
    SHOWINGS_LAST,
    STEPS_LAST,
)

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


_STEP_ADDED = Statement(
    "INSERT INTO step(tenant, place, id, conversation_id, at, tool, told, error)"
    " VALUES($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING"
)
_OLD_STEPS = Statement("DELETE FROM step AS t WHERE t.tenant = $1 AND t.place = $2 AND t.at < $3")
_MORE_STEPS = Statement(
    "DELETE FROM step AS t WHERE t.tenant = $1 AND t.place = $2 AND t.conversation_id = $3"
    " AND t.rid <= (SELECT o.rid FROM step o WHERE o.tenant = $1 AND o.place = $2"
    "  AND o.conversation_id = $3 ORDER BY o.rid DESC LIMIT 1 OFFSET $4)"
)


async def add_step(db: Db, step: Step) -> None:
    """See `Store.add_step`."""
    said = (step.id, step.conversation_id, micros(step.at), step.tool, step.told, step.error)
    await db.rows(_STEP_ADDED, db.place, *said)
    await db.rows(_OLD_STEPS, db.place, micros(step.at - STEPS_LAST))
    await db.rows(_MORE_STEPS, db.place, step.conversation_id, MOST_STEPS)


_SHOWING_ADDED = Statement(
    "INSERT INTO showing(tenant, place, conversation_id, subject_id, kind, at)"
    " VALUES($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING"
)
_OLD_SHOWINGS = Statement(
    "DELETE FROM showing AS s WHERE s.tenant = $1 AND s.place = $2 AND s.at < $3"
)


async def add_showing(db: Db, showing: Showing) -> None:
    """See `Store.add_showing`."""
    said = (showing.conversation_id, showing.subject_id, showing.kind, micros(showing.at))
    await db.rows(_SHOWING_ADDED, db.place, *said)
    await db.rows(_OLD_SHOWINGS, db.place, micros(showing.at - SHOWINGS_LAST))


_WORKED = Statement(
    "UPDATE failed_action AS f SET worked = f.worked + $4"
    " WHERE f.tenant = $1 AND f.place = $2 AND f.id = $3"
)
_FAILED = Statement(
    "INSERT INTO failed_action AS f(tenant, place, id, heading, tool, told, error,"
    "  conversation_id, at, failed, worked)"
    " VALUES($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT(tenant, place, id)"
    " DO UPDATE SET heading = excluded.heading, tool = excluded.tool, told = excluded.told,"
    "  error = excluded.error, at = excluded.at,"
    "  failed = f.failed + CASE WHEN f.conversation_id = excluded.conversation_id THEN 0"
    "   ELSE excluded.failed END,"
    "  worked = f.worked + excluded.worked, conversation_id = excluded.conversation_id"
)
_MORE_ACTIONS = Statement(
    "DELETE FROM failed_action AS f WHERE f.tenant = $1 AND f.place = $2 AND f.id IN ("
    "SELECT o.id FROM failed_action o WHERE o.tenant = $1 AND o.place = $2"
    " ORDER BY o.at DESC, o.id LIMIT ALL OFFSET $3)"
)


async def count_action(db: Db, action: FailedAction) -> None:
    """See `Store.count_action`."""
    if not action.failed:
        await db.rows(_WORKED, db.place, action.id, action.worked)
        return
    await db.rows(
        _FAILED, db.place, action.id, action.heading, action.tool, action.told, action.error,
        action.conversation_id, micros(action.at), action.failed, action.worked,
    )  # fmt: skip
    await db.rows(_MORE_ACTIONS, db.place, MOST_FAILED_ACTIONS)


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
