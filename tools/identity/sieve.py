"""Which of many short texts a text holds, found out word by word.

Rule of this module: a row that a sieve holds back could not have applied. To look for each of six
hundred texts took longer than all that was done with those found. So each short text is filed under
its longest word, and is looked for only where a word of the text holds that, with a blank on the
same sides: `no ` is looked for where a word ends in it. Which of the filed words a word holds is
remembered: errors are told in few words.
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

DIGIT = r"\d"
"""Stands for any digit in a text that is looked for: `:\\d\\d` is found in `10:47`."""

_CUT_DIGIT = "\x1a"
"""What each digit becomes before a text is cut."""
_DIGITS = "".join(_CUT_DIGIT if chr(at) in "0123456789" else chr(at) for at in range(128))
"""Every sign of ASCII has its place in it: one that a table of `translate` lacks takes longer."""
_Piece = tuple[str, str, str]
_Needed = tuple[str, bool, list[int]]
_FEW = 30
"""So few texts are found sooner one by one than by words."""
_LONGEST_REMEMBERED = 160
_MOST_REMEMBERED = 4096


def _pieces(word: str) -> Iterable[_Piece]:
    """The pieces of three signs that a word is made of."""
    return zip(word, word[1:], word[2:], strict=False)


def _longest_word(text: str) -> str:
    """The longest word of a text, with a blank on each side on which it has one."""
    parted = re.sub(r"\s+", "  ", text.translate(_DIGITS))
    return max(re.findall(" ?[^ ]+ ?", parted), key=len, default="")


class Sieve:
    """Which of many rows can apply to a text at all, by the texts of which each needs one.

    A row that needs nothing can always apply.
    """

    def __init__(self, needs: Mapping[int, tuple[str, ...]]) -> None:
        rows: dict[str, list[int]] = {}
        self._always: list[int] = []
        for at, texts in needs.items():
            for text in texts:
                rows.setdefault(text.replace(DIGIT, _CUT_DIGIT), []).append(at)
            if not texts:
                self._always.append(at)
        self._texts = [(text, _CUT_DIGIT in text, at) for text, at in rows.items()]
        """Each text, whether any digit will do for one of its signs, and the rows that need it."""
        self._digits = any(any_digit for _, any_digit, _ in self._texts)
        self._short: list[tuple[str, int]] = []
        self._filed: dict[_Piece, list[tuple[str, int]]] = {}
        """Words and the number of the text that is filed under each, by their first piece."""
        for number, text in enumerate(rows if len(rows) > _FEW else ()):
            word = _longest_word(text)
            piece = next(iter(_pieces(word)), None)
            group = self._short if piece is None else self._filed.setdefault(piece, [])
            group.append((word, number))
        self._known = frozenset(self._filed)
        self._remembered = lru_cache(_MOST_REMEMBERED)(self._told_by)

    def _told_by(self, word: str) -> tuple[int, ...]:
        """The numbers of the texts that are filed under what a word between blanks holds."""
        word = f" {word} "
        groups = (self._filed[piece] for piece in self._known.intersection(_pieces(word)))
        return tuple(
            number for group in (self._short, *groups) for filed, number in group if filed in word
        )

    def _likely(self, plain: str) -> Iterable[_Needed]:
        """The texts that need to be looked for, given a text without digits."""
        if not self._filed:
            return self._texts
        words = set(plain.split()) or {""}
        long = max(map(len, words)) > _LONGEST_REMEMBERED
        likely = set[int]().union(*map(self._told_by if long else self._remembered, words))
        return map(self._texts.__getitem__, likely)

    def rows(self, text: str) -> list[int]:
        """The numbers of the rows that can apply, in order."""
        plain = text.translate(_DIGITS) if self._digits or self._filed else text
        found = set(self._always)
        for needed, any_digit, rows in self._likely(plain):
            if needed in (plain if any_digit else text):
                found.update(rows)
        return sorted(found)
