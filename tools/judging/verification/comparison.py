"""Comparison of a draft with a fresh answer to one of its questions.

Rules of this module: both are answers of the same model, so a difference says that one of the two
is wrong and not which: it is a hint. A guess, a rough answer and one that is too long to be plain
are not compared at all.
"""

import re

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.finding import short, whole
from reflection_mcp.tools.judging.maths.units import unit_of
from reflection_mcp.tools.judging.texts.dates import days
from reflection_mcp.tools.judging.texts.numbers import figures, key, spelled
from reflection_mcp.tools.judging.texts.source import Source
from reflection_mcp.tools.judging.verification.questions import Question

KIND = "verification"
PLAIN = 8
"""Words of a fresh answer up to which what it says is plain."""
_GUESSES = re.compile(
    r"[~\u2248<>\u2264\u2265\u00b1?]|\d\+|n['\u2019]t\b|\b(?:n/?a|no idea|unknown|unclear|guess\w*|"
    r"maybe|perhaps|possibl[ey]|probabl[ey]|presumabl[ey]|likely|seem\w*|assum\w*|may|might|could|"
    r"uncertain|unsure|depends|know|tell|remember|recall|think|believe|suppose|suspect|reckon|"
    r"estimate\w*|about|around|roughly|approx\w*|almost|nearly|circa|ca|some|over|under|above|below|"
    r"between|up to|at (?:least|most)|(?:more|less|fewer) than|or|not|never|neither|nor|without|"
    r"any|unless|if|either)\b",
    re.IGNORECASE,
)
"""Words that make an answer a guess, a rough one, one of several, or none."""
_UNIT = re.compile(r"[ -]?(%|[A-Za-z]{1,10})")
_DIGITS = re.compile(r"\d(?:[\d.,]*\d)?")


def compare(question: Question, fresh_answer: str) -> Check:
    """Return whether a fresh answer agrees with the draft: ok, wrong (a hint) or unchecked."""
    fresh = " ".join(fresh_answer.split())
    stated, expected = short(question.value), short(fresh)
    if not fresh or _GUESSES.search(fresh):
        same, unclear = None, "no fresh answer was given, or a guess"
    elif question.kind == "number":
        same, unclear = _same_number(question.value, fresh), "it does not name one plain number"
    elif question.kind == "date":
        same, unclear = _same_date(question.value, fresh), "it names no single date"
    else:
        same, unclear = _same_name(question.value, fresh), "it names nobody for certain"
    if same is False and len(fresh.split()) > PLAIN:
        same, unclear = None, "the fresh answer is too long to be plain"
    if same is None:
        why = f"Not compared: {unclear}. Question: {question.text}"
        return whole(KIND, "unchecked", why, severity="hint", stated=stated)
    if same:
        why = f"A fresh answer agrees. Question: {question.text}"
        return whole(KIND, "ok", why, severity="hint", stated=stated)
    why = (
        f"The fresh answer differs: \u201c{stated}\u201d in the draft, "
        f"\u201c{expected}\u201d afresh. One of the two is wrong; look it up. "
        f"Question: {question.text}"
    )
    return whole(KIND, "wrong", why, severity="hint", stated=stated)


def _same_number(value: str, fresh: str) -> bool | None:
    """Compare amounts, in figures or words; units are converted where both have one."""
    own, others = _amounts(value), _amounts(fresh)
    # Among several numbers it is unclear which one is meant; "15-20" is two as well.
    if not own or len(others) != 1 or len(_DIGITS.findall(fresh)) > 1:
        return None
    (one, unit), (other, other_unit) = own[0], others[0]
    mine, theirs = unit_of(unit), unit_of(other_unit)
    if mine and theirs and mine != theirs:
        if mine.dimension != theirs.dimension:
            return False
        if mine.size is None or theirs.size is None:
            return None
        amount = one * float(mine.size)
        return abs(amount - other * float(theirs.size)) <= 0.01 * abs(amount)
    return abs(one - other) <= 1e-6 * abs(one)


def _amounts(text: str) -> list[tuple[float, str]]:
    found = {end: key(value) for _, end, value in spelled(text)}
    found |= {figure.end: figure.value for figure in figures(text)}  # "1.25 million" is one
    units = {end: _UNIT.match(text, end) for end in found}
    return [(value, unit[1] if (unit := units[end]) else "") for end, value in found.items()]


def _same_date(value: str, fresh: str) -> bool | None:
    own, others = days(value), days(fresh)
    if not own or len(others) != 1:
        return None
    one, other = own[0], others[0]
    if (one.day, one.month) != (other.day, other.month):
        return False
    return not (one.year and other.year and one.year != other.year)


def _same_name(value: str, fresh: str) -> bool | None:
    mine, theirs = Source(value), Source(fresh)
    wanted = [word for word in mine.joined.split() if len(word) > 1]
    held = [theirs.has_word(word) or theirs.has_like(word) for word in wanted]
    if not wanted:
        return None
    if all(held):
        return True
    if any(held):
        # "Marie Curie" and "Curie": a part agrees, and nothing says that the rest does not.
        return True if all(mine.has_word(word) for word in theirs.joined.split()) else None
    return False if any(word[0].isupper() for word in fresh.split()) else None
