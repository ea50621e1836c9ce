"""The places of a tenant that somebody may open: its projects, and their own in them.

Rule of this module: nobody is even told that others have places of their own.
"""

from reflection_mcp.store.records import Scope
from reflection_mcp.store.state import Stats
from reflection_mcp.tools.ports import Services


async def places(services: Services) -> dict[str, Stats]:
    """Return the places of the tenant that the reader may open: projects, and their own in them."""
    found = await services.store.places(services.scope.tenant)
    readers = ("", services.caller.principal or services.scope.person)
    return {name: each for name, each in found.items() if Scope(project=name).person in readers}


async def own_place(services: Services) -> str:
    """Return the reader's own place in this project, if anything is in it and it is not open."""
    scope, person = services.scope, services.caller.principal
    if not person or scope.person:
        return ""
    own = scope.of(person)
    return own.project if await services.store.count(own, "reflection") else ""
