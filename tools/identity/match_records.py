"""The results of comparing two errors, and of looking one up.

Rule of this module: records only, frozen, without behaviour beyond what follows from their fields.
"""

from typing import Literal

from reflection_mcp.store.interactions import MatchLevel
from reflection_mcp.store.record import record
from reflection_mcp.store.records import Reflection
from reflection_mcp.tools.untrusted import stored

SHOWN = 120  # characters of what differs
Level = Literal["exact", "same", "similar", "different"]


@record(frozen=True, slots=True, kw_only=True)
class Difference:
    """One thing in which two errors that look alike differ."""

    kind: str
    here: str
    there: str

    def __str__(self) -> str:
        """For a reader: `module: “yaml” here, “requests” there`."""
        return f"{self.kind}: {_quoted(self.here)} here, {_quoted(self.there)} there"


def _quoted(value: str) -> str:
    return f"{stored(value, SHOWN)}" if value else "nothing"


@record(frozen=True, slots=True, kw_only=True)
class Elsewhere:
    """The two places of one error that was met in two."""

    here: str
    there: str


@record(frozen=True, slots=True, kw_only=True)
class Match:
    """How two errors compare. `elsewhere` is set when the place is all that differs; `close` when
    one token of unknown kind is; `shared` is how much of their words they have in common, 0 to 1.
    """

    level: Level
    reason: str = ""
    differences: tuple[Difference, ...] = ()
    elsewhere: Elsewhere | None = None
    close: bool = False
    shared: float = 0.0


@record(frozen=True, slots=True, kw_only=True)
class Similar:
    """A stored error that looks alike and is another one."""

    reflection: Reflection
    differences: tuple[Difference, ...]
    elsewhere: Elsewhere | None = None
    close: bool = False


@record(frozen=True, slots=True, kw_only=True)
class Recognition:
    """The answer to "have I met this before?": `match` is set for `exact` and `same` only.

    `beside` is the same error as it is known in other places that can be read, once in each.
    """

    verdict: MatchLevel
    match: Reflection | None = None
    why: str = ""
    similar: tuple[Similar, ...] = ()
    beside: tuple[Reflection, ...] = ()
