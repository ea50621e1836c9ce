"""Which of many short texts a text holds, found out word by word.

Rule of this module: a row that a sieve holds back could not have applied. To look for each of six
hundred texts took longer than all that was done with those found. So each short text is filed under
its longest word, and is looked for only where a word of the text holds that, with a blank on the
same sides: `no ` is looked for where a word ends in it. What a word tells is remembered: errors are
told in few words.
"""

import re
from collections.abc import Hashable, Iterable, Mapping
from itertools import chain, pairwise

DIGIT = r"\d"
"""Stands for any digit in a text that is looked for: `:\\d\\d` is found in `10:47`."""

_CUT_DIGIT = "\x1a"
"""What each digit becomes before a text is cut."""
_DIGITS = "".join(_CUT_DIGIT if chr(at) in "0123456789" else chr(at) for at in range(128))
"""Every sign of ASCII has its place in it: one that a table of `translate` lacks takes longer."""
_FEW = 30
"""So few texts are found sooner one by one than by words."""
_LONGEST_REMEMBERED = 160
_MOST_REMEMBERED = 4096

_Needed = tuple[str, bool, tuple[int, ...]]
"""A text that is looked for, whether any digit will do for one of its signs, and its rows."""
_Told = tuple[frozenset[int], frozenset[_Needed]]
"""What a word tells: the rows of texts that it holds, and texts of which it is a part."""


def _pieces(word: str) -> Iterable[Hashable]:
    """What a word is made of: its signs, and all that stand side by side by two and by three."""
    return chain(word, pairwise(word), zip(word, word[1:], word[2:], strict=False))


def _longest_word(text: str) -> str:
    """The longest word of a text, with a blank on each side on which it has one."""
    parted = re.sub(r"\s+", "  ", text.translate(_DIGITS))
    return max(re.findall(" ?[^ ]+ ?", parted), key=len, default=" ")


class _Words(dict[str, _Told | None]):
    """What each word of a text without digits tells, found out when it is met; None: nothing."""

    def __init__(self, texts: Iterable[_Needed]) -> None:
        super().__init__()
        self._filed: dict[Hashable, list[tuple[str, _Needed]]] = {}
        """Words and the text that is filed under each, by the first piece of the word."""
        for needed in texts:
            word = _longest_word(needed[0])
            piece = word if len(word) == 1 else tuple(word[:3])
            self._filed.setdefault(piece, []).append((word, needed))
        self._known = frozenset(self._filed)

    def __missing__(self, word: str) -> _Told | None:
        told = self._told_by(f" {word} ")
        if len(word) <= _LONGEST_REMEMBERED:
            if len(self) == _MOST_REMEMBERED:
                self.clear()
            self[word] = told
        return told

    def _told_by(self, word: str) -> _Told | None:
        rows: set[int] = set()
        likely: set[_Needed] = set()
        for piece in self._known.intersection(_pieces(word)):
            for filed, needed in self._filed[piece]:
                if filed in word:
                    if filed == needed[0] and " " not in filed:
                        rows.update(needed[2])
                    else:
                        likely.add(needed)
        return (frozenset(rows), frozenset(likely)) if rows or likely else None


_NOTHING: frozenset[_Needed] = frozenset()


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
        if len(rows) > _FEW:
            self._words = _Words((text, _CUT_DIGIT in text, at) for text, at in self._rows.items())
        self._with_digit = [text for text in rows if _CUT_DIGIT in text]
        self._as_they_are = [text for text in rows if _CUT_DIGIT not in text]

    def rows(self, text: str) -> list[int]:
        """The numbers of the rows that can apply, in order."""
        return sorted(
            self._by_word(text, self._words) if self._words is not None else self._one_by_one(text)
        )

    def _one_by_one(self, text: str) -> Iterable[int]:
        held = [*filter(text.__contains__, self._as_they_are)]
        if self._with_digit:
            held += filter(text.translate(_DIGITS).__contains__, self._with_digit)
        return self._always.union(*map(self._rows.__getitem__, held)) if held else self._always

    def _by_word(self, text: str, words: _Words) -> Iterable[int]:
        plain = text.translate(_DIGITS)
        told = [*filter(None, map(words.__getitem__, set(plain.split()) or {""}))]
        found = set(self._always).union(*[rows for rows, _ in told])
        for needed, any_digit, rows in _NOTHING.union(*[likely for _, likely in told]):
            if needed in (plain if any_digit else text):
                found.update(rows)
        return found
