"""The reader of the product's data files, and a walk over all of them."""

import re
from pathlib import Path

from reflection_mcp.tools import data_files, untrusted
from tests.rows import each_row

TOOLS = Path(data_files.__file__).parent
ROOMS = ("learning", "redaction", "untrusted")
FILES = sorted(
    (room, path.name)
    for room in ROOMS
    for path in (TOOLS / room).iterdir()
    if path.suffix in (".rules", ".words")
)


@each_row(("room", "name"), [each for each in FILES if each[1].endswith(".rules")])
def test_every_row_has_a_name_of_its_own_an_example_and_a_pattern(room: str, name: str) -> None:
    rows = data_files.rules(f"reflection_mcp.tools.{room}", name)
    assert len({row.name for row in rows}) == len(rows) > 0
    for row in rows:
        assert row.matches, row.name
        assert row["pattern"] or row["disregard"], row.name
        re.compile(row["pattern"])


@each_row(("room", "name"), [each for each in FILES if each[1].endswith(".words")])
def test_every_section_has_words(room: str, name: str) -> None:
    sections = data_files.words(f"reflection_mcp.tools.{room}", name)
    assert sections and all(sections.values())


def test_a_fragment_is_put_into_the_patterns_after_it_and_is_no_row() -> None:
    rows = data_files.rules(untrusted.__name__, "injection.rules")
    (row,) = (row for row in rows if row.name == "displaces instructions")
    assert "$orders" not in row["pattern"]
    assert "guidelines|directives" in row["pattern"]
    assert not [row.name for row in rows if row.name.startswith("$")]


def test_a_field_that_a_row_lacks_is_empty() -> None:
    row = data_files.DataRow("bare", {})
    assert (row["pattern"], row.matches, row.keeps) == ("", (), ())
