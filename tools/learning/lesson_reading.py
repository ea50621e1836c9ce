"""A lesson prepared for comparison: its sentences, their clauses, and their words.

Rules: pure. Wordings that are equal (`wordings.txt`) become one; a word that carries meaning is
known by its stem. What a word does follows from closed lists (`lesson_reading.words`).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from reflection_mcp.tools.data_files import table, words
from reflection_mcp.tools.learning.words import stem

READ = 1_000  # characters of a lesson

_NOT = re.compile(r"(?:\b(can)not|\b(wo|ca)n['\u2019]t|n['\u2019]t)\b", re.IGNORECASE)
_TOKEN = re.compile(
    r"(?<![\w-])--?[A-Za-z][\w-]*|\.?\w+(?:[./_:@+-]\w+)*(?:\(\))?|[,;:.!?()]"
    r"|[^\w\s\"'`,;:.!?()\u2018-\u201d\u2026]+"
)
_POSSESSIVE = re.compile(r"['\u2019]s\b")
_NAME = re.compile(r"[\d_/@]|^[-.]\w|\w[.:]\w|[a-z][A-Z]")
_PLAIN = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)+")
_SENTENCE_END = frozenset(".;:!?")
_END = _SENTENCE_END | frozenset(",()\u2014\u2013")
_OTHERWISE = re.compile(
    r"\bif not,|,? or else\b|, or (?!more\b|less\b|fewer\b)"
    r"| or (?=(?:the|they|you|it|its|this|that)\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause of a lesson: the conjunction that begins it, and its words in their order, the small
    ones included."""

    begins: str
    said: tuple[str, ...]

    @property
    def stems(self) -> tuple[str, ...]:
        """The stems of its words of meaning, in their order."""
        return content(self.said)


Sentence = tuple[Clause, ...]


def sentences(text: str) -> tuple[Sentence, ...]:
    """Return the sentences of a lesson, each as its clauses."""
    found: list[Sentence] = []
    clauses: list[Clause] = []
    begins, said = "", list[str]()
    for word in (*canonical(text), "."):
        if word not in _END and word not in word_lists()["conjunctions"]:
            said.append(word)
            continue
        if said or begins == "otherwise":  # "it is stale otherwise"
            clauses.append(Clause(begins, tuple(said)))
        begins, said = "" if word in _END else word, []
        if word in _SENTENCE_END and clauses:
            found.append(tuple(clauses))
            clauses = []
    return tuple(found)


def content(said: Sequence[str]) -> tuple[str, ...]:
    """Return the stems of the words of meaning, each once."""
    return tuple(dict.fromkeys(root(word) for word in said if has_meaning(word)))


def has_meaning(word: str) -> bool:
    """Return True for a word that is on no list of those that only join or turn others."""
    return word not in _small()


@cache
def _small() -> frozenset[str]:
    lists = word_lists()
    names = ("weightless", "auxiliaries", "prepositions", "conjunctions")
    return frozenset({"not", *(word for name in names for word in lists[name])})


def root(word: str) -> str:
    """Return the stem of a word of a lesson; a name stays whole."""
    return word if word.startswith("=") else stem(stem(word))  # retrying, retry, retr


def canonical(text: str) -> Iterator[str]:
    """Yield the words of a text in lower case, of a group of equal wordings always the first one;
    names begin with `=`."""
    plain = _POSSESSIVE.sub("", _NOT.sub(_spelled_out, _OTHERWISE.sub(", otherwise ", text[:READ])))
    said: list[str] = []
    for token in _TOKEN.findall(plain):
        if _PLAIN.fullmatch(token):
            said += token.casefold().split("-")
        elif (
            _NAME.search(token)
            or token.endswith("()")
            or _is_acronym(token)
            or not (token[0].isalnum() or token in _END)
        ):
            said.append(f"={token.casefold()}")
        else:
            said.append(token.casefold())
    at = 0
    while at < len(said):
        for size in range(_longest(), 0, -1):
            wording = _first_wording(said[at : at + size])
            if wording is not None:
                doing = "ing" if size == len(wording) == 1 and said[at].endswith("ing") else ""
                yield from (f"{word}{doing}" for word in wording)
                at += size
                break
        else:
            yield said[at]
            at += 1


def _is_acronym(token: str) -> bool:
    """Return True for a name in capitals, such as ROWS; RAM is memory, and NEVER is shouted."""
    word = token.casefold()
    shouted = len(token) > 1 and token.isupper() and token.isalpha()
    return shouted and (word,) not in _wordings() and has_meaning(word)


def _first_wording(said: Sequence[str]) -> Sequence[str] | None:
    """Return the first wording of the group that some words belong to, or None."""
    found = _wordings().get(tuple(said))
    if found is None and len(said) == 1:
        found = _wordings().get((root(said[0]),))
    return found


def is_number(word: str) -> bool:
    """Return True for a number in figures."""
    return word.strip("=")[:1].isdigit()


def _spelled_out(found: re.Match[str]) -> str:
    verb = found[1] or {"wo": "will", "ca": "can"}.get((found[2] or "").casefold(), "")
    return f"{verb} not"


@cache
def _wordings() -> Mapping[tuple[str, ...], tuple[str, ...]]:
    """Return the first wording of its group for each other one; words by their stems, too."""
    found: dict[tuple[str, ...], tuple[str, ...]] = {}
    for group, *_ in table("reflection_mcp.tools.learning", "wordings.txt"):
        first, *others = group.split(", ")
        target = () if first == "-" else tuple(first.split())
        for other in others:
            found[tuple(other.split())] = target
            if " " not in other and first != "-":
                found[(root(other),)] = target
    return found


@cache
def _longest() -> int:
    return max(map(len, _wordings()))


def word_lists() -> Mapping[str, frozenset[str]]:
    """Return the words by what they do in a lesson."""
    return words("reflection_mcp.tools.learning", "lesson_reading.words")
