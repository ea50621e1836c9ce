"""Paraphrases: two lessons that say the same in other words.

Rules: pure and symmetric. The words that carry meaning are the same, themselves or in an equal
wording (`lesson_reading`); so is what is negated, excepted, or done before or after; and no two
words have exchanged their places. Only English is compared, since the words that turn a meaning are
known in no other language. In doubt they are two lessons: one that is there twice costs a line, one
that was merged wrongly is lost.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations

from reflection_mcp.tools.learning.lesson_reading import (
    READ,
    Clause,
    has_meaning,
    root,
    sentences,
    word_lists,
)

LEAST_SHARED = 4  # words of meaning that two paraphrases have in common
HEAD = 2  # words behind one that turns the meaning which are the same
NEAR = 2  # words: two that stand so near each other belong together
EXCHANGED = 2  # pairs of words that agree once two words have exchanged their places

_KINDS = {"or": "otherwise", "without": "not"}

Turn = tuple[str, tuple[str, ...]]
"""A word that turns or orders the meaning, and the first words of meaning behind it."""


@dataclass(frozen=True, slots=True)
class ComparedLesson:
    """A lesson as it is compared: its words of meaning; each word that turns the meaning, with what
    it turns; what stands behind a direction; which words stand near each other, in their order; the
    words behind a form of "be", and those that are there more than once."""

    stems: frozenset[str]
    turns: tuple[Turn, ...]
    directed: frozenset[tuple[str, str]]
    near: frozenset[tuple[str, str]]
    passive: frozenset[str]
    repeated: frozenset[str]


def same_advice(one: str, other: str) -> bool:
    """Return True if two lessons say the same in other words."""
    mine, theirs = _compared(one), _compared(other)
    return (
        max(len(one), len(other)) <= READ
        and mine.stems == theirs.stems
        and len(mine.stems) >= LEAST_SHARED
        and _is_english(one)
        and _is_english(other)
        and _same_turns(mine, theirs)
        and _same_directions(mine, theirs)
        and not _turned_round(mine, theirs)
        and not _exchanged(mine, theirs)
        and not _exchanged(theirs, mine)
    )


def subject(text: str) -> frozenset[str]:
    """Return what is equal in all paraphrases: the words that carry meaning."""
    return _compared(text).stems


def _is_english(text: str) -> bool:
    return not word_lists()["english"].isdisjoint(text[:READ].casefold().split())


@lru_cache(maxsize=256)  # of 3 to 7 kB each
def _compared(text: str) -> ComparedLesson:
    clauses = [clause for sentence in sentences(text) for clause in _joined(sentence)]
    counts = Counter(root(word) for clause in clauses for word in clause.said if has_meaning(word))
    return ComparedLesson(
        stems=frozenset(counts),
        turns=tuple(turn for clause in clauses for turn in _turns(clause)),
        directed=frozenset(pair for clause in clauses for pair in _directed(clause)),
        near=frozenset(pair for clause in clauses for pair in _near(clause)),
        passive=frozenset(stem for clause in clauses for stem in _passive(clause)),
        repeated=frozenset(word for word, times in counts.items() if times > 1),
    )


def _joined(sentence: Iterable[Clause]) -> list[Clause]:
    """Return the clauses of a sentence; what "and" begins belongs to the clause before."""
    found: list[Clause] = []
    for clause in sentence:
        if clause.begins == "and" and found:
            found[-1] = replace(found[-1], said=found[-1].said + clause.said)
        else:
            found.append(clause)
    return found


def _turns(clause: Clause) -> Iterator[Turn]:
    whole = (clause.begins, *clause.said)
    for at, word in enumerate(whole):
        if word in word_lists()["turning"]:
            behind = [root(each) for each in whole[at + 1 :] if has_meaning(each)]
            yield _KINDS.get(word, word), tuple(behind[:HEAD])


def _directed(clause: Clause) -> Iterator[tuple[str, str]]:
    """Yield each direction with what stands behind it; "if" and "because" with all they begin."""
    if clause.begins in ("if", "because", "otherwise"):
        yield from ((clause.begins, stem) for stem in clause.stems)
    direction = ""
    for word in clause.said:
        if word in word_lists()["prepositions"]:
            direction = word
        elif has_meaning(word) and direction:
            if direction in word_lists()["directions"]:
                yield direction, root(word)
            direction = ""


def _near(clause: Clause) -> Iterator[tuple[str, str]]:
    prepositions = word_lists()["prepositions"]
    said = [f".{w}" if w in prepositions else root(w) for w in clause.said
            if w in prepositions or has_meaning(w)]  # fmt: skip
    for at, one in enumerate(said):
        yield from ((one, other) for other in said[at + 1 : at + 1 + NEAR])


def _passive(clause: Clause) -> Iterator[str]:
    be = False
    for word in clause.said:
        if has_meaning(word) and be:
            yield root(word)
        be = word in word_lists()["be"] or (be and not has_meaning(word))


def _same_turns(one: ComparedLesson, other: ComparedLesson) -> bool:
    """Return True if each word that turns the meaning is there twice, and turns the same."""
    left = list(other.turns)
    for turn in one.turns:
        partner = next((each for each in left if _same_turn(turn, each)), None)
        if partner is None:
            return False
        left.remove(partner)
    return not left


def _same_turn(one: Turn, other: Turn) -> bool:
    kind, mine, theirs = one[0], set(one[1]), set(other[1])
    if kind != other[0]:
        return False
    if kind in ("not", "only"):
        return one[1][:1] == other[1][:1] and (mine <= theirs or theirs <= mine)
    # "it is stale otherwise" has nothing behind it
    return bool(mine & theirs) or (kind == "otherwise" and not (mine and theirs))


def _same_directions(one: ComparedLesson, other: ComparedLesson) -> bool:
    """Return True if no thing is directed otherwise, and no direction has only other things."""
    return all(
        not mine[name].isdisjoint(theirs[name])
        for of, to in ((0, 1), (1, 0))
        for mine, theirs in [(_grouped(one.directed, of, to), _grouped(other.directed, of, to))]
        for name in mine.keys() & theirs.keys()
    )


def _grouped(pairs: Iterable[tuple[str, str]], of: int, to: int) -> Mapping[str, set[str]]:
    found: dict[str, set[str]] = {}
    for pair in pairs:
        found.setdefault(pair[of], set()).add(pair[to])
    return found


def _turned_round(one: ComparedLesson, other: ComparedLesson) -> bool:
    """Return True if what stands on the two sides of a word has changed sides: "A asks B", "B asks
    A"; not if it is passive in one of the two."""
    for word in one.stems - (one.passive ^ other.passive):
        (left, right), (before, behind) = (_sides(each.near, word) for each in (one, other))
        if word not in one.repeated | other.repeated:  # what is on both sides has changed neither
            left, right, before, behind = (
                left - right, right - left, before - behind, behind - before,
            )  # fmt: skip
        if left & behind and right & before:
            return True
    return False


def _sides(near: Iterable[tuple[str, str]], word: str) -> tuple[set[str], set[str]]:
    return {a for a, b in near if b == word}, {b for a, b in near if a == word}


def _exchanged(one: ComparedLesson, other: ComparedLesson) -> bool:
    """Return True if more words stand near the same ones once two of them are exchanged.

    One that is passive in one lesson has changed its place anyhow: "the file is closed".
    """
    passive_once = one.passive ^ other.passive
    for a, b in combinations(sorted(one.stems), 2):
        new = {a: b, b: a}
        if len(passive_once.intersection(new)) == 1:
            continue
        moved = {pair for pair in one.near if a in pair or b in pair}
        agree = moved & other.near
        if new.keys() & (one.repeated | other.repeated):  # some of its places may agree anyhow
            moved, agree = moved - agree, set[tuple[str, str]]()
        exchanged = {(new.get(x, x), new.get(y, y)) for x, y in moved}
        if len(exchanged & other.near) >= len(agree) + EXCHANGED:
            return True
    return False
