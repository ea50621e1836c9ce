"""Questions about the facts of an answer, to be answered without the draft in view.

Rules of this module: a reader of the draft repeats its mistakes (Chain-of-Verification, arXiv
2309.11495), so each fact is asked with the others of its sentence blanked, and never what the
question itself gives. A number is asked only where the question asks how many, when or which
version. Of work that was done nothing is asked, and where nothing is left to ask there is no
question: the user's own is never handed back.
"""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from reflection_mcp.tools.judging.case import Case, Piece
from reflection_mcp.tools.judging.texts.dates import days
from reflection_mcp.tools.judging.texts.names import names
from reflection_mcp.tools.judging.texts.numbers import figures
from reflection_mcp.tools.judging.texts.reports import asks, reports
from reflection_mcp.tools.judging.texts.wording import content

SENTENCES = 80
"""Sentences of an answer in which facts are looked for."""
SENTENCE_LIMIT = 240
"""Characters of a sentence that is turned into a question; a longer one holds too much."""
HIDDEN_FACTS = 2
"""Facts that may be blanked beside the one that is asked for; at least as many words of meaning are
left as there are gaps, or nobody knows what is asked."""
GAP, HIDDEN = "____", "[...]"
"""The placeholder for the fact that is asked for, and for each of the others."""

Expected = Literal["number", "name", "date"]
_PROMPT: dict[Expected, str] = {
    "number": "Which number belongs in the gap? (The number alone.)",
    "date": "Which date belongs in the gap?",
    "name": "Which name belongs in the gap?",
}
_ASKS_FOR_A_NUMBER = re.compile(
    r"\b(?:how (?:many|much|long|often|old|far|high|large|big|fast|deep|wide|tall|heavy)|when"
    r"|(?:which|what|in what) (?:year|version|number|percentage|share|size|port|date|time)"
    r"|what (?:is|was|are|were) the \w{0,20} ?(?:number|size|length|height|population|version"
    r"|limit|default|speed|rate|price|cost|age|distance))\b",
    re.IGNORECASE,
)
# A sentence that leans on others cannot be asked by itself.
_LEANS = re.compile(
    r"\W{0,4}(?:it|its|he|his|she|her|they|their|this|that|these|those|there|such|however|"
    r"therefore|thus|so|then|also|but|and|or|the (?:former|latter|same))\b",
    re.IGNORECASE,
)
_UNIT = re.compile(r"[kKMGTP]i?[Bb](?:ps|/s)?|[kMG]?Hz|[km]?Wh?|[\u00b0]?[CF]")
_MARKER = re.compile(r"\s{0,12}(?:[-*+\u2022]|\(?\d{1,3}[.)]|#{1,6})\s{1,4}")
_CODE = re.compile(r"[={}`\\\[\]<>|]|\w\(|https?:|\w/\w")
"""Signs that a text is code or data, or an equation, which is checked elsewhere."""


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
    """Return up to `limit` questions about the facts of an answer, dates first, then numbers."""
    if reports(case.answer) or not (asks(case.question) or not case.question.strip()):
        return ()
    if not case.english:
        return ()
    found: dict[str, Question] = {}
    for question in _facts(case):
        if len(found) >= limit:
            break
        found.setdefault(question.text, question)
    return tuple(found.values())


def _facts(case: Case) -> Iterator[Question]:
    numbers = _ASKS_FOR_A_NUMBER.search(case.question[:2_000]) is not None
    kinds: tuple[Expected, ...] = ("date", "number", "name") if numbers else ("date", "name")
    sentences = [_unmarked(one) for one in case.first_sentences(SENTENCES)]
    sentences = [one for one in sentences if _askable(one)]
    for kind in kinds:
        for sentence in sentences:
            if (question := _question(kind, sentence, case.question)) is not None:
                yield question


def _unmarked(sentence: Piece) -> str:
    marker = _MARKER.match(sentence.text)
    return sentence.text[marker.end() :] if marker else sentence.text


def _askable(sentence: str) -> bool:
    """Return True if a sentence can be asked by itself, and is prose."""
    whole = 20 <= len(sentence) <= SENTENCE_LIMIT and not sentence.endswith((":", "?"))
    return whole and not _CODE.search(sentence) and not _LEANS.match(sentence)


def _question(kind: Expected, sentence: str, asked: str) -> Question | None:
    """Return the question for the last fact of a kind, which carries the news, or None."""
    facts = _all_facts(sentence)
    own = [
        fact for fact in facts if fact[2] == kind and not _stands(sentence[slice(*fact[:2])], asked)
    ]
    if not own:
        return None
    start, end, _ = own[-1]
    value = sentence[start:end]
    text, place = "", 0
    for first, last, _ in facts:
        said = sentence[first:last]
        given = first != start and _stands(said, asked)
        text += sentence[place:first] + (GAP if first == start else said if given else HIDDEN)
        place = last
    text += sentence[place:]
    left, hidden = len(content(text.replace(GAP, ""))), text.count(HIDDEN)
    if left < max(2, hidden + 1) or hidden > HIDDEN_FACTS or _stands(value, text):
        return None
    text = f'{_PROMPT[kind]} "{text}"'
    digest = hashlib.sha256(f"{kind}\n{text}".encode()).hexdigest()[:10]
    return Question(id=f"q-{digest}", text=text, kind=kind, value=value)


def _all_facts(sentence: str) -> list[tuple[int, int, Expected]]:
    """Return the dates, numbers and names of a sentence in order, none inside another."""
    found: list[tuple[int, int, Expected]] = [(d.start, d.end, "date") for d in days(sentence)]
    found.extend((one.start, one.end, "number") for one in figures(sentence))
    found.extend(
        (one.start, one.end, "name")
        for one in names(sentence, 0)
        if not one.opens and not _UNIT.fullmatch(sentence[one.start : one.end])
    )
    kept: list[tuple[int, int, Expected]] = []
    for fact in found:  # dates first: their numbers are no facts of their own
        if all(fact[1] <= first or last <= fact[0] for first, last, _ in kept):
            kept.append(fact)
    return sorted(kept)


def _stands(value: str, text: str) -> bool:
    """Return True if a text holds a value by itself, not merely as a part of a longer word."""
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text, re.IGNORECASE) is not None
