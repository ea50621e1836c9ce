"""`list --kind attempt`: lists judged answers, the newest first."""

import argparse
from collections.abc import Sequence
from datetime import datetime

from reflection_mcp.server.commands.place import Place
from reflection_mcp.store.archive import body_of
from reflection_mcp.store.records import Attempt
from reflection_mcp.tools.errors import InvalidInput
from reflection_mcp.tools.untrusted import stored

HEADINGS = ("id", "quality", "feedback", "outcome", "on", "question", "issue")
MOST_READ = 10_000  # attempts that are looked through for those that pass the filters
SHOWN = 200  # characters of a text


async def list_attempts(
    place: Place, arguments: argparse.Namespace, since: datetime | None
) -> None:
    """Print the attempts that pass the filters.

    Raises:
        InvalidInput: a filter is given that attempts do not have.
    """
    if arguments.error_type or arguments.min_importance or arguments.order != "newest":
        raise InvalidInput(
            "attempts have no error type and no importance, and are listed newest first",
            "filter them by --max-quality, --outcome, --tag and --since",
        )
    tags = {tag.casefold() for tag in arguments.tag}
    rows = await place.store.attempts(
        place.scope,
        max_quality=arguments.max_quality,
        since=since,
        limit=MOST_READ,
    )
    found = [
        row for row in rows if arguments.outcome in (None, row.outcome) and tags <= set(row.tags)
    ][: arguments.limit or None]
    place.table([body_of(row) for row in found], HEADINGS, [_cells(row) for row in found])


def _cells(row: Attempt) -> Sequence[str]:
    return (
        row.id,
        "-" if row.quality is None else f"{row.quality:.2f}",
        row.feedback or "-",
        row.outcome or "-",
        f"{row.at:%Y-%m-%d}",
        f"{stored(row.question, SHOWN)}",
        f"{stored(row.issues[0], SHOWN)}" if row.issues else "",
    )
