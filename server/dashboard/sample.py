"""The rows over which states, filters and orders are counted, with the recent record of each.

Rules of this module: a store may hold a million rows, so no page reads all. What became of lessons
in a period is known of every one; states and filters are counted over the newest `SAMPLE` and the
lessons of which there is most to say, and the page says so when there are more.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest
from typing import Literal

from reflection_mcp.server.dashboard.period import beginning
from reflection_mcp.store.records import Reflection
from reflection_mcp.store.state import TrackRecord
from reflection_mcp.tools.learning.row_state import State, state_of
from reflection_mcp.tools.ports import Services

SAMPLE = 2_000
MOST_RANKED = 100
FACETS = 12
STATES: tuple[State, ...] = (
    "harmful", "suspicious", "candidate", "proven", "unproven", "untried", "retired",
)  # fmt: skip
NOTHING = TrackRecord()
Lately = Literal["came_back", "failed", "helped"]
LATELY: Mapping[Lately, str] = {"came_back": "recurred", "failed": "failed", "helped": "helped"}
"""What may have become of a lesson in the period, and how often by which counter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """Rows by id, the newest first; `records` are those of the period, of all rows.

    `facets` are the filters with the number of rows that pass each; `more` says that the store
    holds rows beside these.
    """

    rows: Mapping[str, Reflection]
    records: Mapping[str, TrackRecord]
    more: bool
    facets: Mapping[str, Sequence[tuple[str, int]]]

    def record_of(self, row: Reflection) -> TrackRecord:
        """Return the track record of a row in the period."""
        return self.records.get(row.id, NOTHING)

    def ranked(self, by: Lately) -> list[Reflection]:
        """Return the rows of which this is so in the period, most often first."""
        counts = {row.id: getattr(self.record_of(row), LATELY[by]) for row in self.rows.values()}
        found = [row for row in self.rows.values() if counts[row.id]]
        return sorted(found, key=lambda row: (-counts[row.id], self.record_of(row).helped))


async def sample_of(services: Services, days: int) -> Sample:
    """Read what needs many rows at once."""
    store, scope = services.store, services.scope
    records = await store.track_records(scope, since=beginning(services.clock(), days))
    newest = await store.reflections(
        scope, kind="reflection", include_retired=True, limit=SAMPLE + 1
    )
    rows = {row.id: row for row in newest[:SAMPLE]}
    for counter in LATELY.values():
        counts = {name: n for name, each in records.items() if (n := getattr(each, counter))}
        for _, name in nlargest(MOST_RANKED, ((n, name) for name, n in counts.items())):
            row = rows.get(name) or await store.reflection(scope, name)
            if row is not None:  # it may have been deleted since
                rows[name] = row
    living = [row for row in rows.values() if not row.retired]
    states = Counter(map(state_of, rows.values()))
    return Sample(
        rows=rows,
        records=records,
        more=len(newest) > SAMPLE,
        facets={
            "lately": [
                (name, sum(bool(getattr(each, counter)) for each in records.values()))
                for name, counter in LATELY.items()
            ],
            "state": [(each, states[each]) for each in STATES if states[each]],
            "type": _commonest(row.error_type for row in living if row.error_type),
            "tag": _commonest(tag for row in living for tag in row.tags),
        },
    )


def _commonest(names: Iterable[str]) -> list[tuple[str, int]]:
    return Counter(names).most_common(FACETS)
