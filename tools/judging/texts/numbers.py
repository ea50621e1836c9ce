"""The numbers in a text, in digits and in words.

Rules of this module: `values` reads a source generously, every way a number may have been meant;
`figures` reads an answer strictly, only what is certainly one number of its own. Both are linear.
A number is compared at ten significant digits.
"""

import re
from typing import Literal, NamedTuple

from reflection_mcp.tools.judging.texts.wording import letters

Shape = Literal["figure", "year", "decade", "ordinal", "word"]


class Figure(NamedTuple):
    """One number of a text: `text[start:end]` is how it is written."""

    start: int
    end: int
    written: str
    value: float
    shape: Shape


UNITS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14,
    "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19,
}  # fmt: skip
TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fourty": 40, "fifty": 50, "sixty": 60, "seventy": 70,
    "eighty": 80, "ninety": 90,
}  # fmt: skip
SCALES = {
    "hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12,
    "lakh": 1e5, "crore": 1e7,
}  # fmt: skip
_MAGNITUDES = {
    "k": 1e3, "m": 1e6, "mn": 1e6, "mil": 1e6, "b": 1e9, "bn": 1e9, "tn": 1e12, **SCALES,
    "\u5343": 1e3, "\u4e07": 1e4, "\u842c": 1e4, "\u5104": 1e8, "\u4ebf": 1e8,
}  # fmt: skip

COMPOUND = frozenset((*TENS, *SCALES, "dozen"))
"""Words of which one stands in every number that is made of several."""
# A look at the first letter spares most words the list of magnitudes.
_MAGNITUDE = re.compile(
    r"(?=[\s-]?[bchklmt\u5343\u4e07\u842c\u5104\u4ebf])"
    r"(?:(?:[\s-]?(?:hundred|thousand|million|billion|trillion|lakh|crore|mn|mil|bn|tn)|[kmb])\b|"
    r"[\u5343\u4e07\u842c\u5104\u4ebf])",
    re.IGNORECASE,
)
_WRITTEN = re.compile(
    r"(\d{1,3}(?:[ ,'\u00a0\u202f]\d{3})+(?!\d)(?:\.\d{1,12})?|\d{1,18}(?:\.\d{1,12})?)"
    rf"((?:{_MAGNITUDE.pattern})?)",
    re.IGNORECASE,
)
# Figures with what may join them and the word behind: all that is read of most texts.
_ZONE = re.compile(
    r"\d[\d.,/' \u00a0\u202f\u2013\u2014-]*(?:[A-Za-z]{1,10}|[\u5343\u4e07\u842c\u5104\u4ebf])?"
)
_RUN = re.compile(r"\d{1,18}")
_YEARS = re.compile(r"(?<!\d)(\d{2})\d{2}\s?[-\u2013\u2014/]\s?(\d{2})(?!\d)")
# Tokenised text: "800 , 000", "98. 7".
_GAP = re.compile(r"(?<=\d) ?([,.]) ?(?=\d)")
_SWAPPED = str.maketrans(",.", ".,")


def key(value: float) -> float:
    """Return a number as it is compared: to ten significant digits."""
    if value % 1 == 0 and abs(value) < 1e10:
        return value
    return float(f"{value:.10g}")


LIMIT = 200_000
"""Characters of a text that are read: as many as an answer or a context may have."""


def values(text: str) -> frozenset[float]:
    """Return every value that a number of the text may have been meant as."""
    text = text[:LIMIT]
    in_words = (key(value) for _, _, value in spelled(text))
    text = "\n".join(set(_ZONE.findall(text)))
    found = {float(run) for run in set(_RUN.findall(text))}
    # As it stands, without the gaps of a tokeniser, and with a comma that opens the decimals.
    for reading in {text, _GAP.sub(r"\1", text), text.translate(_SWAPPED)}:
        for digits, magnitude in set(_WRITTEN.findall(reading)):
            number = float(re.sub(r"[^\d.]", "", digits))
            found |= {key(number), key(number * _scale(magnitude))}
    found.update(float(first + last) for first, last in _YEARS.findall(text))
    return frozenset(found.union(in_words))


def scale_after(text: str, end: int) -> tuple[float, int]:
    """Return what a figure that ends there is counted in, 1 for ones, and where that word ends."""
    scale = _MAGNITUDE.match(text, end)
    if scale is None:
        return 1.0, end
    return _scale(scale[0]), scale.end()


def _scale(magnitude: str) -> float:
    # Without regard to case an "i" is also the one without a dot, which is in no English word.
    return _MAGNITUDES.get(magnitude.lstrip("-").strip().lower(), 1.0)


_NUMBER_WORDS = frozenset((*UNITS, *COMPOUND))
_NUMBER_WORD = "|".join((*UNITS, *TENS, *SCALES, "dozen"))
_FIRST_LETTERS = "".join(sorted({word[0] for word in _NUMBER_WORDS}))
# The look at the first letter spares most words of a text the long alternation.
_SPELLED = re.compile(
    rf"\b(?=[{_FIRST_LETTERS}])(?:{_NUMBER_WORD})(?:[\s-]+(?:and\s+)?(?:{_NUMBER_WORD})){{0,8}}\b",
    re.IGNORECASE,
)
_HALF = re.compile(r"\bhalf an? $", re.IGNORECASE)


def spelled(text: str) -> list[tuple[int, int, float]]:
    """Return the numbers that are written in words, with their places."""
    text = text[:LIMIT]
    # Most texts hold no such word, and whether one does is quick to tell.
    plain = text if text.isascii() else text.encode("ascii", "replace").decode("ascii")
    if _NUMBER_WORDS.isdisjoint(letters(plain.lower())):
        return []
    found: list[tuple[int, int, float]] = []
    for match in _SPELLED.finditer(text):
        value = _spelled_value(re.split(r"[\s-]+", match[0].lower()))
        start = match.start()
        half = _HALF.search(text[max(0, start - 8) : start])
        if half:
            start, value = start - len(half[0]), value / 2
        found.append((start, match.end(), value))
    return found


def _spelled_value(parts: list[str]) -> float:
    total, current = 0.0, 0.0
    for part in parts:
        if part in UNITS or part in TENS:
            current += UNITS.get(part, TENS.get(part, 0))
        elif part == "dozen":
            current = (current or 1) * 12
        elif part == "hundred":
            current = (current or 1) * 100
        elif part in SCALES:
            total += (current or 1) * SCALES[part]
            current = 0.0
    return total + current


# --------------------------------------------------------------------------- strict

_FIGURE = re.compile(
    # A search leaps to where one of these signs stands.
    r"(?=[\d$\u20ac\u00a3\u00a5U])(?<![\w.,/:#@$\u20ac\u00a3-])(?:[$\u20ac\u00a3\u00a5]|US\$)?"
    r"(\d{1,3}(?:,\d{3}){1,5}(?:\.\d{1,6})?(?!\d|,\d)|\d{1,12}(?:\.\d{1,6})?)"
    r"(%|['\u2019]?s(?!\w)|(?:st|nd|rd|th|km|cm|mm|m|kg|g|mg|lbs?|ft|mi|mph|[KMB]|GB|MB|KB|TB|"
    r"kW|MW|GW|Hz|kHz|MHz|GHz)(?!\w)|)"
    r"(?![\w/:@]|[.,]\d|['\u2019]\w)"
)
_MARKER = re.compile(
    r"^[ \t]{0,12}(?:[-*+][ \t]{0,4})?(?:\*\*)?(?:\(?\d{1,3}[.):](?=\s)|"
    r"(?:step|part|section|chapter|figure|table|question|example|option|note)\s+\d{1,3}\b)",
    re.IGNORECASE | re.MULTILINE,
)
_REFERENCE = re.compile(r"\[\d{1,3}(?:[,\u2013-]\s?\d{1,3}){0,8}\]")


FIGURES = 1_000
"""Numbers of an answer that are read."""


def figures(text: str) -> list[Figure]:
    """Return the numbers of a text that certainly are numbers, in order."""
    text = text[:LIMIT]
    skip = [match.span() for match in _MARKER.finditer(text)]
    skip += [match.span() for match in _REFERENCE.finditer(text)]
    skip.sort()
    found: list[Figure] = []
    place = 0
    for match in _FIGURE.finditer(text):
        while place < len(skip) and skip[place][1] <= match.start():
            place += 1
        if place < len(skip) and skip[place][0] <= match.start():
            continue
        found.append(_figure(text, match))
        if len(found) == FIGURES:
            break
    return found


def _figure(text: str, match: re.Match[str]) -> Figure:
    written, digits, suffix = match.group(0, 1, 2)
    start, end = match.span()
    value = float(digits.replace(",", ""))
    if not suffix:
        scale, scale_end = scale_after(text, end)
        if scale > 1:
            return Figure(start, scale_end, text[start:scale_end], key(value * scale), "figure")
        year = len(digits) == 4 and 1000 <= value <= 2100 and "$" not in written
        return Figure(start, end, written, key(value), "year" if year else "figure")
    shape: Shape = "figure"
    if suffix.strip("'\u2019") == "s" and len(digits) in (2, 4):
        shape = "decade"
    elif suffix in ("st", "nd", "rd", "th"):
        shape = "ordinal"
    elif suffix in ("K", "M", "B"):
        value *= _MAGNITUDES[suffix.lower()]
    return Figure(start, end, written, key(value), shape)
