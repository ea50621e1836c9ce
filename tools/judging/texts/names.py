"""The names in an English text.

Rules of this module: a name is a run of capitalised words that is not merely the start of a
sentence. Where a text does not use capitals as English does (headings, all capitals, all small),
nothing in it is called a name.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from reflection_mcp.tools.judging.texts.numbers import UNITS
from reflection_mcp.tools.judging.texts.source import fold
from reflection_mcp.tools.judging.texts.wording import STOP


class Name(NamedTuple):
    """A run of capitalised words; `words` are those that count, folded to plain small letters.

    `opens` says that the first of them may owe its capital to the start of a sentence.
    """

    start: int
    end: int
    written: str
    words: tuple[str, ...]
    opens: bool


# Begins with the letter itself, to which a search can leap, and looks before it only then.
_CAPITAL = re.compile(
    r"[^\W\d_a-z](?<![\w'\u2019\u0300-\u036f].)[\w'\u2019&\u0300-\u036f-]*"
    r"(?:\.(?=[A-Z]|\s[A-Z][a-z])[\w.]*)?"
)
_JOIN = re.compile(
    r"[ \t]+(?:(?:of|the|de|del|della|van|von|der|den|la|le|du|da|di|al|el|bin|ibn|&)[ \t]+){0,2}|-"
)
_WORD = re.compile(r"[^\W\d_]{2,}")
_WORDS = re.compile(r"[^\W_]+")
# The ending of a genitive, accents that are signs of their own, and what says no more than how
# one stands to a name: Oscar-winning, Cairo-born.
_NO_PART = re.compile(r"['\u2019]s\b|[\u0300-\u036f]|(?<=\w)-[a-z]+\b")

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
    gdp gps hr html http https id it json kpi pc pr roi sql usb xml ram cpu gpu csv
    fahrenheit celsius kelvin magazine newspaper gb mb kb tb
    euro euros dollar dollars pound pounds grand total subtotal
    ghz mhz kwh mph kph hms uss rms phd mba""".split()
)
_UNCOUNTED = STOP | _COMMON | UNITS.keys()
# Titles that say what somebody is, in words that sources seldom use.
_HONOURS = re.compile(r"\b(?:Duke|Duchess|Earl|Baron|Knight|Dame|Order|Bachelor|Master|Doctor) ")


def names(text: str, start: int, *, alone: bool = False) -> Iterator[Name]:
    """Yield the names of one sentence, which begins at `start` of the answer.

    Args:
        text: the sentence.
        start: where it begins; the places of the names count from there.
        alone: whether it is the whole answer, which then is no heading.
    """
    if not _WORD.search(text) or text.isupper() or not (alone or _is_sentence(text)):
        return
    # A whole answer of capitalised words is a name, not a sentence that begins with one.
    phrase = alone and all(word[0].isupper() or word in STOP for word in _WORD.findall(text))
    run: list[re.Match[str]] = []
    for match in _CAPITAL.finditer(text):
        if not match[0][0].isupper():  # a small letter of another script
            continue
        if run and not _JOIN.fullmatch(text[run[-1].end() : match.start()]):
            yield from _name(text, start, run, alone=phrase)
            run = []
        run.append(match)
    yield from _name(text, start, run, alone=phrase)


HEADING, HEADING_WORDS = 0.7, 4
"""Share of capitalised words above which a line without a full stop is a heading, if it has more
words than these."""


def _is_sentence(text: str) -> bool:
    if text[-1:] in ".!?":
        return True
    words = _WORD.findall(text)
    capitals = sum(word[0].isupper() for word in words)
    return len(words) <= HEADING_WORDS or capitals <= HEADING * len(words)


def _name(text: str, start: int, run: list[re.Match[str]], *, alone: bool) -> Iterator[Name]:
    if not run:
        return
    opens = _opens(text, run[0].start()) and not _inner_capital(run[0][0])
    first = fold(run[0][0]).rstrip(".")
    if opens and (len(run) == 1 or first in STOP or (first in _COMMON and not alone)):
        run, opens = run[1:], False
        if not run:
            return
    opens = opens and not alone and counts(run[0][0].rstrip("."))
    begin, end = run[0].start(), run[-1].end()
    written = text[begin:end]
    tokens = _WORDS.findall(_NO_PART.sub("", written))
    words = tuple(fold(token) for token in tokens if counts(token))
    if words and not _HONOURS.search(written):
        yield Name(start + begin, start + end, written, words, opens)


def counts(token: str) -> bool:
    """Return True if a word of a name says who or what is named; WHO does, "who" does not."""
    word = fold(token)
    if len(token) > 2 and token.isupper():
        return word not in _COMMON
    return len(word) > 1 and word not in _UNCOUNTED


def _inner_capital(word: str) -> bool:
    """Return True if a word has capitals of its own behind the first: "IBM", "PageRank"."""
    return not word[1:].islower() and any(map(str.isupper, word[1:]))


def _opens(text: str, place: int) -> bool:
    before = text[:place].rstrip("\"'\u201c\u2018(*_[ ")
    return not before or before[-1] in ".!?:;\u2014-\u2022"
