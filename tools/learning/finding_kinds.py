"""The kinds of findings and their measured precision; a precise kind leaves a lesson.

Rule of this module: a lesson warns every later conversation, so that only a kind that was measured
and hardly ever wrong may leave one.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from reflection_mcp.tools.data_files import data_text

PRECISE, ENOUGH = 0.97, 20
"""The share of true flags from which a kind leaves lessons, and the least number of flags for
it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingKind:
    """One kind of finding: `true` of `flags` answers that it flagged were at fault.

    `type` is the type of a reflection that is born of it.
    """

    name: str
    type: str
    true: int
    flags: int
    note: str = ""

    @property
    def teaches(self) -> bool:
        """True if a finding of this kind may leave a reflection."""
        return self.flags >= ENOUGH and self.true >= PRECISE * self.flags


@cache
def finding_kinds() -> Mapping[str, FindingKind]:
    """Return the measured kinds by their names, in the order in which they teach."""
    table = data_text("reflection_mcp.tools.learning", "finding_kinds.toml")
    rows = (FindingKind(**row) for row in tomllib.loads(table)["kind"])
    return {row.name: row for row in rows}
