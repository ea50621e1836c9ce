"""What two versions, systems or clients say of one fault is one error."""

from tests.bench.identity_index import ShippedIndex
from tests.identity.families import DATA

PAIRS = [
    block.strip("\n").split("\n--- or\n")
    for block in (DATA / "wordings.txt").read_text(encoding="utf-8").split("\n\n")
]


def _recognised(stored: str, asked: str) -> bool:
    index = ShippedIndex()
    index.add("stored", stored)
    return index.recognise(asked).match is not None


def test_two_wordings_are_one_error_whichever_is_stored() -> None:
    both_ways = [
        (stored, asked) for one, other in PAIRS for stored, asked in ((one, other), (other, one))
    ]
    assert [pair for pair in both_ways if not _recognised(*pair)] == []
