"""Whether what an answer quotes and cites stands in the context it was to rest on.

Rules of this module: without a context nothing is said. A quotation of five words or more claims to
be verbatim; shorter ones and titles are not quotations, and stay unchecked. Asked to write
dialogue, titles, examples or a translation, an answer may put new words in quotation marks.
"""

import re
from collections.abc import Iterator

from reflection_mcp.store.records import Check, Status
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.finding import at
from reflection_mcp.tools.judging.texts.source import Source
from reflection_mcp.tools.judging.texts.wording import STOP

QUOTE, CITATION = "grounding:quote", "grounding:citation"
VERBATIM = 5
"""Words from which a quotation claims to be verbatim."""
SAME, NEARLY = 92.0, 80.0
"""Similarity (0 to 100) from which a quotation is the same, and from which it may be."""
QUOTES = 60
"""Quotations and addresses of one answer that are looked at."""
FUZZY_TEXT = 60_000
"""Characters of a context that are searched for a similar wording."""

_MARKS = ('"', "\u201c", "\u00ab")
_QUOTED = re.compile(
    r"(?<!\w)\"(?=\S)([^\"\n]{3,400})(?<=\S)\"(?!\w)"
    r"|\u201c([^\u201d\n]{3,400})\u201d|\u00ab([^\u00bb\n]{3,400})\u00bb"
)
_GAP = re.compile(r"\s*(?:\[?(?:\.\.\.|\u2026)\]?|\[[^\]]{0,60}\])\s*")
_WORD = re.compile(r"[^\W_]+")
_NEW_WORDS = re.compile(
    r"\b(?:story|stories|poem|dialogue|dialog|script|slogan|tagline|titles?|headline|examples?|"
    r"sentences?|questions?|quiz|translate|rewrite|rephrase|paraphrase|e-?mail|letter|speech|song|tweet|"
    r"caption|ideas?|suggest|create|imagine|compose|invent|brainstorm|generate)\b",
    re.IGNORECASE,
)
_BEGINNINGS = ("http", "doi:", "arxiv:")
_ADDRESS = re.compile(
    r"\bhttps?://[^\s<>\"')\]}|]{3,300}|\bdoi:\s?10\.\d{4,9}/\S{2,80}|\barXiv:\s?\d{4}\.\d{4,5}",
    re.IGNORECASE,
)
_MADE_UP_ON_PURPOSE = re.compile(
    r"\bexample\.(?:com|org|net)|localhost|127\.0\.0\.1|your-?\w", re.IGNORECASE
)
_REFERENCE = re.compile(r"(?<![\w\]])\[(\d{1,3})\](?!\()")
_NUMBERED = re.compile(r"\[(?<!\S\[)(\d{1,3})\]")


def check(case: Case) -> Iterator[Check]:
    """Yield one finding for each quotation, address and reference, if a context was given."""
    if not case.context.strip():
        return
    yield from _quotes(case)
    yield from _addresses(case)
    yield from _references(case)


def _quotes(case: Case) -> Iterator[Check]:
    if not any(mark in case.prose for mark in _MARKS):
        return
    new_words = bool(_NEW_WORDS.search(case.question))
    for _, found in zip(range(QUOTES), _QUOTED.finditer(case.prose), strict=False):
        text = next(group for group in found.groups() if group)
        status, why = _quoted(text, case.source)
        if status == "wrong" and (new_words or not case.english):
            status, why = "unchecked", "Not checked: these may be words of the answer's own."
        yield at(case, *found.span(), QUOTE, status, why, stated=text if status == "wrong" else "")


def _quoted(text: str, source: Source) -> tuple[Status, str]:
    pieces = [_plain(piece) for piece in _GAP.split(text)]
    pieces = [piece for piece in pieces if piece]
    if all(f" {piece} " in source.joined for piece in pieces):
        return "ok", "The context holds these words."
    if sum(len(piece.split()) for piece in pieces) < VERBATIM or _is_title(text):
        return "unchecked", "Not checked: a title or a few words may be no quotation."
    likeness = max(_likeness(piece, source.joined) for piece in pieces)
    if likeness >= SAME:
        return "ok", "The context holds these words, nearly to the letter."
    if likeness >= NEARLY or len(source.joined) > FUZZY_TEXT:
        return "unchecked", "Not checked: the context holds similar words."
    return "wrong", "The context does not hold these words."


def _is_title(text: str) -> bool:
    words = [word for word in _WORD.findall(text) if word.lower() not in STOP]
    return 2 * sum(not word[0].islower() for word in words) > len(words)


def _plain(text: str) -> str:
    return Source(text).joined.strip()


def _likeness(piece: str, text: str) -> float:
    from rapidfuzz import fuzz

    return float(fuzz.partial_ratio(piece, text[:FUZZY_TEXT]))


def _addresses(case: Case) -> Iterator[Check]:
    small = case.prose.lower()
    if not any(beginning in small for beginning in _BEGINNINGS):
        return
    known = ""
    for _, found in zip(range(QUOTES), _ADDRESS.finditer(case.prose), strict=False):
        written = found[0].rstrip(".,;:!?*_`")
        place = found.start(), found.start() + len(written)
        known = known or _bare(case.source.text)
        if _bare(written) in known:
            yield at(case, *place, CITATION, "ok", "The context holds this address.")
        elif _MADE_UP_ON_PURPOSE.search(written):
            yield at(case, *place, CITATION, "unchecked", "Not checked: an example address.")
        else:
            why = "The context does not hold this address."
            yield at(case, *place, CITATION, "wrong", why, stated=written)


def _bare(text: str) -> str:
    """Return a text without what may differ in an address: scheme, www, last slash, case."""
    return re.sub(r"https?://|www\.|/(?=\s|$)|(?<=:)\s", "", text.lower())


def _references(case: Case) -> Iterator[Check]:
    known = {int(number) for number in _NUMBERED.findall(case.context)}
    if len(known) < 2 or 1 not in known:
        return
    for _, found in zip(range(QUOTES), _REFERENCE.finditer(case.prose), strict=False):
        if int(found[1]) in known:
            yield at(case, *found.span(), CITATION, "ok", "The context holds this source.")
        else:
            why = f"The context numbers its sources up to {max(known)}."
            yield at(case, *found.span(), CITATION, "wrong", why, stated=found[0])
