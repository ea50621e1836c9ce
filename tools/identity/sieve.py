"""Which of many short texts a text holds, found out in one pass over it.

Rule of this module: a row that a sieve holds back could not have applied. To look for each of six
hundred texts took longer than all that was done with those found, so a text is cut into pieces of
three signs instead: each short text is filed under one of its own pieces, and is looked for only
where that piece occurs.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

DIGIT = r"\d"
"""Stands for any digit in a text that is looked for: `:\\d\\d` is found in `10:47`."""

_CUT_DIGIT = "\x1a"
"""What each digit becomes before a text is cut."""
_DIGITS = bytes.maketrans(b"0123456789", _CUT_DIGIT.encode() * 10)
_Piece = tuple[int, int, int]
_FEW = 30
"""So few texts are found sooner one by one than by cutting."""


def _without_digits(text: str) -> bytes:
    """A text with one sign for all digits, in bytes: the hash of a number is itself."""
    return text.encode("utf-8", "surrogatepass").translate(_DIGITS)


def _pieces(text: bytes) -> Iterable[_Piece]:
    return zip(text, text[1:], text[2:], strict=False)


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
        cut = {text: frozenset(_pieces(_without_digits(text))) for text in rows}
        common = Counter(piece for pieces in cut.values() for piece in pieces)
        self._one_by_one: list[tuple[str, list[int]]] = []
        self._filed: dict[_Piece, list[tuple[str, list[int]]]] = {}
        for text, held in rows.items():
            # The piece that fewest share: the others are met where nothing is to be found.
            pieces = sorted(cut[text]) if len(rows) > _FEW else []
            piece = min(pieces, key=common.__getitem__, default=None)
            group = self._one_by_one if piece is None else self._filed.setdefault(piece, [])
            group.append((text, held))
        self._known = frozenset(self._filed)
        self._digits = any(_CUT_DIGIT in text for text in rows)

    def rows(self, text: str) -> list[int]:
        """The numbers of the rows that can apply, in order."""
        found = set(self._always)
        both, plain = text, b""
        if self._digits or self._known:
            plain = _without_digits(text)
            both = f"{text}\0{plain.decode('utf-8', 'surrogatepass')}"
        for needed, rows in self._one_by_one:
            if needed in both:
                found.update(rows)
        if self._known:
            for piece in self._known.intersection(_pieces(plain)):
                for needed, rows in self._filed[piece]:
                    if needed in both:
                        found.update(rows)
        return sorted(found)
