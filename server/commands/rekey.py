"""`doctor --rekey`: errors that an earlier version has signed get the signatures of this one."""

import argparse
from dataclasses import replace

from reflection_mcp.server.commands.place import Place
from reflection_mcp.server.wording import counted
from reflection_mcp.tools.learning.signature_renewal import Renewal, renew


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
    if place.as_json:
        place.give(
            {name: {"renewed": one.renewed, "left": one.left} for name, one in found.items()}
        )
        return 0
    for name, one in found.items():
        left = (
            f", {counted(one.left, 'error')} cannot be read by this version and stay as they are"
            if one.left
            else ""
        )
        place.say(f"{name}: {counted(one.renewed, 'signature')} updated{left}")
    return 0
