"""What two versions, systems or clients say of one fault is one error."""

import pytest

from tests.bench.identity_index import ShippedIndex
from tests.identity.families import DATA

PAIRS = [
    block.strip("\n").split("\n--- or\n")
    for block in (DATA / "wordings.txt").read_text(encoding="utf-8").split("\n\n")
]


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair[1][:60])
def test_two_wordings_are_one_error_whichever_is_stored(pair: list[str]) -> None:
    for stored, asked in (pair, pair[::-1]):
        index = ShippedIndex()
        index.add("stored", stored)
        assert index.recognise(asked).match is not None
