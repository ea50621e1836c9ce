"""Reasons why a block of code that does not parse is meant that way.

Rules of this module: what an answer quotes to explain a fault, or what a later piece of it mends,
is not its own code; where a piece was asked for, or left-out code is marked, its edges may be open.
"""

import re
import tomllib
from collections import Counter
from functools import cache
from importlib.resources import files

from reflection_mcp.tools.judging.case import Block, Case
from reflection_mcp.tools.judging.syntax.reading import ParseResult

LEAD = 160
"""Characters before and after a block in which it may be called wrong."""
LIMIT = 4_000
"""Characters of a question, of a context and of a block that are looked at."""
ALIKE = 0.6
"""Share of two blocks that is the same when the second is the first one mended."""

_INLINE = re.compile(r"`([^`\n]{4,400})`")


@cache
def _pattern(name: str) -> re.Pattern[str]:
    text = (files("reflection_mcp.tools.judging.syntax") / "purpose.toml").read_text("utf-8")
    return re.compile(
        str(tomllib.loads(text)[name]).replace("\n", ""), re.IGNORECASE | re.MULTILINE
    )


def purpose(case: Case, block: Block, reading: ParseResult) -> str:
    """Return why a broken block is no fault of the answer; empty when nothing says so."""
    lead = case.prose[max(0, block.start - LEAD) : block.start].rstrip().rsplit("\n\n", 1)[-1]
    mended = _pattern("mended").search(lead.rsplit("\n", 1)[-1])
    asked = f"{case.question[:LIMIT]}\n{case.context[:LIMIT]}"
    if not mended and (_pattern("before").search(lead) or _pattern("asked").search(asked)):
        return "the text calls it wrong"
    after = case.prose[block.end : block.end + LEAD].strip().split("\n", 1)[0]
    if _pattern("after").search(after):
        return "the text calls it wrong"
    if _is_mended(case, block):
        return "a later piece of the answer mends it"
    is_piece = _pattern("piece").search(case.question[:LIMIT])
    if is_piece or _pattern("elision").search(block.body[:LIMIT]):
        last = reading.line >= len(block.body.rstrip().split("\n"))
        if _pattern("edge").search(reading.message):
            return "it is a piece that was cut out"
        if last and _pattern("end").search(reading.message):
            return "it is a piece that was cut out"
    return ""


def _is_mended(case: Case, block: Block) -> bool:
    """Return True if a block or a piece of code behind this one is nearly the same."""
    body = _words(block.body)
    later = [one.body for one in case.blocks if one.start > block.start]
    later += [found[1] for found in _INLINE.finditer(case.answer, block.end)]
    return any(_alike(body, _words(other)) for other in later[:20])


def _words(code: str) -> Counter[str]:
    return Counter(re.findall(r"\w+|[^\w\s]", code[:LIMIT]))


def _alike(one: Counter[str], other: Counter[str]) -> bool:
    same = (one & other).total()
    return one != other and same >= ALIKE * max(one.total(), other.total())
