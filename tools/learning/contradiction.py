"""Contradictions between two lessons: one says to do what the other one says not to do.

Rules: pure and symmetric. A lesson is read clause by clause; a clause advises or rejects, and what
follows a condition counts for neither. Two lessons contradict each other when one advises nearly
all of what the other rejects, its verb and object included; when they use opposite words ("enable",
"disable") of the same subject; or when they differ in nothing but a value. In doubt they do not:
the mark tells a reader to distrust one of them.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations, pairwise

from reflection_mcp.store.records import Link, Reflection
from reflection_mcp.tools.data_files import table, words
from reflection_mcp.tools.learning.synonyms import related
from reflection_mcp.tools.learning.word_weights import stop_words
from reflection_mcp.tools.learning.words import stem, tokens

COVERED = 0.75  # share of a rejected clause that the other lesson has to advise
SAME_SUBJECT = 0.6  # share of the shorter lesson from which opposite words contradict each other
SAME_WORDS = 0.8  # share of all words from which another number contradicts
LEAST_SHARED = 2  # words that two lessons on one subject have in common
READ = 1_000  # characters of a lesson
BLOCK = 60  # rows that share a rare word and are compared with each other

_NOT = re.compile(r"n['\u2019]t\b")
_WORD = re.compile(r"\.?[\w@/$-]+(?:[.:][\w/-]+)*(?:\(\))?|[^\w\s]")
_NAME = re.compile(r"[\d_/.()]")
_CLAUSE_END = frozenset(".;:,!?()\u2014\u2013")
_APOSTROPHE = re.compile(r"['\u2019]")


def reversing_words(text: str) -> frozenset[str]:
    """Return the words of a text that can reverse its meaning: negations, stems of opposites."""
    said = tokens(_APOSTROPHE.sub("", text))
    negations, opposites = _cues()["negations"], {each for pair in _opposites() for each in pair}
    found = {word for word in said if word in negations}
    return frozenset(found | {stem(word) for word in said if stem(word) in opposites})


@dataclass(frozen=True, slots=True)
class Stance:
    """The advice of a lesson: the clauses that advise and those that reject, as stems in order."""

    advised: tuple[tuple[str, ...], ...]
    rejected: tuple[tuple[str, ...], ...]
    stems: frozenset[str]
    values: frozenset[str]
    reversing: frozenset[str]


def contradict(one: str, other: str) -> bool:
    """Return True if two lessons say the opposite of each other."""
    mine, theirs = stance(one), stance(other)
    return (
        _rejects(mine, theirs)
        or _rejects(theirs, mine)
        or _opposite_words(mine, theirs)
        or _other_value(mine, theirs)
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
    figures = frozenset(word for word in low if word[0].isdigit())
    # "set it to 5" gives a value, "see case 5" a name
    values = {word for before, word in pairwise(low) if before in _cues()["values"]} & figures
    return Stance(
        tuple(advised),
        tuple(rejected),
        stems - figures,
        frozenset(values),
        reversing_words(text[:READ]),
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
    pairs = list(pairwise(clause))
    if any(word == "not" and before in cues["auxiliaries"] for before, word in pairs):
        # "clearing the cache does not help" rejects the clearing, "it is not there" nothing
        return clause[0].endswith("ing") or not cues["disapprovals"] & set(clause)
    return any("no" in pair and cues["idle"] & set(pair) for pair in pairs)


def _content(clause: list[str]) -> tuple[str, ...]:
    aside = stop_words() | _cues()["disapprovals"] | _cues()["auxiliaries"] | {"point", "reason"}
    told = (word for word in clause if word not in aside and re.search(r"\w", word))
    return tuple(dict.fromkeys(stem(stem(word)) for word in told))  # retrying, retry, retr


def _rejects(one: Stance, other: Stance) -> bool:
    """Return True if `other` advises what `one` rejects."""
    return any(_same_deed(no, yes, one, other) for no in one.rejected for yes in other.advised)


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
    if not any((a in mine and b in theirs) or (b in mine and a in theirs) for a, b in _opposites()):
        return False
    aside = {stem(word) for word in one.reversing | other.reversing}
    left, right = one.stems - aside, other.stems - aside
    if _names(left - right) and _names(right - left):
        return False
    shared = left & right
    if left == right:
        return bool(shared)
    return len(shared) >= LEAST_SHARED and len(shared) >= SAME_SUBJECT * min(len(left), len(right))


def _names(stems: frozenset[str]) -> bool:
    return any(map(_NAME.search, stems))


def _other_value(one: Stance, other: Stance) -> bool:
    if not (one.values - other.values and other.values - one.values):
        return False
    shared, every = one.stems & other.stems, one.stems | other.stems
    return len(shared) >= LEAST_SHARED and len(shared) >= SAME_WORDS * len(every)


@cache
def _opposites() -> tuple[tuple[str, str], ...]:
    rows = table("reflection_mcp.tools.learning", "opposites.txt")
    return tuple((stem(one), stem(other)) for one, other in rows)


def _cues() -> Mapping[str, frozenset[str]]:
    return words("reflection_mcp.tools.learning", "contradiction.words")


def contradictions(rows: Sequence[Reflection]) -> Mapping[str, tuple[Link, ...]]:
    """Return for each row the links to rows that say the opposite about the same subject."""
    found: dict[str, list[Link]] = defaultdict(list)
    for one, other in _pairs([row for row in rows if not row.suspicious]):
        if one.kind == other.kind and contradict(one.lesson, other.lesson):
            found[one.id].append(Link(kind="contradicts", target_id=other.id))
            found[other.id].append(Link(kind="contradicts", target_id=one.id))
    return {name: tuple(links) for name, links in found.items()}


def _pairs(rows: Sequence[Reflection]) -> Iterator[tuple[Reflection, Reflection]]:
    """Yield pairs that share one of their three rarest words, each once, the smaller id first."""
    said = {row.id: stance(row.lesson).stems for row in rows}
    spread = Counter(each for stems in said.values() for each in stems)
    blocks: dict[str, list[Reflection]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: row.id):
        rare = sorted(said[row.id], key=lambda each: (spread[each], each))
        for each in rare[:3]:
            blocks[each].append(row)
    seen: set[tuple[str, str]] = set()
    for each in sorted(blocks):
        for one, other in combinations(blocks[each][:BLOCK], 2):
            if (one.id, other.id) not in seen:
                seen.add((one.id, other.id))
                yield one, other
