"""What a person can do from a page, as forms that are handed to the use cases of the tools.

Rule of this module: nothing is decided here. A vote is `record_feedback`, an edit is `edit_lesson`,
what waits for review is settled by `review`, a new lesson is added as by `add`; so the store ends
up the same, row by row and counter by counter.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

from reflection_mcp.server.dashboard.deeds import Deed, Unsaid, before, told
from reflection_mcp.server.dashboard.door import Form
from reflection_mcp.server.dashboard.views import TITLE, titled
from reflection_mcp.store.errors import StoreError
from reflection_mcp.store.feedback_rules import offered
from reflection_mcp.store.interactions import Feedback, FeedbackKind
from reflection_mcp.store.maintenance import StoredReflection
from reflection_mcp.store.records import Lesson, Reflection
from reflection_mcp.tools import review
from reflection_mcp.tools.errors import InvalidInput, NotFound, ReflectionError
from reflection_mcp.tools.feedback.record_feedback import (
    UNCHANGED,
    FeedbackRequest,
    record_feedback,
)
from reflection_mcp.tools.feedback.user_lesson import Learned
from reflection_mcp.tools.identity import text_signature
from reflection_mcp.tools.learning.review_queue import ReviewAction, ReviewItem
from reflection_mcp.tools.manual_lesson import (
    LessonDraft,
    add_lesson,
    draft_of,
    edit_lesson,
    lesson_to_edit,
)
from reflection_mcp.tools.ports import Services
from reflection_mcp.tools.reflect.persist import evicted
from reflection_mcp.tools.untrusted import in_one_line, presentable

VERDICTS = ("positive", "negative", "wrong_match", "match")
MOST_AT_ONCE = 100


class EditConflict(Exception):
    """Somebody else has changed the lesson since the form was made: both texts are shown."""

    def __init__(self, mine: LessonDraft) -> None:
        super().__init__("the lesson was changed meanwhile")
        self.mine = mine


def one(form: Form, name: str) -> str:
    """Return a field of a form, its lines ended as everywhere else; empty without it."""
    return form.get(name, [""])[0].replace("\r\n", "\n")


def seen(row: Reflection) -> str:
    """Return the digest of what a form shows of a lesson, so that it knows what it was made of."""
    return hashlib.sha256(repr(draft_of(row)).encode()).hexdigest()[:16]


async def give_verdict(services: Services, form: Form, name: str) -> Deed:
    """Say that a lesson, or one version of it, helped or failed, that a look-up was a wrong match,
    or that it was a right one after all."""
    kind = one(form, "kind")
    if kind not in VERDICTS:
        raise InvalidInput("no vote is given", f"pass one of {', '.join(VERDICTS)}")
    about = one(form, "about")
    if kind == "match":
        return await _joined(services, about)
    said = FeedbackRequest(
        feedback=cast("FeedbackKind", kind), id=about or name, comment=one(form, "comment")
    )
    if kind == "wrong_match":
        return await _parted(services, name, said)
    words = await _rows_saying(services, said.comment.strip())
    stood = await before(services, [name, *(each for each in words if each != name)])
    result = await record_feedback(services, said)
    vote = "vote: helped" if kind == "positive" else "vote: failed"
    lines = (vote, *result.lines) if result.changed else result.lines
    return await stood.deed(lines, result.learned)


async def _parted(services: Services, lesson: str, said: FeedbackRequest) -> Deed:
    """Say that a look-up found the wrong lesson; the undo lets it find that lesson again."""
    store, scope = services.store, services.scope
    lookup = await store.lookup(scope, said.id or "")
    vetoed: Mapping[str, str] = await store.vetoes(scope, lookup.signature) if lookup else {}
    # How to take it back is said to a model only: the page has a button.
    lines = (await record_feedback(services, said)).lines
    deed = told(services, [line.partition("; ")[0] for line in lines])
    if lookup is None or vetoed.keys() & set(offered(lookup)):
        return deed
    unsaid = Unsaid(about=lesson, back=_matching(services, lookup.id))
    return replace(deed, about=(lesson,), unsaid=(unsaid,))


async def _joined(services: Services, lookup: str) -> Deed:
    """Say that a look-up found the right lesson after all."""
    if await services.store.lookup(services.scope, lookup) is None:
        raise NotFound("no look-up has this id", "open the page again")
    effect = await services.store.apply_feedback(services.scope, _matching(services, lookup))
    lines = [f"{lesson} may be shown for this error again" for _, lesson in effect.restored]
    return told(services, lines or [UNCHANGED])


def _matching(services: Services, lookup: str) -> Feedback:
    """The feedback that takes a wrong match back, which is no vote."""
    by = services.caller.person
    return Feedback(kind="withdrawn", at=services.clock(), source=by, target_id=lookup)


async def _rows_saying(services: Services, *texts: str) -> list[str]:
    """Return the ids of the lessons of this project that have exactly one of these texts."""
    digests = [text_signature(text).rpartition(":")[2] for text in texts if text]
    hits = await services.store.find(services.scope, digests) if digests else ()
    own = (hit.reflection for hit in hits if hit.reflection.scope == services.scope)
    return list(dict.fromkeys(row.id for row in own))


async def edit(services: Services, form: Form, name: str) -> Deed:
    """Change what a lesson says.

    Raises:
        EditConflict: it says something else than the form was made from.
    """
    row = await lesson_to_edit(services, name)
    stands = draft_of(row.reflection)
    tags = tuple(tag.strip() for tag in one(form, "tags").split(",") if tag.strip())
    lesson = replace(
        stands.lesson,
        text=one(form, "lesson"),
        strategy=one(form, "strategy"),
        situations=tuple(line for line in one(form, "situations").splitlines() if line.strip()),
    )
    mine = replace(stands, lesson=lesson, tags=tags)
    if one(form, "seen") != seen(row.reflection):
        raise EditConflict(mine)
    return await _edited(services, row, mine, f"{name}: changed; the earlier text is kept")


async def retire(services: Services, form: Form, name: str) -> Deed:
    """Hide a lesson without deleting it."""
    row = await lesson_to_edit(services, name)
    mine = replace(draft_of(row.reflection), retired=True)
    return await _edited(services, row, mine, f"{name}: retired; it is no longer offered")


async def restore(services: Services, form: Form, name: str) -> Deed:
    """Offer a retired lesson again."""
    row = await lesson_to_edit(services, name)
    mine = replace(draft_of(row.reflection), retired=False)
    return await _edited(services, row, mine, f"{name}: restored")


async def _edited(services: Services, row: StoredReflection, mine: LessonDraft, line: str) -> Deed:
    if mine == draft_of(row.reflection):
        return told(services, ["nothing was changed"])
    stood = await before(services, [row.reflection.id])
    now = await edit_lesson(services, row, mine)
    if now.lesson != row.reflection.lesson and not now.suspicious:
        line += f"; now it says “{in_one_line(presentable(now.lesson, TITLE))}”"
    return await stood.deed([line])


async def forget(services: Services, form: Form, name: str) -> Deed:
    """Delete a lesson for good, if its id was typed again."""
    if one(form, "typed").strip() != name:
        raise InvalidInput("the id was not typed again", f"type {name} to delete it for good")
    (known,) = await titled(services, [name])  # afterwards nobody knows it
    result = await record_feedback(services, FeedbackRequest(feedback="forget", id=name))
    deed = told(services, [line.replace(name, known) for line in result.lines])
    return replace(deed, gone=result.forgotten)


async def settle(services: Services, form: Form, name: str, action: str) -> Deed:
    """Confirm, reject or share a lesson that waits, or merge the one against it into it."""
    item = await review.item_of(services, name)
    review.require(item, cast("ReviewAction", action))
    if action in ("project", "tenant"):  # a new row elsewhere is no change of this one
        return told(services, await review.share_item(services, item, action))
    stood = await before(services, sorted(item.names, key=name.__ne__))
    deed = await stood.deed(await _settled(services, item, action))
    row = await services.store.reflection(services.scope, name)
    if item.reason == "candidate" and action == "confirm" and row and row.retired:
        return replace(deed, back=())  # it is a version of another lesson, which stays
    return deed


async def _settled(services: Services, item: ReviewItem, action: str) -> Sequence[str]:
    if action == "merge" and item.against:
        return await review.merge_items(services, item.id, item.against.id)
    if action == "confirm":
        return await review.confirm_item(services, item)
    return await review.reject_item(services, item)


async def settle_several(services: Services, form: Form) -> Deed:
    """Confirm, reject or share several, one after the other; each that failed says why."""
    names = list(dict.fromkeys(form.get("id", [])))
    if not names:
        why = "Nothing was ticked, so nothing was changed: tick a lesson first."
        return told(services, [why])
    if len(names) > MOST_AT_ONCE:
        raise InvalidInput("too many lessons are ticked", f"tick at most {MOST_AT_ONCE}")
    deeds: list[Deed] = []
    failed: list[str] = []
    for name in names:
        try:
            deeds.append(await settle(services, form, name, one(form, "action")))
        except (ReflectionError, StoreError) as trouble:
            failed.append(f"{name}: not done, {trouble.message}")
    lines = (
        f"{len(deeds)} of {len(names)} done",
        *failed,
        *(line for deed in deeds for line in deed.lines),
    )
    return replace(
        told(services, lines),
        about=tuple(each for deed in deeds for each in deed.about),
        parts=tuple(deed for deed in deeds if deed.has_way_back),
    )


async def write_lesson(services: Services, form: Form, name: str) -> Deed:
    """Write the lesson of an error that was met and has none."""
    if (await services.store.met(services.scope, name)).since is None:
        raise NotFound("no error that was met here has this signature", "open the page again")
    lesson = Lesson(text=one(form, "lesson"), strategy=one(form, "strategy"))
    draft = LessonDraft(lesson=lesson, error=one(form, "error"), asked_as=name)
    stood = await before(services, await _rows_saying(services, lesson.text, lesson.strategy))
    rows = [Learned(result=each, event_id="") for each in await add_lesson(services, draft)]
    gone = await evicted(services, [each.row.id for each in rows])
    line = f"{rows[0].row.id}: stored; it is shown when the error comes back"
    return await stood.deed((line, *gone), rows)
