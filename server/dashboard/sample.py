"""The rows over which states, filters and orders are counted, with the recent record of each.

Rules of this module: a store may hold a million rows, so no page reads all. What became of lessons
in a period is known of every one; states and filters are counted over the newest `SAMPLE` and the
lessons of which there is most to say, and the page says so when there are more.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from heapq import nlargest
from typing import Literal

from reflection_mcp.server.dashboard.period import beginning
from reflection_mcp.store.records import Reflection
from reflection_mcp.store.state import TrackRecord
from reflection_mcp.tools.learning.fix_candidates import CANDIDATE
from reflection_mcp.tools.learning.row_state import State, state_of
from reflection_mcp.tools.ports import Services

SAMPLE = 2_000
MOST_RANKED = 100
FACETS = 12
STATES: tuple[State, ...] = (
    "harmful", "suspicious", "candidate", "proven", "unproven", "untried", "retired",
)  # fmt: skip
NOTHING = TrackRecord()
FILTERS = ("lately", "state", "type", "tag")
"""What a list may be filtered by in its address; `lately` is what has become of a lesson in the
period."""
Values = Mapping[str, Sequence[str]]
Facets = Mapping[str, Sequence[tuple[str, int]]]
Lately = Literal["came_back", "failed", "helped"]
LATELY: Mapping[Lately, str] = {"came_back": "recurred", "failed": "failed", "helped": "helped"}
"""What may have become of a lesson in the period, and how often by which counter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """Rows by id, the newest first; `records` are those of the period, of all rows.

    `lookups` counts those that matched each row in the period, by day; `values` has the values of
    each row for each filter, and `facets` counts them while nothing is asked for; `more` says that
    the store has more rows than these.
    """

    rows: Mapping[str, Reflection]
    records: Mapping[str, TrackRecord]
    lookups: Mapping[str, Mapping[date, int]]
    values: Mapping[str, Values]
    facets: Facets
    more: bool

    def record_of(self, row: Reflection) -> TrackRecord:
        """Return the track record of a row in the period."""
        return self.records.get(row.id, NOTHING)

    def last_seen(self, row: Reflection) -> date:
        """Return the day on which an error was reported last, or looked up in the period."""
        days: list[date] = [row.last_seen.date(), *self.lookups.get(row.id, ())]
        return max(days)

    def ranked(self, by: Lately) -> list[Reflection]:
        """Return the rows of which this is so in the period, most often first."""
        counts = {row.id: getattr(self.record_of(row), LATELY[by]) for row in self.rows.values()}
        found = [row for row in self.rows.values() if counts[row.id]]
        return sorted(found, key=lambda row: (-counts[row.id], self.record_of(row).helped))

    def filtered(
        self, rows: Iterable[Reflection], asked: Mapping[str, str]
    ) -> tuple[list[Reflection], Facets]:
        """Return the rows that pass all filters that are asked for, and each filter with how many
        would be left with it in place of its own kind."""
        chosen = {key: asked[key] for key in FILTERS if asked[key]}
        if not (chosen or asked["q"]):
            return [row for row in rows if not row.retired], self.facets
        hidden_too = shows_hidden(asked)
        passed: list[Reflection] = []
        left: dict[str, list[str]] = {key: [] for key in FILTERS}
        for row in rows:
            values = self.values.get(row.id) or _values(row, self.record_of(row))
            missed = [key for key, value in chosen.items() if value not in values[key]]
            shown = hidden_too or not row.retired
            if shown and not missed:
                passed.append(row)
            if len(missed) < 2:
                for key in missed or FILTERS:
                    if shown or key in ("lately", "state"):
                        left[key] += values[key]
        facets = _facets(left)
        if not (asked["q"] or chosen.keys() - {"lately"}):  # then they are known of every row
            facets["lately"] = self.facets["lately"]
        return passed, facets


def _facets(names: Mapping[str, Iterable[str]]) -> dict[str, Sequence[tuple[str, int]]]:
    """Return how often each filter has each value, the most frequent first or in their order."""
    counts = {key: Counter(each) for key, each in names.items()}
    ordered = {"lately": LATELY, "state": STATES}
    return {
        key: [(name, many[name]) for name in ordered[key] if many[name]]
        if key in ordered
        else many.most_common(FACETS)
        for key, many in counts.items()
    }


def shows_hidden(asked: Mapping[str, str]) -> bool:
    """Return True if what is asked for lists candidates and retired lessons as well."""
    return bool(asked["q"] or asked["lately"]) or asked["state"] in ("retired", "candidate")


def _became(record: TrackRecord) -> list[str]:
    return [name for name, counter in LATELY.items() if getattr(record, counter)]


def _values(row: Reflection, record: TrackRecord) -> Values:
    return {
        "lately": _became(record),
        "state": (state_of(row),),
        "type": (row.error_type,) if row.error_type else (),
        "tag": row.tags,
    }


def _is_rejected(row: Reflection | None) -> bool:
    return row is not None and row.retired and CANDIDATE in row.tags


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
    # Who rejects a fix that nobody has tried says nothing of a lesson that was.
    records = {name: each for name, each in records.items() if not _is_rejected(rows.get(name))}
    lookups = await store.daily_lookups(scope, list(rows), since=beginning(services.clock(), days))
    values = {name: _values(row, records.get(name, NOTHING)) for name, row in rows.items()}
    shown = [values[name] for name, row in rows.items() if not row.retired]
    names = {
        "lately": [name for each in records.values() for name in _became(each)],
        "state": [name for each in values.values() for name in each["state"]],
        **{key: [name for each in shown for name in each[key]] for key in ("type", "tag")},
    }
    return Sample(
        rows=rows,
        records=records,
        lookups=lookups,
        values=values,
        facets=_facets(names),
        more=len(newest) > SAMPLE,
    )
