"""A number that is asked for, or told, as a multiple of another: twice as long, half of it.

Rules of this module: the word stands in the question, or in the answer close to the number; then
the number may be any one of the source times what the word says, or divided by it: what is twice as
fast takes half of the time.
"""

import re
from collections.abc import Iterable

WORDS = {
    "twice": 2.0, "double": 2.0, "doubles": 2.0, "doubled": 2.0, "doubling": 2.0, "half": 2.0,
    "halve": 2.0, "halves": 2.0, "halved": 2.0, "halving": 2.0, "thrice": 3.0, "triple": 3.0,
    "triples": 3.0, "tripled": 3.0, "tripling": 3.0, "treble": 3.0, "trebled": 3.0, "third": 3.0,
    "quarter": 4.0, "quadruple": 4.0, "quadruples": 4.0, "quadrupled": 4.0, "fifth": 5.0,
    "tenth": 10.0, "tenfold": 10.0, "doppelt": 2.0, "verdoppelt": 2.0, "halb": 2.0,
    "dreifach": 3.0, "doble": 2.0, "mitad": 2.0, "triplo": 3.0, "dobro": 2.0, "metade": 2.0,
    "moiti\u00e9": 2.0, "dwukrotnie": 2.0, "po\u0142owa": 2.0,
}  # fmt: skip
"""Words that say by what a number is multiplied or divided."""
_COUNTS = {
    "two": 2.0, "three": 3.0, "four": 4.0, "five": 5.0, "six": 6.0, "seven": 7.0, "eight": 8.0,
    "nine": 9.0, "ten": 10.0, "hundred": 100.0,
}  # fmt: skip
_TIMES = re.compile(r"\b(\d{1,4}|[a-z]{3,7})(?: times|[ -]?fold)\b")


def multiples(text: str, words: Iterable[str]) -> frozenset[float]:
    """Return by what a text says that numbers are multiplied or divided.

    Args:
        text: in small letters.
        words: its words.
    """
    found = {WORDS[word] for word in words if word in WORDS}
    if "times" in text or "fold" in text:
        told = (match[1] for match in _TIMES.finditer(text))
        counts = (float(one) if one.isdecimal() else _COUNTS.get(one, 0.0) for one in told)
        found.update(count for count in counts if count > 1)
    return frozenset(found)


def is_multiple(value: float, numbers: Iterable[float], by: Iterable[float]) -> bool:
    """Tell whether a value is one of some numbers, multiplied or divided by one of some others."""
    made = {value * one for one in by} | {value / one for one in by}
    return any(number in made for number in numbers if number)
