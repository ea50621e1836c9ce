"""The rules of a category: every row holds for its examples and only for them."""

from reflection_mcp.tools.data_files import DataRow, rules
from reflection_mcp.tools.learning.category import categorise
from tests.rows import each_row


@each_row("row", rules("reflection_mcp.tools.learning", "category.rules"))
def test_a_row_decides_its_examples_and_not_its_counter_examples(row: DataRow) -> None:
    assert set(map(categorise, row.matches)) == {row["kind"]}
    assert row.keeps and row["kind"] not in map(categorise, row.keeps)
