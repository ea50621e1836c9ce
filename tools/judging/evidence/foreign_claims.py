"""Claims of a sentence about test runs in other languages than English, by `languages.toml`.

Rule of this module: only whole sentences are read, about all tests or with the number of those that
failed; a number counts where nothing else could be meant by it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reflection_mcp.tools.judging.case import Piece
from reflection_mcp.tools.judging.evidence.claim import Claim, Says
from reflection_mcp.tools.judging.evidence.rows import read

TESTS = frozenset(("tests",))
_NUMBER = re.compile(r"(?<![A-Za-z\d_.,:/`])\d{1,6}(?![\d%.,:/`]|\s?%)")
_PAUSE = re.compile("[;。;\u0964]")
_CODE = re.compile(r"`[^`\n]{1,200}`")
_QUOTED = re.compile('["\u201c\u201d\u00ab\u00bb\u300c\u300d`\u201e]')


def _languages() -> Sequence[Mapping[str, Any]]:
    languages: Sequence[Mapping[str, Any]] = read("languages")["language"]
    return languages


def of_sentence(sentence: Piece) -> Iterator[Claim]:
    """Yield what a sentence claims of the tests; at most one claim for each of its parts."""
    for part in _PAUSE.split(_CODE.sub("", sentence.text).lower()):
        claims = (claim for one in _languages() if (claim := _claim(part, one)))
        for says, counts in [*claims][:1]:
            yield Claim(TESTS, says, sentence.start, sentence.end, counts=counts)


def tells_failure(text: str) -> bool:
    """Return True if a text has a word for failing in one of the languages."""
    text = text.lower()
    return any(word in text for language in _languages() for word in language["failed"])


def _claim(part: str, language: Mapping[str, Any]) -> tuple[Says, dict[str, int]] | None:
    def has(name: str) -> bool:
        return any(word in part for word in language[name])

    if not has("units") or _QUOTED.search(part):
        return None
    failed = has("failed")
    if failed and (numbers := [int(number) for number in _NUMBER.findall(part)]):
        # One number is what failed, the other all there are; which is which differs by language.
        low, high = min(numbers), max(numbers)
        return "fail", {"failed": low, "total": high} if len(numbers) == 2 else {"failed": low}
    if not failed and has("all") and has("passed") and not has("void"):
        return "pass", {}
    return None
