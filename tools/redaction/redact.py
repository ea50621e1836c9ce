"""No secret is hashed, stored, logged or shown: it becomes `[REDACTED:kind]` at the boundary.

Rules of this module:

- The same secret always gives the same placeholder, and the placeholder says nothing of the secret
  but its kind. So redacted texts can be compared and hashed, and a hash cannot be reversed by
  guessing passwords.
- What identifies an error stays: commit hashes, UUIDs, digests, paths, names and prose.
- Redacting what is redacted changes nothing; time grows with the length of the text; no input
  raises.

There are five kinds of evidence, each with a table or a rule of its own: the prefix and the shape
of a token (`tokens`), its place in a known form (`forms`), the name it stands under (`labels`), the
sentence around it (`prose`), and, when nothing else speaks, randomness (`random_strings`).
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from reflection_mcp.tools.redaction.forms import known_forms
from reflection_mcp.tools.redaction.labelled_values import labelled_values
from reflection_mcp.tools.redaction.prose import spoken_secrets
from reflection_mcp.tools.redaction.random_strings import random_strings
from reflection_mcp.tools.redaction.tokens import provider_tokens, token_shapes

PASSES = 4
"""The number of passes. A placeholder is a new neighbour, and may complete a form next to it; two
passes settle nearly every text. Of keys that are glued to each other a pass may show but one, so
what shows after the last is hidden with all that it is glued to."""
_GLUED = re.compile(r"\S+")
MOST_REPEATED = 20
"""Secrets of one text that are looked for a second time: each costs another comparison."""
_UNLIKE_A_WORD = re.compile(r"(?=\D{0,199}\d)(?=[^a-zA-Z]{0,199}[a-zA-Z])[^\s/\\]{10,200}")
"""A secret that stands for nothing else in the same text, as "postgres" and "p4passwd" would."""


@dataclass(frozen=True, slots=True)
class Secret:
    """A secret in a text: its character offsets and its kind."""

    kind: str
    start: int
    end: int


def redact(text: str) -> str:
    """The text with each secret replaced by `[REDACTED:kind]`."""
    for _ in range(PASSES):
        found = find_secrets(text)
        if not found:
            return text
        text = _replaced(text, _repeated(text, found))
    return _replaced(text, _with_what_is_glued(text, find_secrets(text)))


def find_secrets(text: str) -> tuple[Secret, ...]:
    """The secrets in a text, in order, none overlapping another."""
    return _apart(sorted(_candidates(text), key=lambda secret: (secret.start, -secret.end)))


def _apart(secrets: Iterable[Secret]) -> tuple[Secret, ...]:
    """The secrets, in their order, those that overlap as one."""
    apart: list[Secret] = []
    for secret in secrets:
        if apart and secret.start < apart[-1].end:
            last = apart[-1]
            apart[-1] = Secret(last.kind, last.start, max(last.end, secret.end))
        else:
            apart.append(secret)
    return tuple(apart)


def _candidates(text: str) -> Iterator[Secret]:
    folded = text.replace("İ", "I").lower()  # the one letter whose small form is longer
    for kind, start, end in chain(
        provider_tokens(text),
        known_forms(text, folded),
        labelled_values(text, folded),
        spoken_secrets(text, folded),
        token_shapes(text),
        random_strings(text),
    ):
        yield Secret(kind, start, end)


def _repeated(text: str, secrets: Sequence[Secret]) -> tuple[Secret, ...]:
    """The secrets, and where a text has one of them again without what gave it away."""
    kinds: dict[str, str] = {}
    for secret in secrets:
        value = text[secret.start : secret.end]
        if _UNLIKE_A_WORD.fullmatch(value):
            kinds.setdefault(value, secret.kind)
    several = "|".join(map(re.escape, [*kinds][:MOST_REPEATED]))
    again = re.finditer(rf"(?<!\w)(?:{several})(?!\w)", text) if several else ()
    more = [Secret(kinds[each[0]], *each.span()) for each in again]
    return _apart(sorted([*secrets, *more], key=lambda secret: (secret.start, -secret.end)))


def _with_what_is_glued(text: str, secrets: Iterable[Secret]) -> tuple[Secret, ...]:
    """The secrets, each with the whole of the words in which it begins and ends."""
    words = [word.span() for word in _GLUED.finditer(text)]
    starts = [start for start, _ in words]
    wide: list[Secret] = []
    for secret in secrets:
        start, _ = words[bisect_right(starts, secret.start) - 1]
        _, end = words[bisect_right(starts, secret.end - 1) - 1]
        wide.append(Secret(secret.kind, min(start, secret.start), max(end, secret.end)))
    return _apart(wide)


def _replaced(text: str, secrets: tuple[Secret, ...]) -> str:
    parts: list[str] = []
    position = 0
    for secret in secrets:
        parts += text[position : secret.start], f"[REDACTED:{secret.kind}]"
        position = secret.end
    return "".join((*parts, text[position:]))
