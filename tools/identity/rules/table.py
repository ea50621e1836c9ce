r"""A table of rewriting rows, or of kinds of line, read from a rule file when first needed.

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
tool or thread printed it. `replace` is a template of `re.sub`; `write: NAME` names a function that
gets the match instead. A row with neither is a kind of line: each `from` matches, no `keeps` does,
and there is no `to`. `kind: WORD` is passed on. Indented lines continue a pattern without anything
between; a further line of text is indented and follows a bar (`  |second line`).

Rule of this module: a row is skipped only if its pattern cannot match. The literal text that a
match must contain (its gate) is therefore derived from the pattern, never written by hand, and is
looked for in the text as the rows before have left it. Deriving is slow, so the build writes the
derived rows to one generated file; where a rule file is newer than that, it is read itself.

No imports but the standard library's: the build loads this module by its path.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import astuple, dataclass
from functools import cache, cached_property
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any

Writer = Callable[[re.Match[str]], str]

FOLDER = Path(__file__).parent
DERIVED = "derived.json"
"""The generated file beside the rule files: what the build derived from each of them."""


class BadRuleFile(ValueError):
    """A block of a rule file that says too little, or something twice."""


@dataclass(frozen=True, slots=True)
class Gate:
    """What every match contains: one of the texts (folded), if there are any; a digit, if set."""

    texts: tuple[str, ...] = ()
    digit: bool = False


@dataclass(frozen=True, slots=True)
class RuleRow:
    """One row: a pattern, and what becomes of a match (for a kind of line neither)."""

    name: str
    kind: str
    pattern: str
    replace: str | None
    write: str | None
    gate: Gate


@dataclass(frozen=True, slots=True)
class RowProof:
    """Where a row was met, pairs of a text and what it becomes, and texts that it leaves."""

    met: str
    becomes: tuple[tuple[str, str], ...]
    keeps: tuple[str, ...]


# ------------------------------------------------------------------ reading a rule file

_FIELDS = ("met", "kind", "pattern", "replace", "write", "from", "to", "keeps")


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
    makes = len(said["replace"]) + len(said["write"])
    complete = len(becomes) == len(said["from"]) if makes else not becomes
    once = len(said["pattern"]) == 1 and makes <= 1 and len(said["kind"]) <= 1
    if not (complete and once and said["from"] and said["met"] and said["keeps"]):
        raise BadRuleFile(
            f"{title}: a rule has met, pattern, replace or write, from and to, keeps; "
            "a kind of line has met, pattern, from, keeps"
        )
    pattern = said["pattern"][0]
    kind, replace, write = (next(iter(said[field]), None) for field in ("kind", "replace", "write"))
    row = RuleRow(title.strip(), kind or "", pattern, replace, write, gate_of(pattern))
    pairs = becomes or [(example, example) for example in said["from"]]
    return row, RowProof("; ".join(said["met"]), tuple(pairs), tuple(said["keeps"]))


def proved_rows(text: str) -> list[tuple[RuleRow, RowProof]]:
    """The rows of a rule file in its order, each with what proves it."""
    return [_proved_row(block) for block in ("\n" + text).split("\n@@ ")[1:]]


# ------------------------------------------------------------------ what a match contains

_LIKE_ASCII = str.maketrans("\u017f\u212a\u0130\u0131", "skii")
"""The letters outside ASCII that a pattern which ignores case takes for one in it."""
_SIGMAS = "\u03a3\u03c3\u03c2"
"""Its small form depends on the letters around it."""
_COMMON = frozenset(
    "error error: cannot could not failed failed: file invalid line module name the type".split()
)
"""So many errors hold these that to look for one rules out little."""
_MOST_TEXTS = 24
_SMALLEST_SETS = 6


def fold(text: str) -> str:
    """A text in small letters, so that a gate is found in it whatever case its pattern takes."""
    return (text if text.isascii() else text.translate(_LIKE_ASCII)).lower()


class _Walk:
    """One way through a parsed pattern: the literal texts that it cannot do without."""

    def __init__(self, ignores_case: bool) -> None:
        self.ignores_case = ignores_case
        self.digit = False
        self._run = ""
        self._needed: list[tuple[str, ...]] = []

    def best(self) -> tuple[str, ...]:
        """The texts one of which is needed; of several such, those that rule out most."""
        self._end_run()
        return max(self._needed, key=_rarity, default=())

    def sequence(self, items: Any) -> None:
        """Walk the items of a parsed pattern one behind the other."""
        for code, value in items:
            getattr(self, f"_{str(code).lower()}", self._end_run)(value)

    def _end_run(self, _: object = None) -> None:
        self._need((self._run,))
        self._run = ""

    def _need(self, texts: tuple[str, ...]) -> None:
        if texts and all(texts) and len(texts) <= _MOST_TEXTS:
            self._needed.append(texts)

    def _folded(self, code: int) -> str:
        """A sign as it stands in a folded text; empty where that is not certain."""
        sign = chr(code)
        if sign in _SIGMAS or (self.ignores_case and not sign.isascii()):
            return ""
        return fold(sign)

    def _literal(self, code: int) -> None:
        self.digit = self.digit or chr(code).isdecimal()
        sign = self._folded(code)
        if not sign:
            self._end_run()
        self._run += sign

    def _in(self, members: Any) -> None:
        literal = all(str(code) == "LITERAL" for code, _ in members)
        signs = tuple(sorted({self._folded(value) for _, value in members})) if literal else ()
        self.digit = self.digit or all(map(_is_digit, members))
        if len(signs) == 1 and signs[0]:
            self._run += signs[0]
            return
        self._end_run()
        if len(signs) <= _SMALLEST_SETS:
            self._need(signs)

    def _at(self, _: object) -> None:
        """A boundary takes no sign, and what follows still stands beside what came before."""

    _assert_not = _at

    def _assert(self, value: Any) -> None:
        beside = _Walk(self.ignores_case)
        beside.sequence(value[1])
        self._need(beside.best())
        self.digit = self.digit or beside.digit

    def _subpattern(self, value: Any) -> None:
        _, added, removed, items = value
        before = self.ignores_case
        self.ignores_case = (before or bool(added & re.I)) and not removed & re.I
        self.sequence(items)
        self.ignores_case = before

    def _max_repeat(self, value: Any) -> None:
        least, _, items = value
        if least:
            self.sequence(items)  # the first time follows what came before
        self._end_run()

    _min_repeat = _possessive_repeat = _max_repeat

    def _branch(self, value: Any) -> None:
        self._end_run()
        ways: list[_Walk] = []
        for items in value[1]:
            way = _Walk(self.ignores_case)
            way.sequence(items)
            ways.append(way)
        texts = [way.best() for way in ways]
        if all(texts):
            self._need(tuple(dict.fromkeys(text for one in texts for text in one)))
        self.digit = self.digit or all(way.digit for way in ways)


def _is_digit(member: Any) -> bool:
    code, value = member
    match str(code):
        case "LITERAL":
            return chr(value).isdecimal()
        case "RANGE":
            return bool(value[0] >= ord("0") and value[1] <= ord("9"))
        case _:
            return str(value) == "CATEGORY_DIGIT"


def _rarity(texts: tuple[str, ...]) -> float:
    """How much it rules out to look for these: the longest and fewest words that few texts hold."""
    rare = min(len(text.strip()) / (4 if text.strip() in _COMMON else 1) for text in texts)
    return min(rare, 12) - len(texts) / 4


def gate_of(pattern: str) -> Gate:
    """What every match of a pattern contains, as far as its syntax says so."""
    # The parser of `re` itself: what else reads a pattern exactly as it will be compiled?
    parser: Any = import_module("re._parser")
    parsed = parser.parse(pattern)
    walk = _Walk(bool(parsed.state.flags & re.I))
    walk.sequence(parsed)
    return Gate(walk.best(), walk.digit)


# ------------------------------------------------------------------ the table


def _digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


def derived(folder: Path = FOLDER) -> str:
    """What the generated file holds: the rows of each rule file beside the file's digest."""
    made: dict[str, object] = {}
    for path in sorted(folder.glob("*.rules")):
        rows = [astuple(row) for row, _ in proved_rows(path.read_text("utf-8"))]
        made[path.stem] = {"digest": _digest(path), "rows": rows}
    return json.dumps(made)


@cache
def _generated(folder: Path) -> Any:
    try:
        return json.loads((folder / DERIVED).read_text("utf-8"))
    except FileNotFoundError:
        return {}


def _rows(path: Path) -> tuple[RuleRow, ...]:
    made: Any = _generated(path.parent).get(path.stem)
    if made is None or made["digest"] != _digest(path):
        return tuple(row for row, _ in proved_rows(path.read_text("utf-8")))
    return tuple(
        RuleRow(name, kind, pattern, replace, write, Gate(tuple(texts), digit))
        for name, kind, pattern, replace, write, (texts, digit) in made["rows"]
    )


class RuleTable:
    """The rows of `NAME.rules`, read when first asked for."""

    def __init__(
        self, name: str, writers: Mapping[str, Writer] | None = None, folder: Path = FOLDER
    ) -> None:
        self._path, self._writers = folder / f"{name}.rules", writers or {}
        self._patterns: dict[int, re.Pattern[str]] = {}

    @cached_property
    def rows(self) -> tuple[RuleRow, ...]:
        """The rows, in the order in which they are applied."""
        return _rows(self._path)

    @cached_property
    def _numbers(self) -> dict[str, tuple[int, ...]]:
        """The rows that need a text, by number; those that need none under the empty text."""
        numbers: dict[str, tuple[int, ...]] = {}
        for number, row in enumerate(self.rows):
            for text in row.gate.texts or ("",):
                numbers[text] = (*numbers.get(text, ()), number)
        return numbers

    def _pattern(self, number: int) -> re.Pattern[str]:
        pattern = self._patterns.get(number)
        if pattern is None:
            pattern = self._patterns[number] = re.compile(self.rows[number].pattern)
        return pattern

    def _let_through(self, text: str) -> list[int]:
        """The rows of which the gate lets a text through, in order."""
        numbers = self._numbers
        held = filter(fold(text).__contains__, numbers)
        found = sorted({number for needed in held for number in numbers[needed]})
        if re.search(r"\d", text):
            return found
        return [number for number in found if not self.rows[number].gate.digit]

    def apply(self, text: str) -> str:
        """Replace what the rows find, row by row; each row reads what those before it wrote."""
        numbers = self._let_through(text)
        while numbers:
            number = numbers.pop(0)
            made = self._rewritten(number, text)
            if made != text:
                text = made
                numbers = [later for later in self._let_through(text) if later > number]
        return text

    def _rewritten(self, number: int, text: str) -> str:
        row, pattern = self.rows[number], self._pattern(number)
        made = row.replace if row.write is None else self._writers[row.write]
        # `sub` reads a template again for each text: longer than to see that nothing is found.
        return text if made is None or not pattern.search(text) else pattern.sub(made, text)

    def find(self, line: str, kind: str = "") -> RuleRow | None:
        """The first row, of a kind if one is named, that matches at the beginning of a line."""
        for number in self._let_through(line):
            row = self.rows[number]
            if (not kind or row.kind == kind) and self._pattern(number).match(line):
                return row
        return None
