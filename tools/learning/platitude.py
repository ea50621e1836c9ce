"""Advice that fits every question, and so says nothing: "Be more careful next time".

Rules: pure; a text is one if each of its words is on the list of such words, one of them asks for
more care, and it has no name and no number. It is refused as a lesson, with what to say instead.
"""

import re
from functools import cache

from reflection_mcp.tools.data_files import words
from reflection_mcp.tools.learning.word_weights import stop_words
from reflection_mcp.tools.learning.words import stem, tokens

_NAMES = re.compile(r"[\d_/`\\$<>=]|[a-z][A-Z]|\w\.\w|(?<=[\w ])[A-Z]{2}|(?:^|\s)-")
EVERYTHING = "fits everything"
REFUSED = "would fit every question; say what was wrong here and what to do about it"


def is_platitude(text: str) -> bool:
    """Return True if a lesson has words, and none that says what it is about."""
    said = tokens(text)
    if not said or not text.isascii() or _NAMES.search(text):
        return False
    stems = {stem(word) for word in said if len(word) > 1 and word not in stop_words()}
    return not stems.isdisjoint(_stems("care")) and stems <= _stems("care") | _stems(EVERYTHING)


@cache
def _stems(section: str) -> frozenset[str]:
    return frozenset(map(stem, words("reflection_mcp.tools.learning", "platitude.words")[section]))
