"""Check of the counts in a claim against the counts of runs.

Rule of this module: a reader counts in his own way (with or without the skipped ones, over all
runs, failures and errors together); only what no such way gives is another count.
"""

from collections.abc import Iterator, Mapping, Sequence

from reflection_mcp.tools.judging.evidence.claim import Claim
from reflection_mcp.tools.judging.run import Run

Counts = Mapping[str, int]
RUNS = 12
"""Runs that are counted together, the newest."""
_ROLES = ("failed", "errors", "passed", "skipped")


def unlike_counts(claim: Claim, mine: Sequence[Run]) -> Iterator[tuple[str, int]]:
    """Yield the counts of a claim that follow from no run about the same, nor from all of them."""
    suffix = " suites" if "suites" in claim.about else ""
    mine = mine[-RUNS:]
    counted = [_of_unit(run.counts, suffix) for run in mine]
    if not counted[-1]:
        return
    together = {role: sum(one.get(role, 0) for one in counted) for role in (*_ROLES, "total")}
    known = [*counted, together] if len(counted) > 1 else counted
    tested = any(role in one for one in known for role in ("total", "passed"))
    printed = {number for run in mine for number in run.numbers} if not suffix else set[int]()
    for role, number in claim.counts.items():
        if role in ("passed", "total") and not tested:
            continue
        if role == "errors" and not tested and "errors" in counted[-1]:
            printed = set[int]()
        possible = {one for counts in known for one in _sums(counts, role)}
        whole_run = {sum(counts.get(part, 0) for part in _ROLES) for counts in known}
        whole_run |= {counts.get("total", 0) for counts in known}
        if number not in possible | (printed if role == "total" else printed - whole_run):
            yield ("in total" if role == "total" else role), number


def _of_unit(counts: Counts, suffix: str) -> Counts:
    """Return the counts of tests, or those of suites; how many passed is worked out."""
    mine = {
        role.removesuffix(" suites"): count
        for role, count in counts.items()
        if role.endswith(" suites") == bool(suffix)
    }
    if "total" in mine and "passed" not in mine:
        lost = sum(mine.get(role, 0) for role in ("failed", "errors", "skipped"))
        mine["passed"] = max(0, mine["total"] - lost)
    return mine


def _sums(counts: Counts, role: str) -> frozenset[int]:
    """Return what a reader may count together: "2 of 48 did not pass", "46 of the 47 that ran"."""
    if role == "passed":
        return frozenset((counts.get(role, 0),))
    found = {0}
    for part in _ROLES if role == "total" else ("failed", "errors"):
        found |= {number + counts.get(part, 0) for number in found}
    return frozenset({*found, counts.get("total", 0)} if role == "total" else found)
