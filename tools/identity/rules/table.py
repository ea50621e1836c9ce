r"""A table of rewriting rows, read from a rule file when first needed.

A rule file holds one block a row. Rows are applied in the order of the file:

    # A comment begins in the first column.
    @@ CUDA out of memory
    met:     PyTorch 2.4
    pattern: (?:\b(?:Runtime|OutOfMemory)Error: )?CUDA (?:error: )?
             out of memory\b[^\n]*
    replace: OutOfMemoryError: CUDA out of memory
    from:    RuntimeError: CUDA out of memory. Tried to allocate 58.00 MiB
    from:    RuntimeError: CUDA error: out of memory
    to:      OutOfMemoryError: CUDA out of memory
    keeps:   CUDA is out

`to` is what each `from` since the last `to` becomes, `keeps` is left as it is, `met` says which
tool or thread printed it. `replace` is a template of `re.sub`. Indented lines continue a pattern
without anything between; a further line of text is indented and follows a bar (`  |second line`).

Rule of this module: a row is skipped only if its pattern cannot match. The literal text that a
match must contain (its gate) is therefore derived from the pattern, never written by hand, and is
looked for in the text as the rows before have left it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent


class BadRuleFile(ValueError):
    """A block of a rule file that says too little, or something twice."""


@dataclass(frozen=True, slots=True)
class RuleRow:
    """One row: a pattern, what becomes of a match, and the texts (folded) of which every match
    holds one; none if that is not known."""

    name: str
    pattern: str
    replace: str
    gate: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RowProof:
    """Where a row was met, pairs of a text and what it becomes, and texts that it leaves."""

    met: str
    becomes: tuple[tuple[str, str], ...]
    keeps: tuple[str, ...]


_FIELDS = ("met", "pattern", "replace", "from", "to", "keeps")


def _fields(block: str) -> Iterator[tuple[str, str]]:
    """Each field of a block with its value, further lines included."""
    field, value, lines = "", "", 0
    for line in block.splitlines():
        if not line.strip() or line[0] == "#":
            continue
        if not line[0].isspace():
            if field:
                yield field, value
            field, colon, value = line.partition(":")
            if not colon or field not in _FIELDS:
                raise BadRuleFile(f"no field of a row: {line}")
            value, lines = value.lstrip(" "), 1
            continue
        further = line.strip() if field == "pattern" else line.lstrip(" ").removeprefix("|")
        joint = "" if field == "pattern" or (lines == 1 and not value) else "\n"
        value, lines = value + joint + further, lines + 1
    if field:
        yield field, value


def _proved_row(block: str) -> tuple[RuleRow, RowProof]:
    title, _, rest = block.partition("\n")
    said: dict[str, list[str]] = {field: [] for field in _FIELDS}
    becomes: list[tuple[str, str]] = []
    for field, value in _fields(rest):
        said[field].append(value)
        if field == "to":
            becomes += [(example, value) for example in said["from"][len(becomes) :]]
    once = len(said["pattern"]) == len(said["replace"]) == 1
    proved = becomes and len(becomes) == len(said["from"]) and said["met"] and said["keeps"]
    if not (once and proved):
        raise BadRuleFile(f"{title}: a row has met, pattern, replace, from and to, keeps")
    pattern = said["pattern"][0]
    row = RuleRow(title.strip(), pattern, said["replace"][0], gate_of(pattern))
    return row, RowProof("; ".join(said["met"]), tuple(becomes), tuple(said["keeps"]))


def proved_rows(text: str) -> list[tuple[RuleRow, RowProof]]:
    """The rows of a rule file in its order, each with what proves it."""
    return [_proved_row(block) for block in ("\n" + text).split("\n@@ ")[1:]]


_LIKE_ASCII = str.maketrans("\u017f\u212a\u0130\u0131", "skii")
"""The letters outside ASCII that a pattern which ignores case takes for one in it."""
_COMMON = frozenset(
    "error error: cannot could not failed failed: file invalid line module name the type".split()
)
"""So many errors hold these that to look for one rules out little."""


def fold(text: str) -> str:
    """A text in small letters, so that a gate is found in it whatever case its pattern takes."""
    return (text if text.isascii() else text.translate(_LIKE_ASCII)).lower()


def _needed(items: Any) -> Iterator[tuple[str, ...]]:
    """The texts that the items of a parsed pattern cannot do without, of each tuple one."""
    run = ""
    for code, value in items:
        name = str(code)
        if name == "LITERAL" and value < 128:
            run += chr(value).lower()
            continue
        if name in ("AT", "ASSERT_NOT"):
            continue  # takes no sign, and what follows still stands beside what came before
        yield (run,)
        run = ""
        if name == "SUBPATTERN":
            yield from _needed(value[3])
        elif name == "ASSERT":
            yield from _needed(value[1])
        elif name.endswith("_REPEAT") and value[0]:
            yield from _needed(value[2])
        elif name == "BRANCH":
            ways = [_best(way) for way in value[1]]
            yield tuple(text for way in ways for text in way) if all(ways) else ()
    yield (run,)


def _best(items: Any) -> tuple[str, ...]:
    """The texts that rule out most: the longest and fewest words that few errors hold."""

    def rarity(texts: tuple[str, ...]) -> float:
        words = [text.strip() for text in texts]
        rare = min(len(word) / (4 if word in _COMMON else 1) for word in words)
        return min(rare, 12) - len(texts) / 4

    return max((texts for texts in _needed(items) if all(texts) and texts), key=rarity, default=())


def gate_of(pattern: str) -> tuple[str, ...]:
    """The texts (folded) of which every match of a pattern holds one."""
    # The parser of `re` itself: what else reads a pattern exactly as it will be compiled?
    parser: Any = import_module("re._parser")
    return _best(parser.parse(pattern))


class RuleTable:
    """The rows of `NAME.rules`, read when first asked for."""

    def __init__(self, name: str, folder: Path = FOLDER) -> None:
        self._path = folder / f"{name}.rules"
        self._patterns: dict[int, re.Pattern[str]] = {}

    @cached_property
    def rows(self) -> tuple[RuleRow, ...]:
        """The rows, in the order in which they are applied."""
        return tuple(row for row, _ in proved_rows(self._path.read_text("utf-8")))

    @cached_property
    def _numbers(self) -> dict[str, tuple[int, ...]]:
        """The rows that need a text, by number; those that need none under the empty text."""
        numbers: dict[str, tuple[int, ...]] = {}
        for number, row in enumerate(self.rows):
            for text in row.gate or ("",):
                numbers[text] = (*numbers.get(text, ()), number)
        return numbers

    def _let_through(self, text: str) -> list[int]:
        """The rows of which the gate lets a text through, in order."""
        numbers = self._numbers
        held = filter(fold(text).__contains__, numbers)
        return sorted({number for needed in held for number in numbers[needed]})

    def apply(self, text: str) -> str:
        """Replace what the rows find, row by row; each row reads what those before it wrote."""
        numbers = self._let_through(text)
        while numbers:
            number = numbers.pop(0)
            pattern = self._patterns.get(number)
            if pattern is None:
                pattern = self._patterns[number] = re.compile(self.rows[number].pattern)
            # `sub` reads a template again for each text: longer than to see that nothing is found.
            if pattern.search(text):
                made = pattern.sub(self.rows[number].replace, text)
                if made != text:
                    text = made
                    numbers = [later for later in self._let_through(text) if later > number]
        return text
