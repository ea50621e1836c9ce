"""The part of the contract about rows as a whole: export, import, moves, plans and their undo.

The promises are those of `contract`.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from reflection_mcp.store.history import Log, LogRow
from reflection_mcp.store.maintenance import Adopted, Change, StoredReflection
from reflection_mcp.store.records import Scope
from reflection_mcp.store.terms import Answer


class WholeRows(Protocol):
    """The operations of a store on whole rows, and on its logs."""

    def stored(
        self, scope: Scope, /, *, after: str = "", limit: int = 500, only: str = ""
    ) -> Answer[Sequence[StoredReflection]]:
        """Rows of exactly this scope in the order of their ids, from the one behind `after`, or
        `only` the one with this id: retired ones too, with links, wordings and all that finds
        them."""
        ...

    def adopt(
        self, scope: Scope, /, rows: Sequence[StoredReflection], *, by_hand: bool = False
    ) -> Answer[Adopted]:
        """Bring rows in from elsewhere, merged by kind and signature as `maintenance.united` says.

        The same rows again change nothing. A new row keeps its counters, and its id unless another
        row has that one."""
        ...

    def move(self, scope: Scope, /, ids: Sequence[str], project: str) -> Answer[Mapping[str, str]]:
        """Move reflections of exactly this scope to another project of the tenant, all or none.

        Versions, votes, counters, author and id go along. Where the other project has a row of the
        same kind and signature, the words become versions of that one, what it shows first stays,
        and what both counted is added up. Returns the ids of those that were moved, each with the
        id under which it is found from then on."""
        ...

    def history(
        self, scope: Scope, /, log: Log, *, after: LogRow | None = None, limit: int = 500
    ) -> Answer[Sequence[LogRow]]:
        """Rows of a log of exactly this scope in the order of its key, from the one behind `after`;
        `store.history` has the forms."""
        ...

    def restore(self, scope: Scope, /, log: Log, rows: Sequence[LogRow]) -> Answer[int]:
        """Add rows of a log that came from another store, as they are: nothing is counted again.

        Rows that are there already stay as they are. Returns the number of the others."""
        ...

    def rewrite(
        self, scope: Scope, /, changes: Sequence[Change], *, consolidated: datetime | None = None
    ) -> Answer[tuple[str, ...]]:
        """Carry out all changes, or none.

        If they are those of a plan that is `consolidated` now, what undoes them takes the place of
        what undid the last one.

        Returns the ids of the rows that are gone or say something else than `before`, or whose new
        signature another row has; if there is one, nothing was changed. Mere counting in between
        is no hindrance and is kept. Look-ups, what they showed and vetoes of other rows that are
        logged under a signature that a change has `renamed` are from then on under the new one."""
        ...

    def changes_undone(self, scope: Scope, /) -> Answer[Sequence[Change]]:
        """Return the changes that undo the last consolidation of exactly this scope, without those
        of rows that were deleted or moved since; none if there was none, or it was undone."""
        ...

    def undo(self, scope: Scope, /) -> Answer[tuple[int, tuple[str, ...]]]:
        """Undo the last consolidation of exactly this scope, as far as its rows say what they said
        after it. Returns how many rows are as before it, and the ids of the others."""
        ...

    def claim_consolidation(
        self, scope: Scope, /, *, at: datetime, since: datetime
    ) -> Answer[bool]:
        """Return True and note the time, unless the last consolidation of exactly this scope, or
        the last such claim, was after `since`."""
        ...
