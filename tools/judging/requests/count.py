"""Counting what an answer holds: list items, sentences, words, paragraphs, lines.

Rule of this module: people count differently, so every count is a pair, the lowest and the highest
number that a fair reader could come to; a demand is missed only when both are outside it.
"""

import re
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.requests.demands import What


class Count(NamedTuple):
    """The lowest and the highest fair count; None when the answer cannot be counted so."""

    low: int
    high: int


_WORD = re.compile(r"\S*[^\W_]\S*")
_PLAIN_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")
_STOP = re.compile(r"(?<![.!?\u2026])[.!?\u2026]+[\"'\u201d\u2019)\]*_]{0,3}(?=\s|$)")
_RULE_OR_HEADING = re.compile(r"\s{0,3}(?:[-*_=]{3,}\s*$|#{1,6}\s)")


def words(case: Case) -> Count:
    """Count words; "well-known" is one or two."""
    text = case.answer
    counts = (len(_WORD.findall(text)), len(_PLAIN_WORD.findall(text)))
    titled = sum(len(_WORD.findall(line.text)) for line in case.lines[:1] if _heading(line.text))
    return Count(min(counts) - titled, max(counts))


def characters(case: Case) -> Count:
    """Count characters, spaces included; quotation marks around the whole may be left out."""
    text = case.answer.strip()
    return Count(len(text.strip('"\u201c\u201d')), len(text))


def sentences(case: Case) -> Count:
    """Count sentences: at least those that end in a stop, at most every line and every stop."""
    low = sum(
        1
        for piece in case.sentences
        if piece.text[-1:] not in ":" and len(piece.text) > 12 and _STOP.search(piece.text)
    )
    high = sum(
        max(1, len(_STOP.findall(line.text)))
        + line.text.count(";")
        + bool(_trailing(line.text))
        for line in case.lines
        if any(map(str.isalpha, line.text))
    )  # fmt: skip
    return Count(min(low, high), high)


def _trailing(line: str) -> str:
    """Return the words after the last stop of a line that has one."""
    parts = _STOP.split(line)
    return parts[-1].strip() if len(parts) > 1 else ""


def paragraphs(case: Case) -> Count:
    """Count blocks between blank lines; at most every line, at least without titles and rules."""
    blocks = [block for block in re.split(r"\n\s*\n", case.answer) if block.strip()]
    blocks = [block for block in blocks if not re.fullmatch(r"\s*[-*_=]{3,}\s*", block)]
    real = [block for block in blocks if len(block.split()) > 12 and not _heading(block)]
    lines = [line for line in case.lines if line.text.strip()]
    return Count(len(real), max(len(blocks), len(lines)))


def lines(case: Case) -> Count:
    """Count lines that are not blank; verses may also be set off by slashes."""
    told = [line.text for line in case.lines if line.text.strip()]
    low = sum(1 for text in told if not _heading(text) and not text.rstrip().endswith(":"))
    return Count(max(0, low - 1), len(told) + case.answer.count(" / "))


def _heading(text: str) -> bool:
    bare = text.strip()
    return (
        bool(_RULE_OR_HEADING.match(text))
        or (bare.startswith("**") and bare.endswith("**"))
        or (bare.lower().startswith("title:"))
        or ("\n" not in bare and len(bare.split()) <= 10 and bare[-1:].isalnum())
    )


LENGTHS: dict[What, Callable[[Case], Count]] = {
    "words": words,
    "sentences": sentences,
    "paragraphs": paragraphs,
    "lines": lines,
    "characters": characters,
}

# --------------------------------------------------------------------------- lists

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
