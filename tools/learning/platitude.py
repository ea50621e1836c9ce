"""Advice that fits every question, and so says nothing: "Be more careful next time".

Rules: pure; a text is one if each of its words is on the list of such words, and it has no name and
no number. One of the words asks for more care, or says only how it ended ("that failed again"). It
is refused as a lesson, with what to say instead.
"""

import re
from functools import cache

from reflection_mcp.tools.data_files import words
from reflection_mcp.tools.learning.words import stem, stop_words, tokens

_NAMES = re.compile(r"[\d_/`\\$<>=]|[a-z][A-Z]|\w\.\w|(?<=[\w ])[A-Z]{2}|(?:^|\s)-")
EVERYTHING, OUTCOME = "fits everything", "outcome"
PAST = frozenset({"was", "were"})
REFUSED = "would fit every question; say what was wrong here and what to do about it"


def is_platitude(text: str) -> bool:
    """Return True if a lesson has words, and none that says what it is about."""
    said = {word for word in tokens(text) if len(word) > 1}
    if not said or _NAMES.search(text):
        return False
    stems = {stem(word) for word in said - stop_words()}
    # "The test was slow" says what happened, and asks for nothing.
    asks = said.isdisjoint(PAST) and not stems.isdisjoint(_stems("care"))
    ends = not stems.isdisjoint(_stems(OUTCOME))
    return (asks or ends) and stems <= _stems(EVERYTHING) | _stems("care" if asks else OUTCOME)


@cache
def _stems(section: str) -> frozenset[str]:
    return frozenset(map(stem, words("reflection_mcp.tools.learning", "platitude.words")[section]))
