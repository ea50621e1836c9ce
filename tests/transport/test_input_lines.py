"""The lines of a client, made of its bytes as they come in."""

import json
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reflection_mcp.server.transport import input_lines
from reflection_mcp.server.transport.input_lines import (
    CUT_MARK,
    LONG,
    LONGEST_TEXT,
    MOST_ELSE,
    MOST_TEXT,
    InputLines,
)
from tests.requirements import requirement
from tests.rows import each_row, sample

SMALL = 90
MARK = json.loads(b'"' + CUT_MARK + b'"')


def lines(whole: bytes, size: int = 1 << 16) -> list[str]:
    """The lines of these bytes, which come in pieces of this size."""
    came = InputLines()
    pieces = (whole[at : at + size] for at in range(0, len(whole), size))
    return [*(line for piece in pieces for line in came.of(piece)), *came.last()]


def text_in(whole: bytes, size: int = 1 << 16) -> str:
    """The text that is all of a line."""
    (line,) = lines(whole, size)
    read = json.loads(line)
    assert isinstance(read, str)
    return read


@requirement("trust:long-line")
@each_row("character", sample(["x", "é", "😀", "\x1b", "\\", '"', "\n"], 2))
@each_row("escaped", [True, False])
def test_of_a_text_longer_than_any_argument_the_head_and_the_tail_are_kept(
    character: str, escaped: bool
) -> None:
    written = len(json.dumps(character, ensure_ascii=escaped).encode()) - 2
    text = f"first {character * (2 * LONGEST_TEXT // written)} last"
    sent = json.dumps(["a", text, "z"], ensure_ascii=escaped).encode()
    (line,) = lines(sent)
    assert len(line.encode()) < 1.1 * LONGEST_TEXT
    before, kept, after = json.loads(line)
    assert (before, after) == ("a", "z")
    head, tail = kept.split(MARK)
    assert text.startswith(head)
    assert tail.endswith(f"{character} last")
    assert len(head) + len(tail) > 200_000 - 20
    # Where the cut goes through an escape, up to four characters of it are left.
    assert set(tail[4:]) <= {character, *" last"}


def test_a_text_of_two_hundred_thousand_characters_is_whole_however_it_is_written() -> None:
    text = "😀" * 200_000
    assert text_in(json.dumps(text).encode()) == text


@requirement("trust:long-line")
@each_row(
    "line",
    [
        b'{"jsonrpc":"2.0","id":5,"params":[' + b'{"a":"b"},' * (LONG // 6),
        b"[" * (MOST_ELSE + LONG),
        b"x" * 10_000_000,
        json.dumps(["x" * (LONGEST_TEXT - 9)] * 4).encode(),
    ],
    ids=["objects", "brackets", "no JSON", "texts"],
)
def test_a_line_that_is_long_for_another_reason_is_given_up_after_its_beginning(
    line: bytes,
) -> None:
    kept, after = lines(line + b'\n{"id":6}')
    assert len(kept) == LONG
    assert line.startswith(kept.encode())
    assert after == '{"id":6}'


def test_three_texts_as_long_as_any_may_be_are_whole() -> None:
    sent = json.dumps(["x" * (MOST_TEXT // 3)] * 3)
    assert lines(sent.encode()) == [sent]


@each_row("sent", [b'["' + b"x" * LONG, b'["' + b"x" * LONG + b"\\"])
def test_a_text_that_never_ends_is_a_line_as_it_came(sent: bytes) -> None:
    assert lines(sent) == [sent.decode()]


def test_a_long_line_of_bytes_that_are_no_utf_8_can_be_read() -> None:
    text = text_in(b'"' + b"\xc3" * (LONGEST_TEXT + LONG) + b'"')
    assert set(text.replace(MARK, "")) == {"\ufffd"}


values = st.recursive(
    st.none() | st.integers() | st.text(max_size=60),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=9,
)


def told(value: object, escaped: bool) -> object:
    """The value, with None for each text that may be cut."""
    if isinstance(value, str):
        written = json.dumps(value, ensure_ascii=escaped).encode()
        return None if len(written) > SMALL or MARK in value else value
    if isinstance(value, list):
        return [told(each, escaped) for each in cast("list[object]", value)]
    if isinstance(value, dict):
        pairs = cast("dict[str, object]", value).items()
        return [(told(key, escaped), told(each, escaped)) for key, each in pairs]
    return value


@given(values, st.integers(1, 40), st.booleans())
def test_what_is_short_in_a_long_line_comes_as_it_was_wherever_the_pieces_end(
    value: object, size: int, escaped: bool
) -> None:
    sent = json.dumps(value, ensure_ascii=escaped).encode()
    with pytest.MonkeyPatch.context() as bounds:
        bounds.setattr(input_lines, "LONG", 20)
        bounds.setattr(input_lines, "STEP", 7)
        bounds.setattr(input_lines, "LONGEST_TEXT", SMALL)
        (line,) = lines(sent, size)
    assert told(json.loads(line), escaped) == told(value, escaped)
