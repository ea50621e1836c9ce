"""Claims about test runs in languages other than English.

Rule of this module: only whole sentences are read, about all tests or with their counts; a number
counts where nothing else could be meant by it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reflection_mcp.tools.judging.case import Case, Piece
from reflection_mcp.tools.judging.evidence.claims import LONGEST, Claim, Says, cost
from reflection_mcp.tools.judging.evidence.rows import read

TESTS = frozenset(("tests",))
_NUMBER = re.compile(r"(?<![A-Za-z\d_.,:/`])\d{1,6}(?![\d%.,:/`]|\s?%)")
_PAUSE = re.compile("[;。;\u0964]")
_QUOTED = re.compile('["\u201c\u201d\u00ab\u00bb\u300c\u300d`\u201e]')


def foreign_claims(case: Case) -> Iterator[Claim]:
    """Yield the claims of the answer about tests, in the languages of `languages.toml`."""
    for sentence in case.budget.afford(case.sentences, cost):
        if len(sentence.text) <= LONGEST and not sentence.text.endswith(("?", "\uff1f")):
            yield from _of_sentence(sentence, read("languages")["language"])


def _of_sentence(sentence: Piece, languages: Sequence[Mapping[str, Any]]) -> Iterator[Claim]:
    for part in _PAUSE.split(sentence.text.lower()):
        for language in languages:
            claim = _claim(part, language)
            if claim is not None:
                says, counts = claim
                yield Claim(TESTS, says, sentence.start, sentence.end, counts=counts)
                break


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
