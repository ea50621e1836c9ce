"""How cost grows with a text that is made to be slow: `python -m tests.bench.growth [ROOM ...]`.

Each reader of text from outside is given each of its hostile pieces (`tests/hostile.py`, the very
ones that the tests use) repeated to a length and to four times that length, one right after the
other. Times are CPU time of this process, the best of some rounds (`--rounds 3`). A factor of 4 is
linear, 16 quadratic.

Of each reader a line shows the worst time of the larger text with its piece, and the worst factor
with its piece among those that took more than `FLOOR`: below it a factor is noise. The exit code is
1 when one of these factors is more than `STEEP`.
"""

import argparse
import gc
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

from mcp_types import jsonrpc_message_adapter
from pydantic import ValidationError

from reflection_mcp.server.project import normalise_remote
from reflection_mcp.server.transport.input_lines import InputLines
from reflection_mcp.server.transport.messages import id_in
from reflection_mcp.tools.identity import fingerprint
from reflection_mcp.tools.identity.regex import compiled
from reflection_mcp.tools.identity.rules.table import FOLDER, proved_rows
from reflection_mcp.tools.judging import check_answer
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.maths.evaluation import evaluate
from reflection_mcp.tools.judging.maths.exact import Unreadable
from reflection_mcp.tools.judging.maths.tokens import tokens
from reflection_mcp.tools.redaction import find_secrets
from reflection_mcp.tools.redaction.forms import FORMS, Form
from reflection_mcp.tools.redaction.labels import LABELS, Label
from reflection_mcp.tools.redaction.prose import sayings
from reflection_mcp.tools.redaction.tokens import TokenShape, provider_rows
from reflection_mcp.tools.roles.excerpt import excerpt
from reflection_mcp.tools.untrusted import presentable, suspicion
from tests import hostile
from tests.hostile import Piece, repeated

TIMES = 4
FLOOR = 0.02
"""Seconds; what is quicker than this at the larger length is quick enough, and its factor noise."""
STEEP = 8.0
"""The growth of n to the power of 1.5: above linear with noise, below quadratic."""

Read = Callable[[str], object]
SECRETS: tuple[TokenShape | Form | Label, ...] = (*provider_rows(), *FORMS, *LABELS)


class Reader(NamedTuple):
    """Who reads, what is repeated for each way to read, and the smaller length in characters."""

    room: str
    name: str
    length: int
    cases: Iterable[tuple[Read, Piece]]


class Cost(NamedTuple):
    """CPU seconds for the larger text, and how many times as much as for the smaller that is."""

    seconds: float
    factor: float
    piece: Piece


def _each(read: Read, pieces: Iterable[Piece]) -> list[tuple[Read, Piece]]:
    return [(read, piece) for piece in pieces]


def _rows() -> list[tuple[Read, Piece]]:
    """Each row of a rule file with beginnings of its examples."""
    return [
        (partial(compiled(row.pattern).sub, ""), piece)
        for path in sorted(FOLDER.glob("*.rules"))
        for row, proof in proved_rows(path.read_text("utf-8"))
        for example, _ in proof.becomes
        for piece in hostile.beginnings(example)
    ]


def _evaluated(text: str) -> None:
    row = tokens(text)
    with suppress(Unreadable):
        evaluate(row, 0, len(row))


def _incoming(text: str) -> None:
    came = InputLines()
    for line in (*came.of(f'"{text}"\n["{text}",{text}'.encode()), *came.last()):
        with suppress(ValidationError):
            jsonrpc_message_adapter.validate_json(line)


def _seen(text: str) -> object:
    case = Case(answer=text)
    return case.prose, case.blocks, case.lines, case.sentences, case.english


READERS = (
    Reader("identity", "a fingerprint", 16_000, _each(fingerprint, hostile.PRINTED)),
    Reader("identity", "a row of a rule file", 16_000, _rows()),
    Reader(
        "redaction",
        "finding secrets",
        4_000,
        _each(
            find_secrets,
            dict.fromkeys(
                (
                    *(piece for row in SECRETS for piece in hostile.pieces_of(row)),
                    *(piece for row in sayings() for piece in (*row.anchors, row.example)),
                    *hostile.CONNECTIONS,
                )
            ),
        ),
    ),
    Reader(
        "untrusted", "suspicion", 16_000, _each(suspicion, hostile.STEERING + hostile.DISGUISED)
    ),
    Reader(
        "untrusted", "showing", 250_000, _each(presentable, hostile.STEERING + hostile.DISGUISED)
    ),
    Reader("judging", "an expression", 30_000, _each(_evaluated, hostile.EXPRESSIONS)),
    Reader("judging", "the views of an answer", 50_000, _each(_seen, hostile.PROSE)),
    Reader(
        "judging",
        "an answer",
        16_000,
        _each(
            lambda text: check_answer("How many of 5 and 7?", text, ""),
            (*hostile.WORKED.values(), *hostile.CHECKED),
        ),
    ),
    Reader(
        "judging",
        "question, answer and context",
        16_000,
        _each(lambda text: check_answer(text, text, text), hostile.CHECKED),
    ),
    Reader(
        "roles",
        "an excerpt",
        250_000,
        _each(lambda text: excerpt(text, text[:5_000]), hostile.CONTEXTS),
    ),
    Reader(
        "server",
        "a remote",
        250_000,
        _each(lambda text: normalise_remote(text, Path("/srv")), hostile.URLS),
    ),
    Reader(
        "server",
        "the id of a broken line",
        250_000,
        _each(lambda text: id_in("{" + text), hostile.BROKEN_LINES),
    ),
    Reader("server", "a long line", 250_000, _each(_incoming, hostile.INCOMING)),
)


def seconds(read: Read, text: str) -> float:
    """The CPU time of reading a text."""
    begin = time.process_time()
    read(text)
    return time.process_time() - begin


def cost(read: Read, piece: Piece, length: int, rounds: int) -> Cost:
    """The best of some rounds, each of which reads both lengths.

    The number of the round ends its texts: who remembers what it has read has to read it again.
    """
    texts = repeated(piece, length), repeated(piece, length * TIMES)
    times = [[seconds(read, f"{text}{number}") for text in texts] for number in range(rounds)]
    small, large = (min(column) for column in zip(*times, strict=True))
    return Cost(large, large / max(small, 1e-6), piece)


def costs(reader: Reader, rounds: int) -> Iterator[Cost]:
    """What every case of a reader costs."""
    for read, piece in reader.cases:
        read(repeated(piece, 1_000))  # compiles and fills caches
        yield cost(read, piece, reader.length, rounds)


def steepest(every: Iterable[Cost]) -> Cost | None:
    """The worst factor among what is slow enough to have one."""
    return max((one for one in every if one.seconds >= FLOOR), key=lambda c: c.factor, default=None)


def main() -> int:
    """Print a line for each reader; 1 when one of them is clearly worse than linear."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help="only these rooms")
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    gc.disable()  # as `timeit` does: whose turn it is to pay for all the others is chance
    failed = False
    for reader in READERS:
        if asked.rooms and reader.room not in asked.rooms:
            continue
        gc.collect()
        every = list(costs(reader, asked.rounds))
        slowest, worst = max(every, key=lambda c: c.seconds), steepest(every)
        failed |= worst is not None and worst.factor > STEEP
        print(
            f"{reader.room:10s} {reader.name:28s} n {len(every):4d}  "
            f"{reader.length * TIMES:9,d} characters: {slowest.seconds:7.3f} s "
            f"{_shown(slowest.piece):30s} "
            + (f"factor {worst.factor:4.1f} {_shown(worst.piece)}" if worst else "all under 20 ms"),
            flush=True,
        )
    return int(failed)


def _shown(piece: Piece) -> str:
    text = ascii(piece if isinstance(piece, str) else piece.opening)
    return text if len(text) <= 30 else f"{text[:27]}..."


if __name__ == "__main__":
    sys.exit(main())
