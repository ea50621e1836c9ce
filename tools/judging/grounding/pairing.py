"""A name of an answer that joins parts of two names of the context: Joyce, and Calvino's Cities.

Rules of this module: both parts stand in the context, never near each other, and each of them only
within other names. A part that stands alone anywhere may belong to anybody (a brother is told by
his first name), and a word in small letters is no name.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from itertools import pairwise

from reflection_mcp.tools.judging.texts.names import Name, counts
from reflection_mcp.tools.judging.texts.source import Source, fold
from reflection_mcp.tools.judging.texts.wording import signs

NEAR = 80
"""Characters within which two words may be parts of one name, in any order."""
PLACES = 100
"""Places of a word that are looked at; one that stands more often is no part of one name."""
LONGEST = 32
"""Characters before a word in which the other part of its name stands."""

# A stop behind more than a few letters ends the sentence: "... Pathetique. Modest was his brother".
_BEFORE = re.compile(r"(?:^|[^\w'\u2019-])([^\W\d_a-z](?:[\w'\u2019-]*|[\w'\u2019-]{0,4}\.)) $")
_AFTER = re.compile(r" ([^\W\d_a-z][\w'\u2019-]*)")
_LETTER = re.compile(r"\w")
_OPENS = re.compile(r"(?:^|[.!?:;\n\"\u201c])\W*$")


def joined_parts(name: Name, source: Source) -> tuple[str, str] | None:
    """Return two parts of a name that the context gives to different names, if there are such."""
    for one, other in pairwise(name.words):
        together = f" {one} {other} "
        # Most names stand in the context as they are.
        if (
            together not in source.joined
            and together in f" {' '.join(signs(fold(name.written)))} "
            and {one, other} <= source.words
            and not _near(source.joined, one, other)
            and all(_only_in_names(part, source) for part in (one, other))
        ):
            return one, other
    return None


def _near(text: str, one: str, other: str) -> bool:
    others = list(_places(text, other))
    for place in _places(text, one):
        nearest = bisect_left(others, place - NEAR)
        if others[nearest : nearest + 1] and others[nearest] <= place + NEAR:
            return True
    return False


def _places(text: str, word: str) -> Iterator[int]:
    place = text.find(f" {word} ")
    while place >= 0:
        yield place
        place = text.find(f" {word} ", place + 1)


def _only_in_names(word: str, source: Source) -> bool:
    """Tell whether a word stands nowhere but beside another capitalised one that names as well."""
    text, found = source.small, 0
    place = text.find(word)
    while place >= 0:
        end = place + len(word)
        if not (_LETTER.match(text, place - 1, place) or _LETTER.match(text, end)):
            found += 1
            if found > PLACES or not _in_a_name(source.text, place, end):
                return False
        place = text.find(word, end)
    return found > 0


def _in_a_name(text: str, start: int, end: int) -> bool:
    if not text[start].isupper():
        return False
    after = _AFTER.match(text, end)
    if after and counts(after[1]):
        return True
    head = text[max(0, start - LONGEST) : start]
    before = _BEFORE.search(head)
    # What opens a sentence may owe its capital to that.
    return bool(
        before and counts(before[1].rstrip(".")) and not _OPENS.search(head[: before.start(1)])
    )
