"""How often is a claim held against the output of a tool as it should be?"""

import random
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.evidence.evidence_check import CLAIM, check
from reflection_mcp.tools.judging.evidence.runs import runs_of

TABLE = Path(__file__).parents[1] / "judging" / "data" / "claims.toml"
SEED = 19
RUNNING = {"failed": 2, "passed": 12, "total": 14}
CLEAN = {"failed": 0, "passed": 14, "total": 14}


def table() -> dict[str, Any]:
    """The claims and the outputs."""
    return tomllib.loads(TABLE.read_text(encoding="utf-8"))


def verdict(claim: Mapping[str, Any], tool: Mapping[str, Any], *, failed: bool) -> str:
    """What a reader would say: contradicts, agrees or unrelated; `open` where the text decides not.

    A claim about a failure beside a run that went well may speak of an earlier run.
    """
    related = set(claim["about"]) & {*tool["about"], "any"}
    if claim["says"] == "nothing" or not related:
        return "unrelated"
    if claim["says"] == "fail" and not failed:
        return "open"
    if claim["says"] == "pass" and failed:
        return "contradicts"
    if tool.get("counts"):
        true = RUNNING if failed else CLEAN
    else:
        true = {"failed": tool.get("errors", 0) if failed else 0}
        if failed and "errors" not in tool:
            return "open" if any(r in claim for r in ("failed", "passed", "total")) else "agrees"
    same = all(claim[role] == count for role, count in true.items() if role in claim)
    return "agrees" if same else "contradicts"


def pairs(half: str) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any], bool, str]]:
    """Claims by outputs; `held` has those whose claim or tool was drawn to be put aside."""
    both = table()
    draw = random.Random(SEED)
    claims = set(draw.sample(range(len(both["claim"])), len(both["claim"]) * 3 // 10))
    tools = set(draw.sample(range(len(both["tool"])), len(both["tool"]) * 3 // 10))
    for c, claim in enumerate(both["claim"]):
        for t, tool in enumerate(both["tool"]):
            held = c in claims or t in tools
            if half != "all" and held != (half == "held"):
                continue
            for failed in (True, False):
                wanted = verdict(claim, tool, failed=failed)
                if wanted != "open":
                    yield claim, tool, failed, wanted


def flagged(claim: Mapping[str, Any], tool: Mapping[str, Any], *, failed: bool) -> bool:
    """Whether the claim is found to be contradicted by the output."""
    output = tool["bad" if failed else "good"]
    case = Case(answer=claim["text"], evidence=runs_of(output))
    return any(one.kind == CLAIM for one in check(case))


if __name__ == "__main__":
    half = sys.argv[1] if len(sys.argv) > 1 else "dev"
    true = false = missed = number = 0
    for claim, tool, failed, wanted in pairs(half):
        number += 1
        found = flagged(claim, tool, failed=failed)
        true += found and wanted == "contradicts"
        false += found and wanted != "contradicts"
        missed += not found and wanted == "contradicts"
        if found != (wanted == "contradicts") and (half != "held" or "show" in sys.argv):
            print("false" if found else "missed", tool["name"], failed, repr(claim["text"]))
    print(f"{half}: n {number}, precision {true}/{true + false}, recall {true}/{true + missed}")
