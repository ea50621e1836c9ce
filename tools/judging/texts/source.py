"""Index of a context and a question, for look-ups of many words and names.

Rules of this module: a source is read generously. It knows a word that stands there in another
inflection (Germany, German), under another spelling (Gaddafi, Qaddafi), as initials (United
Nations, UN) or the other way round. Everything is worked out once, when it is first asked for.
"""

import re
import unicodedata
from bisect import bisect_left
from collections import defaultdict
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
# What is written otherwise when a name changes its script.
_SOUNDS = (("tch", "c"), ("sch", "s"), ("ch", "c"), ("sh", "s"), ("kh", "k"), ("gh", "g"),
           ("ph", "f"), ("ts", "c"), ("tz", "c"), ("dj", "j"), ("q", "g"), ("w", "v"), ("z", "s"),
           ("x", "ks"), ("k", "c"))  # fmt: skip
_UNSOUNDED = re.compile(r"(?<=[^ ])[aeiouyh'](?=[^ ])|([^ ])(?=\1)")
SKELETON = 4
"""Consonants that a name must have to be known by them."""


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

    @cached_property
    def _sounds(self) -> frozenset[str]:
        heard = _heard(" ".join(self.long_words))
        return frozenset(f"{heard} {_bare(heard)}".split())

    def has_like(self, word: str) -> bool:
        """Return True if a word of nearly the same letters stands there: a slip, another script."""
        if len(word) < ALIKE_LENGTH or len(self.joined) > ALIKE_TEXT:
            return False
        heard = _heard(word)
        bare = _bare(heard)
        if heard in self._sounds or (len(bare) >= SKELETON and bare in self._sounds):
            return True
        from rapidfuzz import fuzz, process

        alike = process.extract(
            word, self.long_words, scorer=fuzz.ratio, score_cutoff=ALIKE, limit=None
        )
        return any(_begin_alike(heard, _heard(one)) for one, _, _ in alike)

    def has_initials(self, written: str, missing: frozenset[str] = frozenset()) -> bool:
        """Return True if a name's initials stand in the source, with or without stops.

        One letter may stand inside its word: JAXA, the Japan Aerospace Exploration Agency.

        Args:
            written: the name, and capitalised words around it that may belong to it.
            missing: words for which the initials are to stand, in small plain letters.
        """
        parts = [fold(word) for word in _LETTERS_ONLY.findall(written) if word[0].isupper()]
        # A run of capitals may begin or end with words that are not of the name: "The New NASA".
        runs = (
            parts[first : first + length]
            for length in SHORT_FORMS
            for first in range(len(parts) - length + 1)
        )
        return any(
            _abbreviates(short, run)
            for run in runs
            if missing.issubset(run)
            for short in self._short_forms.get((run[0][0], run[-1][0], len(run)), ())
        )

    @cached_property
    def _short_forms(self) -> dict[tuple[str, str, int], list[str]]:
        """The initials of the text by their first and last letter and their number."""
        found: dict[tuple[str, str, int], list[str]] = defaultdict(list)
        for short in {fold(one.replace(".", "")) for one in _CAPITALS.findall(self.text)}:
            if len(short) in SHORT_FORMS and short not in _OF_NO_NAME:
                found[short[0], short[-1], len(short)].append(short)
        return found

    def spells_out(self, initials: str) -> bool:
        """Return True if words that begin with these letters follow each other in the source."""
        if not 2 <= len(initials) <= 6:
            return False
        pattern = r"(?: (?:of|the|and|for|in))? ".join(
            rf"{re.escape(sign)}[^ ]*" for sign in initials
        )
        return bool(re.search(rf" {pattern} ", self.joined))

    def runs_together(self, words: tuple[str, ...]) -> bool:
        """Return True if the words stand there written as one, or one of them in parts."""
        return len(words) > 1 and "".join(words) in self.joined


_INSIDE = re.compile(r"[\w.,]")
_GOES_ON = re.compile(r"\w|[.,]\d")
# What stands as a figure of its own: the same two tests on both sides of its digits.
_PLAIN_FIGURE = re.compile(r"\d(?<![\w.,].)\d*+(?!\w|[.,]\d)")
_LETTERS_ONLY = re.compile(r"[^\W\d_]+")
_CAPITALS = re.compile(r"[A-Z](?<!\w.)(?:[A-Z]{1,6}\b|\.(?:[A-Z]\.){1,6})")
_OF_NO_NAME = frozenset(("tv", "cd", "pc", "id", "ok", "am", "pm"))
"""Capitals that stand for words that name nobody: a TV is no "The Voice"."""
SHORT_FORMS = range(2, 8)
"""Letters of initials that are read."""


def _abbreviates(short: str, parts: list[str]) -> bool:
    """Return True if each letter is one of the first three of its word."""
    return all(letter in part[:3] for letter, part in zip(short, parts, strict=True))


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


# Sounds that another script or a slip of the pen may give to the same first letter.
_FIRST_SOUNDS = ("aeiouyhj", "cgsx", "bfpv", "dt")


def _begin_alike(one: str, other: str) -> bool:
    """Return True if two words may begin with the same sound: Fernandez is not Hernandez."""
    first, second = one[0], other[0]
    return first == second or any(first in sounds and second in sounds for sounds in _FIRST_SOUNDS)


def _heard(words: str) -> str:
    """Return words as they sound, roughly: Josef for Joseph."""
    for written, sound in _SOUNDS:
        words = words.replace(written, sound)
    return words


def _bare(heard: str) -> str:
    """Return the consonants of words; a vowel counts at the start and the end."""
    return _UNSOUNDED.sub("", heard)
