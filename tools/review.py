"""Use cases of the review: what a person decides about a lesson.

Rule: nothing is decided here that another use case does not decide as well. Confirming and
rejecting are a person's feedback, and what is rejected is retired as by an edit, so that the same
rows and counters change as by the tools. Only a candidate gets no vote when it is confirmed: who
reads it has not tried it.
"""

from dataclasses import replace

from reflection_mcp.store.interactions import FeedbackKind
from reflection_mcp.store.records import Reflection, Scope
from reflection_mcp.tools.errors import InvalidInput, NotFound
from reflection_mcp.tools.feedback.record_feedback import FeedbackRequest, record_feedback
from reflection_mcp.tools.learning.consolidation import may_merge, merge_plan
from reflection_mcp.tools.learning.maintenance import apply_plan
from reflection_mcp.tools.learning.review_queue import ReviewAction, ReviewItem, waiting_items
from reflection_mcp.tools.learning.stored_rows import rows_of
from reflection_mcp.tools.manual_lesson import (
    draft_of,
    edit_lesson,
    lesson_to_edit,
    strategy_row,
)
from reflection_mcp.tools.ports import Services
from reflection_mcp.tools.recall.candidates import confirm, confirmed
from reflection_mcp.tools.reflect.persist import evicted


async def item_of(services: Services, name: str) -> ReviewItem:
    """Return the item that waits under an id; of a pair either one, which is then the first.

    Raises:
        NotFound: nothing with this id waits.
        StoreError: the store cannot be read.
    """
    for item in await waiting_items(services.store, services.scope):
        if item.id == name:
            return item
        if item.against is not None and item.against.id == name:
            why = f"{item.id} says the opposite"
            return replace(item, row=item.against, against=item.row, why=why)
    raise NotFound(
        "nothing with this id waits for review", "`review --list` prints what waits for review"
    )


def require(item: ReviewItem, action: ReviewAction) -> None:
    """Check that an action is possible.

    Raises:
        InvalidInput: it is not.
    """
    if action not in item.actions:
        raise InvalidInput(
            f"{action} is not possible here: {item.why}", f"pass one of {', '.join(item.actions)}"
        )


async def confirm_item(services: Services, item: ReviewItem) -> tuple[str, ...]:
    """Say that a lesson is right; return what changed, in sentences.

    A candidate becomes a lesson. Of two that contradict each other the other one is rejected.
    """
    if item.reason == "candidate":
        return (confirmed(item.row, await lesson_of(services, item.row)),)
    lines = await _said(services, item.id, "positive")
    if item.against is not None:
        lines += await _retired(services, item.against.id)
    return lines


async def lesson_of(services: Services, candidate: Reflection) -> Reflection:
    """Return the lesson that a candidate becomes."""
    return await confirm(services, candidate)


async def reject_item(services: Services, item: ReviewItem) -> tuple[str, ...]:
    """Say that a lesson is wrong: it is offered no longer; return what changed, in sentences."""
    if item.reason == "candidate":
        await _said(services, item.id, "negative")
        return (f"{item.id}: rejected; this fix is not proposed again",)
    return await _retired(services, item.id)


async def _retired(services: Services, name: str) -> tuple[str, ...]:
    lines = await _said(services, name, "negative")
    row = await lesson_to_edit(services, name)
    await edit_lesson(services, row, replace(draft_of(row.reflection), retired=True))
    return (*lines, f"{name}: retired; it is no longer offered")


async def share_item(services: Services, item: ReviewItem, action: str) -> tuple[str, ...]:
    """Share a lesson of a person's own, its strategies with it; return what changed, in sentences.

    `action` says with whom: everybody in the `project`, or every project of the `tenant`. Where the
    same error or lesson is known already, its words become an opinion beside those.

    Raises:
        NotFound: somebody has shared or deleted it meanwhile.
        StoreError: the store cannot be written; nothing was changed.
    """
    scope = services.scope
    to = scope.shared if action == "project" else Scope(tenant=scope.tenant)
    ids = [item.id, *await _strategies_along(services, item.id)]
    moved = await services.store.move(scope, ids, to.project)
    if item.id not in moved:
        raise NotFound("the lesson no longer exists", "list the lessons to review again")
    services.emit("lesson_shared", {"with": action, "rows": len(moved)})
    now = moved[item.id]
    whom = f"the project {to.project}" if action == "project" else "every project of the tenant"
    line = f"{item.id}: shared with {whom}"
    if now != item.id:
        line += f", as a part of {now}"
    return (line, *await evicted(replace(services, scope=to), moved.values()))


async def _strategies_along(services: Services, lesson: str) -> list[str]:
    """The strategies of this scope that came with a lesson, and with no other that stays here."""
    lessons: set[str] = set()
    strategies: dict[str, set[str]] = {}
    async for row in rows_of(services.store, services.scope):
        name = row.reflection.id
        of = {each.target_id for each in row.reflection.links if each.kind == "strategy_of"}
        lessons |= set() if of else {name}
        strategies |= {name: of} if lesson in of else {}
    return [name for name, of in strategies.items() if of & lessons == {lesson}]


async def _said(services: Services, name: str, kind: FeedbackKind) -> tuple[str, ...]:
    done = await record_feedback(services, FeedbackRequest(feedback=kind, id=name))
    return done.lines


async def merge_items(services: Services, kept: str, other: str) -> tuple[str, ...]:
    """Merge one lesson into another as consolidation does; return what changed, in sentences.

    Args:
        services: those of the call.
        kept: the id of the lesson that stays.
        other: the id of the one that is retired; its wording stays as a version.

    Raises:
        InvalidInput: they cannot be merged.
        NotFound: no lesson of this project has one of the ids.
        StoreBusy: others have changed one of them meanwhile; nothing was changed.
    """
    one, two = await lesson_to_edit(services, kept), await lesson_to_edit(services, other)
    rows = (one.reflection, two.reflection)
    if kept == other or rows[0].kind != rows[1].kind:
        raise InvalidInput("these are not two lessons of the same kind", "pass two lessons")
    if any(row.retired for row in rows):
        raise InvalidInput("one of them is retired", "restore it first, or pass another one")
    if not all(map(may_merge, rows)):
        raise InvalidInput(
            "lessons of errors and marked ones are not merged", "reject or edit one of them"
        )
    differ = rows[1].strategy not in ("", rows[0].strategy)
    strategy = await strategy_row(services, rows[1]) if differ else None
    plan = merge_plan(one, two, strategy)
    await apply_plan(services, plan)
    return (f"{other}: now a version of {kept}",)
