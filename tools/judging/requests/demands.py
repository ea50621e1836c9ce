"""What a question explicitly asks of the form of its answer.

Rules of this module: a demand is read only from words that leave no choice ("in exactly 3
sentences", "without commas"), never from a mood ("briefly"). What is quoted, given as input, said
of somebody else's text, or bound to a condition is no demand. Requests in other languages than
English are not read, so nothing is asked of their answers.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from reflection_mcp.tools.judging.requests.addressed import (
    Scene,
    addressed,
    denied,
    leaves_a_choice,
    scene,
)

What = Literal[
    "items", "words", "sentences", "paragraphs", "lines", "characters", "bullets", "sections",
    "placeholders", "highlights", "capital words", "json", "title", "postscript", "quotation",
    "no commas", "upper case", "lower case", "start", "end", "keyword", "forbidden",
    "letter", "options", "two responses", "language",
]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Demand:
    """One demand on the form of the answer.

    `least` and `most` bound a count; `loose` marks a figure that was given without a bound, or as a
    rough one. `texts` are the words, phrases or languages it names, of which one is enough where
    `either` is set; `said` is how it was worded.
    """

    what: What
    said: str
    least: int | None = None
    most: int | None = None
    loose: bool = False
    texts: tuple[str, ...] = ()
    either: bool = False


@dataclass(frozen=True, slots=True)
class Rule:
    """How one demand is worded: a pattern, and what to make of a match (None: no demand).

    `quoted` rules see the words in quotation marks, the others see them blanked. `needs` are words
    in small letters of which a clause must hold one for the pattern to match, and that are quicker
    to look for; where there are none the pattern is always tried.
    """

    name: str
    pattern: re.Pattern[str]
    make: Callable[[re.Match[str]], Demand | None]
    example: str
    counter_example: str
    quoted: bool = False
    needs: tuple[str, ...] = ()


QUESTION_LIMIT = 8_000
"""Characters of a question that are searched for demands; a longer one is mostly input."""
CLAUSE_LIMIT = 600
"""Characters of one clause; keeps the patterns, which look ahead inside a clause, linear."""

_INPUT = re.compile(
    r"(?:^[ \t]{0,8}|(?<=[.!?:] ))(?:input|text|passage|article|context|sentence|sentences|"
    r"paragraph|data|code|document|email|story|source|excerpt|transcript|output|original)\s{0,4}:",
    re.IGNORECASE | re.MULTILINE,
)
_FENCED = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_QUOTED = re.compile(r"\"[^\"\n]{1,400}\"|(?<!\w)'[^'\n]{1,200}'(?!\w)")
_STRAIGHT = str.maketrans("\u201c\u201d\u2018\u2019", "\"\"''")
_CLAUSE_END = re.compile(r"(?<=[.!?;])\s+|\n+")
_CONDITION = re.compile(
    r"^\s*(?:if|unless|when|suppose|imagine|assume|otherwise|where)\b", re.IGNORECASE
)


def clauses(question: str) -> Iterator[tuple[str, str]]:
    """Yield the clauses that may hold a demand: as written, and with quoted words blanked."""
    text = question[:QUESTION_LIMIT].translate(_STRAIGHT)
    text = _FENCED.sub(" ", text)
    given = _INPUT.search(text)
    if given:
        text = text[: given.start()]
    for clause in _CLAUSE_END.split(text):
        if clause.strip() and not _CONDITION.match(clause):
            cut = clause[:CLAUSE_LIMIT]
            yield cut, _QUOTED.sub(lambda found: " " * len(found[0]), cut)


def read(question: str, rules: tuple[Rule, ...]) -> tuple[Demand, ...]:
    """Return what the question asks for by these rules, each demand once, in their order."""
    parts = [(written, blanked, written.lower()) for written, blanked in clauses(question)]
    around: Scene | None = None
    found: dict[tuple[object, ...], Demand] = {}
    for rule in rules:
        for written, blanked, small in parts:
            if rule.needs and not any(word in small for word in rule.needs):
                continue
            for match in rule.pattern.finditer(written if rule.quoted else blanked):
                demand = rule.make(match)
                if demand is None:
                    continue
                around = around or scene([other for _, other, _ in parts])
                at = match.start("at") if match.groupdict().get("at") else match.start()
                if demand.what not in DENIALS and denied(blanked, at):
                    demand = _turned(demand, match[0])
                if demand is None or leaves_a_choice(blanked, match.end()):
                    continue
                if addressed(blanked, around, at, match.end(), demand.what):
                    key = (demand.what, demand.texts, demand.least, demand.most)
                    found.setdefault(key, replace(demand, said=_said(written, match, demand)))
    return tuple(found.values())


DENIALS: frozenset[What] = frozenset(("forbidden", "no commas"))
"""Demands that say themselves what is not to be."""
_ABOVE = re.compile(r"\b(?:more|longer) than\b|\bover\b", re.IGNORECASE)
_BELOW = re.compile(r"\b(?:fewer|less|shorter) than\b|\b(?:under|below)\b", re.IGNORECASE)


def _turned(demand: Demand, said: str) -> Demand | None:
    """Return what is left of a demand behind a "not": of "more than 5" it is "at most 5"."""
    if demand.most is None and demand.least is not None and _ABOVE.search(said):
        return replace(demand, least=None, most=demand.least - 1)
    if demand.least is None and demand.most is not None and _BELOW.search(said):
        return replace(demand, most=None, least=demand.most + 1)
    return None


def _said(written: str, match: re.Match[str], demand: Demand) -> str:
    """Return the words of a demand with what stands in quotation marks."""
    if "  " not in demand.said:
        return demand.said
    return written[match.start() : match.start() + len(match[0])].strip()
