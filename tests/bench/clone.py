"""What can anybody measure again with this repository alone? No model, no key, no network.

    python -m tests.bench.clone

Writes `docs/results/clone.json`. Errors are those of `tests/identity/data/blind_*.jsonl`, by
authors who had seen neither the rules nor their texts. One text of each family is stored. Then
three kinds are looked up: other texts of the family, texts that only look like it, and errors of
families that nobody stored. A hash of the text and the overlap of words are asked the same.
Mistakes are those of `tests.bench.before_action`. Labels are used only to count the results.
`tests/test_readme.py` holds the table in docs/evaluation.md to the file.
"""

import asyncio
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.bench.before_action import Result, play, projects
from tests.bench.identity_index import ShippedIndex
from tests.bench.results import Counts, overlapping, same_hash, tally, write

DATA = Path(__file__).parents[1] / "identity" / "data"
ASKED = {"same": "errors met again", "other": "look-alikes", "novel": "errors nobody stored"}
READ = (
    "while the rules were written, failures in the first three of the five sets of errors were "
    "read, and a few in the other two"
)


class Pairwise:
    """An index that answers with the first stored text that a comparison takes for the same."""

    def __init__(self, is_same: Callable[[str, str], bool]) -> None:
        self._is_same = is_same
        self._stored: list[tuple[str, str]] = []

    def add(self, family: str, text: str) -> None:
        """Store the text of a family."""
        self._stored.append((family, text))

    def query(self, text: str) -> tuple[str | None, Any]:
        """The family of a text, None for an unknown one."""
        same = (family for family, stored in self._stored if self._is_same(stored, text))
        return next(same, None), None


INDEXES: Mapping[str, Callable[[], ShippedIndex | Pairwise]] = {
    "this version": ShippedIndex,
    "hash of the text": lambda: Pairwise(same_hash),
    "overlap of words": lambda: Pairwise(overlapping),
}


def errors(make: Callable[[], ShippedIndex | Pairwise]) -> Counts:
    """How many of each kind were answered, those met again with their own family."""
    answered: list[tuple[str, bool]] = []
    for path in sorted(DATA.glob("blind_*.jsonl")):
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        index = make()
        for row in rows:
            if row["part"] == "stored":
                index.add(row["family"], row["text"])
        for row in rows:
            if row["part"] in ASKED:
                found = index.query(row["text"])[0]
                yes = found == row["family"] if row["part"] == "same" else found is not None
                answered.append((ASKED[row["part"]], yes))
    return tally(iter(answered))


async def mistakes(part: str) -> Counts:
    """How many known mistakes were named before they were made, and ordinary actions disturbed."""
    result = Result()
    for project in projects(part):
        with TemporaryDirectory() as folder:
            await play(project, str(Path(folder, "store.db")), result)
    return {
        "known mistakes named": [result.known - len(result.misses), result.known],
        "ordinary actions disturbed": [len(result.false), result.ordinary],
    }


def table(body: Mapping[str, Any]) -> str:
    """The counts as a table of Markdown."""
    kinds = list(ASKED.values())
    rows = [
        f"| {method} | {' | '.join(_of(each[kind]) for kind in kinds)} |"
        for method, each in body["errors"].items()
    ]
    named, disturbed = body["mistakes, put aside"].values()
    return "\n".join(
        [
            f"| recognised as known | {' | '.join(kinds)} |",
            "|---|---|---|---|",
            *rows,
            "",
            "Before an action, on the half of the data that was put aside while the rules were "
            f"written: {_of(named)} known mistakes were named, and {_of(disturbed)} ordinary "
            "actions got a warning.",
            "",
            f"Counted on {body['date']} at {body['commit']}; {body['note']}.",
            "",
        ]
    )


def _of(count: list[int]) -> str:
    return f"{count[0]:,} of {count[1]:,}"


def main() -> None:
    """Count and write."""
    body = {
        "note": READ,
        "errors": {name: errors(make) for name, make in INDEXES.items()},
        "mistakes, put aside": asyncio.run(mistakes("second")),
    }
    print(write("clone", body).read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
