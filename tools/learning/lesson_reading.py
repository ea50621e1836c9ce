"""A lesson as it is compared with another wording of it: what each word does in it.

Rules: pure. Wordings that are equal (`paraphrases.txt`) become one; a word that carries meaning is
known by its stem, its preposition or conjunction, and its segment. What a word does follows from
closed lists (`paraphrase.words`); nothing is guessed from its form but a participle.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache

from reflection_mcp.tools.data_files import table, words
from reflection_mcp.tools.learning.words import stem

READ = 1_000  # characters; a longer lesson is no paraphrase
EXCEEDS = "exceeds"  # "over", "more than" and the like, but only before a number
GOVERNED = 2  # words of meaning that a preposition governs
HEAD = 3  # words behind a word that turns the meaning that are looked at

_NOT = re.compile(r"(?:\b(can)not|\b(wo|ca)n['\u2019]t|n['\u2019]t)\b", re.IGNORECASE)
_TOKEN = re.compile(
    r"(?<![\w-])--?[A-Za-z][\w-]*|\w+(?:[./_:@+-]\w+)*|[,;:.!?()]|[^\w\s\"'`,;:.!?()\u2018-\u201d\u2026]+"
)
_POSSESSIVE = re.compile(r"['\u2019]s\b")
_NAME = re.compile(r"[\d_/@]|^-|\w[.:]\w|[a-z][A-Z]")
_PLAIN = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)+")
_END = frozenset(",;:.!?()")
_OTHERWISE = re.compile(
    r"\bif not,|,? or else\b|, or (?!more\b|less\b|fewer\b)"
    r"| or (?=(?:the|they|you|it|its|this|that)\b[^.,;:]{1,60} (?:is|are|will|must|can|has)\b)",
    re.IGNORECASE,
)
BOUNDS = frozenset({"or_less", "or_more"})  # before a number or behind it
EXCEPTING = frozenset({"unless", "until", "without"})

Head = tuple[str, tuple[str, ...]]
"""A word that turns or orders the meaning, and what follows it."""


@dataclass(frozen=True, slots=True)
class WordRole:
    """The part that a word plays: the preposition or conjunction before it, its segment, and its
    offset in words that are more than an article or an auxiliary."""

    label: str
    segment: int
    place: int


@dataclass(slots=True)
class LessonReading:
    """A lesson as it is compared.

    `roles` are the parts of every word of meaning, `heads` what follows a word that turns or orders
    the meaning, `counted` what follows a number; `first` are the words that begin a segment,
    `gerunds` those in "ing" of a clause, and `passive` those behind a form of "be"; `consequence`
    is what happens otherwise, `excepted` what follows "unless", `conditional` what follows "if".
    """

    roles: dict[str, list[WordRole]] = field(default_factory=lambda: defaultdict(list[WordRole]))
    heads: list[Head] = field(default_factory=list[Head])
    first: set[str] = field(default_factory=set[str])
    passive: set[str] = field(default_factory=set[str])
    gerunds: set[str] = field(default_factory=set[str])
    counted: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set[str]))
    consequence: set[str] = field(default_factory=set[str])
    excepted: set[str] = field(default_factory=set[str])
    conditional: set[str] = field(default_factory=set[str])
    english: bool = False

    @property
    def subject(self) -> frozenset[str]:
        """All that is equal in paraphrases."""
        return frozenset(self.roles.keys() - word_lists()["light"])


@lru_cache(maxsize=128)  # of 4 to 10 kB each
def reading(text: str) -> LessonReading:
    """Return a lesson as it is compared."""
    found = LessonReading()
    lists = word_lists()
    segment, label, clause, begins, behind_be = 0, "", "", True, False
    ends_otherwise = -1
    said = _with_unless(list(_canonical(text)))
    found.english = not lists["english"].isdisjoint(text[:READ].casefold().split())
    place = governed = 0
    for at, word in enumerate(said):
        place += word not in lists["weightless"] | lists["auxiliaries"]
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
            label, governed = word, 0
        elif word in lists["auxiliaries"] or _is_perfect(word, said[at + 1 : at + 3]):
            label, behind_be, begins = "", True, False
        elif _has_meaning(word):
            root = _root(word)
            bound = word in BOUNDS
            found.roles[root].append(WordRole("" if bound else label, segment, place))
            if _is_number(word) and any(map(_has_meaning, said[at + 1 : at + 2])):
                found.counted[root].add(_root(said[at + 1]))
            if clause == "otherwise":
                found.consequence.add(root)
            elif clause in EXCEPTING or label in EXCEPTING:
                found.excepted.add(root)
            elif clause == "if":
                found.conditional.add(root)
            if begins:
                (found.gerunds if clause and word.endswith("ing") else found.first).add(root)
            if behind_be:
                found.passive.add(root)
            begins = behind_be = False
            governed += not bound
            if governed == GOVERNED and label in lists["prepositions"]:
                label = ""
    for root, roles in found.roles.items():
        if any(role.segment == ends_otherwise for role in roles):
            found.consequence.add(root)
    return found


def _with_unless(said: list[str]) -> list[str]:
    """Return "unless it runs" for "if it does not run"."""
    ends = _END | word_lists()["clauses"]
    for at, word in enumerate(said):
        if word == "if":
            end = next((n for n in range(at + 1, len(said)) if said[n] in ends), len(said))
            # "If it runs do not stop it" does not tell where the clause ends.
            told = (at and said[at - 1] not in _END) or said[end : end + 1] not in ([], ["."])
            if told and "not" in said[at:end]:
                first = said.index("not", at)
                return _with_unless(
                    [*said[:at], "unless", *said[at + 1 : first], *said[first + 1 :]]
                )
    return said


def _is_perfect(word: str, after: Sequence[str]) -> bool:
    """Return True for the "has" of "has failed" and of "has not failed"."""
    verb = next((each for each in after if each not in word_lists()["turning"]), "")
    return word == "have" and verb.endswith(("ed", "en"))


def _head(after: Sequence[str], *, whole: bool) -> tuple[str, ...]:
    """Return the first words of meaning behind a word, or the next one of any kind; unless `whole`
    those before the next preposition."""
    ends = word_lists()["clauses"] if whole else word_lists()["prepositions"]
    heads: list[str] = []
    for word in after:
        if _has_meaning(word):
            heads.append(_root(word))
        elif word in _END or (heads and word in ends):
            break
    if after[:1] and after[0] in word_lists()["pronouns"]:
        return tuple(after[:1])
    return tuple(heads[:HEAD] or [word for word in after[:1] if word not in _END])


def _has_meaning(word: str) -> bool:
    lists = word_lists()
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
        if said[at] == "only" and any(map(_is_number, said[at + 1 : at + 2])):
            at += 1  # "only 3" is 3
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
    return word.strip("=")[:1].isdigit() or word in word_lists()["numbers"]


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


def word_lists() -> Mapping[str, frozenset[str]]:
    """Return the words by what they do in a lesson."""
    return words("reflection_mcp.tools.learning", "paraphrase.words")
