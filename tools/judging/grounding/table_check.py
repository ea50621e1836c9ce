"""Check of what a sentence says of the subject of a row against that row of a table."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from reflection_mcp.tools.judging.grounding.plain import Finding, is_plain, phrases
from reflection_mcp.tools.judging.grounding.records import TableRow
from reflection_mcp.tools.judging.grounding.stated_values import (
    WRITTEN,
    StatedValue,
    one_slip,
    root,
    words,
)

_CLAUSE = re.compile(r"[;()]|, | (?:and|but|und|aber|et|mais|y|pero|while|whereas) ")


def _row_of(text: str, place: int, table: Mapping[str, TableRow]) -> TableRow | None:
    """Return the only row that a sentence names, or that the clause at a place does."""
    small = text.lower()
    named = [
        (found.start(), row)
        for row in table.values()
        if len(row.subject) > 1 and row.subject.lower() in small
        for found in _subject(row.subject, free="" not in row.cells).finditer(text)
    ]
    if len({row.subject for _, row in named}) == 1:
        return named[0][1]
    start = max((one.end() for one in _CLAUSE.finditer(text, 0, place)), default=0)
    after = _CLAUSE.search(text, place)
    end = after.start() if after else len(text)
    mine = {row.subject: row for first, row in named if start <= first < end}
    return next(iter(mine.values())) if len(mine) == 1 else None


@lru_cache(maxsize=512)
def _subject(name: str, *, free: bool = False) -> re.Pattern[str]:
    """Return where a subject stands: as it is written, or with a capital where a sentence begins;
    the longer name of a row in any case."""
    opening = re.escape(name[:1].upper() + name[1:])
    flags = re.IGNORECASE if free and len(name) > 4 else re.NOFLAG
    plain = rf"(?<![\w/.-]){re.escape(name)}(?![\w/-])"
    return re.compile(rf"{plain}|^{opening}(?![\w/-])", flags)


def row_against(
    text: str, value: StatedValue, tables: Sequence[Mapping[str, TableRow]], *, stands: bool
) -> str:
    """Return the row that a sentence gives the value of another row, or one that none has."""
    for table in tables if value.kind else ():
        row = _row_of(text, value.start, table)
        if row is None:
            continue
        columns = {
            column: one
            for column, cell in row.values.items()
            if len(cell) == 1
            and ((one := cell[0]).kind == value.kind or _is_counted(text, value, column))
        }
        if not columns or any(value.agrees(one) or _equal(value, one) for one in columns.values()):
            continue
        swapped = any(
            _equal(value, cell)
            for column in columns
            for other in table.values()
            for cell in other.values.get(column, ())
        )
        (column, own), *more = columns.items()
        headed = bool(words(column) & words(text)) or value.kind == root(column)
        plain = headed and not phrases().hedge.search(text)
        foreign = not stands and not more and (plain or one_slip(value.written, own.written))
        if swapped or foreign:
            return row.line
    return ""


def _is_counted(text: str, value: StatedValue, column: str) -> bool:
    """Return True if a column counts what a sentence says to have happened so many times."""
    return value.kind == "time" and len(column) > 4 and root(column) in words(text)


def _equal(one: StatedValue, other: StatedValue) -> bool:
    if "time" in (one.kind, other.kind):
        return one.written == other.written
    same = one.written == other.written if one.kind in WRITTEN else one.amount == other.amount
    return one.kind == other.kind and same


def states_against(text: str, tables: Sequence[Mapping[str, TableRow]]) -> Iterator[Finding]:
    """Yield the words of a sentence that a column has, or might have, but not for its row."""
    for table in tables:
        rows = list(table.values())
        for column in rows[0].cells:
            states = {row.cells.get(column, "") for row in rows}
            if not 1 < len(states) <= len(rows) and not states & phrases().states:
                continue
            more = phrases().states if states & phrases().states else set[str]()
            for state in sorted(
                one for one in states | more if one in text and _STATE.fullmatch(one)
            ):
                for found in re.finditer(rf"(?<![\w-]){re.escape(state)}(?![\w-])", text):
                    row = _row_of(text, found.start(), table)
                    own = row.cells.get(column, "") if row else ""
                    if row is None or not _STATE.fullmatch(own) or own == state:
                        continue
                    if not phrases().state.search(text, 0, found.start()):
                        continue
                    if is_plain(text, *found.span()) and not _subject(own).search(text):
                        yield *found.span(), state, f"\u201c{row.line}\u201d"


_STATE = re.compile(r"(?=.{4})[A-Z]?[a-z]{2,20}(?:[A-Z][a-z]{2,20}){0,3}")
