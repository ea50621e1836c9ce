"""A secret is told by its name in many ways; each has a text that looks like it and stays.

In a row `kept` is what redaction leaves (`[REDACTED:*]` for any kind), the text itself if there is
none; `desired` is what it should leave where that is known to be something else.
"""

import json
import re
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from reflection_mcp.tools.redaction import find_secrets, redact
from tests.hostile import CONNECTIONS, repeated
from tests.rows import each_row

ROWS: list[dict[str, str]] = [
    json.loads(line)
    for line in (Path(__file__).parent / "data/named_secrets.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]
PIECES = (
    " ",
    ";",
    "; ",
    "=",
    ": ",
    '"',
    "'",
    "\n",
    "a",
    "w0rd",
    "p@ss",
    "x=",
    "Server=db;",
    "!!str ",
)


def without_kinds(text: str) -> str:
    return re.sub(r"REDACTED:[\w-]+", "REDACTED:*", text)


@each_row("about", sorted({row["about"] for row in ROWS}))
def test_of_a_text_the_secret_goes_and_the_rest_stays(about: str) -> None:
    rows = [row for row in ROWS if row["about"] == about]
    assert [without_kinds(redact(row["text"])) for row in rows] == [
        row.get("kept", row["text"]) for row in rows
    ]


def test_what_is_left_is_left_again() -> None:
    left = [redact(row["text"]) for row in ROWS]
    assert list(map(redact, left)) == left


def test_most_texts_are_left_as_they_should_be() -> None:
    wrong = [row for row in ROWS if "desired" in row]
    assert all(row["desired"] != row.get("kept", row["text"]) for row in wrong)
    assert len(wrong) <= len(ROWS) // 30


@given(st.lists(st.sampled_from((*CONNECTIONS, *PIECES)), max_size=14))
def test_pieces_of_connection_strings_are_redacted_once(parts: list[str]) -> None:
    once = redact("".join(parts))
    assert redact(once) == once


@each_row("piece", CONNECTIONS)
def test_a_connection_string_that_does_not_end_is_read(piece: str) -> None:
    assert len(find_secrets(repeated(piece, 2_000))) <= 2_000
