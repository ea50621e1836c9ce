"""What a context says of each of two that a question names together.

Rules of this module: both names stand in the question, joined by "and" or "or", and in the context,
which tells of the one first and of the other behind it. Where it comes back to the first, what
belongs to which is not certain, and nothing is said.
"""

from itertools import islice
from typing import Literal, NamedTuple

from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.texts.source import Source, fold
from reflection_mcp.tools.judging.texts.wording import STOP, signs

QUESTION = 300
"""Characters of a question about two; longer ones tell a story."""
LONGEST = 8
"""Words of a name."""
JOINTS = 10
"""Places of a question where two names may be joined."""
LEAST = 5
"""Words that a context tells of each of two."""


class Side(NamedTuple):
    """One of two: its name in small plain letters, and what the context tells of it."""

    name: str
    told: Source


class Pair(NamedTuple):
    """Two that a question names, in its order, and its other words as they are written."""

    one: Side
    two: Side
    rest: tuple[str, ...]


def pair(case: Case, joined_by: Literal["and", "or"]) -> Pair | None:
    """Return the two that a question names, or None where it or the context is not so plain."""
    if len(case.question) > QUESTION:
        return None
    words = signs(case.question)
    plain = [fold(word) for word in words]
    context = Source(case.context).joined
    best: tuple[int, int, int] | None = None
    joints = (place for place, word in enumerate(plain) if word == joined_by)
    for place in islice(joints, JOINTS):
        first = _first(words, plain, place, context)
        last = _last(words, plain, place + 1, context)
        longer = best is None or last - first > best[2] - best[0]
        if first < place and last > place + 1 and longer:
            best = first, place, last
    if best is None:
        return None
    first, place, last = best
    names = " ".join(plain[first:place]), " ".join(plain[place + 1 : last])
    told = _told(context, *names)
    if told is None:
        return None
    one, two = (Side(name, Source(text)) for name, text in zip(names, told, strict=True))
    return Pair(one, two, (*words[:first], *words[last:]))


def _first(words: list[str], plain: list[str], end: int, context: str) -> int:
    """Return where the longest name begins that ends there and stands in the context."""
    for start in range(max(0, end - LONGEST), end):
        named = plain[start] not in STOP and words[start][0].isupper()
        if named and f" {' '.join(plain[start:end])} " in context:
            return start
    return end


def _last(words: list[str], plain: list[str], start: int, context: str) -> int:
    """Return where the longest name ends that begins there and stands in the context."""
    start += plain[start : start + 1] == ["the"]
    if start >= len(words) or not words[start][0].isupper():
        return 0
    for end in range(min(len(words), start + LONGEST), start, -1):
        if f" {' '.join(plain[start:end])} " in context:
            return end
    return 0


def _told(context: str, one: str, two: str) -> tuple[str, str] | None:
    """Return what a context tells of each of two names."""
    first, second = context.index(f" {one} "), context.index(f" {two} ")
    if first > second:
        turned = _told(context, two, one)
        return (turned[1], turned[0]) if turned else None
    ahead, behind = context[first : second + 1], context[second:]
    words = (len(text.split()) - len(name.split()) for text, name in ((ahead, one), (behind, two)))
    return (ahead, behind) if f" {one} " not in behind and min(words) >= LEAST else None
