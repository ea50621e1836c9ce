"""What recognising an error costs and finds: `python -m tests.bench.identity_speed [CORPUS]`.

CORPUS is a JSON Lines file with a `text` in each line; without one, the errors of `tests/identity`
in every format serve. Times are CPU time of this process, the better of two runs for each text;
a look-up is all but the store: fingerprint, keys, a shortlist in dictionaries, verification.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from reflection_mcp.tools.identity import fingerprint
from tests.bench.identity_index import ShippedIndex
from tests.identity.families import FORMATS, Family, read

FILES = ("families.txt", "fresh.txt", "versions.txt")


def texts_of(families: Sequence[Family]) -> list[str]:
    """Every text of every family in every format."""
    plain = [
        text
        for family in families
        for text in (family.stored, *family.same.values(), *family.other.values())
    ]
    return [written(text) for written in FORMATS.values() for text in plain]


def milliseconds(work: Callable[[str], object], texts: Sequence[str]) -> list[float]:
    """The CPU time of each text, sorted; the better of two runs."""
    times: list[float] = []
    for text in texts:
        runs: list[int] = []
        for _ in range(2):
            begin = time.process_time_ns()
            work(text)
            runs.append(time.process_time_ns() - begin)
        times.append(min(runs) / 1e6)
    return sorted(times)


def line(name: str, times: Sequence[float]) -> str:
    """Name, number, median, ninth decile, 99th percentile and maximum."""
    at = [times[int(len(times) * share)] for share in (0.5, 0.9, 0.99)]
    return (
        f"{name:12s} n {len(times):6d}  p50 {at[0]:.3f}  p90 {at[1]:.3f}  p99 {at[2]:.3f}  "
        f"max {times[-1]:.3f} ms"
    )


def found(index: ShippedIndex, families: Sequence[Family]) -> str:
    """How many errors met again were recognised, and how many look-alikes mistaken."""
    same = [
        index.query(text)[0] == family.name for family in families for text in family.same.values()
    ]
    other = [
        index.query(text)[0] is not None for family in families for text in family.other.values()
    ]
    return f"recognised {sum(same)}/{len(same)}, look-alikes mistaken {sum(other)}/{len(other)}"


def import_cost() -> str:
    """The CPU time that importing the package adds to a bare interpreter with its records."""
    script = (
        "import time, reflection_mcp.store.records; begin = time.process_time()\n"
        "import reflection_mcp.tools.identity; print(time.process_time() - begin)"
    )
    seconds = [
        float(
            subprocess.run([sys.executable, "-c", script], capture_output=True, check=True).stdout
        )
        for _ in range(5)
    ]
    return f"import {min(seconds) * 1e3:.1f} ms"


def main() -> None:
    """Print one line a measurement."""
    families = [family for file in FILES for family in read(file)]
    index = ShippedIndex()
    for family in families:
        index.add(family.name, family.stored)
    texts = texts_of(families)
    if len(sys.argv) > 1:
        rows = Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()
        texts = [json.loads(row)["text"] for row in rows]
    for text in texts[:300]:
        index.query(text)
    print(line("fingerprint", milliseconds(fingerprint, texts)))
    print(line("look-up", milliseconds(index.query, texts)))
    print(found(index, families))
    print(import_cost())


if __name__ == "__main__":
    main()
