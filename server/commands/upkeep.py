"""`forget`, `consolidate`, `prune`: what is deleted is counted, what is changed can be undone."""

import argparse

from reflection_mcp.server.commands.place import Place
from reflection_mcp.server.commands.undo import remember, remembered, undo_file
from reflection_mcp.tools.errors import InvalidInput
from reflection_mcp.tools.learning import upkeep
from reflection_mcp.tools.learning.consolidation import Plan
from reflection_mcp.tools.untrusted import presentable

WRONG = 1


async def forget_lessons(place: Place, arguments: argparse.Namespace) -> int:
    """`forget`: delete records with all that hangs on them."""
    if not (arguments.all or arguments.ids):
        raise InvalidInput("nothing is named", "pass the ids of records, or --all --yes")
    wanted = await _everything(place, arguments) if arguments.all else arguments.ids
    with place.progress("deleting", len(wanted)) as progress:
        gone: list[str] = []
        for each in wanted:
            if await place.store.forget(place.scope, each):
                gone.append(each)
            progress(len(gone))
    unknown = [each for each in wanted if each not in set(gone)]
    if place.as_json:
        place.give({"forgotten": gone, "unknown": unknown})
    else:
        for each in gone:
            place.say(f"{each}: deleted")
        for each in unknown:
            place.talk(f"{each}: nothing here has this id")
    return WRONG if unknown else 0


async def _everything(place: Place, arguments: argparse.Namespace) -> list[str]:
    """The ids of all lessons of the project, if that was really meant."""
    ids = [row.reflection.id async for row in upkeep.rows_of(place.store, place.scope)]
    if not arguments.yes:
        raise InvalidInput(
            f"{len(ids):,} lessons of {place.scope.project} would be deleted for good",
            "export them first; then pass --all --yes",
        )
    return ids


# --------------------------------------------------------------------- consolidating


async def consolidate_lessons(place: Place, arguments: argparse.Namespace) -> int:
    """`consolidate`: plan, print, apply; or take the last one back."""
    if arguments.undo:
        return await _undo(place)
    with place.progress("reading") as progress:
        plan = await upkeep.consolidate(
            place.store,
            place.scope,
            place.workshop.clock,
            dry_run=arguments.dry_run,
            remember=lambda plan: _remember(place, plan),
            progress=progress,
        )
    _print_plan(place, plan, applied=not arguments.dry_run)
    return 0


def _print_plan(place: Place, plan: Plan, *, applied: bool) -> None:
    if place.as_json:
        steps = [{"deed": step.deed, "id": step.id, "why": step.why} for step in plan.steps]
        place.give({"applied": applied, "rows": len(plan.changes), "steps": steps})
        return
    for step in plan.steps:
        place.say(presentable(str(step), 300))
    if not plan.steps:
        place.say("nothing to do")
    elif applied:
        place.say(f"{len(plan.changes):,} lessons changed; `consolidate --undo` takes it back")
    else:
        place.say(f"{len(plan.changes):,} lessons would be changed; nothing was")


def _remember(place: Place, plan: Plan) -> None:
    path = undo_file(place.settings.store)
    if path is not None:
        remember(path, place.scope, plan.changes)


async def _undo(place: Place) -> int:
    path, changes = remembered(undo_file(place.settings.store), place.scope)
    restored, hindered = await upkeep.take_back(place.store, place.scope, changes)
    remember(path, place.scope, ())
    if place.as_json:
        place.give({"restored": restored, "changed_since": list(hindered)})
    else:
        place.say(f"{restored:,} lessons are as they were before the last consolidation")
        for each in hindered:
            place.talk(f"{each}: changed since, left as it is")
    return WRONG if hindered else 0


# --------------------------------------------------------------------- pruning


async def prune_lessons(place: Place, arguments: argparse.Namespace) -> int:
    """`prune`: delete the least useful lessons over the limit, or print which they are."""
    asked: int | None = arguments.max_entries
    most = place.settings.max_entries if asked is None else asked
    if most < 0:
        raise InvalidInput("--max-entries is negative", "pass how many to keep, or 0 for no limit")
    with place.progress("deleting") as progress:
        found = await upkeep.prune(
            place.store,
            place.scope,
            place.workshop.clock(),
            most,
            dry_run=arguments.dry_run,
            progress=progress,
        )
    deleted = "would be deleted" if arguments.dry_run else "deleted"
    if place.as_json:
        rows = [row.id for row in found.rows]
        place.give({"kept": found.total - len(rows), deleted.replace(" ", "_"): rows})
        return 0
    for row in found.rows:
        text = presentable(row.lesson or row.trigger, 100)
        place.say(f"{row.id}: {' '.join(text.split())}")
    limit = f"at most {most:,} are kept" if most else "there is no limit"
    place.say(f"{len(found.rows):,} of {found.total:,} lessons {deleted}; {limit}")
    return 0
