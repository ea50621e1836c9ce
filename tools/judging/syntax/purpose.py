"""Reasons why a block of code that does not parse is meant that way.

Rules of this module: what an answer quotes to explain a fault, or what a later piece of it mends,
is not its own code; where a piece was asked for, or left-out code is marked, its edges may be open.
"""

import re
import tomllib
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from functools import cache

from reflection_mcp.tools.data_files import data_text
from reflection_mcp.tools.judging.case import Block, Case
from reflection_mcp.tools.judging.syntax.reading import ParseResult

LEAD = 160
"""Characters before and after a block in which it may be called wrong."""
LIMIT = 4_000
"""Characters of a question, of a context and of a block that are looked at."""
LATER = 20
"""Pieces of code behind a block that are compared with it."""
ALIKE = 0.6
"""Share of two blocks that is the same when the second is the first one mended."""

_INLINE = re.compile(r"`([^`\n]{4,400})`")


@cache
def _pattern(name: str) -> re.Pattern[str]:
    text = data_text("reflection_mcp.tools.judging.syntax", "purpose.toml")
    return re.compile(
        str(tomllib.loads(text)[name]).replace("\n", ""), re.IGNORECASE | re.MULTILINE
    )


def purpose(case: Case, block: Block, reading: ParseResult) -> str:
    """Return why a broken block is no fault of the answer; empty when nothing says so."""
    lead = case.prose[max(0, block.start - LEAD) : block.start].rstrip().rsplit("\n\n", 1)[-1]
    mended = _pattern("mended").search(lead.rsplit("\n", 1)[-1])
    if not mended and (_pattern("before").search(lead) or case.view(_asks_for_faults)):
        return "the text calls it wrong"
    after = case.prose[block.end : block.end + LEAD].strip().split("\n", 1)[0]
    if _pattern("after").search(after):
        return "the text calls it wrong"
    if _is_mended(case, block):
        return "a later piece of the answer mends it"
    if case.view(_asks_for_a_piece) or _pattern("elision").search(block.body[:LIMIT]):
        last = reading.line >= len(block.body.rstrip().split("\n"))
        if _pattern("edge").search(reading.message):
            return "it is a piece that was cut out"
        if last and _pattern("end").search(reading.message):
            return "it is a piece that was cut out"
    return ""


def _asks_for_faults(case: Case) -> bool:
    """Return True if what was given says that broken code is wanted."""
    return bool(_pattern("asked").search(f"{case.question[:LIMIT]}\n{case.context[:LIMIT]}"))


def _asks_for_a_piece(case: Case) -> bool:
    return bool(_pattern("piece").search(case.question[:LIMIT]))


def _is_mended(case: Case, block: Block) -> bool:
    """Return True if a block or a piece of code behind this one is nearly the same."""
    blocks, inline = case.view(_block_words), case.view(_inline_words)
    body = _words(block.body)
    later = [*_from(blocks, block.start), *_from(inline, block.end)]
    return any(_alike(body, other) for _, other in later[:LATER])


_Words = Sequence[tuple[int, Counter[str]]]
"""Pieces of code: where each begins, and its words."""


def _from(pieces: _Words, place: int) -> _Words:
    """The first pieces that begin behind a place."""
    first = bisect_right(pieces, place, key=lambda piece: piece[0])
    return pieces[first : first + LATER]


def _block_words(case: Case) -> _Words:
    return [(block.start, _words(block.body)) for block in case.blocks]


def _inline_words(case: Case) -> _Words:
    return [(found.start(), _words(found[1])) for found in _INLINE.finditer(case.answer)]


def _words(code: str) -> Counter[str]:
    return Counter(re.findall(r"\w+|[^\w\s]", code[:LIMIT]))


def _alike(one: Counter[str], other: Counter[str]) -> bool:
    same = (one & other).total()
    return one != other and same >= ALIKE * max(one.total(), other.total())
