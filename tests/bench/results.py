"""What do the README's figures say today? Counts on data that cannot be in the repository.

    python -m tests.bench.results errors FOLDER [--before CHECKOUT]
    python -m tests.bench.results answers FOLDER [--before CHECKOUT]

Writes `docs/results/errors.json` or `docs/results/answers.json`, which hold counts, the date and
the commit, and no text of the data. `tests/test_readme.py` holds the README to these files; run it
with `UPDATE_README=1` afterwards.

`errors` reads JSON Lines of pairs of error texts: `a`, `b`, and `relation`, which is `same`,
`different` or anything else, which is left out, as are files named `*_clean.jsonl`, which hold the
same pairs again. One error is stored, the other is looked up. The same pairs are asked of a hash of
the text and of the overlap of words.

`answers` reads JSON Lines as `tests.bench.finding_kinds` does and counts answers with a fault that
are flagged, and right answers that are flagged, by the first word of the file's name.

`--note` is printed beside the figures: say there if the rows were used to improve the rules.
`--before` names a checkout of an earlier version with a `.venv` of its own, which counts the same;
without it the earlier version that the result file has stays, if it was asked of as many rows.
"""

import argparse
import hashlib
import json
import math
import os
import re
import subprocess
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "docs" / "results"
OVERLAP = 0.7
"""Share of common words above which a plain search takes two texts for the same."""

Counts = dict[str, list[int]]
"""By what was asked: how many were answered with yes, and how many were asked."""


def rows_of(folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each row of a folder of JSON Lines with the name of its file."""
    files = sorted(folder.glob("*.jsonl"))
    if not files:
        raise SystemExit(f"no .jsonl file in {folder}")
    for path in files:
        for line in path.read_text(encoding="utf-8").splitlines():
            yield path.stem, json.loads(line)


def tally(found: Iterator[tuple[str, bool]]) -> Counts:
    """Count the answers by what was asked."""
    counts: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
    for asked, yes in found:
        counts[asked][0] += yes
        counts[asked][1] += 1
    return dict(sorted(counts.items()))


# --------------------------------------------------------------------------- errors


def recognised(a: str, b: str) -> bool:
    """Whether the product takes the second text for the stored first one."""
    from tests.bench.identity_index import ShippedIndex

    index = ShippedIndex()
    index.add("a", a)
    return index.query(b)[0] == "a"


def same_hash(a: str, b: str) -> bool:
    """Whether two texts have one sha256, lower-cased and stripped."""
    first, second = (hashlib.sha256(text.lower().strip().encode()).digest() for text in (a, b))
    return first == second


def overlapping(a: str, b: str) -> bool:
    """Whether two texts have most of their words in common."""
    first, second = (set(re.findall(r"\w+", text.lower())) for text in (a, b))
    return len(first & second) >= OVERLAP * max(1, len(first | second))


METHODS: Mapping[str, Callable[[str, str], bool]] = {
    "this version": recognised,
    "sha256 of the text": same_hash,
    f"word overlap, {OVERLAP}": overlapping,
}


def errors(folder: Path, methods: Sequence[str]) -> dict[str, Counts]:
    """For each method and relation: pairs taken for the same error."""
    pairs = [
        (row["relation"], row["a"], row["b"])
        for stem, row in rows_of(folder)
        if row["relation"] in ("same", "different") and not stem.endswith("_clean")
    ]
    return {name: tally((asked, METHODS[name](a, b)) for asked, a, b in pairs) for name in methods}


# --------------------------------------------------------------------------- answers


def answers(folder: Path, methods: Sequence[str]) -> dict[str, Counts]:
    """For right answers and those with a fault: how many are flagged."""
    return {name: tally(_flagged(folder)) for name in methods}


def _flagged(folder: Path) -> Iterator[tuple[str, bool]]:
    from tests.bench.finding_kinds import flags

    for stem, row in rows_of(folder):
        group = stem.partition("_")[0]
        label = row["label"]
        right = label == -1 if row.get("steps") else label not in ("bad", 0)
        found = flags(row, closed=True if group == "ground" else None)
        # A flag on a faulty answer counts if it is at the fault, on a right one wherever it is.
        yield f"{group} {'right' if right else 'faulty'}", any(right or at for _, at in found)


# --------------------------------------------------------------------------- writing

COUNTED: Mapping[str, Callable[[Path, Sequence[str]], dict[str, Counts]]] = {
    "errors": errors,
    "answers": answers,
}


class Options(argparse.Namespace):
    """What was asked for."""

    what: str
    folder: Path
    before: Path | None
    note: str
    only_print: bool


def write(name: str, body: Mapping[str, Any]) -> Path:
    """Write a result file with the date and the commit it was measured at."""
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.json"
    whole = {"date": f"{datetime.now(UTC):%Y-%m-%d}", "commit": commit_of(ROOT), **body}
    path.write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")
    return path


def interval(k: int, n: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson 1927)."""
    z = 1.96
    share, scale = k / n, 1 + z * z / n
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    middle = share + z * z / (2 * n)
    return max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale)


def commit_of(checkout: Path) -> str:
    """The commit of a checkout, marked when the product's files differ from it."""
    git = ["git", "-C", str(checkout)]
    name = subprocess.run([*git, "rev-parse", "--short", "HEAD"], capture_output=True, check=True)
    changed = [*git, "diff", "--quiet", "HEAD", "--", "server", "tools", "store"]
    dirty = "-dirty" if subprocess.run(changed, check=False).returncode else ""
    return name.stdout.decode().strip() + dirty


def earlier(options: Options, checkout: Path) -> dict[str, Counts]:
    """What an earlier version counts, by its own code on its own interpreter."""
    python = checkout / ".venv" / "bin" / "python"
    words = [str(python), __file__, options.what, str(options.folder), "--only-print"]
    done = subprocess.run(
        words,
        cwd=checkout,
        env={**os.environ, "PYTHONPATH": str(checkout)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return {f"version {commit_of(checkout)}": json.loads(done.stdout)}


def kept_before(name: str, now: Counts) -> dict[str, Counts]:
    """The earlier version in the result file, if it answered as many rows of each kind."""
    path = RESULTS / f"{name}.json"
    if not path.exists():
        return {}
    counts: dict[str, Counts] = json.loads(path.read_text(encoding="utf-8"))["counts"]
    asked = {kind: of for kind, (_, of) in now.items()}
    return {
        method: each
        for method, each in counts.items()
        if method.startswith("version ") and {kind: of for kind, (_, of) in each.items()} == asked
    }


def main() -> None:
    """Count and write, or with `--only-print` print the counts of this version."""
    parser = argparse.ArgumentParser(description="Write a result file of the README.")
    parser.add_argument("what", choices=COUNTED)
    parser.add_argument("folder", type=Path, help="JSON Lines of pairs or answers")
    parser.add_argument("--before", type=Path, help="a checkout of an earlier version")
    what = "said beside the figures, such as that these rows were used to improve the rules"
    parser.add_argument("--note", default="", help=what)
    parser.add_argument("--only-print", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(namespace=Options())
    options.folder = options.folder.absolute()
    count = COUNTED[options.what]
    if options.only_print:
        print(json.dumps(count(options.folder, ["this version"])["this version"]))
        return
    methods = list(METHODS) if options.what == "errors" else ["this version"]
    counts = count(options.folder, methods)
    if options.before is not None:
        counts |= earlier(options, options.before.absolute())
    else:
        counts |= kept_before(options.what, counts["this version"])
    print(write(options.what, {"note": options.note, "counts": counts}).read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
