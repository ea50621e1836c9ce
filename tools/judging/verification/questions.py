"""Questions about the facts of an answer, and the comparison of fresh answers with the draft.

Rules of this module: a question is open and can be answered without having seen the draft, because
a reader of the draft repeats its mistakes (Chain-of-Verification, arXiv 2309.11495: answering apart
from the draft is what helps). So of work that was done nothing is asked, of a number only where the
question holds numbers to work with, and never of what the question itself gives. What the draft
says is kept in the question's `value` for the comparison and is never part of its text. Agreement
is only said, and difference only found, where a machine can tell: numbers, days, names; of other
wording only near identity is agreement. A guess is neither.
"""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.case import Case, Piece
from reflection_mcp.tools.judging.finding import short, whole
from reflection_mcp.tools.judging.grounding.dates import days
from reflection_mcp.tools.judging.texts.names import names
from reflection_mcp.tools.judging.texts.numbers import figures, key, spelled
from reflection_mcp.tools.judging.texts.reports import asks, reports
from reflection_mcp.tools.judging.texts.source import Source
from reflection_mcp.tools.judging.verification.amounts import CODE, amounts, holds_numbers
from reflection_mcp.tools.judging.verification.guesses import DOES_NOT_KNOW, GUESSES, ROUGH

KIND = "verification"
SENTENCES = 80
"""Sentences of an answer in which facts are looked for."""
SENTENCE_LIMIT = 240
"""Characters of a sentence that is turned into a question; a longer one holds too much."""
AGREE, UNLIKE = 88.0, 30.0
"""Similarity of wording (0 to 100) from which two texts agree, and below which they do not meet."""
GAP = "____"
"""What stands in a question for the fact that is asked for."""

Expected = Literal["number", "name", "date", "text"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One open question about a fact of the answer.

    `id` is the same for the same text. `kind` says what a fresh answer is compared as; `value` is
    what the draft says and is not to be shown to whoever answers.
    """

    id: str
    text: str
    kind: Expected
    value: str


def questions_for(case: Case, limit: int = 5) -> tuple[Question, ...]:
    """Return up to `limit` questions about the facts of an answer, the surest kinds first.

    Facts come from English prose; of other texts, and where no fact stands out, what remains is the
    question itself, which can be answered afresh and compared. What an answer reports as done is
    no fact that anybody else could tell, and a request for work is no question.
    """
    if reports(case.answer) or not (asks(case.question) or not case.question.strip()):
        return ()
    found: dict[str, Question] = {}
    facts = _facts(case) if case.english else iter(())
    for question in facts:
        if len(found) >= limit:
            break
        found.setdefault(question.text, question)
    if len(found) < limit and _comparable(case):
        again = _question(short(" ".join(case.question.split())), "text", case.answer.strip())
        found.setdefault(again.text, again)
    return tuple(found.values())[:limit]


def _comparable(case: Case) -> bool:
    """Tell whether the question itself can be asked again: a question whose answer is short."""
    asked = " ".join(case.question.split())
    return (
        asked.endswith("?") and len(asked) <= SENTENCE_LIMIT and len(case.answer) <= SENTENCE_LIMIT
    )


def _question(text: str, kind: Expected, value: str) -> Question:
    digest = hashlib.sha256(f"{kind}\n{text}".encode()).hexdigest()[:10]
    return Question(id=f"q-{digest}", text=text, kind=kind, value=value)


# --------------------------------------------------------------------------- asking

_PROMPT: dict[Expected, str] = {
    "number": "Which number belongs in the gap? (The number alone.)",
    "date": "Which date belongs in the gap?",
    "name": "Which name belongs in the gap?",
    "text": "",
}
# A sentence that leans on others cannot be asked by itself.
_LEANS = re.compile(
    r"\W{0,4}(?:it|its|he|his|she|her|they|their|this|that|these|those|there|such|however|"
    r"therefore|thus|so|then|also|but|and|or|the (?:former|latter|same))\b",
    re.IGNORECASE,
)
_MARKER = re.compile(r"\s*(?:[-*+\u2022]|\(?\d{1,3}[.)]|#{1,6})\s+")


def _facts(case: Case) -> Iterator[Question]:
    asked = " ".join(case.question.split())
    about = asked if 0 < len(asked) <= SENTENCE_LIMIT else ""
    kinds = _SUREST if holds_numbers(about) else _WITHOUT_NUMBERS
    sentences = [_unmarked(sentence) for sentence in case.sentences[:SENTENCES]]
    for kind in kinds:
        for sentence in sentences:
            place = _fact(kind, sentence, about) if _askable(sentence, about) else None
            if place is not None:
                yield _about(about, sentence, *place, kind)


_SUREST: tuple[Expected, ...] = ("date", "number", "name")
_WITHOUT_NUMBERS: tuple[Expected, ...] = ("date", "name")


def _unmarked(sentence: Piece) -> str:
    marker = _MARKER.match(sentence.text)
    return sentence.text[marker.end() :] if marker else sentence.text


def _askable(sentence: str, about: str) -> bool:
    """Tell whether a sentence can be asked; an equation is checked elsewhere, code is no prose."""
    whole_one = 20 <= len(sentence) <= SENTENCE_LIMIT and not sentence.endswith((":", "?"))
    return whole_one and CODE.search(sentence) is None and bool(about or not _LEANS.match(sentence))


def _fact(kind: Expected, sentence: str, about: str) -> tuple[int, int] | None:
    """Return where in a sentence the fact to be asked for stands; the last one carries the news."""
    return next(
        (
            (start, end)
            for start, end in reversed(_places(kind, sentence))
            if not _stands(sentence[start:end], about)
            and not _stands(sentence[start:end], _hidden(sentence, start, end))
        ),
        None,
    )


def _places(kind: Expected, sentence: str) -> list[tuple[int, int]]:
    if kind == "date":
        return [(day.start, _with_year(sentence, day.end)) for day in days(sentence)]
    if kind == "number":
        return [] if days(sentence) else [(one.start, one.end) for one in amounts(sentence)]
    named = [name for name in names(sentence, 0) if not name.opens]
    return [(name.start, name.end) for name in named] if len(named) > 1 else []


def _stands(value: str, text: str) -> bool:
    """Tell whether a text holds a value by itself, not merely as a part of a longer word."""
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text, re.IGNORECASE) is not None


def _hidden(sentence: str, start: int, end: int) -> str:
    return f"{sentence[:start]}{GAP}{sentence[end:]}"


_YEAR = re.compile(r",?\s{1,2}\d{4}\b")


def _with_year(text: str, end: int) -> int:
    year = _YEAR.match(text, end)
    return year.end() if year else end


def _about(about: str, sentence: str, start: int, end: int, kind: Expected) -> Question:
    asked = f'Asked was: "{about}" ' if about else ""
    hidden = _hidden(sentence, start, end)
    return _question(f'{asked}{_PROMPT[kind]} "{hidden}"', kind, sentence[start:end])


# --------------------------------------------------------------------------- comparing


def compare(question: Question, fresh_answer: str) -> Check:
    """Return whether a fresh answer agrees with the draft: ok, wrong (it differs) or unchecked.

    A guess, or an answer to a gap that is too long to be plain, never counts as a difference.
    """
    fresh = " ".join(fresh_answer.split())
    if not fresh or DOES_NOT_KNOW.search(fresh):
        return _verdict(question, fresh, None, "no fresh answer was given")
    if GUESSES.search(fresh) or (question.kind != "text" and ROUGH.search(fresh)):
        return _verdict(question, fresh, None, "the fresh answer is a guess or a rough one")
    same, unclear = _same(question, fresh)
    if same is False and question.kind != "text" and len(fresh.split()) > PLAIN:
        same, unclear = None, "the fresh answer is too long to be plain"
    return _verdict(question, fresh, same, unclear)


PLAIN = 8
"""Words of a fresh answer up to which what it says of a gap is plain."""


def _same(question: Question, fresh: str) -> tuple[bool | None, str]:
    """Return whether both say the same, and what it means when that cannot be told."""
    if question.kind == "number":
        return _same_number(question.value, fresh), "it does not name one plain number"
    if question.kind == "date":
        return _same_date(question.value, fresh), "it names no date"
    if question.kind == "name":
        return _same_name(question.value, fresh), "it names nobody"
    return _same_text(question.value, fresh), "the wording is unlike"


def _verdict(question: Question, fresh: str, same: bool | None, unclear: str) -> Check:
    stated, expected = short(question.value), short(fresh)
    if same is None:
        why = f"Not compared: {unclear}. Question: {question.text}"
        return whole(KIND, "unchecked", why, stated=stated, expected=expected)
    if same:
        why = f"A fresh answer agrees. Question: {question.text}"
        return whole(KIND, "ok", why, stated=stated, expected=expected)
    why = f"A fresh answer differs. Question: {question.text}"
    return whole(KIND, "wrong", why, stated=stated, expected=expected)


# A factor to a common unit, for amounts that may be told in another one.
_UNITS: dict[str, tuple[str, float]] = {
    "km": ("m", 1000), "kilometer": ("m", 1000), "kilometre": ("m", 1000), "m": ("m", 1),
    "meter": ("m", 1), "metre": ("m", 1), "cm": ("m", 0.01), "mm": ("m", 0.001),
    "mile": ("m", 1609.344), "mi": ("m", 1609.344), "yard": ("m", 0.9144), "foot": ("m", 0.3048),
    "feet": ("m", 0.3048), "ft": ("m", 0.3048), "inch": ("m", 0.0254),
    "kg": ("g", 1000), "kilogram": ("g", 1000), "g": ("g", 1), "gram": ("g", 1), "mg": ("g", 0.001),
    "lb": ("g", 453.592), "pound": ("g", 453.592), "ounce": ("g", 28.3495), "tonne": ("g", 1e6),
    "second": ("s", 1), "minute": ("s", 60), "hour": ("s", 3600), "day": ("s", 86400),
    "week": ("s", 604800), "percent": ("%", 1), "%": ("%", 1),
}  # fmt: skip
_UNIT = re.compile(r"[ -]?(%|[A-Za-z]{1,10})")
_PERCENT = re.compile(r"[ -]?(?:%|percent\b|per cent\b)")


def _same_number(value: str, fresh: str) -> bool | None:
    """Compare amounts, in figures or words; units are converted where both have one."""
    own, others = _amounts(value), _amounts(fresh)
    # Among several numbers the one that is meant cannot be told; "15-20" is two as well.
    if not own or len(others) != 1 or len(_DIGITS.findall(fresh)) > 1:
        return None
    return _equal(*own[0], *others[0])


_DIGITS = re.compile(r"\d(?:[\d.,]*\d)?")


def _amounts(text: str) -> list[tuple[float, str]]:
    told = {end: key(value) for _, end, value in spelled(text)}
    told |= {figure.end: figure.value for figure in figures(text)}  # "1.25 million" is one
    return [(value, _unit(text, end)) for end, value in told.items()]


def _unit(text: str, end: int) -> str:
    if text[max(0, end - 1) : end] == "%" or _PERCENT.match(text, end):
        return "%"
    found = _UNIT.match(text, end)
    word = found[1] if found else ""
    return next(
        (unit for unit in (word, word.lower(), word.lower().rstrip("s")) if unit in _UNITS), ""
    )


def _equal(one: float, unit: str, other: float, other_unit: str) -> bool:
    if unit and other_unit and unit != other_unit:
        base, factor = _UNITS[unit]
        other_base, other_factor = _UNITS[other_unit]
        close = abs(one * factor - other * other_factor) <= 0.01 * abs(one * factor)
        return base == other_base and close
    return key(one) == key(other) or abs(one - other) <= 1e-6 * abs(one)


def _same_date(value: str, fresh: str) -> bool | None:
    own, others = days(value), days(fresh)
    years, other_years = set(_FOUR.findall(value)), set(_FOUR.findall(fresh))
    if years and other_years and years.isdisjoint(other_years):
        return False
    if not own or not others:
        return None
    same = any((own[0].day, own[0].month) == (other.day, other.month) for other in others)
    return same or (False if len(others) == 1 else None)


_FOUR = re.compile(r"(?<!\d)\d{4}(?!\d)")


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


def _same_text(value: str, fresh: str) -> bool | None:
    from rapidfuzz import fuzz

    if _polarity(value) is not None and _polarity(fresh) is not None:
        return _polarity(value) == _polarity(fresh)
    likeness = fuzz.token_set_ratio(value.lower(), fresh.lower())
    return True if likeness >= AGREE else None


def _polarity(text: str) -> bool | None:
    """Return what an answer says that begins with yes or no."""
    found = re.match(r"\W{0,4}(yes|no|true|false)\b", text, re.IGNORECASE)
    return found[1].lower() in ("yes", "true") if found else None
