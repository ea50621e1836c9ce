"""Does a comment say what to do, or no more than a thumb does?

Rules of this module: a comment is a thumb only if each of its words is known to say how it went, or
if it refutes a lesson and reports where it still fails. What is not known makes it a lesson: to
lose one is worse than to keep a thumb.
"""

import re
from collections.abc import Callable, Collection, Sequence
from functools import cache

from reflection_mcp.tools import data_files

_WORD = re.compile(r"[^\W_](?:[^\W_]|['\u2019](?=[^\W_]))*")
_STRETCHED = re.compile(r"([^\W\d_])\1{2,}")
"""Letters as in "sooo good"."""
_ASKING = frozenset(("do", "not", "don't", "never", "always", "just", "first", "then", "and", "so"))
"""Words that may stand before what is asked for."""
_NAMING = frozenset(("no", "more", "less", "fewer", "wrong", "other", "in"))
"""Words before a thing that say what to do with it: "no tests", "more tests"."""
_MOST_NAMES = 2
_CODE = re.compile(r"[\d_/\\`=<>{}$-]|\w\.\w")
_OF_REPORTS = ("failing", "telling", "before names", "behind names", "causes")
_ENGLISH = ("verdicts", "courtesies", "idioms", "joints", "states", "deeds", "things")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]+")
"""Letters of scripts that put no spaces between words, or attach endings to them."""
_WHOLE = 4  # so many of these letters are more than a word
_ENDING = 2  # fewer are only an ending of one


def is_lesson(comment: str, *, refutes: bool) -> bool:
    """Return True if a comment says what to do, and not only whether it was good or what happened:
    "run the tests", and not "the tests run now"."""
    plain = _STRETCHED.sub(r"\1", comment.casefold().replace("\u2019", "'"))
    words = _WORD.findall(plain)
    lists = data_files.words(__package__, "thumbs.words")
    english, *others = _silent()
    if refutes and _reports_failure(plain, words, english):
        return False
    if not any(all(map(silent, words)) for silent in (english, *others)):
        return len(words) > 1 or sum(map(len, _UNSPACED.findall(comment))) >= _WHOLE
    first = next((word for word in words if word not in _ASKING | lists["courtesies"]), "")
    of_things = [at for at, word in enumerate(words) if word in lists["things"]]
    named = any(at and words[at - 1] in _NAMING for at in of_things)
    return len(words) > 1 and (first in lists["deeds"] or named or len(of_things) > 1)


def _reports_failure(plain: str, words: Sequence[str], silent: Callable[[str], bool]) -> bool:
    """Return True if a comment only reports that something still fails, and where: beside words
    that are known it has a few names, in places of nouns, and no sign of code."""
    lists = data_files.words(__package__, "thumbs.words")
    if not lists["failing"].intersection(words) or lists["telling"].intersection(words):
        return False
    follows, leads, causes = lists["before names"], lists["behind names"], lists["causes"]
    around = ["", "", *words, ""]
    names = [at for at, word in enumerate(around) if word and not (silent(word) or word in follows)]
    return (
        0 < len(names) <= _MOST_NAMES
        and _CODE.search(plain) is None
        and all(
            around[at - 1] in follows
            or around[at + 1] in leads
            or (around[at - 2] in follows and around[at - 1] in lists["things"])
            for at in names
        )
        and not any(causes.intersection(around[at - 2 : at]) for at in names)
    )


@cache
def _silent() -> tuple[Callable[[str], bool], ...]:
    """Return a function for each language: whether a word only says how it went, or thanks."""
    lists = dict(data_files.words(__package__, "thumbs.words"))
    for name in _OF_REPORTS:
        del lists[name]
    unspaced = "|".join(sorted(map(re.escape, lists.pop("unspaced")), key=len, reverse=True))
    taken_off = re.compile(unspaced)

    def reader(words: Collection[str]) -> Callable[[str], bool]:
        whole = frozenset(words)
        begins = tuple(word[:-1] for word in words if word.endswith("*"))

        def silent(word: str) -> bool:
            if word in whole or word.startswith(begins):
                return True
            return bool(_UNSPACED.fullmatch(word)) and len(taken_off.sub("", word)) < _ENDING

        return silent

    english = {name: lists.pop(name) for name in _ENGLISH}
    polite = english["verdicts"] | english["courtesies"]
    others = (polite | words for words in lists.values())
    return tuple(map(reader, (frozenset[str]().union(*english.values()), *others)))
