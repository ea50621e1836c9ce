"""Which of many short texts a text holds, found out word by word.

Rule of this module: a row that a sieve holds back could not have applied. To look for each of six
hundred texts took longer than all that was done with those found. So each short text is filed under
its longest word that few errors hold, and is looked for only where a word of the text holds that,
with a blank on the same sides: `no ` is looked for where a word ends in it. What a word tells is
remembered: errors are told in few words.
"""

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from itertools import pairwise

DIGIT = r"\d"
"""Stands for any digit in a text that is looked for: `:\\d\\d` is found in `10:47`."""

_CUT_DIGIT = "\x1a"
"""What each digit becomes before a text is cut."""
_DIGITS = bytes.maketrans(b"0123456789", _CUT_DIGIT.encode() * 10)
_COMMON = tuple(
    "a : error error: in no ' not is to ( [ \" be of type the for cannot file name invalid module "
    "failed could failed: errors".split()
)
"""Words that many errors hold, the commonest first: to find one of them rules out little."""
_FEW = 30
"""So few texts are found sooner one by one than by words."""
_LONGEST_REMEMBERED = 160
_MOST_REMEMBERED = 4096

_Needed = tuple[str, bool, tuple[int, ...]]
"""A text that is looked for, whether any digit will do for one of its signs, and its rows."""
_Told = tuple[frozenset[int], tuple[_Needed, ...]]
"""What a word tells: the rows of texts that it holds, and texts of which it is a part."""
_Cut = Callable[[str], Iterable[Hashable]]


def _in_threes(word: str) -> Iterable[Hashable]:
    return zip(word, word[1:], word[2:], strict=False)


_CUTS: tuple[_Cut, ...] = (iter, pairwise, _in_threes)
"""What a word is made of: its signs, and all that stand side by side by two and by three."""


def _cut_of(word: str) -> _Cut:
    """What cuts a word into the longest pieces it has."""
    return _CUTS[min(len(word), len(_CUTS)) - 1]


def without_digits(text: str) -> str:
    """The text with one sign in place of each digit: it is another text if it holds one."""
    # Bytes are exchanged five times as fast as signs; what is no text stays what it is.
    cut = text.encode("utf-8", "surrogatepass").translate(_DIGITS)
    return cut.decode("utf-8", "surrogatepass")


def _rarest_word(text: str) -> str:
    """The longest word of a text that few errors hold, with a blank on each side that has one."""
    words: list[str] = re.findall(" ?[^ ]+ ?", re.sub(r"\s+", "  ", without_digits(text)))
    rare = [word for word in words if word.strip() not in _COMMON]
    return max(rare, key=len) if rare else max(words, key=lambda word: _COMMON.index(word.strip()))


class _Words(dict[str, _Told | None]):
    """What each word of a text without digits tells, found out when it is met; None: nothing."""

    def __init__(self, texts: Iterable[_Needed]) -> None:
        super().__init__()
        filed: dict[str, list[_Needed]] = {}
        for needed in texts:
            filed.setdefault(_rarest_word(needed[0]), []).append(needed)
        shared = Counter(piece for word in filed for piece in _cut_of(word)(word))
        self._filed: dict[Hashable, list[tuple[str, _Told]]] = {}
        """Words and what each tells where it is found, by the rarest piece of the word."""
        known: dict[_Cut, set[Hashable]] = {}
        of_letters: dict[_Cut, set[Hashable]] = {}
        for word, texts_of in filed.items():
            cut = _cut_of(word)
            piece = min(cut(word), key=shared.__getitem__)
            whole = [] if " " in word else [needed for needed in texts_of if needed[0] == word]
            rows = frozenset(row for needed in whole for row in needed[2])
            parts = tuple(needed for needed in texts_of if needed not in whole)
            self._filed.setdefault(piece, []).append((word, (rows, parts)))
            known.setdefault(cut, set()).add(piece)
            if word.strip().isalpha():
                of_letters.setdefault(cut, set()).add(piece)
        self._known, self._known_of_letters = [*known.items()], [*of_letters.items()]

    def __missing__(self, word: str) -> _Told | None:
        told = self._told_by(word)
        if len(word) <= _LONGEST_REMEMBERED:
            if len(self) == _MOST_REMEMBERED:
                self.clear()
            self[word] = told
        return told

    def _told_by(self, word: str) -> _Told | None:
        rows: set[int] = set()
        likely: list[_Needed] = []
        between = f" {word} "
        for cut, known in self._known_of_letters if word.isalpha() else self._known:
            for piece in known.intersection(cut(between)):
                for filed, (its_rows, its_likely) in self._filed[piece]:
                    if filed in between:
                        rows |= its_rows
                        likely += its_likely
        return (frozenset(rows), tuple(likely)) if rows or likely else None


class Sieve:
    """Which of many rows can apply to a text at all, by the texts of which each needs one.

    A row that needs nothing can always apply.
    """

    def __init__(self, needs: Mapping[int, tuple[str, ...]]) -> None:
        rows: dict[str, list[int]] = {}
        for at, texts in needs.items():
            for text in texts:
                rows.setdefault(text.replace(DIGIT, _CUT_DIGIT), []).append(at)
        self._always = frozenset(at for at, texts in needs.items() if not texts)
        self._rows = {text: tuple(at) for text, at in rows.items()}
        self._words: _Words | None = None
        self._blanks = [text for text in rows if not text.strip()]
        """Texts without a word."""
        if len(rows) > _FEW:
            self._words = _Words(
                (text, _CUT_DIGIT in text, at) for text, at in self._rows.items() if text.strip()
            )
        self._with_digit = [text for text in rows if _CUT_DIGIT in text]
        self._as_they_are = [text for text in rows if _CUT_DIGIT not in text]

    def rows(self, text: str, plain: str | None = None) -> list[int]:
        """The numbers of the rows that can apply, in order.

        `plain` is the text without digits, for who has made it.
        """
        words = self._words
        if words is None:
            return sorted(self._one_by_one(text))
        if plain is None:
            plain = without_digits(text)
        found = set(self._always)
        for told in filter(None, map(words.__getitem__, plain.split())):
            found |= told[0]
            for needed, any_digit, rows in told[1]:
                if needed in (plain if any_digit else text):
                    found.update(rows)
        for blank in self._blanks:
            if blank in text:
                found.update(self._rows[blank])
        return sorted(found)

    def _one_by_one(self, text: str) -> Iterable[int]:
        held = [*filter(text.__contains__, self._as_they_are)]
        if self._with_digit:
            held += filter(without_digits(text).__contains__, self._with_digit)
        return self._always.union(*map(self._rows.__getitem__, held)) if held else self._always
