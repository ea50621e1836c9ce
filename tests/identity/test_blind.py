"""Errors that somebody wrote who had seen neither the rules nor the texts they were made on.

Of the first three sets the failures were read when the headline rule was written, of the last two
the figures and a handful of failures. What is held here is a little under what was measured, so
that a change that helps one set cannot quietly cost another.
"""

import json
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.bench.identity_index import ShippedIndex

DATA = Path(__file__).parent / "data"


class BlindSet(NamedTuple):
    """A set, the least share of errors met again that is recognised, the most look-alikes taken."""

    name: str
    floor: float
    most_taken: int


SETS = (
    BlindSet("first", 0.89, 2),
    BlindSet("second", 0.84, 10),
    BlindSet("third", 0.82, 5),
    BlindSet("fourth", 0.68, 3),
    BlindSet("fifth", 0.75, 4),
)
QUICK = "third"
"""The others take a second or two each."""


@pytest.mark.parametrize(
    "blind",
    [
        pytest.param(blind, marks=() if blind.name == QUICK else pytest.mark.slow, id=blind.name)
        for blind in SETS
    ],
)
def test_errors_of_many_tools_are_recognised_and_their_look_alikes_are_not(blind: BlindSet) -> None:
    path = DATA / f"blind_{blind.name}.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    index = ShippedIndex()
    for row in rows:
        if row["part"] == "stored":
            index.add(row["family"], row["text"])
    found = [(row, index.query(row["text"])[0]) for row in rows if row["part"] != "stored"]
    again = [match == row["family"] for row, match in found if row["part"] == "same"]
    wrong = [row["family"] for row, match in found if match not in (row["family"], None)]
    taken = [
        (row["family"], row["note"]) for row, match in found if row["part"] == "other" and match
    ]
    assert sum(again) / len(again) >= blind.floor
    assert wrong == []  # neither another error's fix nor an answer to what was never met
    assert len(taken) <= blind.most_taken, taken
