"""The statements that each database needs of its own.

Rule of this module: what is here is said twice, because the two databases find it by other indexes,
keep it in other tables, or say it in one statement where the other takes several. `db` is a `Db` of
the database's own kind. A method without a docstring answers the question of `Store` that has its
arguments; one that changes a row is called in a transaction, after `lock`.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from reflection_mcp.store.history import Log, LogRow
from reflection_mcp.store.interactions import Lookup
from reflection_mcp.store.maintenance import StoredReflection
from reflection_mcp.store.records import (
    Hit,
    Key,
    Kind,
    Link,
    Observation,
    RecordResult,
    Reflection,
    Wording,
)
from reflection_mcp.store.rows import StoredRow, WholeRow
from reflection_mcp.store.state import Stats
from reflection_mcp.store.terms import Order


class Count(NamedTuple):
    """One more meeting of a row: what it adds to the counters, and when it was."""

    occurrences: int
    sources: int
    repeated: int
    seen: int


class Statements(Protocol):
    """A module of each database."""

    # ----------------------------------------------------------------- reading

    async def listed(
        self,
        db: Any,
        *,
        kind: Kind | None = None,
        tags: Sequence[str] = (),
        min_importance: float = 0.0,
        error_type: str | None = None,
        include_retired: bool = False,
        order: Order = "newest",
        limit: int = 10,
        after: Reflection | None = None,
    ) -> Sequence[Reflection]: ...

    async def shortlisted(
        self, db: Any, features: Sequence[int], *, limit: int = 30
    ) -> Sequence[Reflection]: ...

    async def searched(
        self, db: Any, words: Sequence[str], *, limit: int = 20
    ) -> Sequence[tuple[Reflection, float]]: ...

    async def found(
        self, db: Any, digests: Sequence[str], signature: str, limit: int
    ) -> Sequence[Hit] | None:
        """As `Store.find`; None if it takes several statements, which is for `crowded`."""
        ...

    async def crowded(
        self, db: Any, digests: Sequence[str], signature: str, limit: int
    ) -> Sequence[Hit]:
        """As `Store.find`, on one snapshot."""
        ...

    async def counted(self, db: Any) -> Stats: ...

    async def rows_counted(self, db: Any, kind: Kind) -> int: ...

    async def places(self, db: Any) -> Mapping[str, Stats]: ...

    async def whole(self, db: Any, rids: Sequence[int]) -> list[WholeRow]:
        """The rows with these numbers that are there."""
        ...

    async def signed(self, db: Any, names: Sequence[tuple[Kind, str]]) -> list[int | None]:
        """For each kind and signature the number of the row of exactly this scope that has it."""
        ...

    # ----------------------------------------------------------------- logs

    async def log(self, db: Any, lookup: Lookup) -> None: ...

    async def restore(self, db: Any, log: Log, rows: Sequence[LogRow]) -> int: ...

    # ----------------------------------------------------------------- rows

    async def lock(self, db: Any, rids: Sequence[int]) -> None:
        """Let nobody else change these rows before the end of the transaction."""
        ...

    async def at_once(self, db: Any, observation: Observation) -> RecordResult | None:
        """Record what one statement can record; None for what has to be merged."""
        ...

    async def make(self, db: Any, row: StoredReflection, people: Iterable[str]) -> int:
        """Put a new row of this scope down, recorded by these people; returns its number."""
        ...

    async def make_all(self, db: Any, rows: Sequence[StoredReflection]) -> None:
        """Put new rows of this scope down, recorded by the people that they name."""
        ...

    async def put(self, db: Any, new: StoredReflection, old: StoredRow) -> None:
        """Put a row of this scope down in the place of another, with all that hangs on it."""
        ...

    async def rewrite(self, db: Any, old: StoredRow, new: Reflection, author: str) -> None:
        """Write what a row says and counts, its words, and tags that came; nothing of it is
        `repeated`."""
        ...

    async def erase(self, db: Any, row: StoredRow) -> None:
        """Delete a row of this scope with all that hangs on it."""
        ...

    async def count(self, db: Any, row: StoredRow, more: Count) -> None:
        """Count a meeting of a row of this scope."""
        ...

    async def judge(self, db: Any, row: StoredRow, helped: int, failed: int) -> None:
        """Add to the votes on what a row shows first."""
        ...

    async def count_people(self, db: Any, rid: int) -> None:
        """Let `sources` be no less than the number of people who recorded a row."""
        ...

    async def add(
        self, db: Any, rid: int, links: Iterable[Link], wordings: Iterable[Wording]
    ) -> None:
        """Add links and wordings to a row; a wording that it has was said so many times more."""
        ...

    async def keep_keys(
        self, db: Any, rid: int, kept: Sequence[Key], came: Iterable[Key], gone: Iterable[Key]
    ) -> None:
        """Let a row of this scope be found by the keys that came, and no more by those gone."""
        ...

    async def keep_features(
        self, db: Any, rid: int, kept: Sequence[int], came: Sequence[int]
    ) -> None:
        """Let a row of this scope be found by the features that came."""
        ...

    async def unchanged(self, db: Any, rid: int, observation: Observation) -> None:
        """Note that an observation changed nothing of what a row says."""
        ...
