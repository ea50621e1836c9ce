"""Claims of a sentence about test runs in other languages than English, by `languages.toml`.

Rules of this module: a sentence is read only if every word of it is known, and says that all tests
passed or how many failed; a number counts where nothing else could be meant by it. A sentence that
is not understood and speaks of a failure is taken for the report of one.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from reflection_mcp.tools.judging.case import Piece
from reflection_mcp.tools.judging.evidence.claim import Claim, Says
from reflection_mcp.tools.judging.evidence.rows import read

TESTS = frozenset(("tests",))
SHORTEST = 4
"""Characters of a sentence that may say how tests ended."""
_NUMBER = re.compile(r"(?<![A-Za-z\d_.,:/`%])\d{1,6}(?![\d%.,:/`]|\s?%)")
_PAUSE = re.compile("[;。;\u0964]")
_CODE = re.compile(r"`[^`\n]{1,200}`")
_JOINT = re.compile(" und | et | y | e | en ")
_LETTER = re.compile(r"[^\W\d_]")
_NO_SPACES = "\u0900"
"""From here on in Unicode: scripts without spaces between words, or whose vowels are no letters."""
_QUOTED = re.compile('["\u201c\u201d\u00ab\u00bb\u300c\u300d`\u201e]')


def _languages() -> Sequence[Mapping[str, Any]]:
    languages: Sequence[Mapping[str, Any]] = read("languages")["language"]
    return languages


def of_sentence(sentence: Piece) -> Iterator[Claim]:
    """Yield what a sentence claims of the tests; at most one claim for each of its parts."""
    for part in _PAUSE.split(_CODE.sub("", sentence.text).lower()):
        languages = _languages() if len(part) >= SHORTEST else ()
        claim = next((claim for one in languages if (claim := _claim(part, one))), None)
        if claim is not None:
            says, counts = claim
            yield Claim(TESTS, says, sentence.start, sentence.end, counts=counts)


def tells(what: str, text: str) -> bool:
    """Return True if a text has a word of a list of one of the languages: `failed` or `work`."""
    text = text.lower()
    return any(word in text for language in _languages() for word in language[what])


def _claim(part: str, language: Mapping[str, Any]) -> tuple[Says, dict[str, int]] | None:
    def has(name: str) -> bool:
        return any(word in part for word in language[name])

    failed = has("failed")
    if part.startswith(tuple(language.get("done", ()))):
        part = _JOINT.split(part)[-1]
    passed = has("passed")
    known = has("units") and not _QUOTED.search(part)
    known = known and not _LETTER.search(_words(language["name"]).sub("", part))
    if failed:
        numbers = sorted(int(number) for number in _NUMBER.findall(part))
        if not known or passed or len(numbers) not in (1, 2):
            return "fail", {}
        # One number is what failed, the other all there are; which is which differs by language.
        return "fail", dict(zip(("failed", "total"), numbers, strict=False))
    return ("pass", {}) if known and passed and has("all") else None


@cache
def _words(name: str) -> re.Pattern[str]:
    """Return the words of a language, the longest first."""
    words = next(one["words"] for one in _languages() if one["name"] == name)
    known = "|".join(sorted(words, key=len, reverse=True))
    return re.compile(known if words[0] >= _NO_SPACES else rf"\b(?:{known})\b")
