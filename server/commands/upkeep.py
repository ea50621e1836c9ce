"""`forget`, `consolidate`, `prune`: what is deleted is counted, what is changed can be undone."""

import argparse
from collections.abc import Sequence

from reflection_mcp.server.commands.consent import consented
from reflection_mcp.server.commands.listing import record_of
from reflection_mcp.server.commands.place import Place
from reflection_mcp.server.commands.undo import leave_out, remember, remembered, undo_file
from reflection_mcp.server.counts import counted
from reflection_mcp.store.records import Reflection, Scope
from reflection_mcp.tools.errors import InvalidInput
from reflection_mcp.tools.learning import maintenance
from reflection_mcp.tools.learning.consolidation import ConsolidationPlan
from reflection_mcp.tools.untrusted import in_one_line, presentable, stored

WRONG = 1


async def forget_lessons(place: Place, arguments: argparse.Namespace) -> int:
    """`forget`: delete records with all that hangs on them, a strategy with its last lesson."""
    if arguments.all == bool(arguments.ids):
        raise InvalidInput("nothing is named, or too much", "pass the ids of records, or --all")
    asked = list(dict.fromkeys(arguments.ids))
    known = await _everything(place) if arguments.all else await _known(place, asked)
    along = {} if arguments.all else await _strategies_along(place, known)
    known += along
    unknown = [each for each in asked if each not in known]
    word = place.scope.project if arguments.all else "yes"
    what = f"{counted(len(known), 'record')} of {place.scope.project}"
    if known and not arguments.dry_run and not consented(what, yes=arguments.yes, word=word):
        return WRONG
    if not arguments.dry_run:
        with place.progress("deleting", len(known)) as progress:
            for done, each in enumerate(known, 1):
                await place.store.forget(place.scope, each)
                progress(done)
        leave_out(undo_file(place.settings.store, place.scope), place.scope, known)
    told = "would be deleted" if arguments.dry_run else "deleted"
    if place.as_json:
        key = "would_be_forgotten" if arguments.dry_run else "forgotten"
        place.give({key: known, "unknown": unknown})
    else:
        for each in known:
            place.say(
                f"{each}: {told}" + (f", the strategy of {along[each]}" if each in along else "")
            )
        for each in unknown:
            place.talk(
                f"{presentable(in_one_line(each), 100)}: nothing of this project has this id"
            )
    return WRONG if unknown else 0


async def _everything(place: Place) -> list[str]:
    """The ids of all lessons of the project."""
    return [row.reflection.id async for row in maintenance.rows_of(place.store, place.scope)]


async def _known(place: Place, ids: Sequence[str]) -> list[str]:
    """Those that name a record of this very project: what is global is deleted there."""
    everywhere = Scope(tenant=place.scope.tenant)
    known: list[str] = []
    for each in ids:
        found = await record_of(place.store, place.scope, each)
        shared = place.scope != everywhere and await record_of(place.store, everywhere, each)
        if found is not None and found != shared:
            known.append(each)
    return known


async def _strategies_along(place: Place, ids: Sequence[str]) -> dict[str, str]:
    """The strategies that came with these lessons and with no other, each with its lesson."""
    along: dict[str, str] = {}
    async for row in maintenance.rows_of(place.store, place.scope):
        links = row.reflection.links
        lessons = [link.target_id for link in links if link.kind == "strategy_of"]
        if row.reflection.id not in ids and lessons and set(lessons) <= set(ids):
            along[row.reflection.id] = lessons[0]
    return along


# --------------------------------------------------------------------- consolidating


async def consolidate_lessons(place: Place, arguments: argparse.Namespace) -> int:
    """`consolidate`: plan, print, apply; or take the last one back."""
    if arguments.undo:
        return await (_show_undo(place) if arguments.dry_run else _undo(place))
    with place.progress("reading") as progress:
        plan = await maintenance.consolidate(
            place.store,
            place.scope,
            place.services.clock,
            dry_run=arguments.dry_run,
            remember=lambda plan: _remember(place, plan),
            progress=progress,
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
        place.say(f"{changed} changed; `consolidate --undo` takes it back")
    else:
        place.say(f"{counted(len(plan.changes), 'lesson')} would be changed; nothing was")


def _remember(place: Place, plan: ConsolidationPlan) -> None:
    path = undo_file(place.settings.store, place.scope)
    if path is not None:
        remember(path, place.scope, plan.changes)


async def _undo(place: Place) -> int:
    path, changes = remembered(undo_file(place.settings.store, place.scope), place.scope)
    restored, hindered = await maintenance.undo_plan(place.store, place.scope, changes)
    remember(path, place.scope, ())
    if place.as_json:
        place.give({"restored": restored, "changed_since": list(hindered)})
    else:
        place.say(f"{counted(restored, 'lesson')} put back as before the last consolidation")
        for each in hindered:
            place.talk(f"{each}: changed since, left as it is")
    return WRONG if hindered else 0


async def _show_undo(place: Place) -> int:
    """What `_undo` would do, which is not done."""
    _, changes = remembered(undo_file(place.settings.store, place.scope), place.scope)
    with place.progress("reading") as progress:
        hindered = await maintenance.rows_changed_since(place.store, place.scope, changes, progress)
    rows = [change.after.reflection for change in changes]
    rows = [row for row in rows if row.id not in hindered]
    if place.as_json:
        place.give({"would_be_restored": [row.id for row in rows], "changed_since": list(hindered)})
        return WRONG if hindered else 0
    for row in rows:
        place.say(f"{row.id}: {_in_short(row)}")
    place.say(f"{counted(len(rows), 'lesson')} would be put back; nothing was")
    for each in hindered:
        place.talk(f"{each}: changed since, would be left as it is")
    return WRONG if hindered else 0


def _in_short(row: Reflection) -> str:
    return str(stored(row.lesson or row.trigger, 100))


# --------------------------------------------------------------------- pruning


async def prune_lessons(place: Place, arguments: argparse.Namespace) -> int:
    """`prune`: delete the least useful lessons over the limit, or print which they are."""
    asked: int | None = arguments.max_entries
    most = place.settings.max_entries if asked is None else asked
    found = await maintenance.excess(place.store, place.scope, place.services.clock(), most)
    what = f"{len(found.rows):,} of {found.total:,} lessons of {place.scope.project}"
    if not arguments.dry_run and found.rows:
        if not consented(what, yes=arguments.yes):
            return WRONG
        with place.progress("deleting", len(found.rows)) as progress:
            await maintenance.evict(place.store, place.scope, found.rows, progress)
    deleted = "would be deleted" if arguments.dry_run else "deleted"
    if place.as_json:
        rows = [row.id for row in found.rows]
        place.give({"kept": found.total - len(rows), deleted.replace(" ", "_"): rows})
        return 0
    for row in found.rows:
        place.say(f"{row.id}: {_in_short(row)}")
    limit = f"at most {most:,} are kept" if most else "there is no limit"
    place.say(f"{len(found.rows):,} of {found.total:,} lessons {deleted}; {limit}")
    return 0
