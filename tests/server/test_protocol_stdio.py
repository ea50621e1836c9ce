"""Reading lines from a descriptor."""

import os
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reflection_mcp.server.stdio import CHUNK, lines_of


def read(pieces: list[bytes]) -> list[str]:
    """What is read when these pieces arrive one after the other."""
    out, into = os.pipe()

    def write() -> None:
        with os.fdopen(into, "wb", buffering=0) as pipe:
            for piece in pieces:
                pipe.write(piece)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        return list(lines_of(out))
    finally:
        writer.join()
        os.close(out)


@pytest.mark.parametrize(
    ("pieces", "lines"),
    [
        ([b"a\n", b"b\n"], ["a", "b"]),
        ([b"a\nb\nc"], ["a", "b", "c"]),
        ([b"\n", b"  \n", b"\r\n", b"a\r\n"], ["a"]),
        ([b"\xff\xfe\n"], ["\ufffd\ufffd"]),
        (["é".encode()[:1], "é".encode()[1:], b"\n"], ["é"]),
        ([b""], []),
        ([b"x" * (3 * CHUNK), b"\ny"], ["x" * (3 * CHUNK), "y"]),
    ],
)
def test_lines_are_read_as_they_were_written(pieces: list[bytes], lines: list[str]) -> None:
    assert read(pieces) == lines


@given(st.lists(st.binary(max_size=30), max_size=8))
@settings(derandomize=True, deadline=None, max_examples=50)
def test_where_the_pieces_end_makes_no_difference(pieces: list[bytes]) -> None:
    whole = b"".join(pieces)
    lines = [line.strip() for line in whole.split(b"\n")]
    assert read(pieces) == [line.decode("utf-8", "replace") for line in lines if line]
