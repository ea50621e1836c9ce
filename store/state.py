"""Records of a store as a whole: its counts, its activity, and its health.

Rules of this module: those of `records`.
"""

from collections.abc import Mapping
from dataclasses import field
from datetime import date, datetime
from typing import Literal

from reflection_mcp.store.record import record


@record(frozen=True, slots=True, kw_only=True)
class Stats:
    """Counts of one readable scope, for `stats`, `doctor` and `reflections://stats`.

    `mean_quality` has four decimals; `occurrences` counts how often lessons were met, and
    `feedback` verdicts, one for each thing judged.
    """

    attempts: int = 0
    mean_quality: float | None = None
    reflections: int = 0
    strategies: int = 0
    occurrences: int = 0
    lookups: int = 0
    lookups_by_verdict: Mapping[str, int] = field(default_factory=dict[str, int])
    shown: int = 0
    helped: int = 0
    failed: int = 0
    recurred: int = 0
    feedback: int = 0
    first_at: datetime | None = None
    last_at: datetime | None = None


@record(frozen=True, slots=True, kw_only=True)
class Vote:
    """One vote of a source on an attempt or a reflection; `version` is the id of what the
    reflection said, `occasion` the conversation and day that a vote on advice belongs to."""

    target_id: str
    kind: Literal["positive", "negative"]
    at: datetime
    source: str
    version: str = ""
    comment: str = ""
    occasion: str = ""


@record(frozen=True, slots=True, kw_only=True)
class DailyActivity:
    """The activity of a scope on one UTC day.

    `lookups` are counted by match level, `shown` are those that showed something, `recurred` those
    with which an error came back: they matched a reflection which an earlier look-up of the same
    error had shown. `positive` and `negative` are votes on advice; `mean_quality`, of the attempts,
    has four decimals.
    """

    day: date
    lookups: Mapping[str, int] = field(default_factory=dict[str, int])
    shown: int = 0
    recurred: int = 0
    positive: int = 0
    negative: int = 0
    attempts: int = 0
    mean_quality: float | None = None


@record(frozen=True, slots=True, kw_only=True)
class TrackRecord:
    """The track record of a lesson in some time: how often its error came back, counted as in
    `DailyActivity`, and how many votes say that it `helped` or `failed`, whatever its words."""

    recurred: int = 0
    helped: int = 0
    failed: int = 0


@record(frozen=True, slots=True, kw_only=True)
class Health:
    """The state of a store as `doctor` prints it. `problems` are sentences; none means healthy."""

    backend: str
    location: str
    writable: bool
    schema: int
    engine: str
    size_bytes: int
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
