"""`copy --to LOCATION`: everything of a tenant into another store."""

import argparse
from dataclasses import asdict

from reflection_mcp.server.application import open_store
from reflection_mcp.server.commands.place import Place
from reflection_mcp.server.settings.places import printable
from reflection_mcp.server.wording import counted
from reflection_mcp.store.records import Scope
from reflection_mcp.tools.errors import InvalidInput
from reflection_mcp.tools.learning.store_copy import Copied, copy_scope


async def copy_lessons(place: Place, arguments: argparse.Namespace) -> int:
    """Copy every project of the tenant, or with `--only-project` the one of the settings."""
    if arguments.to == place.settings.store:
        raise InvalidInput("the store cannot be copied to itself", "pass --to another location")
    tenant = place.scope.tenant
    projects = dict(await place.store.places(tenant))
    if arguments.only_project:
        name = place.scope.project
        own = [each for each in projects if Scope(project=each).shared.project == name]
        projects = {name: await place.store.stats(Scope(tenant=tenant, project=name))} | {
            each: projects[each] for each in own
        }
    total = sum(
        each.reflections + each.strategies + each.attempts + each.lookups
        for each in projects.values()
    )
    target = await open_store(arguments.to)
    done, passed = dict[str, Copied](), 0
    try:
        with place.progress("copying", total) as progress:

            def more(rows: int) -> None:
                nonlocal passed
                passed += rows
                progress(passed)

            for name in projects:
                scope = Scope(tenant=tenant, project=name)
                done[name] = await copy_scope(place.store, target, scope, more)
    finally:
        await target.close()
    lines = [
        f"{name}: {counted(one.lessons.created, 'lesson')} copied, {one.lessons.changed:,} merged,"
        f" {one.lessons.unchanged:,} already there; {one.entries:,} new log entries"
        for name, one in done.items()
    ]
    nothing = f"nothing to copy: the store holds nothing of the tenant {printable(tenant)}"
    place.tell({name: asdict(one) for name, one in done.items()}, lines or [nothing])
    return 0
