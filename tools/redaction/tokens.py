"""The keys and tokens of known providers: a literal prefix and a random body.

Rule of this module: a provider is a row of `providers.txt`. A body is taken from `SHORTEST`
characters on, because a token that a log has cut short still gives most of itself away; a body
shorter than a complete one may continue on the next line, because terminals wrap.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from reflection_mcp.tools.regex import compiled

PROVIDERS = Path(__file__).with_name("providers.txt")

SHORTEST, LONG_ENOUGH, TELLING = 14, 24, 5
"""The least characters after a prefix: fewer are a word more often than a key; after a prefix
shorter than `TELLING` it takes `LONG_ENOUGH` of them."""

AFTER_A_SIGN = (
    r"(?:(?<![A-Za-z0-9])"
    r"|(?<=\\[nrtfvb])|(?<=\\x[0-9A-Fa-f]{2})|(?<=\\u[0-9A-Fa-f]{4})"  # "\\n" in a JSON text
    r"|(?<=%[0-9A-Fa-f]{2})"  # "%3D" in an address
    r"|(?<=\[m)|(?<=\[\dm)|(?<=[\[;]\d\dm)|(?<=;\dm))"  # a colour of a terminal
)
"""The beginning of a token: not within a word, but after an escape that is written with letters."""


@dataclass(frozen=True, slots=True)
class TokenShape:
    """One provider's way of writing a token: any of `prefixes`, then `length` of `characters`.

    `characters` is a set of a regular expression; `digit` is False where a whole token may have no
    digit.
    """

    kind: str
    prefixes: tuple[str, ...]
    characters: str
    length: int
    counter_example: str
    met_in: tuple[str, ...]
    digit: bool = True


@cache
def provider_rows() -> tuple[TokenShape, ...]:
    """The rows of `providers.txt`."""
    lines = PROVIDERS.read_text("utf-8").splitlines()
    return tuple(_row(line) for line in lines if line and line[0] != "#")


def _row(line: str) -> TokenShape:
    kind, prefixes, body, counter_example, met_in = line.split(" | ")
    characters, _, rest = body.rpartition("{")
    length, _, letters = rest.partition("}")
    return TokenShape(
        kind,
        tuple(prefixes.split()),
        characters,
        int(length),
        counter_example,
        tuple(met_in.split()),
        digit=letters != " letters",
    )


def provider_tokens(text: str) -> Iterator[tuple[str, int, int]]:
    """Kind, start and end of every provider's token in a text."""
    prefix, bodies = _expressions()
    at = 0
    while found := prefix.search(text, at):
        at = found.end()
        for shorter in range(len(found[0]), 1, -1):
            for kind, body in bodies.get(found[0][:shorter], ()):
                if match := compiled(body).match(text, found.start() + shorter):
                    yield kind, found.start(), match.end()
                    at = max(at, match.end())


@cache
def _expressions() -> tuple[re.Pattern[str], dict[str, list[tuple[str, str]]]]:
    """One expression for all prefixes, for speed, and the patterns of what may follow each."""
    bodies: dict[str, list[tuple[str, str]]] = {}
    for token in provider_rows():
        for prefix in token.prefixes:
            bodies.setdefault(prefix, []).append((token.kind, _body(token, prefix)))
    # The characters are checked last: hardly any position begins like a token.
    return re.compile(rf"(?={_tree(sorted(bodies))}){AFTER_A_SIGN}{_tree(sorted(bodies))}"), bodies


def _tree(words: list[str]) -> str:
    """An expression for any of the words, longest first, that reads each character once."""
    branches: dict[str, list[str]] = {}
    for word in words:
        if word:
            branches.setdefault(word[0], []).append(word[1:])
    alternatives = [re.escape(first) + _tree(rest) for first, rest in branches.items()]
    if "" in words and alternatives:
        alternatives.append("")
    return "|".join(alternatives) if len(alternatives) < 2 else f"(?:{'|'.join(alternatives)})"


def _body(token: TokenShape, prefix: str) -> str:
    characters = token.characters
    least = min(token.length, SHORTEST if len(prefix) >= TELLING else LONG_ENOUGH)
    digit = rf"(?={characters}{{0,40}}[0-9])" if token.digit else ""
    whole = rf"{characters}{{{token.length},}}+"
    wrapped = (
        rf"{characters}{{8,}}+\\?\r?\n[ \t]{{0,12}}"
        rf"(?={characters}{{0,8}}[0-9]){characters}{{4,}}+"
    )
    escaped = rf"(?:\\u003[dD]{characters}{{0,64}})?" if "=" in characters else ""
    return rf"{digit}(?:{whole}|{wrapped}|{characters}{{{least},}}+){escaped}"
