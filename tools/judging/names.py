"""The names in an English text, and whether a source knows them.

Rules of this module: a name is a run of capitalised words that is not merely the start of a
sentence. A source knows a name when it holds its words, in any inflection (Germany, German), as
initials (United Nations, UN) or the other way round. Where a text does not use capitals as English
does (headings, all capitals, all small), nothing in it is called a name.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from reflection_mcp.tools.judging.wording import STOP


class Name(NamedTuple):
    """A run of capitalised words; `words` are those that count, folded to plain small letters.

    `opens` says that the first of them may owe its capital to the start of a sentence.
    """

    start: int
    end: int
    written: str
    words: tuple[str, ...]
    opens: bool


_CAPITAL = re.compile(
    r"(?<![\w'\u2019])[^\W\d_a-z][\w'\u2019&-]*(?:\.(?=[A-Z]|\s[A-Z][a-z])[\w.]*)?"
)
_JOIN = re.compile(
    r"[ \t]+(?:(?:of|the|de|del|della|van|von|der|den|la|le|du|da|di|al|el|bin|ibn|&)[ \t]+){0,2}|-"
)
_WORDS = re.compile(r"[^\W_]+")

# Capitalised in English without naming anybody or anything in particular.
_COMMON = frozenset(
    """january february march april may june july august september october november december monday
    tuesday wednesday thursday friday saturday sunday jan feb mar apr jun jul aug sep sept oct nov
    dec mon tue wed thu fri sat sun i i'm i'd i've i'll ok okay yes no internet web god earth sun
    moon president king queen prince princess prime minister mr mrs ms dr sir lady lord professor
    prof captain general senator governor mayor judge pope bishop saint st jr sr inc ltd co corp
    company university college school street road avenue city county state river lake mount
    mountain island north south east west northern southern eastern western english christmas
    easter am pm ad bc bce ce usa us uk eu u.s u.k tv dvd cd ceo id faq pdf html url dna bbc
    first second third one two three four five new old great answer question note summary step
    yes true false award awards team league cup series season film movie album song band book club
    party war world day night national international association society group
    committee council department ministry museum library church court house center centre united
    states national presidential federal royal supreme duke earl baron knight commander order
    empire bachelor master doctor arts science degree republic kingdom q1 q2 q3 q4 h1 h2 ai api css
    gdp gps hr html http https id it json kpi pc pr roi sql usb xml ram cpu gpu csv""".split()
)
# Where somebody comes from is often known beside the source: a nurse in Leeds is British.
_DEMONYMS = frozenset(
    """african american argentine asian australian austrian belgian brazilian british bulgarian
    canadian chilean chinese croatian czech danish dutch egyptian english european finnish french
    german greek hungarian icelandic indian indonesian iranian irish israeli italian japanese
    korean latin mexican norwegian pakistani persian polish portuguese roman romanian russian
    scottish serbian spanish swedish swiss thai turkish ukrainian vietnamese welsh catholic
    christian jewish muslim protestant colombian cuban kenyan nigerian ghanaian peruvian moroccan
    filipino malaysian venezuelan""".split()
)
NATIONALITIES = _DEMONYMS - frozenset(
    "african asian european latin persian roman catholic christian jewish muslim protestant".split()
)
"""Of one country each, and told of persons."""
_UNCOUNTED = STOP | _COMMON | _DEMONYMS
# Titles that say what somebody is, in words that sources seldom use.
_HONOURS = re.compile(r"\b(?:Duke|Duchess|Earl|Baron|Knight|Dame|Order|Bachelor|Master|Doctor) ")
# A demonym whose country begins otherwise.
_KIN: dict[str, tuple[str, ...]] = {
    "american": ("america", "united states", "u s", "us", "usa"),
    "america": ("american", "united states", "u s", "us", "usa"),
    "british": ("britain", "uk", "u k", "england", "united kingdom", "english"),
    "britain": ("british", "uk", "u k", "england", "united kingdom"),
    "england": ("english", "british", "britain"), "english": ("england",),
    "dutch": ("netherlands", "holland"), "netherlands": ("dutch", "holland"),
    "french": ("france",), "france": ("french",), "spanish": ("spain",), "spain": ("spanish",),
    "swiss": ("switzerland",), "switzerland": ("swiss",), "danish": ("denmark",),
    "welsh": ("wales",), "wales": ("welsh",), "irish": ("ireland",), "ireland": ("irish",),
    "greek": ("greece",), "greece": ("greek",), "turkish": ("turkey",), "turkey": ("turkish",),
    "polish": ("poland",), "poland": ("polish", "poles"), "philippines": ("filipino",),
    "filipino": ("philippine",), "chinese": ("china",),
    "china": ("chinese",), "york": ("nyc", "ny"),
}  # fmt: skip
# Peoples and places whose names part too early for the rule of inflections; a row is one kin.
_ONE_PEOPLE = (
    "finland finnish finn finns", "thailand thai thais", "afghanistan afghan afghans",
    "kazakhstan kazakh", "uzbekistan uzbek", "tajikistan tajik", "turkmenistan turkmen",
    "kyrgyzstan kyrgyz", "scotland scottish scots scot", "laos lao laotian",
    "myanmar burma burmese", "madagascar malagasy", "monaco monegasque", "swaziland swazi eswatini",
    "catalonia catalan", "brittany breton", "flanders flemish", "naples neapolitan",
    "moscow muscovite", "hungary hungarian magyar", "wales welsh", "bangladesh bengali bengal",
)  # fmt: skip
_KIN.update(
    (word, (*group.split(), *_KIN.get(word, ()))) for group in _ONE_PEOPLE for word in group.split()
)


_COMBINING = re.compile(r"[\u0300-\u036f]+")


def fold(text: str) -> str:
    """Return a text in small letters without accents."""
    if text.isascii():
        return text.lower()
    return _COMBINING.sub("", unicodedata.normalize("NFKD", text)).lower()


CASED = 6_000
"""Characters of a text in which its use of capitals shows."""
ALIKE = 85.0
"""Similarity from which a name counts as the same, misspelled or transliterated otherwise."""
ALIKE_LENGTH = 5
ALIKE_TEXT = 200_000


class Source:
    """What a context and a question know, ready to be asked about many names."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def joined(self) -> str:
        """All words in small plain letters between single spaces."""
        return f" {' '.join(_WORDS.findall(fold(self.text)))} "

    @cached_property
    def cased(self) -> bool:
        """Whether the text uses capitals as English does."""
        words = re.findall(r"[^\W\d_]{2,}", self.text[:CASED])
        capitals = sum(word[0].isupper() for word in words)
        return bool(words) and 0.02 * len(words) <= capitals <= 0.8 * len(words) and capitals >= 2

    def has_word(self, word: str) -> bool:
        """Tell whether a word stands in the source, in this or in an inflected form."""
        if f" {word} " in self.joined:
            return True
        if len(word) >= 4 and f" {word[: max(4, len(word) - 3)]}" in self.joined:
            return True
        return any(f" {kin} " in self.joined for kin in _KIN.get(word, ()))

    @cached_property
    def long_words(self) -> list[str]:
        """The different words of at least five letters."""
        return sorted({word for word in self.joined.split() if len(word) >= ALIKE_LENGTH})

    def has_like(self, word: str) -> bool:
        """Tell whether a word of nearly the same letters stands there: a slip of the pen."""
        if len(word) < ALIKE_LENGTH or len(self.joined) > ALIKE_TEXT:
            return False
        from rapidfuzz import fuzz, process

        return (
            process.extractOne(word, self.long_words, scorer=fuzz.ratio, score_cutoff=ALIKE)
            is not None
        )

    def has_initials(self, written: str) -> bool:
        """Tell whether a name's initials stand in the source, with or without stops."""
        initials = [word[0] for word in re.findall(r"[^\W\d_]+", written) if word[0].isupper()]
        if len(initials) < 2:
            return False
        low = fold("".join(initials))
        return f" {low} " in self.joined or f" {' '.join(low)} " in self.joined

    def spells_out(self, initials: str) -> bool:
        """Tell whether words that begin with these letters follow each other in the source."""
        if not 2 <= len(initials) <= 6:
            return False
        pattern = r"(?: (?:of|the|and|for|in))? ".join(
            rf"{re.escape(sign)}[^ ]*" for sign in initials
        )
        return bool(re.search(rf" {pattern} ", self.joined))

    def runs_together(self, words: tuple[str, ...]) -> bool:
        """Tell whether the words stand there written as one, or one of them in parts."""
        return len(words) > 1 and "".join(words) in self.joined


def names(text: str, start: int, *, alone: bool = False) -> Iterator[Name]:
    """Yield the names of one sentence, which begins at `start` of the answer.

    Args:
        text: the sentence.
        start: where it begins; the places of the names count from there.
        alone: whether it is the whole answer, which then is no heading.
    """
    letters = re.findall(r"[^\W\d_]{2,}", text)
    capitals = sum(word[0].isupper() for word in letters)
    heading = not alone and text[-1:] not in ".!?" and capitals > HEADING * len(letters)
    if not letters or text.isupper() or (heading and len(letters) > 4):
        return
    # A whole answer of capitalised words is a name, not a sentence that begins with one.
    phrase = alone and all(word[0].isupper() or word in STOP for word in letters)
    run: list[re.Match[str]] = []
    for match in _CAPITAL.finditer(text):
        if run and not _JOIN.fullmatch(text[run[-1].end() : match.start()]):
            yield from _name(text, start, run, alone=phrase)
            run = []
        run.append(match)
    yield from _name(text, start, run, alone=phrase)


HEADING = 0.7
"""Share of capitalised words above which a line without a full stop is a heading."""


def _name(text: str, start: int, run: list[re.Match[str]], *, alone: bool) -> Iterator[Name]:
    opens = bool(run) and _opens(text, run[0].start()) and not _inner_capital(run[0][0])
    first = fold(run[0][0]).rstrip(".") if run else ""
    if opens and (len(run) == 1 or first in STOP or (first in _COMMON and not alone)):
        run, opens = run[1:], False
    opens = opens and not alone and _counts(run[0][0])
    if not run:
        return
    begin, end = run[0].start(), run[-1].end()
    written = text[begin:end]
    tokens = _WORDS.findall(re.sub(r"['\u2019]s\b", "", written))
    words = tuple(fold(token) for token in tokens if _counts(token))
    if words and not _HONOURS.search(written):
        yield Name(start + begin, start + end, written, words, opens)


def _counts(token: str) -> bool:
    """Tell whether a word of a name says who or what is named; WHO does, "who" does not."""
    if len(token) > 2 and token.isupper():
        return True
    word = fold(token)
    return len(word) > 1 and word not in _UNCOUNTED


def _inner_capital(word: str) -> bool:
    """Tell whether a word has its capitals of its own: "IBM", "PageRank"."""
    return sum(sign.isupper() for sign in word) > 1


def _opens(text: str, place: int) -> bool:
    before = text[:place].rstrip("\"'\u201c\u2018(*_[ ")
    return not before or before[-1] in ".!?:;\u2014-\u2022"
