"""How precise is each kind of finding, on answers as they are written?

    python -m tests.bench.finding_kinds FOLDER

FOLDER holds JSON Lines of answers: `question?`, `answer` or `steps`, `context?`, `label`: "good" or
"bad", 1 or 0, or the first wrong step (-1 for none). Files whose name begins with `ground_` ask
for a closed world. Printed is, for each kind, how many answers it flags and how many of those are
at fault; of a worked solution only a flag from its first wrong step on is true.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from reflection_mcp.tools.judging import check_answer
from reflection_mcp.tools.judging.scoring import hard_findings


def flags(row: dict[str, Any], *, closed: bool | None) -> Iterator[tuple[str, bool]]:
    """Yield each kind that flags an answer, and whether the answer is at fault there."""
    steps = row.get("steps")
    text = "\n".join(steps) if steps else row["answer"]
    found = hard_findings(
        check_answer(row.get("question"), text, row.get("context") or "", closed_world=closed)
    )
    label = row["label"]
    if steps:
        starts = [sum(len(step) + 1 for step in steps[:n]) for n in range(len(steps))]
        first = starts[label] if isinstance(label, int) and 0 <= label < len(steps) else len(text)
        for kind in {one.kind for one in found if not one.kind.startswith("completeness")}:
            at = min(one.start or 0 for one in found if one.kind == kind)
            yield kind, at >= first
    else:
        for kind in {one.kind for one in found}:
            yield kind, label in ("bad", 0)


def main() -> None:
    """Measure every file of a folder and print a line for each kind."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("folder", type=Path)
    folder = arguments.parse_args().folder
    true, all_flags = Counter[str](), Counter[str]()
    for path in sorted(folder.rglob("*.jsonl")):
        closed = True if path.stem.startswith("ground_") else None
        for line in path.read_text("utf-8").splitlines():
            row = json.loads(line)
            if row.get("label") is None:
                if "steps" in row:
                    continue  # nobody knows the first wrong step
                row["label"] = "good"
            for kind, is_true in flags(row, closed=closed):
                all_flags[kind] += 1
                true[kind] += is_true
    for kind, count in sorted(all_flags.items()):
        print(f"{kind:28} {true[kind]:4} of {count:4} = {true[kind] / count:.3f}")


if __name__ == "__main__":
    main()
