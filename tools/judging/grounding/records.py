"""The records of a context: its lines, settings and changes, with the values they hold.

Rule of this module: a name that is given in several places is no setting, but where a diff changes
it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

from reflection_mcp.tools.judging.grounding.plain import TERM
from reflection_mcp.tools.judging.grounding.stated_values import (
    MEASURED,
    WRITTEN,
    StatedValue,
    root,
    values,
)
from reflection_mcp.tools.judging.grounding.table_rows import Table, tables_of

RECORDS, ABOVE, HEADS, LONGEST = 800, 200, 3, 1_000
"""Lines of a context, comments and heads above one, and characters of a line that are read."""
TOGETHER, FEW, ANY = 30, 4, "*"
"""Values of a line that are added and subtracted; so few of any kind."""
SHORTEST = 3
"""Letters of a setting's name: shorter ones are the words of something else."""


class Record(NamedTuple):
    """A line of the context, with the heads that it is indented under and the comment above it."""

    text: str
    values: Sequence[StatedValue]

    @property
    def line(self) -> str:
        """The line as it is quoted."""
        return self.text.splitlines()[-1].strip()[:120]


class Setting(NamedTuple):
    """One value of a name: a number with its unit, or a word."""

    number: str
    unit: str
    word: str
    line: str


_FIGURE = re.compile(r"\d+(?:[.:-]\d+)*")
_COMMENT = re.compile(r"\s*(?://|#|--\s|\*\s)")
_HEAD = re.compile(r"[\s-]{0,60}[A-Za-z][\w -]{1,40}:\s*")
_KEY = re.compile(
    r"[\s\"-]{0,40}([A-Za-z]{4,20})\"?(?: [A-Z][a-z]{2,12})?\s?[:=]\s?(\d{1,9})[,;]?\s*(?:#|$)"
)
_NUMBER_SET = re.compile(
    r"^([-+]?)[ \t]{0,40}\"?([A-Za-z][\w.-]{1,40})\"?(?:[ \t]{0,20}[:=][ \t]{0,8}|[ \t]{1,8})"
    r"[\"']?(\d{1,9}(?:\.\d{1,6})?)[ ]?([A-Za-z%]{0,5})[\"']?[;,]?[ \t]{0,8}"
    r"(?:(?:#|//)[^\n]{0,200})?$",
    re.MULTILINE,
)
_WORD_SET = re.compile(
    r"^([-+]?)[ \t]{0,40}\"?([A-Za-z][\w.-]{1,40})\"?[ \t]{0,20}[:=][ \t]{0,8}"
    r"[\"']?([A-Za-z][\w.-]{1,40})[\"']?[;,]?[ \t]{0,8}(?:(?:#|//)[^\n]{0,200})?$",
    re.MULTILINE,
)
# Looked for from its sign: names are many, and few are followed by one.
_PAIR_VALUE = re.compile(
    r"[:=][ \t]?[\"']?(?:[^\W\d_]{1,4} )?(\d[\w.:%-]{0,20}(?: ?[A-Za-z%\u20ac]{1,8})?)"
)
_PAIR_NAME = re.compile(r"(?<![\w./$-])[\"']?([^\W\d_][\w.-]{2,40})[\"']?[ \t]?$")
VERSIONED = re.compile(
    r"(?<![\w./@-])(?:[\w.-]{1,40}[-/])?([A-Za-z]\w{1,40})[\"'` ]{0,2}[ :@=~^<>v]{1,4}"
    r"[\"'`^~<>=v]{0,4}"
    r"(\d{1,4}(?:\.\d{1,5}){1,3})(?![\w.]*\w)"
)
"""A name with its version."""
_CHANGES = (
    re.compile(rf"{TERM} ?(?:->|\u2192|=>) ?{TERM}(?=[\s,;)]|$)"),
    re.compile(rf"\bfrom {TERM} to {TERM}(?=[\s,.;)]|$)", re.IGNORECASE),
    re.compile(
        r"`(-{0,2}\w[\w.=-]{0,40})`[^.`\n]{0,30}\b(?:removed|deprecated|dropped)\b[^.`\n]{0,20}"
        r"\b(?:use|replaced by|in favou?r of) `(-{0,2}\w[\w.=-]{0,40})`",
        re.IGNORECASE,
    ),
    re.compile(
        rf"^[\s*-]{{0,6}}{TERM}:?[^\n]{{0,40}}\b(?:replaced by|taken by|renamed to|superseded by)"
        rf" {TERM}(?=[\s,.;)]|$)",
        re.IGNORECASE | re.MULTILINE,
    ),
)


class Records:
    """The records of one context; each view is read when it is first asked for."""

    def __init__(self, context: str) -> None:
        self.context = context

    @cached_property
    def lines(self) -> Sequence[Record]:
        """The lines that say anything, with the comments above them."""
        found: list[Record] = []
        above: list[str] = []
        heads: list[str] = []
        for _, line in zip(range(RECORDS), self.context.splitlines(), strict=False):
            if len(line) > LONGEST or len(above) > ABOVE:
                above = []
                continue
            if _COMMENT.match(line):
                above.append(line)
                continue
            indent = len(line) - len(line.lstrip())
            while heads and len(heads[-1]) - len(heads[-1].lstrip()) >= indent and line.strip():
                del heads[-1]
            text = "\n".join([*heads[-HEADS:], *above, line])
            above = []
            if _HEAD.fullmatch(line):
                heads.append(line)
            if line.strip():
                numbers = values(text)
                if key := _KEY.match(line):  # "Workers Planned: 2" is a number of workers
                    number = StatedValue(*key.span(2), key[2], root(key[1]), float(key[2]))
                    numbers.append(number)
                found.append(Record(text, numbers))
        return found

    @cached_property
    def versions(self) -> Sequence[re.Match[str]]:
        """The names that are followed by a version, which is the second group."""
        return [*VERSIONED.finditer(self.context)]

    @cached_property
    def tables(self) -> Sequence[Table]:
        """The rows of the context that stand below each other."""
        return tables_of(self.context)

    @cached_property
    def figures(self) -> frozenset[str]:
        """The numbers of the context as they are written, without separators."""
        return frozenset(_FIGURE.findall(self.context.replace(",", "")))

    @cached_property
    def values(self) -> Sequence[StatedValue]:
        """The values of all lines."""
        return [value for record in self.lines for value in record.values]

    @cached_property
    def derived(self) -> frozenset[tuple[str, float]]:
        """The sums and differences of a line, which a reader may work out, by kind."""
        found: set[tuple[str, float]] = set()
        for group in (record.values for record in self.lines):
            for kind in {one.kind for one in group} - set(WRITTEN):
                amounts = [one.amount for one in group if one.kind == kind][:TOGETHER]
                found.add((kind, round(sum(amounts), 6)))
                for pair in combinations(amounts, 2):
                    found |= {(kind, round(sum(pair), 6)), (kind, round(abs(pair[0] - pair[1]), 6))}
            apart = {"", *MEASURED, *WRITTEN}
            counts = [one.amount for one in group if one.kind not in apart]
            for size in range(2, len(counts) + 1 if len(counts) <= FEW else 0):
                found |= {(ANY, round(sum(some), 6)) for some in combinations(counts, size)}
        return frozenset(found)

    @cached_property
    def settings(self) -> Mapping[str, Sequence[Setting]]:
        """The value of each name that has one, or the two that a diff gives it, by its key."""
        found: dict[str, dict[tuple[str, str, str, str], Setting]] = {}
        for sign, setting, name in self._set:
            ways = found.setdefault(key(name), {})
            ways.setdefault((sign if sign == "-" else "", *setting[:3]), setting)
        return {
            name: list(ways.values())
            for name, ways in found.items()
            if len({sign for sign, *_ in ways}) == len(ways) and len(name) >= SHORTEST
        }

    @cached_property
    def _set(self) -> Sequence[tuple[str, Setting, str]]:
        numbers = zip(range(RECORDS), _NUMBER_SET.finditer(self.context), strict=False)
        named = zip(range(RECORDS), _WORD_SET.finditer(self.context), strict=False)
        found = [
            (one[1], Setting(one[3], one[4], "", one[0].strip()[:120]), one[2])
            for _, one in numbers
        ]
        found += [
            (one[1], Setting("", "", one[3], one[0].strip()[:120]), one[2]) for _, one in named
        ]
        return found

    @cached_property
    def changes(self) -> frozenset[tuple[str, str]]:
        """The pairs of before and after, by the words of the context or by its diffs."""
        found = {(one[1], one[2]) for pattern in _CHANGES for one in pattern.finditer(self.context)}
        said: list[dict[str, str]] = [{}, {}]
        for sign, one, name in self._set:
            if sign:
                said[sign == "+"][key(name)] = one.number + one.unit or one.word
        for line in self.context.splitlines()[:RECORDS]:
            if line[:1] in ("-", "+"):
                for name, value, _ in _pairs_of(line[:400]):
                    said[line[0] == "+"].setdefault(key(name), value)
        shared = said[0].keys() & said[1].keys()
        turned = {(said[0][name], said[1][name]) for name in shared}
        return frozenset(found | {(old, new) for old, new in turned if old != new})


def _pairs_of(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield the names that are followed by a value, with both as they are written."""
    for value in _PAIR_VALUE.finditer(text):
        before = text[max(0, value.start() - 45) : value.start()]
        if name := _PAIR_NAME.search(before.rpartition("\n")[2]):
            yield name[1], value[1], f"{name[0]}{value[0]}"


def key(name: str) -> str:
    """Return a name without case and without what joins its words."""
    joined = re.sub(r"[\W_]", "", name).lower()
    return joined.removeprefix("the").removeprefix("default")
