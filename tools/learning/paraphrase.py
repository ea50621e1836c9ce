"""Paraphrases: two lessons that say the same in other words.

Rules: pure and symmetric. Names, numbers, paths, options and quantities are equal; each word that
carries meaning is in both lessons, itself or in an equal wording, and only light verbs may be in
one alone; what is negated, excepted, or done before or after is the same; no two words have
exchanged their places, their prepositions or their clauses. Only English is compared, since the
words that turn a meaning are known in no other language. In doubt they are two lessons: one that is
there twice costs a line, one that was merged wrongly is lost.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import combinations

from reflection_mcp.tools.data_files import table, words
from reflection_mcp.tools.learning.words import stem

READ = 1_000  # characters; a longer lesson is no paraphrase
LEAST_SHARED = 3  # words of meaning that two paraphrases have in common
EXCEEDS = "exceeds"  # "over", "more than" and the like, but only before a number
HEAD = 3  # words behind a word that turns the meaning, of which one has to be the same

_NOT = re.compile(r"(?:\b(can)not|\b(wo|ca)n['\u2019]t|n['\u2019]t)\b", re.IGNORECASE)
_TOKEN = re.compile(
    r"(?<![\w-])--?[A-Za-z][\w-]*|\w+(?:[./_:@+-]\w+)*|[,;:.!?()]|[^\w\s\"'`,;:.!?()\u2018-\u201d\u2026]+"
)
_POSSESSIVE = re.compile(r"['\u2019]s\b")
_NAME = re.compile(r"[\d_/@]|^-|\w[.:]\w|[a-z][A-Z]")
_PLAIN = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)+")
_END = frozenset(",;:.!?()")
_OTHERWISE = re.compile(
    r"\bif not,|,? or else\b|, or (?=(?:the|they|you|it|its|this|that)\b)"
    r"| or (?=(?:the|they|you|it|its|this|that)\b[^.,;:]{1,60} (?:is|are|will|must|can|has)\b)",
    re.IGNORECASE,
)
_BOUNDS = frozenset({"or_less", "or_more"})  # before a number or behind it
_EXCEPTING = frozenset({"unless", "until", "without"})

Head = tuple[str, frozenset[str]]
"""A word that turns or orders the meaning, and what follows it."""


@dataclass(frozen=True, slots=True)
class WordRole:
    """The part that a word plays: the preposition or conjunction before it, its segment, and its
    offset in words."""

    label: str
    segment: int
    place: int


@dataclass(slots=True)
class LessonReading:
    """A lesson as it is compared.

    `roles` are the parts of every word of meaning, `heads` what follows a word that turns or orders
    the meaning; `first` are the words that begin a segment, `gerunds` those of them in "ing", and
    `passive` those behind a form of "be"; `consequence` is what happens otherwise, `excepted` what
    follows "unless" and the like, `conditional` what follows "if".
    """

    roles: dict[str, list[WordRole]] = field(default_factory=lambda: defaultdict(list[WordRole]))
    heads: list[Head] = field(default_factory=list[Head])
    first: set[str] = field(default_factory=set[str])
    passive: set[str] = field(default_factory=set[str])
    gerunds: set[str] = field(default_factory=set[str])
    consequence: set[str] = field(default_factory=set[str])
    excepted: set[str] = field(default_factory=set[str])
    conditional: set[str] = field(default_factory=set[str])
    english: bool = False

    @property
    def subject(self) -> frozenset[str]:
        """All that is equal in paraphrases."""
        return frozenset(self.roles.keys() - _lists()["light"])


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
        and _same_heads(mine, theirs)
        and not _opposite_directions(mine, theirs, shared)
        and not _exchanged(mine, theirs, shared)
        and not _turned(mine, theirs, shared)
    )


def subject(text: str) -> frozenset[str]:
    """Return what is equal in all paraphrases: the words that carry meaning, light verbs aside."""
    return reading(text).subject


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
    kinds = {"not" if kind == "without" else kind for kind, _ in (one, other)}
    return len(kinds) == 1 and (one[1] <= other[1] or other[1] <= one[1])


def _is_said_otherwise(kind: str, one: LessonReading, other: LessonReading) -> bool:
    """Return True for a condition, which may be said without "if", and for "x unless y" where the
    other lesson has "y, otherwise x" or "y if x"."""
    if kind == "if" or kind not in _lists()["turning"]:
        return True
    advised = other.consequence or other.conditional
    return kind in _EXCEPTING and bool(advised) and not advised & one.excepted


def _same_optional_heads(one: LessonReading, other: LessonReading) -> bool:
    """Return True if a condition or direction that both lessons name is the same one in both."""
    return all(
        _named(kind, one, other) or _named(kind, other, one)
        for kind in {"if", *_lists()["directions"]}
    )


def _named(kind: str, one: LessonReading, other: LessonReading) -> bool:
    """Return True if the other lesson names each thing of a kind that this one names.

    "If x because y" may be "if y, then x" in the other one.
    """
    mine, theirs = _heads_of(one, kind), _heads_of(other, kind)
    theirs += _heads_of(other, "because") if kind == "if" and theirs else []
    return all(any(head & each for each in theirs) for head in mine)


def _heads_of(one: LessonReading, kind: str) -> list[frozenset[str]]:
    return [head for named, head in one.heads if named == kind]


def _labels(roles: Sequence[WordRole]) -> set[str]:
    return {role.label for role in roles}


def _opposite_directions(one: LessonReading, other: LessonReading, shared: set[str]) -> bool:
    directed = _lists()["directions"]
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
    for (mine, theirs), _ in sorted(common.items(), key=lambda item: (-item[1], item[0])):
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
    alone = {
        word: (one.roles[word][0], other.roles[word][0])
        for word in shared
        if len(one.roles[word]) == len(other.roles[word]) == 1
    }
    for a, b in combinations(sorted(alone), 2):
        (a1, a2), (b1, b2) = alone[a], alone[b]
        if a1.label != b1.label or a2.label != b2.label:
            continue
        if a1.segment != b1.segment or a2.segment != b2.segment:
            continue
        if (a1.place < b1.place) == (a2.place < b2.place):
            continue
        if abs(a1.place - b1.place) == 1 and abs(a2.place - b2.place) == 1:
            continue
        if not verbs & {a, b} and len(_BOUNDS & {a, b}) != 1:
            return True
    return False


# --------------------------------------------------------------------------- reading


@lru_cache(maxsize=1_024)
def reading(text: str) -> LessonReading:
    """Return a lesson as it is compared."""
    found = LessonReading()
    lists = _lists()
    segment, label, clause, begins, behind_be = 0, "", "", True, False
    ends_otherwise = -1
    said = list(_canonical(text))
    found.english = not lists["english"].isdisjoint(text[:READ].casefold().split())
    for at, word in enumerate(said):
        if word in _END or word in lists["clauses"]:
            if word not in _END or not begins:
                segment, label, clause = segment + 1, "", ""
            begins, behind_be = True, False
            if word not in _END:
                if word == "otherwise" and said[at + 1 : at + 2] and said[at + 1] in _END:
                    ends_otherwise = segment - 1
                clause = word
                label = "" if word in lists["relatives"] else word
        if word in lists["turning"] or word in lists["directions"] or word == "because":
            head = _head(said[at + 1 :], whole=word in ("not", "without"))
            found.heads += [(word, head)] if head or word in lists["turning"] else []
        if word in lists["prepositions"]:
            label = word
        elif word in lists["auxiliaries"] or _is_perfect(word, said[at + 1 : at + 3]):
            label, behind_be, begins = "", True, False
        elif _has_meaning(word):
            root = _root(word)
            found.roles[root].append(WordRole(label, segment, at))
            if clause == "otherwise":
                found.consequence.add(root)
            elif clause in _EXCEPTING or label in _EXCEPTING:
                found.excepted.add(root)
            elif clause == "if":
                found.conditional.add(root)
            if begins:
                (found.gerunds if word.endswith("ing") else found.first).add(root)
            if behind_be:
                found.passive.add(root)
            begins = behind_be = False
    for root, roles in found.roles.items():
        if any(role.segment == ends_otherwise for role in roles):
            found.consequence.add(root)
    return found


def _is_perfect(word: str, after: Sequence[str]) -> bool:
    """Return True for the "has" of "has failed" and of "has not failed"."""
    verb = next((each for each in after if each not in _lists()["turning"]), "")
    return word == "have" and verb.endswith(("ed", "en"))


def _head(after: Sequence[str], *, whole: bool) -> frozenset[str]:
    """Return the first words of meaning behind a word, or the next one of any kind; unless `whole`
    those before the next preposition."""
    heads: list[str] = []
    for word in after:
        if _has_meaning(word):
            heads.append(_root(word))
        elif word in _END or (heads and not whole and word in _lists()["prepositions"]):
            break
    return frozenset(heads[:HEAD] or [word for word in after[:1] if word not in _END])


def _has_meaning(word: str) -> bool:
    lists = _lists()
    return word not in _END and not any(
        word in lists[name]
        for name in ("clauses", "turning", "prepositions", "auxiliaries", "weightless")
    )


def _root(word: str) -> str:
    return stem(stem(word))  # retrying, retry, retr


def _canonical(text: str) -> Iterator[str]:
    """Yield the words of a text in lower case, of a group of equal wordings always the first one;
    names begin with `=`."""
    plain = _POSSESSIVE.sub("", _NOT.sub(_spelled_out, _OTHERWISE.sub(", otherwise ", text[:READ])))
    said: list[str] = []
    for token in _TOKEN.findall(plain):
        if _PLAIN.fullmatch(token):
            said += token.casefold().split("-")
        elif _NAME.search(token) or _is_acronym(token) or not (token[0].isalnum() or token in _END):
            said.append(f"={token.casefold()}")
        else:
            said.append(token.casefold())
    at = 0
    while at < len(said):
        for size in range(_longest(), 0, -1):
            wording = _first_wording(said[at : at + size], said[at + size : at + size + 1])
            if wording is not None:
                yield from wording
                at += size
                break
        else:
            yield said[at]
            at += 1


def _is_acronym(token: str) -> bool:
    """Return True for a name in capitals, such as ROWS; RAM is memory, and NEVER is shouted."""
    word = token.casefold()
    shouted = len(token) > 1 and token.isupper() and token.isalpha()
    return shouted and (word,) not in _wordings() and _has_meaning(word)


def _first_wording(said: Sequence[str], after: Sequence[str]) -> Sequence[str] | None:
    """Return the first wording of the group that some words belong to, or None."""
    found = _wordings().get(tuple(said))
    if found is None and len(said) == 1:
        found = _wordings().get((_root(said[0]),))
    if found == (EXCEEDS,) and not any(_is_number(word) for word in after):
        return None
    return found


def _is_number(word: str) -> bool:
    return word.strip("=")[:1].isdigit() or word in _lists()["numbers"]


def _spelled_out(found: re.Match[str]) -> str:
    verb = found[1] or {"wo": "will", "ca": "can"}.get((found[2] or "").casefold(), "")
    return f"{verb} not"


@cache
def _wordings() -> Mapping[tuple[str, ...], tuple[str, ...]]:
    """Return the first wording of its group for each other one; words by their stems, too."""
    found: dict[tuple[str, ...], tuple[str, ...]] = {}
    for group, *_ in table("reflection_mcp.tools.learning", "paraphrases.txt"):
        first, *others = group.split(", ")
        target = () if first == "-" else tuple(first.split())
        for other in others:
            found[tuple(other.split())] = target
            if " " not in other and first != "-":
                found[(_root(other),)] = target
    return found


@cache
def _longest() -> int:
    return max(map(len, _wordings()))


def _lists() -> Mapping[str, frozenset[str]]:
    return words("reflection_mcp.tools.learning", "paraphrase.words")
