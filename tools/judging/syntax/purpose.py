"""Reasons why a block of code that does not parse is meant that way.

Rules of this module: what an answer quotes to explain a fault, or what a later block that begins
alike mends, is not its own code; where a piece was asked for, or left-out code is marked, its edges
may be open.
"""

import re
import tomllib
from bisect import bisect_right
from functools import cache

from reflection_mcp.tools.data_files import data_text
from reflection_mcp.tools.judging.case import Block, Case
from reflection_mcp.tools.judging.syntax.reading import ParseResult

LEAD = 160
"""Characters before and after a block in which it may be called wrong."""
LIMIT = 4_000
"""Characters of a question, of a context and of a block that are looked at."""
LATER = 20
"""Blocks behind one that may mend it; without a bound many blocks would take quadratic time."""


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
    first = block.body.split("\n")[0]
    place = bisect_right(case.blocks, block.start, key=lambda one: one.start)
    later = case.blocks[place : place + LATER]
    if any(one.body.split("\n")[0] == first and one.body != block.body for one in later):
        return "a later block of the answer corrects it"
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
