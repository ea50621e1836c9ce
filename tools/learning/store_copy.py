"""A copy of one store into another: lessons with all that belongs to them, and the logs.

Rules of this module: a page is one transaction of the target, so that a copy can be killed at any
time; one that is made again goes on, and changes nothing that is there already. Lessons that both
have are united (`store.maintenance`), rows of logs that both have stay as they are in the target.
What `store.history` calls work under way is not copied.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from reflection_mcp.store.contract import Store
from reflection_mcp.store.history import LOGS, LogRow
from reflection_mcp.store.maintenance import Adopted
from reflection_mcp.store.records import Scope
from reflection_mcp.tools.learning.stored_rows import PAGE


@dataclass(frozen=True, slots=True, kw_only=True)
class Copied:
    """The result of a copy: lessons as of an import, and new `entries` of the logs."""

    lessons: Adopted = field(default_factory=Adopted)
    entries: int = 0

    def __add__(self, other: "Copied") -> "Copied":
        """Both together."""
        return Copied(lessons=self.lessons + other.lessons, entries=self.entries + other.entries)


async def copy_scope(
    source: Store, target: Store, scope: Scope, progress: Callable[[int], None]
) -> Copied:
    """Copy what belongs to exactly this scope.

    Args:
        source: what is read.
        target: what is written to.
        scope: tenant and project, the same in both.
        progress: called with how many rows more were copied.
    """
    entries = 0
    for log in LOGS:
        last: LogRow | None = None
        while page := await source.history(scope, log, after=last, limit=PAGE):
            entries += await target.restore(scope, log, page)
            last = page[-1]
            progress(len(page))
    lessons, name = Adopted(), ""
    while rows := await source.stored(scope, after=name, limit=PAGE):
        lessons += await target.adopt(scope, rows)
        name = rows[-1].reflection.id
        progress(len(rows))
    return Copied(lessons=lessons, entries=entries)
