"""Index of a context and a question, for look-ups of many words and names.

Rules of this module: a source is read generously. It knows a word that stands there in another
inflection (Germany, German), under another spelling (Gaddafi, Qaddafi), as initials (United
Nations, UN) or the other way round. Everything is worked out once, when it is first asked for.
"""

import re
import unicodedata
from bisect import bisect_left
from functools import cached_property

from reflection_mcp.tools.judging.texts.wording import letters, signs

_COMBINING = re.compile(r"[\u0300-\u036f]+")
# Letters that are none of the plain ones with a sign on it.
_LETTERS = {
    "\u00df": "ss", "\u00f8": "o", "\u0142": "l", "\u0111": "d", "\u00f0": "d", "\u00fe": "th",
    "\u00e6": "ae", "\u0153": "oe", "\u0131": "i", "\u02bb": "'",
}  # fmt: skip


def fold(text: str) -> str:
    """Return a text in small letters without accents."""
    if text.isascii():
        return text.lower()
    text = _COMBINING.sub("", unicodedata.normalize("NFKD", text)).lower()
    for letter, plain in _LETTERS.items():
        text = text.replace(letter, plain)
    return text


CASED = 4_000
"""Characters of a text in which its use of capitals shows."""
FEWEST_CAPITALS, MOST_CAPITALS = 0.02, 0.8
"""Share of words with a capital between which a text uses them as English does."""
ALIKE = 85.0
"""Similarity from which a name counts as the same, misspelled or transliterated otherwise."""
ALIKE_LENGTH = 5
ALIKE_TEXT = 200_000
STEM = 4
"""Letters that two inflections of a word share at least."""
LONG_STEM = 7
"""Letters after which two words are the same whatever follows."""
ENDING = 5
"""Letters of the longest ending of a word."""
_ENDINGS = frozenset(
    """a ae age al als an ans ance ant ants ary ate d e ea ean eans ed en er ern ers es ese ev eva
    ful hood i ia ial ian ians iana ic ical ics ie ier iers ies in ina ine ines ing ings ion ions
    is ish ism isms ist ists ite ites ity ive j ka ko la le less ly man men ment n na ness ni ns o
    on or ors ory os ot ots ov ova r ry s ship sk ska ski sky ter tic ty u um us v wise y
    yan""".split()
) | {""}


class Source:
    """An indexed text."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def small(self) -> str:
        """The text in small letters, each in its place."""
        # No other capital becomes two letters.
        return self.text.replace("\u0130", "I").lower()

    @cached_property
    def _plain_figures(self) -> frozenset[str]:
        return frozenset(_PLAIN_FIGURE.findall(self.text))

    @cached_property
    def _all_words(self) -> list[str]:
        return signs(fold(self.text))

    @cached_property
    def joined(self) -> str:
        """All words in small plain letters between single spaces."""
        return f" {' '.join(self._all_words)} "

    @cached_property
    def words(self) -> frozenset[str]:
        """The different words, in small plain letters."""
        return frozenset(self._all_words)

    @cached_property
    def _in_order(self) -> list[str]:
        return sorted(self.words)

    @cached_property
    def _capitals(self) -> float:
        """The share of the words that begin with a capital, where they are more than one."""
        initials = [word[0] for word in letters(self.text[:CASED]) if len(word) > 1]
        capitals = sum(map(str.isupper, initials))
        return capitals / len(initials) if capitals >= 2 else 0.0

    @cached_property
    def cased(self) -> bool:
        """True if the text uses capitals as English does."""
        return FEWEST_CAPITALS <= self._capitals <= MOST_CAPITALS

    def has_word(self, word: str) -> bool:
        """Return True if a word stands in the source, in this or in an inflected form."""
        return word in self.words or self._has_inflected(word)

    def _has_inflected(self, word: str) -> bool:
        if len(word) < STEM:
            return False
        stem = word[: max(STEM, len(word) - ENDING)]
        place = bisect_left(self._in_order, stem)
        while place < len(self._in_order) and self._in_order[place].startswith(stem):
            if _same_stem(word, self._in_order[place]):
                return True
            place += 1
        return False

    def has_figure(self, written: str) -> bool:
        """Return True if a number or a day stands there as it is written: quick, and usual."""
        if written.isdecimal():
            return written in self._plain_figures
        place = self.text.find(written)
        while place >= 0:
            end = place + len(written)
            inside = _INSIDE.match(self.text, max(0, place - 1), place)
            if not (inside or _GOES_ON.match(self.text, end)):
                return True
            place = self.text.find(written, place + 1)
        return False

    @cached_property
    def long_words(self) -> list[str]:
        """The different words of at least five letters."""
        return [word for word in self._in_order if len(word) >= ALIKE_LENGTH]

    def has_like(self, word: str) -> bool:
        """Return True if a word of nearly the same letters stands there: a slip, another script."""
        if len(word) < ALIKE_LENGTH or len(self.joined) > ALIKE_TEXT:
            return False
        from rapidfuzz import fuzz, process

        alike = process.extract(
            word, self.long_words, scorer=fuzz.ratio, score_cutoff=ALIKE, limit=None
        )
        return any(one[0] == word[0] for one, _, _ in alike)  # Fernandez is not Hernandez

    def has_initials(self, written: str) -> bool:
        """Return True if the first letters of a name's capitalised words stand there as one."""
        initials = "".join(re.findall(r"\b(?!The\b)[A-Z]", written)).lower()
        return len(initials) > 2 and initials in self.words

    def spells_out(self, initials: str) -> bool:
        """Return True if words that begin with these letters follow each other in the source."""
        if not 2 <= len(initials) <= 6:
            return False
        pattern = r"(?: (?:of|the|and|for|in))? ".join(
            rf"{re.escape(sign)}[^ ]*" for sign in initials
        )
        return bool(re.search(rf" {pattern} ", self.joined))


_INSIDE = re.compile(r"[\w.,]")
_GOES_ON = re.compile(r"\w|[.,]\d")
# What stands as a figure of its own: the same two tests on both sides of its digits.
_PLAIN_FIGURE = re.compile(r"\d(?<![\w.,].)\d*+(?!\w|[.,]\d)")


def _same_stem(one: str, other: str) -> bool:
    """Return True if two words differ in their endings only."""
    if one == other or one.startswith(other) or other.startswith(one):
        shared = min(len(one), len(other))
    else:
        shared = next(place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
    if not STEM <= shared < LONG_STEM:
        return shared >= LONG_STEM
    # The stem may end before the letters part: Turkey, Turkish; Italy, Italian.
    return any(
        one[place:] in _ENDINGS and other[place:] in _ENDINGS for place in range(STEM, shared + 1)
    )
