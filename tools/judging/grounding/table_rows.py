"""Check of what a clause says about the subject of a table row against the other rows.

Rules of this module: rows are lines of the same number of cells, each with a first cell of its own.
A word or number is wrong of a row only where it stands in the same column of another one and
nowhere in its own; a clause that names two rows, compares or advises is left alone.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from reflection_mcp.tools.judging.grounding.plain import Finding, is_plain
from reflection_mcp.tools.judging.grounding.stated_values import words

LINES, LONGEST, FEWEST_CELLS = 800, 400, 3
"""Lines and characters of a line that are read, and cells that make a row without signs."""


class TableRow(NamedTuple):
    """A line: the names and numbers of each cell, and the heads of the columns."""

    cells: Sequence[frozenset[str]]
    heads: Sequence[str]
    line: str


class Table(NamedTuple):
    """Rows by their first cell, the first cells by their first word in small letters, and what
    stands in each column."""

    rows: Mapping[str, TableRow]
    starts: Mapping[str, Sequence[str]]
    columns: Sequence[frozenset[str]]


_NAME = re.compile(r"(?=..)(?=.*[^\W\d_])(?!(?:total|sum|all|overall|average|mean)\b)", re.I)
"""The first cell of a row that is about something, and not about all of them."""
_NUMBER = re.compile(r"[$\u20ac<>~=^v-]*\d")
_WORD = re.compile(r"\w+")
_TOKEN = re.compile(r"[$\u20ac]?[\w.][\w.,:/%+@()-]*")
_STATE = re.compile(r"(?=.{4})[A-Z]?[a-z]{2,20}(?:[A-Z][a-z]{2,20}){0,3}")
_IS = re.compile(
    r"(?:\b(?:is|are|was|shows?|reports?|status|state|ist|zeigt|est|est\u00e1)|[:=])"
    r"(?: (?:in|an?|of type|still|now|currently|also|already|noch|jetzt|encore|a\u00fan|en)){0,3}"
    r" [`\"*]{0,3}$"
)
_CLAUSE = re.compile(r"[;:] |, | (?:and|but|und|aber|et|mais|y|pero|while|whereas) ")
_RULE = re.compile(r"[\s|+:=-]*")


def tables_of(context: str) -> Sequence[Table]:
    """Return the runs of rows of a context, by the first cell of each row."""
    found: list[Table] = []
    lines = [line[:LONGEST] for line in context.splitlines()[:LINES] if not _RULE.fullmatch(line)]
    cells = [(_cells(line), line) for line in lines]
    for size, run in groupby(cells, key=lambda one: len(one[0])):
        rows = list(run)
        if size < 2 or len(rows) < 3:
            continue
        heads = () if any(_NUMBER.match(cell) for cell in rows[0][0][1:]) else rows[0][0]
        body = rows[bool(heads) :]
        often = Counter(parts[0] for parts, _ in body)
        table = {
            parts[0]: TableRow([_tokens(part) for part in parts], heads, " ".join(line.split()))
            for parts, line in body
            if often[parts[0]] == 1 and _NAME.match(parts[0])
        }
        starts: dict[str, list[str]] = {}
        for name in table:
            starts.setdefault(_WORD.findall(name.lower())[0], []).append(name)
        if len(table) > 1:
            columns = [
                frozenset[str]().union(*(row.cells[column] for row in table.values()))
                for column in range(size)
            ]
            found.append(Table(table, starts, columns))
    return found


def _cells(line: str) -> Sequence[str]:
    if " | " in line or line.count("|") > 1:
        return [cell.strip("` *") for cell in line.strip().strip("|").split("|")]
    cells = re.split(r"[ ]{2,80}|\t{1,4}", line.strip())
    return cells if len(cells) >= FEWEST_CELLS else ()


def _tokens(text: str) -> frozenset[str]:
    return frozenset(_bare(one) for one in _TOKEN.findall(text))


def _bare(token: str) -> str:
    return re.sub(r"(?<=\d),(?=\d{3})", "", token.rstrip(".,:()")).lstrip("(")


def of_other_rows(text: str, tables: Sequence[Table]) -> Iterator[Finding]:
    """Yield the words and numbers that a sentence gives a row, and that stand in another one."""
    for table in tables:
        named = [
            (word.start(), name)
            for word in _WORD.finditer(text.lower())
            for name in table.starts.get(word[0], ())
            if _stands_at(name, text, word.start())
        ]
        for token in _TOKEN.finditer(text) if named else ():
            name = _subject(text, token.start(), named)
            if name and _is_of_another(text, token, name, table):
                yield *token.span(), token[0], f"\u201c{table.rows[name].line}\u201d"


def _stands_at(name: str, text: str, place: int) -> bool:
    start = place - (len(name) - len(name.lstrip("/.@-_(")))
    free = not re.match(r"[\w/.-]", text[start - 1 : start] if start > 0 else "")
    end = start + len(name)
    return (
        free
        and text[max(0, start) : end].lower() == name.lower()
        and not re.match(r"[\w/-]", text[end : end + 1])
    )


def _subject(text: str, place: int, named: Sequence[tuple[int, str]]) -> str:
    """Return the only row that the clause at a place names; empty for none or several."""
    start = max((one.end() for one in _CLAUSE.finditer(text, 0, place)), default=0)
    after = _CLAUSE.search(text, place)
    end = after.start() if after else len(text)
    names = {name for at, name in named if start <= at < end}
    return names.pop() if len(names) == 1 else ""


def _is_of_another(text: str, token: re.Match[str], name: str, table: Table) -> bool:
    said, own = _bare(token[0]), table.rows[name]
    if any(said in cell for cell in own.cells) or said in name:
        return False
    columns = [column for column in range(1, len(own.cells)) if said in table.columns[column]]
    if not columns or not is_plain(text, *token.span()):
        return False
    if not any(map(str.isdigit, said)):
        is_state = all(_STATE.fullmatch(one) for c in columns for one in own.cells[c] or ("",))
        return bool(_STATE.fullmatch(said) and is_state and _IS.search(text, 0, token.start()))
    telling = len(said.strip("$%")) > 1
    headed = own.heads and any(words(own.heads[c]) & words(text) for c in columns)
    return len(columns) == 1 and bool(telling or headed)
