"""The rules of a category and of an intent: every row holds for its examples and only for them."""

from collections.abc import Callable

import pytest

from reflection_mcp.tools.data_files import DataRow, rules
from reflection_mcp.tools.learning.category import categorise
from reflection_mcp.tools.learning.intent import intent_of
from tests.rows import each_row

Decide = Callable[[str], str]
ROWS = [
    pytest.param(decide, field, row, id=f"{file}: {row.name}")
    for decide, field, file in (
        (categorise, "kind", "category.rules"),
        (intent_of, "intent", "intent.rules"),
    )
    for row in rules("reflection_mcp.tools.learning", file)
]


@each_row(("decide", "field", "row"), ROWS)
def test_a_row_decides_its_examples_and_not_its_counter_examples(
    decide: Decide, field: str, row: DataRow
) -> None:
    assert set(map(decide, row.matches)) == {row[field]}
    assert row.keeps and row[field] not in map(decide, row.keeps)
