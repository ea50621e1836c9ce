"""Excerpt of a long context: the passages that a question and its answer are about.

Rule of this module: what is left out is marked in place, with its length; what remains is verbatim
and in order, so that a quote of it is also in the whole.
"""

import re
from collections import Counter

LONGEST = 50_000  # characters, about 17,000 tokens; a shorter context is passed whole
WINDOW = 1_500  # characters of a passage
LEFT_OUT = "\n[… {} characters left out …]\n"

_WORD = re.compile(r"\w{3,40}")
_BREAK = re.compile(r"\n|(?<=[.!?]) ")


def excerpt(text: str, about: str, limit: int = LONGEST) -> str:
    """Return about `limit` characters of a text: the passages that share most with `about`.

    Rare words weigh more than common ones; the beginning always stays.
    """
    if len(text) <= limit:
        return text
    windows = _windows(text)
    wanted = set(_words(about))
    found = [wanted.intersection(_words(text[start:end])) for start, end in windows]
    spread = Counter(word for words in found for word in words)
    weights = [sum(1 / spread[word] for word in words) for words in found]
    order = sorted(range(len(windows)), key=lambda n: (n != 0, -weights[n], n))
    chosen, left = set[int](), limit
    for number in order:
        start, end = windows[number]
        if end - start <= left:
            chosen.add(number)
            left -= end - start
    return _joined(text, [windows[number] for number in sorted(chosen)])


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _windows(text: str) -> list[tuple[int, int]]:
    """Passages of at most `WINDOW` characters, cut at a line or sentence where there is one."""
    windows: list[tuple[int, int]] = []
    start = 0
    while start < len(text):
        end = min(len(text), start + WINDOW)
        if end < len(text):
            breaks = [found.end() for found in _BREAK.finditer(text, start + WINDOW // 2, end)]
            end = breaks[-1] if breaks else end
        windows.append((start, end))
        start = end
    return windows


def _joined(text: str, windows: list[tuple[int, int]]) -> str:
    pieces: list[str] = []
    seen = 0
    for start, end in [*windows, (len(text), len(text))]:
        if start > seen:
            pieces.append(LEFT_OUT.format(start - seen))
        pieces.append(text[start:end])
        seen = end
    return "".join(pieces)
