"""`forget`, `consolidate`, `prune`, and `doctor --rekey`, which updates signatures.

Rule: what is deleted is counted, what is changed can be undone.
"""

import argparse
from collections.abc import Collection
from dataclasses import replace

from reflection_mcp.server.commands.consent import consented
from reflection_mcp.server.commands.place import Place
from reflection_mcp.server.wording import counted
from reflection_mcp.store.records import Reflection
from reflection_mcp.tools.errors import InvalidInput
from reflection_mcp.tools.feedback.deletion import delete, deletion_of, deletion_of_all
from reflection_mcp.tools.learning import maintenance, row_limit
from reflection_mcp.tools.learning.consolidation import ConsolidationPlan
from reflection_mcp.tools.learning.signature_renewal import Renewal, renew
from reflection_mcp.tools.untrusted import in_one_line, presentable, stored

WRONG = 1


async def forget_lessons(place: Place, arguments: argparse.Namespace) -> int:
    """`forget`: delete records with all that hangs on them, a strategy with its last lesson."""
    if arguments.all == bool(arguments.ids):
        raise InvalidInput("pass either ids or --all", "`reflection-mcp list` prints ids")
    asked = list(dict.fromkeys(arguments.ids))
    services = place.services
    with place.progress() as progress:
        plan = await (
            deletion_of_all(services, progress.stage)
            if arguments.all
            else deletion_of(services, asked, progress.stage)
        )
    known, unknown = list(plan.all), list(plan.unknown)
    word = place.scope.project if arguments.all else "yes"
    what = f"{counted(len(known), 'record')} of {place.scope.project}"
    if known and not arguments.dry_run and not consented(what, yes=arguments.yes, word=word):
        return WRONG
    if not arguments.dry_run:
        with place.progress() as progress:
            await delete(services, known, progress.stage)
    done = "would be deleted" if arguments.dry_run else "deleted"
    if place.as_json:
        key = "would_be_forgotten" if arguments.dry_run else "forgotten"
        place.give({key: known, "unknown": unknown})
    else:
        for each in known:
            place.say(
                f"{each}: {done}"
                + (f", the strategy of {plan.along[each]}" if each in plan.along else "")
            )
        for each in unknown:
            place.talk(
                f"{presentable(in_one_line(each), 100)}: this project has no record with this id"
            )
    return WRONG if unknown else 0


# --------------------------------------------------------------------- consolidating


async def consolidate_lessons(place: Place, arguments: argparse.Namespace) -> int:
    """`consolidate`: plan, print, apply; or take the last one back."""
    if arguments.undo:
        return await (_show_undo(place) if arguments.dry_run else _undo(place))
    with place.progress() as progress:
        plan = await maintenance.consolidate(
            place.services, dry_run=arguments.dry_run, stage=progress.stage
        )
    _print_plan(place, plan, applied=not arguments.dry_run)
    return 0


def _print_plan(place: Place, plan: ConsolidationPlan, *, applied: bool) -> None:
    if place.as_json:
        steps = [{"deed": step.deed, "id": step.id, "why": step.why} for step in plan.steps]
        place.give({"applied": applied, "rows": len(plan.changes), "steps": steps})
        return
    for step in plan.steps:
        place.say(str(step))
    if not plan.steps:
        place.say("nothing to do")
    elif applied:
        changed = counted(len(plan.changes), "lesson")
        place.say(f"{changed} changed; {maintenance.UNDONE_BY} undoes it")
    else:
        place.say(f"{counted(len(plan.changes), 'lesson')} would be changed")


async def _undo(place: Place) -> int:
    restored, hindered = await maintenance.undo(place.services)
    line = f"{counted(restored, 'lesson')} restored as before the last consolidation"
    place.tell({"restored": restored, "changed_since": list(hindered)}, [line])
    return _hindered(place, hindered, "left as it is")


async def _show_undo(place: Place) -> int:
    """What `_undo` would do, which is not done."""
    changes = await maintenance.undoing_changes(place.services)
    with place.progress() as progress:
        hindered = await maintenance.rows_changed_since(place.services, changes, progress.stage)
    rows = [change.after.reflection for change in changes]
    rows = [row for row in rows if row.id not in hindered]
    place.tell(
        {"would_be_restored": [row.id for row in rows], "changed_since": list(hindered)},
        [
            *(f"{row.id}: {_in_short(row)}" for row in rows),
            f"{counted(len(rows), 'lesson')} would be restored",
        ],
    )
    return _hindered(place, hindered, "would be left as it is")


def _hindered(place: Place, hindered: Collection[str], what: str) -> int:
    """Say what was changed by others since; returns the exit code."""
    for each in () if place.as_json else hindered:
        place.talk(f"{each}: changed since, {what}")
    return WRONG if hindered else 0


def _in_short(row: Reflection) -> str:
    return str(stored(row.lesson or row.trigger, 100))


# --------------------------------------------------------------------- pruning


async def prune_lessons(place: Place, arguments: argparse.Namespace) -> int:
    """`prune`: delete the least useful lessons over the limit, or print which they are."""
    asked: int | None = arguments.max_entries
    most = place.settings.max_entries if asked is None else asked
    now = place.services.clock()
    with place.progress() as progress:
        found = await row_limit.excess(place.store, place.scope, now, most, stage=progress.stage)
    what = f"{found.lessons:,} of {found.total:,} lessons of {place.scope.project}"
    if not arguments.dry_run and found.rows:
        if not consented(what, yes=arguments.yes):
            return WRONG
        with place.progress() as progress:
            await row_limit.evict(place.store, place.scope, found.rows, progress.stage)
    deleted = "would be deleted" if arguments.dry_run else "deleted"
    limit = f"at most {most:,} are kept" if most else "there is no limit"
    place.tell(
        {
            "kept": found.total - found.lessons,
            deleted.replace(" ", "_"): [row.id for row in found.rows],
        },
        [
            *(f"{row.id}: {_in_short(row)}" for row in found.rows),
            f"{found.lessons:,} of {found.total:,} lessons {deleted}; {limit}",
        ],
    )
    return 0


# --------------------------------------------------------------------- signatures


async def rekey_lessons(place: Place, arguments: argparse.Namespace) -> int:
    """Sign the errors of this project anew, those of a person's own in it, and the lessons that all
    projects share."""
    found: dict[str, Renewal] = {}
    places = [
        replace(place.scope, project=name) for name in await place.store.places(place.scope.tenant)
    ]
    own = [each for each in places if each.person and each.shared == place.scope]
    for scope in (*place.scope.readable, *own):
        with place.progress() as progress:
            found[scope.project] = await renew(place.store, scope, progress.stage)
    lines = [
        f"{name}: {counted(one.renewed, 'signature')} updated"
        + (
            f", {counted(one.left, 'error')} cannot be read by this version and stay as they are"
            if one.left
            else ""
        )
        for name, one in found.items()
    ]
    body = {name: {"renewed": one.renewed, "left": one.left} for name, one in found.items()}
    place.tell(body, lines)
    return 0
