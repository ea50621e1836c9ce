"""Reading lines from a descriptor, and writing to one."""

import errno
import os
import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reflection_mcp.server.transport import descriptors, stdio
from reflection_mcp.server.transport.descriptors import CHUNK, Writer, for_strays, lines_of
from reflection_mcp.server.transport.input_lines import InputLines
from reflection_mcp.server.transport.stdio import Handover
from tests.rows import each_row
from tests.transport.showcase import server


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


@each_row(
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
def test_where_the_pieces_end_makes_no_difference(pieces: list[bytes]) -> None:
    whole = b"".join(pieces)
    lines = [line.strip() for line in whole.split(b"\n")]
    assert read(pieces) == [line.decode("utf-8", "replace") for line in lines if line]


@each_row("size", [1, 4_000, 1_000_000])
@each_row("polls", [True, False])
def test_what_is_written_arrives_whole_however_slowly_it_is_read(
    size: int, polls: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(descriptors, "has_polls", lambda: polls)
    out, into = os.pipe()
    arrived: list[str] = []
    written = threading.Event()
    reader = threading.Thread(target=lambda: arrived.extend(lines_of(out)))
    writer = Writer(into, written.set)
    for letter in "ab":
        writer.write(f'"{letter * size}"\n'.encode())
    reader.start()
    while not writer.is_done:
        assert written.wait(60)
    os.close(into)
    reader.join()
    os.close(out)
    assert [line[1] for line in arrived] == ["a", "b"]
    assert len(arrived[1]) == size + 2


def test_where_stderr_is_closed_stray_output_goes_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(_: int) -> int:
        raise OSError(errno.EBADF, "closed")

    monkeypatch.setattr(os, "dup", closed)
    nowhere = for_strays()
    assert os.path.samestat(os.fstat(nowhere), Path(os.devnull).stat())
    os.close(nowhere)


@contextmanager
def wires() -> Generator[tuple[Handover, int, int]]:
    """A connection, and the two ends of its client."""
    wire_in, into = os.pipe()
    out, wire_out = os.pipe()
    yield Handover(wire_in=wire_in, wire_out=wire_out, incoming=InputLines()), into, out
    for descriptor in (into, wire_out):
        os.close(descriptor)


PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}'


@pytest.mark.parametrize("polls", [True, False])
def test_a_client_that_has_stopped_reading_ends_the_conversation(
    polls: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stdio, "has_polls", lambda: polls)
    monkeypatch.setattr(descriptors, "has_polls", lambda: polls)
    with wires() as (taken, _, out):
        os.close(out)
        taken.lines = [PING]
        assert server().serve_stdio(taken) == 0


def test_a_signal_that_came_before_ends_the_connection_with_its_code() -> None:
    with wires() as (taken, _, out):
        taken.lines = [PING]
        taken.signal = lambda: signal.SIGTERM
        assert server().serve_stdio(taken) == 128 + signal.SIGTERM
        assert b'"id":1' in os.read(out, CHUNK)
        os.close(out)
