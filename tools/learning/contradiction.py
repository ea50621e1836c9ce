"""Contradictions between two lessons: one says to do what the other one says not to do.

Rules: pure and symmetric. A lesson is read clause by clause; a clause advises or rejects, and what
follows a condition counts for neither. Two lessons contradict each other when one advises nearly
all of what the other rejects, its verb and object included; when they use opposite words ("enable",
"disable") of the same subject; or when they differ in nothing but a number. In doubt they do not:
the mark tells a reader to distrust one of them.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from reflection_mcp.tools.data_files import words
from reflection_mcp.tools.learning.duplicates import OPPOSITES, reversing_words
from reflection_mcp.tools.learning.synonyms import related
from reflection_mcp.tools.learning.word_weights import stop_words
from reflection_mcp.tools.learning.words import stem

COVERED = 0.75  # share of a rejected clause that the other lesson has to advise
SAME_SUBJECT = 0.6  # share of the shorter lesson from which opposite words contradict each other
SAME_WORDS = 0.8  # share of all words from which another number contradicts
LEAST_SHARED = 2  # words that two lessons on one subject have in common
READ = 1_000  # characters of a lesson

_NOT = re.compile(r"n['\u2019]t\b")
_WORD = re.compile(r"\.?[\w@/$-]+(?:[.:][\w/-]+)*(?:\(\))?|[^\w\s]")
_CLAUSE_END = frozenset(".;:,!?()\u2014\u2013")
_TURNED = tuple((stem(one), stem(other)) for one, other in OPPOSITES)


@dataclass(frozen=True, slots=True)
class Stance:
    """What a lesson advises and rejects: each clause as its stems in their order."""

    advised: tuple[tuple[str, ...], ...]
    rejected: tuple[tuple[str, ...], ...]
    stems: frozenset[str]
    numbers: frozenset[str]
    reversing: frozenset[str]


def contradict(one: str, other: str) -> bool:
    """Return True if two lessons say the opposite of each other."""
    mine, theirs = stance(one), stance(other)
    return (
        _rejects(mine, theirs)
        or _rejects(theirs, mine)
        or _opposite_words(mine, theirs)
        or _other_number(mine, theirs)
    )


@lru_cache(maxsize=1_024)
def stance(text: str) -> Stance:
    """Return what a lesson advises and rejects."""
    advised: list[tuple[str, ...]] = []
    rejected: list[tuple[str, ...]] = []
    low = [word.casefold() for word in _WORD.findall(_NOT.sub(" not", text[:READ]))]
    for clause in _clauses(low):
        yes, no = _sides(clause)
        advised += [yes] if yes else []
        rejected += [no] if no else []
    stems = frozenset(each for clause in (*advised, *rejected) for each in clause)
    numbers = frozenset(word for word in low if word.isdecimal() or re.fullmatch(r"\d[\w.]*", word))
    return Stance(
        tuple(advised), tuple(rejected), stems - numbers, numbers, reversing_words(text[:READ])
    )


def _clauses(said: list[str]) -> Iterator[list[str]]:
    clause: list[str] = []
    for word in [*said, "."]:
        if word in _CLAUSE_END or word == "but":
            yield clause
            clause = []
        else:
            clause.append(word)


def _sides(clause: list[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what a clause advises and what it rejects."""
    cues = _cues()
    condition = next((at for at, word in enumerate(clause) if word in cues["conditions"]), None)
    excepted = condition is not None and clause[condition] in ("unless", "until")
    clause = clause[:condition]
    at = _contrast(clause)
    if at is not None:
        return _content(clause[:at]), _content(_first_phrase(clause[at:]))
    if _is_rejected(clause):
        return (), () if excepted else _content(clause)
    if clause and clause[0].endswith("ing"):
        end = next((n for n, word in enumerate(clause) if word in cues["disapprovals"]), None)
        if end is not None:
            return (), _content(clause[:end])
    return _content(clause), ()


def _contrast(clause: list[str]) -> int | None:
    """Return where a clause begins to name what it sets aside: "X instead of Y", "X not Y"."""
    auxiliaries = _cues()["auxiliaries"]
    for at, word in enumerate(clause):
        after = clause[at + 1] if at + 1 < len(clause) else ""
        if (word, after) in (("instead", "of"), ("rather", "than")):
            return at
        if word == "without" and at and after.endswith("ing"):
            return at
        if word == "not" and (not at or clause[at - 1] not in auxiliaries):
            return at
    return None


def _first_phrase(clause: list[str]) -> list[str]:
    """Return "instead of npm" of "instead of npm in this repository"."""
    places, told = _cues()["places"], False
    for at, word in enumerate(clause):
        if told and word in places:
            return clause[:at]
        told = told or bool(_content([word]))
    return clause


def _is_rejected(clause: list[str]) -> bool:
    cues = _cues()
    if cues["rejections"] & set(clause):
        return True
    pairs = list(zip(clause, clause[1:], strict=False))
    if any(word == "not" and before in cues["auxiliaries"] for before, word in pairs):
        # "clearing the cache does not help" rejects the clearing, "it is not there" nothing
        told = clause[0].endswith("ing") or not cues["disapprovals"] & set(clause)
        return told
    return any("no" in pair and cues["idle"] & set(pair) for pair in pairs)


def _content(clause: list[str]) -> tuple[str, ...]:
    aside = stop_words() | _cues()["disapprovals"] | _cues()["auxiliaries"] | {"point", "reason"}
    told = (word for word in clause if word not in aside and re.search(r"\w", word))
    return tuple(dict.fromkeys(stem(stem(word)) for word in told))  # retrying, retry, retr


def _rejects(one: Stance, other: Stance) -> bool:
    """Return True if `other` advises what `one` rejects."""
    return any(
        _same_deed(no, yes, one, other) for no in one.rejected for yes in other.advised
    )


def _same_deed(no: tuple[str, ...], yes: tuple[str, ...], one: Stance, other: Stance) -> bool:
    known = set(yes).union(*(related().get(each, frozenset()) for each in yes))
    if not set(no[:2]) <= set(yes):
        return False
    if len(no) == 1:
        also = (one.stems & other.stems) - set(no)
        begins = {clause[0] for clause in one.advised}
        return yes[0] in no or (bool(also) and yes[0] in begins)
    covered = sum(each in known for each in no) / len(no)
    return covered >= COVERED and yes[0] in no


def _opposite_words(one: Stance, other: Stance) -> bool:
    mine, theirs = one.reversing - other.reversing, other.reversing - one.reversing
    if not any((a in mine and b in theirs) or (b in mine and a in theirs) for a, b in _TURNED):
        return False
    aside = {stem(word) for word in one.reversing | other.reversing}
    left, right = one.stems - aside, other.stems - aside
    shared = left & right
    return len(shared) >= LEAST_SHARED and len(shared) >= SAME_SUBJECT * min(len(left), len(right))


def _other_number(one: Stance, other: Stance) -> bool:
    if not (one.numbers - other.numbers and other.numbers - one.numbers):
        return False
    shared, every = one.stems & other.stems, one.stems | other.stems
    return len(shared) >= LEAST_SHARED and len(shared) >= SAME_WORDS * len(every)


def _cues() -> Mapping[str, frozenset[str]]:
    return words("reflection_mcp.tools.learning", "contradiction.words")
