"""Texts that make a regular expression work hard, made from the expression itself.

A pump is what leads up to a repeat, what the repeat takes again and again, and something behind it
that does not fit, so that the search has to give up wherever it began. Every repeat without a small
bound gives some of them; what else stands in the expression is taken as it comes.
"""

from collections.abc import Iterator
from importlib import import_module
from typing import Any, NamedTuple

# The standard library's own reading of an expression, which it does not publish.
sre: Any = import_module("re._constants")
reading: Any = import_module("re._parser")

LONG = 20
"""A repeat that takes fewer than this cannot make a text slow."""
BODIES = 3
"""Characters of a set that are tried."""
ENDS = ("\0", "\n")
"""What stands behind a pump so that it does not fit."""


class Pump(NamedTuple):
    """What comes first, what is repeated, and what comes last."""

    prefix: str
    body: str
    suffix: str

    def text(self, size: int) -> str:
        """The pumped text, in about `size` characters."""
        times = max(1, (size - len(self.prefix) - len(self.suffix)) // len(self.body))
        return f"{self.prefix}{self.body * times}{self.suffix}"


def pumps(pattern: str, flags: int) -> list[Pump]:
    """The pumps of an expression, without repeats."""
    found: dict[Pump, None] = {}
    for prefix, body in _repeats(reading.parse(pattern, flags), ""):
        if not body:
            continue
        for suffix in ENDS:
            found[Pump(prefix, body, suffix)] = None
            found[Pump("", body, suffix)] = None
        if prefix:  # a text with many places to begin at
            found[Pump("", prefix + body * 3, ENDS[0])] = None
    return list(found)


def _repeats(nodes: Any, before: str) -> Iterator[tuple[str, str]]:
    """What stands before each long repeat, and one round of it."""
    for kind, value in nodes:
        if kind in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
            _, most, inside = value
            if most is sre.MAXREPEAT or most >= LONG:
                yield before, _example(inside)
                first = inside[0] if len(inside) == 1 else None
                if first is not None and first[0] is sre.IN:
                    yield from ((before, one) for one in _several(first[1])[:BODIES])
            yield from _repeats(inside, before)
        elif kind is sre.BRANCH:
            for branch in value[1]:
                yield from _repeats(branch, before)
        elif kind is sre.SUBPATTERN:
            yield from _repeats(value[3], before)
        elif kind is sre.ATOMIC_GROUP:
            yield from _repeats(value, before)
        elif kind in (sre.ASSERT, sre.ASSERT_NOT):
            yield from _repeats(value[1], before)
        before += _example([(kind, value)])


def _example(nodes: Any) -> str:
    """A text that the nodes take, as far as that can be said without trying."""
    return "".join(_of_node(kind, value) for kind, value in nodes)


def _of_node(kind: Any, value: Any) -> str:
    match kind:
        case sre.LITERAL:
            return chr(value)
        case sre.NOT_LITERAL:
            return "a" if value != ord("a") else "b"
        case sre.ANY:
            return "a"
        case sre.IN:
            return next(iter(_several(value)), "a")
        case sre.BRANCH:
            return _example(value[1][0])
        case sre.SUBPATTERN:
            return _example(value[3])
        case sre.ATOMIC_GROUP:
            return _example(value)
        case sre.MAX_REPEAT | sre.MIN_REPEAT | sre.POSSESSIVE_REPEAT:
            return _example(value[2]) * max(1, min(int(value[0]), 3))
        case _:  # anchors, looks ahead and behind, back references: nothing of their own
            return ""


CLASSES: dict[Any, str] = {
    sre.CATEGORY_DIGIT: "1", sre.CATEGORY_NOT_DIGIT: "a", sre.CATEGORY_SPACE: " \n",
    sre.CATEGORY_NOT_SPACE: "a.", sre.CATEGORY_WORD: "a1", sre.CATEGORY_NOT_WORD: " .",
}  # fmt: skip


def _several(members: Any) -> list[str]:
    """Some characters that a set takes."""
    taken: dict[str, None] = {}
    for kind, value in members:
        if kind is sre.NEGATE:
            barred = _several(members[1:])
            return [one for one in "a1 .-\n/" if one not in barred]
        if kind is sre.LITERAL:
            taken[chr(value)] = None
        elif kind is sre.RANGE:
            taken[chr(value[0])] = None
        elif kind is sre.CATEGORY:
            taken.update(dict.fromkeys(CLASSES[value]))
    return list(taken)
