"""Paraphrases: two lessons that say the same in other words.

Rules: pure and symmetric. Names, numbers, paths, options and quantities are equal; each word that
carries meaning is in both lessons, itself or in an equal wording, and only light verbs may be in
one alone; what is negated, excepted, or done before or after is the same; no two words have
exchanged their places, their prepositions or their clauses. Only English is compared, since the
words that turn a meaning are known in no other language. In doubt they are two lessons: one that is
there twice costs a line, one that was merged wrongly is lost.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from reflection_mcp.tools.learning.lesson_reading import (
    BOUNDS,
    EXCEPTING,
    READ,
    Head,
    LessonReading,
    WordRole,
    reading,
    word_lists,
)

LEAST_SHARED = 5  # words of meaning that two paraphrases have in common


def same_advice(one: str, other: str) -> bool:
    """Return True if two lessons say the same in other words."""
    mine, theirs = reading(one), reading(other)
    shared = mine.roles.keys() & theirs.roles.keys()
    return (
        max(len(one), len(other)) <= READ
        and mine.subject == theirs.subject
        and mine.english
        and theirs.english
        and len(shared) >= LEAST_SHARED
        and _same_light_verbs(mine.roles.keys() - shared, theirs.roles.keys() - shared)
        and _same_heads(mine, theirs)
        and all(mine.counted[n] & theirs.counted[n] for n in mine.counted.keys() & theirs.counted)
        and not _opposite_directions(mine, theirs, shared)
        and not _exchanged(mine, theirs, shared)
        and not _turned(mine, theirs, shared)
    )


def subject(text: str) -> frozenset[str]:
    """Return what is equal in all paraphrases: the words that carry meaning, light verbs aside."""
    return reading(text).subject


def _same_light_verbs(mine: set[str], theirs: set[str]) -> bool:
    """Return True if light verbs that stand for one another are of one kind: a thing that needs a
    key does not give one."""
    kinds = (word_lists()[f"light_to_{kind}"] for kind in ("do", "have", "cause"))
    return not (mine and theirs) or any(mine | theirs <= kind for kind in kinds)


def _same_heads(one: LessonReading, other: LessonReading) -> bool:
    """Return True if each word that turns or orders the meaning is there twice, with one object."""
    left = list(other.heads)
    for kind, head in one.heads:
        partner = next((each for each in left if _same_head(each, (kind, head))), None)
        if partner is not None:
            left.remove(partner)
        elif not _is_said_otherwise(kind, one, other):
            return False
    said = all(_is_said_otherwise(kind, other, one) for kind, _ in left)
    return said and _same_optional_heads(one, other) and _same_consequences(one, other)


def _same_consequences(one: LessonReading, other: LessonReading) -> bool:
    """Return True if both lessons say what happens otherwise, or one says it with "unless"."""
    return all(
        bool(mine.consequence) <= bool(theirs.consequence or theirs.excepted)
        for mine, theirs in ((one, other), (other, one))
    )


def _same_head(one: Head, other: Head) -> bool:
    """Return True if two words turn the same: what is negated is the first word behind "not", and
    so with "only"."""
    kinds = {"not" if kind == "without" else kind for kind, _ in (one, other)}
    mine, theirs = set(one[1]), set(other[1])
    return (
        len(kinds) == 1
        and (mine <= theirs or theirs <= mine)
        and (kinds.isdisjoint({"not", "only"}) or _first_heavy(one[1]) == _first_heavy(other[1]))
    )


def _first_heavy(head: Sequence[str]) -> str:
    """Return the first word that is no light verb: "no bullets" is "do not use bullets"."""
    return next((word for word in head if word not in word_lists()["light"]), "")


def _is_said_otherwise(kind: str, one: LessonReading, other: LessonReading) -> bool:
    """Return True for a condition, which may be said without "if", and for "x unless y" where the
    other lesson has "y, otherwise x" or "y if x"."""
    if kind == "if" or kind not in word_lists()["turning"]:
        return True
    advised = other.consequence or other.conditional
    return kind in EXCEPTING and bool(advised) and not advised & one.excepted


def _same_optional_heads(one: LessonReading, other: LessonReading) -> bool:
    """Return True if a condition or direction that both lessons name is the same one in both."""
    return all(
        _named(kind, one, other) or _named(kind, other, one)
        for kind in {"if", *word_lists()["directions"]}
    )


def _named(kind: str, one: LessonReading, other: LessonReading) -> bool:
    """Return True if the other lesson names each thing of a kind that this one names.

    "If x because y" may be "if y, then x" in the other one.
    """
    mine, theirs = _heads_of(one, kind), _heads_of(other, kind)
    theirs += _heads_of(other, "because") if kind == "if" and theirs else []
    return all(any(head & each for each in theirs) for head in mine)


def _heads_of(one: LessonReading, kind: str) -> list[set[str]]:
    return [set(head) for named, head in one.heads if named == kind]


def _labels(roles: Sequence[WordRole]) -> set[str]:
    return {role.label for role in roles}


def _opposite_directions(one: LessonReading, other: LessonReading, shared: set[str]) -> bool:
    directed = word_lists()["directions"]
    for word in shared:
        mine, theirs = _labels(one.roles[word]) & directed, _labels(other.roles[word]) & directed
        if mine and theirs and not mine & theirs:
            return True
    return False


def _exchanged(one: LessonReading, other: LessonReading, shared: set[str]) -> bool:
    """Return True if two words have taken each other's preposition, or each other's clause."""
    partner = _partners(one, other, shared)
    by_label = {
        word: _moved(
            (role.label for role in one.roles[word]), (role.label for role in other.roles[word])
        )
        for word in shared
    }
    by_clause = {
        word: _moved(
            (partner.get(role.segment, -1) for role in one.roles[word]),
            (role.segment for role in other.roles[word]),
        )
        for word in shared
    }
    return any(
        moves[a][0] & moves[b][1] and moves[a][1] & moves[b][0]
        for moves in (by_label, by_clause)
        for a, b in combinations(sorted(moves), 2)
    )


def _moved(here: Iterable[object], there: Iterable[object]) -> tuple[set[object], set[object]]:
    """Return where a word is in one lesson alone, and where in the other one alone."""
    mine, theirs = Counter(here), Counter(there)
    return set(mine - theirs), set(theirs - mine)


def _partners(one: LessonReading, other: LessonReading, shared: set[str]) -> Mapping[int, int]:
    """Return for each segment the segment of the other lesson that shares most words with it."""
    common: dict[tuple[int, int], int] = defaultdict(int)
    for word in shared:
        for pair in {(a.segment, b.segment) for a in one.roles[word] for b in other.roles[word]}:
            common[pair] += 1
    found: dict[int, int] = {}
    for (mine, theirs), _ in sorted(
        common.items(), key=lambda item: (-item[1], abs(item[0][0] - item[0][1]), item[0])
    ):
        if mine not in found and theirs not in found.values():
            found[mine] = theirs
    here, there = (
        sorted({role.segment for roles in each.roles.values() for role in roles})
        for each in (one, other)
    )
    left = (each for each in there if each not in found.values())
    return {**dict(zip((each for each in here if each not in found), left, strict=False)), **found}


def _turned(one: LessonReading, other: LessonReading, shared: set[str]) -> bool:
    """Return True if two words of one clause have changed their order, unless one is a verb: "close
    the file" and "the file is closed" are the same."""
    verbs = (one.first & other.passive) | (other.first & one.passive) | one.gerunds | other.gerunds
    partner = _partners(one, other, shared)
    alone = [
        (word, here, there)
        for word in sorted(shared)
        for here in one.roles[word]
        for there in other.roles[word]
        if partner.get(here.segment) == there.segment
        and _is_alone(here, one.roles[word])
        and _is_alone(there, other.roles[word])
    ]
    for (a, a1, a2), (b, b1, b2) in combinations(alone, 2):
        if a1.label != b1.label or a2.label != b2.label:
            continue
        if a1.segment != b1.segment:
            continue
        if (a1.place < b1.place) == (a2.place < b2.place):
            continue
        if abs(a1.place - b1.place) == 1 and abs(a2.place - b2.place) == 1:
            continue
        if not verbs & {a, b} and len(BOUNDS & {a, b}) != 1:
            return True
    return False


def _is_alone(role: WordRole, roles: Sequence[WordRole]) -> bool:
    """Return True if a word occurs only once in a segment."""
    return sum(each.segment == role.segment for each in roles) == 1
