"""A row of a rule table: what it finds, what becomes of it, and what proves it.

Rule of this module: patterns are kept as text and compiled when first needed, so that importing
the tables costs nothing; a row that cannot apply is skipped by a plain substring test, which is a
hundred times cheaper than a regular expression.
"""

import re
from collections.abc import Callable, Iterable
from functools import cache, cached_property
from typing import NamedTuple

from reflection_mcp.tools.identity.sieve import DIGIT, Sieve, without_digits

ANY_DIGIT = "0-9"
"""Begins `Rule.needs` of a row that can only apply to text with a digit in it."""

_BASE_16 = (DIGIT, *"abcdef")

Match = re.Match[str]
Replacement = str | Callable[[Match], str]


def in_base_16(signs: str) -> str:
    """What a row needs of which the pattern has one of these signs between figures in base 16."""
    return "|".join(
        f"{one}{sign}{other}" for sign in signs for one in _BASE_16 for other in _BASE_16
    )


class Rule(NamedTuple):
    """One replacement.

    `needs` is text without which the pattern cannot match (casefolded; any one of several,
    separated by bars; empty: always try). In it `\\d` is any digit. `0-9` before it, with a blank
    between, asks for a digit too. `example` becomes `becomes`; `keeps` is left as it is.
    """

    name: str
    needs: str
    pattern: str
    replacement: Replacement
    example: str
    becomes: str
    keeps: str


class Shape(NamedTuple):
    """One kind of line: `example` has it, `other` looks like it and has not.

    `needs` is as in `Rule`, for a pattern that begins with anything and would be tried in vain on
    almost every line.
    """

    name: str
    pattern: str
    example: str
    other: str
    needs: str = ""


@cache
def compiled(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """The compiled form of a pattern, made once."""
    return re.compile(pattern, flags)


def any_of(shapes: Iterable[Shape], before: str = "", after: str = "") -> re.Pattern[str]:
    """One pattern that matches what any of the shapes does."""
    return compiled(before + "(?:" + "|".join(shape.pattern for shape in shapes) + ")" + after)


class Shapes:
    """The rows of a table as one question, made ready when it is first asked."""

    def __init__(self, rows: tuple[Shape, ...], before: str = "", after: str = "") -> None:
        self._rows, self._before, self._after = rows, before, after

    @cached_property
    def _common(self) -> re.Pattern[str]:
        plain = (row for row in self._rows if not row.needs)
        return any_of(plain, self._before, self._after)

    @cached_property
    def _rare(self) -> tuple[re.Pattern[str], ...]:
        return tuple(any_of((row,), self._before, self._after) for row in self._rows if row.needs)

    @cached_property
    def _sieve(self) -> Sieve:
        needs = (_needed(row.needs)[1] for row in self._rows if row.needs)
        return Sieve(dict(enumerate(needs)))

    def match(self, line: str) -> re.Match[str] | None:
        """Match a line, casefolded if the rows are, from its beginning."""
        found = self._common.match(line)
        if found or not self._rare:
            return found
        for at in self._sieve.rows(line):
            if found := self._rare[at].match(line):
                return found
        return None


def holds_needed(text: str, needs: str) -> bool:
    """Whether a casefolded text holds one of the texts that are needed, if any is."""
    if not needs:
        return True
    for needed in _needed(needs)[1]:  # noqa: SIM110 - most of what is asked is one text or two
        if needed in text:
            return True
    return False


@cache
def _needed(needs: str) -> tuple[bool, tuple[str, ...]]:
    """Whether a digit is needed, and the texts one of which is; no texts: nothing else."""
    texts = needs.removeprefix(ANY_DIGIT)
    digit = texts != needs
    texts = texts.removeprefix(" ") if digit else texts
    return digit, tuple(texts.split("|")) if texts else ()


def _has_digit(text: str) -> bool:
    return compiled("[0-9]").search(text) is not None


OF_LINES = ("(?m)^", "(?im)^")
"""Begins a pattern that matches nothing but what a line begins with; `(?m)^a|b` is no such."""


def _written(template: str) -> Callable[[Match], str]:
    """What writes a template, in which a backslash and a figure stand for what a group matched.

    `sub` reads a template again for each text, and takes longer for it than to find nothing.
    """
    first, *others = template.split("\\")
    groups = [(int(other[0]), other[1:]) for other in others]

    def write(match: Match) -> str:
        return first + "".join([(match[group] or "") + behind for group, behind in groups])

    return write


def _sub_of_lines(pattern: re.Pattern[str]) -> Callable[[Replacement, str], str]:
    """The `sub` of a pattern of `OF_LINES`: a line begins once, it is not tried at other signs."""

    def sub(replacement: Replacement, text: str) -> str:
        at = 0
        while not pattern.match(text, at):
            at = text.find("\n", at) + 1
            if not at:
                return text
        return pattern.sub(replacement, text)

    return sub


class _Ready:
    """A row that was needed: its pattern is looked up no more.

    Few of the rows that can apply do; to try to replace takes little more than to see that, and
    less than both. `begins` is set for what only a line begins with.
    """

    __slots__ = ("begins", "needs_digit", "replacement", "sub")

    def __init__(self, rule: Rule, needs_digit: bool) -> None:
        pattern, self.replacement = compiled(rule.pattern), rule.replacement
        self.needs_digit = needs_digit
        self.sub: Callable[[Replacement, str], str] = pattern.sub
        self.begins: Callable[[str], Match | None] | None = None
        if isinstance(rule.replacement, str) and "\\" in rule.replacement:
            self.replacement = _written(rule.replacement)
        if rule.pattern.startswith(OF_LINES):
            self.begins, self.sub = pattern.match, _sub_of_lines(pattern)


class Rules:
    """Rows of rules that are applied in order, made ready when first needed."""

    def __init__(self, rows: tuple[Rule, ...]) -> None:
        self.rows = rows

    @cached_property
    def _needs(self) -> tuple[tuple[bool, tuple[str, ...]], ...]:
        return tuple(_needed(rule.needs) for rule in self.rows)

    @cached_property
    def _any_needs_digit(self) -> bool:
        return any(digit for digit, _ in self._needs)

    @cached_property
    def _sieve(self) -> Sieve:
        return Sieve({at: texts for at, (_, texts) in enumerate(self._needs)})

    @cached_property
    def _ready(self) -> list[_Ready | None]:
        return [None] * len(self.rows)

    def _made_ready(self, at: int) -> _Ready:
        row = self._ready[at] = _Ready(self.rows[at], self._needs[at][0])
        return row

    def apply(self, text: str) -> str:
        """Apply the rows, skipping those whose `needs` the text does not hold."""
        folded = text.casefold()
        plain = without_digits(folded) if self._any_needs_digit else None
        digit_left, one_line, ready = plain != folded, "\n" not in text, self._ready
        for at in self._sieve.rows(folded, plain):
            row = ready[at] or self._made_ready(at)
            if row.needs_digit and not digit_left:
                continue
            if one_line and row.begins and not row.begins(text):
                continue
            made = row.sub(row.replacement, text)
            if made != text:
                text, digit_left = made, digit_left and _has_digit(made)
                one_line = "\n" not in text
        return text
