"""`review`: decides about lessons that need a person, one after the other or one by its id.

Rule: what is done to a lesson is done by the use case or sub-command that does it elsewhere. A line
from the terminal is enough to answer with; what cannot be done is said, and asked again.
"""

import argparse
from collections.abc import Sequence
from typing import Any, cast

from reflection_mcp.server.commands.consent import at_a_terminal, typed_line
from reflection_mcp.server.commands.draft import edit_lessons
from reflection_mcp.server.commands.maintenance import forget_lessons
from reflection_mcp.server.commands.place import Place
from reflection_mcp.server.wording import counted
from reflection_mcp.store.errors import StoreError
from reflection_mcp.store.records import Reflection
from reflection_mcp.tools import review
from reflection_mcp.tools.errors import InvalidInput, ReflectionError
from reflection_mcp.tools.learning.maintenance import UNDONE_BY
from reflection_mcp.tools.learning.review_queue import ReviewAction, ReviewItem, waiting_items
from reflection_mcp.tools.recall.candidates import confirmed
from reflection_mcp.tools.untrusted import stored

DONE, NOT_DONE = 0, 1
SHOWN = 1_000  # characters of a text
WHAT_IT_DOES: dict[str, str] = {
    "confirm": "it is right: a candidate fix becomes a lesson; of two contradicting lessons, the "
    "other one is retired",
    "reject": "it is wrong: it is no longer offered; `edit ID --restore` brings it back",
    "edit": "rewrite it in your editor; this also confirms a candidate fix",
    "merge": "keep this one; the other one becomes a version of it",
    "forget": "delete it for good",
    "project": "share it with everybody in the project",
    "tenant": "share it with every project of the tenant",
    "skip": "decide later",
    "quit": "end here",
}
KEYS = {name[0]: name for name in WHAT_IT_DOES}


async def review_lessons(place: Place, arguments: argparse.Namespace) -> int:
    """`review`: ask about each, print the list, or act on one."""
    if arguments.id is not None:
        return await _act_on_one(place, arguments)
    items = await waiting_items(place.store, place.scope)
    if place.as_json:
        place.give([_body(item) for item in items])
    elif not items:
        place.talk("nothing waits for review")
    elif arguments.list or not at_a_terminal():
        for item in items:
            place.say(_described(item))
            place.say(f"  {', '.join(item.actions)}\n")
    else:
        return await _ask_about_each(place)
    return DONE


def _body(item: ReviewItem) -> dict[str, Any]:
    """An item as a program gets it."""
    against = None if item.against is None else _texts(item.against)
    more = {"reason": item.reason, "why": item.why, "actions": item.actions, "against": against}
    return _texts(item.row) | more


def _texts(row: Reflection) -> dict[str, Any]:
    return {
        "id": row.id,
        "lesson": row.lesson,
        "strategy": row.strategy,
        "error": row.example or row.trigger,
        "source": row.source,
        "last_seen": row.last_seen,
    }


def _described(item: ReviewItem) -> str:
    """An item for a reader: what others wrote is quoted."""
    lines = [f"{item.id}: {item.why}", *_quotations(item.row)]
    if item.against is not None:
        lines += [f"  {item.against.id}:", *_quotations(item.against)]
    return "\n".join(lines)


def _quotations(row: Reflection) -> list[str]:
    error = row.example or row.trigger
    texts = (("lesson", row.lesson), ("strategy", row.strategy), ("error", error))
    lines = [f"  {name}: {stored(text, SHOWN)}" for name, text in texts if text]
    return [*lines, f"  from {stored(row.source, 80)}, last on {row.last_seen:%Y-%m-%d}"]


# --------------------------------------------------------------------- one after the other


async def _ask_about_each(place: Place) -> int:
    """Show one item, do what is typed, go on until nothing is left or nobody wants to."""
    passed: set[frozenset[str]] = set()
    settled = 0
    while left := await _left(place, passed):
        item = left[0]
        place.say(f"\n{counted(len(left), 'lesson')} left\n{_described(item)}")
        action = _typed_action(place, item)
        if action == "quit":
            break
        if action == "skip":
            passed.add(item.names)
            continue
        try:
            done = await _done(place, item, action, _bare(item.id))
        except (ReflectionError, StoreError) as trouble:
            place.talk(f"{trouble.message}: {trouble.hint}")
            done = NOT_DONE
        if done == DONE:
            settled += 1
            passed.add(item.names)
    rest = len(await waiting_items(place.store, place.scope))
    place.talk(f"{settled} reviewed; {rest} left")
    return DONE


async def _left(place: Place, passed: set[frozenset[str]]) -> Sequence[ReviewItem]:
    items = await waiting_items(place.store, place.scope)
    return [item for item in items if item.names not in passed]


def _typed_action(place: Place, item: ReviewItem) -> str:
    """What was typed, by its first letter or whole; the end of the input is the end."""
    choices = (*item.actions, "skip", "quit")
    prompt = "  ".join(f"[{name[0]}]{name[1:]}" for name in choices)
    while True:
        place.talk(f"{prompt}  [?] help  (Enter: skip)")
        line = typed_line()
        if line is None:
            return "quit"
        word = line.strip().casefold() or "skip"
        action = KEYS.get(word, word)
        if action in choices:
            return action
        for name in choices:
            place.talk(f"  {name[0]}  {name}: {WHAT_IT_DOES[name]}")


# --------------------------------------------------------------------- acting


async def _act_on_one(place: Place, arguments: argparse.Namespace) -> int:
    if arguments.action is None:
        actions = (name for name in WHAT_IT_DOES if name not in ("skip", "quit"))
        raise InvalidInput("no action was passed", f"pass one of {', '.join(actions)}")
    if arguments.action == "merge" and arguments.other is not None:
        return await _merged(place, arguments.id, arguments.other)
    item = await review.item_of(place.services, arguments.id)
    return await _done(place, item, arguments.action, arguments)


def _bare(name: str) -> argparse.Namespace:
    """The arguments of a sub-command that is called for a lesson, with none of its flags."""
    return argparse.Namespace(
        id=name, lesson=None, strategy=None, yes=False, ids=[name], all=False, dry_run=False
    )


async def _done(place: Place, item: ReviewItem, action: str, said: argparse.Namespace) -> int:
    """Do it with the use case that does it elsewhere."""
    review.require(item, cast("ReviewAction", action))
    if action == "merge":
        assert item.against is not None, "only what contradicts another one is merged"
        return await _merged(place, item.id, item.against.id)
    if action == "edit":
        return await _edited(place, item, said)
    if action == "forget":
        bare = _bare(item.id)
        bare.yes = said.yes
        return await forget_lessons(place, bare)
    if action in ("project", "tenant"):
        lines = await review.share_item(place.services, item, action)
    elif action == "confirm":
        lines = await review.confirm_item(place.services, item)
    else:
        lines = await review.reject_item(place.services, item)
        if item.reason != "candidate":
            lines = _with(lines, f"`reflection-mcp edit {item.id} --restore` brings it back")
    _tell(place, item.id, action, lines)
    return DONE


async def _edited(place: Place, item: ReviewItem, said: argparse.Namespace) -> int:
    name = item.id
    if item.reason == "candidate":
        lesson = await review.lesson_of(place.services, item.row)
        place.talk(confirmed(item.row, lesson))
        name = lesson.id
    empty = dict.fromkeys(("tag", "situation", "importance", "retired"))
    texts = {"lesson": said.lesson, "strategy": said.strategy}
    return await edit_lessons(place, argparse.Namespace(id=name, **texts, **empty))


async def _merged(place: Place, kept: str, other: str) -> int:
    lines = await review.merge_items(place.services, kept, other)
    _tell(place, kept, "merge", _with(lines, f"{UNDONE_BY} undoes that"))
    return DONE


def _with(lines: Sequence[str], way_back: str) -> tuple[str, ...]:
    """The lines with what undoes the last one."""
    return (*lines[:-1], f"{lines[-1]}; {way_back}")


def _tell(place: Place, name: str, action: str, lines: Sequence[str]) -> None:
    place.tell({"id": name, "action": action, "changes": list(lines)}, lines)
