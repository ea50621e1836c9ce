"""Counting the items that an answer lists.

Rule of this module: people list in many ways, so each style of marker is counted by itself, on its
outermost level.
"""

import re
from collections import Counter
from typing import NamedTuple

from reflection_mcp.tools.judging.case import Case

_LEAD = r"(?P<indent>[ \t]{0,24})(?:#{1,6}\s+)?(?:>\s*)?(?:\*\*|__)?"
_MARKERS: dict[str, re.Pattern[str]] = {
    "numbered": re.compile(_LEAD + r"(?:\(?\d{1,3}[.):](?!\d)|\d{1,2} ?[-\u2013] )\s*(?:\*\*)?\S"),
    "named": re.compile(
        _LEAD + r"[A-Z][a-z]{2,20}(?: [a-z]{2,12})? #?(?:\d{1,3}|One|Two|Three|Four|Five|Six|Seven|"
        r"Eight|Nine|Ten)\b\s*(?:[:.)\-\u2013*]|$)"
    ),
    "lettered": re.compile(_LEAD + r"\(?[a-zA-Z][.)]\s+\S"),
    "bulleted": re.compile(
        _LEAD + r"(?:[-*+\u2022\u2023\u25e6\u25aa\u25cf\u2013\u2014\u2705\u2714]|\u2611)\s+\S"
    ),
    "bold": re.compile(r"(?P<indent>[ \t]{0,24})\*\*[^*\n]{1,120}\*\*"),
    "headed": re.compile(r"(?P<indent>[ \t]{0,3})#{1,6}\s+\S"),
    "ordinal": re.compile(
        r"(?P<indent>[ \t]{0,24})(?:First|Second|Third|Fourth|Fifth|Sixth|Seventh|Eighth|Ninth|"
        r"Tenth|Finally|Lastly|Next)(?:ly)?\b"
    ),
}
_ROMAN = re.compile(r"[ \t]{0,24}(?:\*\*)?[IVX]{1,5}[.)]\s+\S")


class Items(NamedTuple):
    """The lists of an answer: for each style of marker, how many items on its outermost level."""

    counts: dict[str, int]
    loose: int
    """Lines outside of fences that carry no marker and do not introduce a list."""


def items(case: Case) -> Items:
    """Count list items by the style of their marker."""
    depths: dict[str, Counter[int]] = {style: Counter() for style in _MARKERS}
    loose = 0
    for line in case.prose.split("\n"):
        if not line.strip():
            continue
        head = line[:200]
        marked = False
        for style, marker in _MARKERS.items():
            match = marker.match(head)
            if match:
                depths[style][len(match["indent"].expandtabs(4))] += 1
                marked = True
        if _ROMAN.match(head):
            marked = True
            depths["numbered"][0] += 1
        loose += not marked and not line.rstrip().endswith(":")
    counts: dict[str, int] = {}
    for style, levels in depths.items():
        if levels:
            counts[style] = levels[min(levels)]
    if "numbered" in counts or "named" in counts:
        # Letters under numbers are the choices of a question or its parts.
        counts.pop("lettered", None)
    return Items(counts, loose)


_ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
)  # fmt: skip
_ROMANS = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")
_IN_A_ROW = re.compile(
    r"(?:(?<=\s)|^)[(*_]{0,3}(?:(?:[Ss]tep|STEP|[A-Z][a-z]{2,20}) )?#?"
    r"(?:(?P<number>\d{1,2})|(?P<roman>[IVX]{1,4})|(?P<letter>[A-J]))[*_]{0,2}[.):](?!\d)"
    r"|\bstep (?P<step>\d{1,2})\b"
    r"|\b(?P<ordinal>" + "|".join(_ORDINALS) + r")(?:ly)?\b",
    re.IGNORECASE | re.MULTILINE,
)


def enumerated(case: Case) -> int:
    """Count what is numbered one after the other anywhere, as in "1) open 2) pour 3) drink"."""
    reached = dict.fromkeys(_IN_A_ROW.groupindex, 0)
    for match in _IN_A_ROW.finditer(case.prose):
        style = str(match.lastgroup)
        found = match[style].lower()
        if style in ("number", "step"):
            place = int(found)
        elif style == "roman":
            place = _ROMANS.index(found) + 1 if found in _ROMANS else 0
        elif style == "letter":
            place = ord(found) - ord("a") + 1
        else:
            place = _ORDINALS.index(found) + 1
        if place == reached[style] + 1:
            reached[style] = place
    return max(*reached.values(), case.prose.count("\u2022"))
