"""Answers that break off.

Rules of this module: two things prove a cut. An ending that nothing ends with (an article, a
preposition, a comma, an open bracket), whatever the shape of the text; or a last sentence without
its full stop among sentences that have theirs. Poems, tables, lists, formulas, code, signatures
and titles end as they like: without one of the two proofs nothing is said of them.
"""

import re
from collections.abc import Iterator

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.case import Case, Piece
from reflection_mcp.tools.judging.finding import at

TRUNCATED = "completeness:truncated"
FENCE = "completeness:unclosed_fence"

LEAST_WORDS = 12
"""Shorter answers are often a phrase and end without a stop."""
LONG_ENOUGH = 25
"""Words below which a text may be a remark whose writer left out the last full stop."""
TAIL = 400
"""Characters in which a line that is longer shows how it ends."""
LONGEST_WORD = 100
"""Characters of a last word above which it is a dump, a key or a link: no sentence ends there."""
PROSE_WORDS = 8
"""Words a last line must have to be held against the sentences before it."""

_TERMINAL = frozenset(
    ".!?\u2026\u3002\uff01\uff1f\u061f\u06d4\u0964:;)]}>|`*_~\"'\u201d\u2019\u00bb$%"
)
# No English sentence and no verse ends with these.
_NEVER_LAST = frozenset(
    """a an the and or but nor because although though unless whether my your our its their every
    very whose whereas per via during including etc. e.g i.e""".split()
)
# These may end a question, a relative clause or a verse ("what it is for", "who we are"), and are
# believed only at the end of a long line without an end mark.
_RARELY_LAST = frozenset(
    """to in on by with for at about that this these those his her who what where when how so not
    can will do does did have also more most some any all each both other another new many few of
    from into onto upon than as if is are was were am be been being has had which while until
    since toward towards among between would could should might must may shall cannot
    such""".split()
)
LONG_LINE = 10
"""Words from which a line is no verse."""
_ITEM = re.compile(r"\s{0,12}(?:[-*+\u2022]\s|(?:\(?\d{1,3}[.):]|\(?[a-zA-Z][.)]|#{1,6}|>|\|)\s?)")
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*")
_SIGNATURE = re.compile(
    r"\b(?:regards|sincerely|yours|truly|love|cheers|thanks|thank you|respectfully|warmly|best)\b"
    r"[,!]?\s*$",
    re.IGNORECASE,
)
_TAG_OR_LINK = re.compile(
    r"(?:[#@]\w+|https?://\S+|[^\s@]{1,64}@[^\s@]{1,200}\.\w{1,24}|[^\w\s])\s{0,8}$"
)
_COMMENT = ("#", "//", "/*", "--", "%", "    ")
_MATHS = re.compile(r"[=+*/^\\<>{}\u2248\u2264\u2265\u00d7\u00f7\d]\s*\S{0,12}\s*$")


def check(case: Case) -> Iterator[Check]:
    """Yield whether the last block is closed and whether the text comes to its end."""
    if not case.is_whole:
        return
    yield from _fences(case)
    text = case.answer.rstrip()
    if not text or (case.blocks and case.blocks[-1].end >= len(text)):
        return
    count = len(text.split())
    if count < LEAST_WORDS:
        return
    lines = [line for line in _prose_lines(case) if line.text.strip()]
    last = lines[-1]
    reason = _cut_anywhere(lines) if case.english else ""
    if not reason and case.english and not _ended(last.text):
        reason = _cut_sentence(lines, case.sentences[-1], count)
    start = last.start + len(last.text) - len(last.text.lstrip())
    end = last.start + len(last.text.rstrip())
    start = max(start, end - 120)
    if reason:
        yield at(case, start, end, TRUNCATED, "wrong", f"The answer breaks off: {reason}.")
    elif case.english and _ended(last.text):
        yield at(case, start, end, TRUNCATED, "ok", "The answer comes to an end.")
    else:
        why = "Not checked: texts of this kind or language may end without a mark."
        yield at(case, start, end, TRUNCATED, "unchecked", why)


def _fences(case: Case) -> Iterator[Check]:
    for block in case.blocks:
        # A row of tildes or of many backticks underlines a heading in reStructuredText.
        row = case.answer.startswith(("~", "`````"), block.start)
        underline = row and not block.language
        if not block.closed and not underline:
            why = "A code block is opened and never closed."
            head = block.start, min(block.end, block.start + 40)
            yield at(case, *head, FENCE, "wrong", why)


def _ended(line: str) -> bool:
    return line.rstrip()[-1:] in _TERMINAL


def _prose_lines(case: Case) -> list[Piece]:
    return [Piece(line.start, line.end, case.prose[line.start : line.end]) for line in case.lines]


def _cut_anywhere(lines: list[Piece]) -> str:
    """Return why a last line cannot be one, whatever the text is; empty when it can."""
    text = lines[-1].text.strip()
    if text.startswith("|"):
        return _cut_row(lines)
    if text.startswith(_COMMENT):
        return ""
    if text[-1] in ",([{\u201c\u00ab" and not _SIGNATURE.search(text):
        return f"it ends with {text[-1]!r}"
    found = _WORD.findall(text[-TAIL:])
    if not found or not text.endswith(found[-1]) or len(found) + len(lines) < 3:
        return ""
    word = found[-1]
    # Capitalised it may be a name ("The Who", "vitamin A"), unless it opens the line or clause.
    opens = len(found) == 1 or text[: -len(word)].rstrip()[-1:] in (".", ":", "!", "?")
    if (word.islower() or (opens and word.istitle())) and word.lower() in _NEVER_LAST:
        return f"its last word is {word!r}"
    return ""


def _cut_row(lines: list[Piece]) -> str:
    """A last table row without its closing bar, where the others have theirs."""
    *others, last = [line.text.strip() for line in lines if line.text.strip().startswith("|")]
    # "|x - 3| = 5" is no row, "| Paris | 2" is one.
    is_row = last.count("|") > 1 and (bool(others) or last.startswith("| "))
    if last.endswith("|") or not is_row or not all(row.endswith("|") for row in others):
        return ""
    return "its last table row is not closed"


def _cut_sentence(lines: list[Piece], final: Piece, words: int) -> str:
    """Return why a last line without an end mark should have one; empty when it need not."""
    last = lines[-1].text.strip()
    if last.startswith(("|", *_COMMENT)) or (len(lines) > 1 and _SIGNATURE.search(lines[-2].text)):
        return ""
    if _ITEM.match(last):
        items = [line.text for line in lines[:-1] if _ITEM.match(line.text)]
        if len(items) >= 2 and all(_full_stop(item) for item in items) and len(last.split()) > 3:
            return "its last list item has no end, unlike the others"
    bare = _ITEM.sub("", last, count=1)
    if not bare or len(bare.rsplit(maxsplit=1)[-1]) > LONGEST_WORD:
        return ""
    end = bare[-TAIL:]
    if _TAG_OR_LINK.search(end) or _MATHS.search(end) or "=" in bare:
        return ""
    if _open_pair(bare):
        return "a bracket or quotation mark stays open"
    found = _WORD.findall(bare)
    if len(found) >= LONG_LINE and found[-1] in _RARELY_LAST:
        return f"its last word is {found[-1]!r}"
    if words < LONG_ENOUGH:
        return ""
    if final.start > lines[-1].start + len(lines[-1].text) - len(bare) and _words_in(final) >= 3:
        return "its last sentence has no end"
    peers = [line.text for line in lines[:-1] if _like(line.text, last)]
    if len(found) >= PROSE_WORDS and peers and all(map(_full_stop, peers)):
        return "its last sentence has no end, unlike the others"
    if _verse(lines) and len(found) >= 2:
        return "its last line has no mark at its end, unlike the others"
    return ""


def _full_stop(line: str) -> bool:
    return bool(re.search(r"[.!?\u2026][\"'\u201d\u2019)\]*_]{0,3}\s*$", line))


def _verse(lines: list[Piece]) -> bool:
    """Return True if all lines before the last are verses that end in a mark."""
    before = [line.text.strip() for line in lines[:-1]]
    return len(before) >= VERSES and all(
        re.search(r"[.,;:!?\u2014-][\"'\u201d\u2019]?$", line)
        and not _ITEM.match(line)
        and len(line.split()) <= VERSE_WORDS
        for line in before
    )


VERSES, VERSE_WORDS = 4, 14
"""A text of at least so many lines, none longer than that, is taken for verse."""


def _words_in(piece: Piece) -> int:
    return len(_WORD.findall(piece.text))


def _open_pair(text: str) -> bool:
    if text.rfind("(") > text.rfind(")") or text.rfind("\u201c") > text.rfind("\u201d"):
        return True
    return text.count('"') % 2 == 1 and bool(re.search(r"(?:^|[\s(])\"\w[^\"]*$", text))


def _like(line: str, last: str) -> bool:
    """Return True if two lines are of one kind: both list items or both prose, and of like
    length."""
    same = bool(_ITEM.match(line)) == bool(_ITEM.match(last))
    return same and len(_WORD.findall(line)) >= PROSE_WORDS - 2
