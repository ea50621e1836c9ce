"""Pairs of errors that somebody wrote to be mistaken, who had seen neither rules nor texts.

Of 343 pairs 17 were taken for one error when they were first measured. Three of those that still
are are disputed (a shortened quotation, a wrapper whose cause is not in the text, a component of a
log record).
"""

import json
from pathlib import Path
from typing import NamedTuple

from tests.bench.identity_index import ShippedIndex

DATA = Path(__file__).parent / "data" / "look_alikes.jsonl"
MOST_TAKEN = 10


class Pair(NamedTuple):
    a: str
    b: str
    why: str


PAIRS = [Pair(**json.loads(line)) for line in DATA.read_text(encoding="utf-8").splitlines()]


def _is_taken_for(stored: str, seen: str) -> bool:
    index = ShippedIndex()
    index.add("stored", stored)
    return index.query(seen)[0] is not None


def test_errors_that_were_written_to_be_mistaken_are_told_apart_both_ways() -> None:
    taken = [p.why for p in PAIRS if _is_taken_for(p.a, p.b) or _is_taken_for(p.b, p.a)]
    assert len(taken) <= MOST_TAKEN, taken
