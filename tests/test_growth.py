"""What the measurement of growth takes for steep, and what it measures."""

from collections.abc import Iterable
from typing import cast

from tests import hostile
from tests.bench.growth import FLOOR, READERS, Cost, steepest
from tests.hostile import WORKED, Nested, Piece, repeated
from tests.rows import each_row


def test_a_factor_counts_where_it_takes_time() -> None:
    noise, slow, quadratic = Cost(FLOOR / 2, 90, "a"), Cost(1, 4, "b"), Cost(FLOOR, 16, "c")
    assert steepest([noise]) is None
    assert steepest([noise, slow]) is slow
    assert steepest([noise, slow, quadratic]) is quadratic


def test_every_hostile_piece_is_measured() -> None:
    tables = cast("dict[str, Iterable[Piece]]", vars(hostile)) | {"WORKED": WORKED.values()}
    pieces = {piece for name, table in tables.items() if name.isupper() for piece in table}
    assert len(pieces) > 200
    assert pieces <= {piece for reader in READERS for _, piece in reader.cases}


@each_row(("piece", "text"), [("ab", "abab"), (Nested("(", "1", ")", " = 1"), "((1)) = 1")])
def test_a_piece_is_repeated_and_a_nested_one_is_closed_again(piece: Piece, text: str) -> None:
    assert repeated(piece, 5) == text
