"""Check for another value, state or direction than the context gives a thing.

Rules of this module: a value is held against what the context records of the same name: a setting, a
row of a table, a line with the comment above it. It is wrong only where all values of that name and
unit differ and the sentence is a plain statement; advice, plans, comparisons, examples and what is
worked out from other values are left alone (`plain.toml`).
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.case import Case, Piece
from reflection_mcp.tools.judging.finding import at
from reflection_mcp.tools.judging.grounding.records import (
    ANY,
    MEASURED,
    MONEY,
    TERM,
    WRITTEN,
    Record,
    Records,
    Row,
    Setting,
    StatedValue,
    key,
    root,
    values,
    words,
)

KIND = "grounding:contradiction"
WINDOW = 60_000
"""Characters of a context that are read."""
SENTENCES = 120
DIGITS = 4
"""Digits from which a number that is one digit off another one was copied wrongly."""
FEW = 20
"""Numbers of three digits in a context up to which a swap of two digits is no chance: 1 in 25."""
YEARS = (1000, 2100)
"""Numbers that are years, of which every other one is likely, too."""
BEHIND = 24
"""Characters behind a value in which its part of a sentence may say that it is no plain claim."""

Finding = tuple[int, int, str, str]
"""Start and end in the sentence, what is stated, and what the context says."""


class Phrases(NamedTuple):
    """The expressions of `plain.toml`."""

    hedge: re.Pattern[str]
    link: re.Pattern[str]
    stated: re.Pattern[str]
    changes: Sequence[re.Pattern[str]]
    states: frozenset[str]


@cache
def phrases() -> Phrases:
    """Return the compiled expressions, read when first needed."""
    room = files("reflection_mcp.tools.judging.grounding")
    table = tomllib.loads((room / "plain.toml").read_text("utf-8"))
    hedges = {name: text.replace("\n", "") for name, text in table["hedges"].items()}
    anywhere = hedges.pop("cjk")
    link = "|".join(table["links"].values())
    verbs = "|".join(one for one in link.split("|") if one not in ("to", "of", "at", "a", "has"))
    return Phrases(
        re.compile(
            rf"\b(?:{'|'.join(hedges.values())})\b|[?~\u2248]|n['\u2019]t\b|{anywhere}", re.I
        ),
        re.compile(rf"`?(?: (?:value|setting|option))? ?(?:{link}|=|:|\u306f) ?`?$"),
        re.compile(
            rf"`?\b([A-Za-z][\w.-]{{1,40}}(?: [a-z]{{2,20}}){{0,2}})`? ?(?:{verbs}|\u306f) ?"
            r"(?:`?(\d{1,9}(?:\.\d{1,6})?)(?: ?([A-Za-z%]{1,8}))?\b(?!\w|[.,:-]\d)|`\"?([\w.-]{2,40})\"?`)"
        ),
        tuple(
            re.compile(
                rf"(?<![^\W\d_]){one.replace('X', TERM).replace('Y', TERM)}(?![\w-])", re.I
            )
            for one in (*table["changes"].values(), "(?:replace|rename|change) X (?:with|by|to) Y")
        ),
        frozenset(table["states"]["pods"].split()),
    )


def check(case: Case) -> Iterator[Check]:
    """Yield the values of an answer with which its context disagrees, each sentence once."""
    known = Records(case.context[:WINDOW])
    for sentence in case.sentences[:SENTENCES]:
        found = next(_of_sentence(sentence, known), None)
        if found:
            start, end, stated, says = found
            place = sentence.start + start, sentence.start + end
            yield at(case, *place, KIND, "wrong", f"The context says {says}.", stated=stated)


def _of_sentence(sentence: Piece, known: Records) -> Iterator[Finding]:
    text = sentence.text
    yield from _turned(text, known.changes)
    yield from _of_versions(text, known.context)
    yield from _of_settings(text, known)
    numbers = values(text)
    tables = known.tables
    yield from _of_states(text, tables)
    for value in numbers:
        if not _plain(text, value.start, value.end):
            continue
        line = _of_name(text, value, known.lines)
        stands = any(
            value.written == other.written or (value.kind == other.kind and value.agrees(other))
            for other in known.values
        )
        if not line and not _WORKED_OUT.search(text, 0, value.start):
            amount = round(value.amount, 6)
            derived = not {(value.kind, amount), (ANY, amount)}.isdisjoint(known.derived)
            line = _of_row(text, value, tables, stands=stands or derived)
            if not line and not stands and not derived:
                line = _of_words(text, value, known.lines) or _miscopied(value, known)
        if line:
            yield value.start, value.end, value.written, f"\u201c{line}\u201d"


_PART = re.compile(r"[,;(]| (?:and|but) ")
_WORKED_OUT = re.compile(r"[=\u00d7*+/\u2212] ?[`$\u20ac]?$")


def _plain(text: str, start: int, end: int) -> bool:
    """Return True if a part of a sentence states something."""
    behind = _PART.split(text[end : end + BEHIND])[0]
    return not phrases().hedge.search(text[:end] + behind)


# --------------------------------------------------------------------------- settings and names

_DEFAULT = re.compile(r"\bdefaults?\b", re.IGNORECASE)


def _of_settings(text: str, known: Records) -> Iterator[Finding]:
    """Yield the values that a sentence gives a setting, and the context does not."""
    for found in phrases().stated.finditer(text) if known.settings else ():
        ways = known.settings.get(key(found[1]), ())
        number, unit, word = found[2] or "", found[3] or "", found[4] or ""
        if not ways or any(_same(way, number, unit, word) for way in ways):
            continue
        if _DEFAULT.search(text) and not _DEFAULT.search(known.context):
            continue
        if _plain(text, found.start(), found.end()):
            yield *found.span(), number or word, f"\u201c{ways[-1].line}\u201d"


def _same(way: Setting, number: str, unit: str, word: str) -> bool:
    """Return True if a setting has a value, or cannot be compared with it."""
    if word or way.word:
        said, mine = word.lower(), way.word.lower()
        return not (said and mine) or said in mine or mine in said
    (own,), (other,) = values(f"{way.number} {way.unit}"), values(f"{number} {unit}")
    if own.kind and other.kind:
        return own.kind != other.kind or own.amount == other.amount
    return float(way.number) == float(number)


_NAME = re.compile(
    r"`([^`\s]{1,60})`|(?<![\w`])([A-Za-z]\w*[._-]\w[\w.-]{0,40}|[a-z]+[A-Z]\w{0,40})"
)


def _of_name(text: str, value: StatedValue, known: Sequence[Record]) -> str:
    """Return the record of the name that a value is said of, if it has others of its unit."""
    name = next((one for one in reversed([*_NAME.finditer(text, 0, value.start)])), None)
    if name is None or not phrases().link.fullmatch(text, name.end(), value.start):
        return ""
    said = name[1] or name[2]
    whole = re.compile(rf"(?<![\w/.-]){re.escape(said)}(?![\w/.-])", re.IGNORECASE)
    mine = [record for record in known if whole.search(record.text) and record.values]
    if len(mine) != 1 or any(value.written == one.written for one in mine[0].values):
        return ""
    (only, *more), both = mine[0].values, f"{text}\n{mine[0].text}"
    if not more and not only.kind and len(_DEFAULT.findall(both)) > 1:
        return mine[0].line  # "[default: 30]" has no unit
    return _differing(value, mine)


# --------------------------------------------------------------------------- tables

_CLAUSE = re.compile(r"[;()]|, | (?:and|but|und|aber|et|mais|y|pero|while|whereas) ")


def _row_of(text: str, place: int, table: Mapping[str, Row]) -> Row | None:
    """Return the only row that a sentence names, or that the clause at a place does."""
    named = [
        (found.start(), row)
        for row in table.values()
        if len(row.subject) > 1
        for found in _subject(row.subject, free="" not in row.cells).finditer(text)
    ]
    if len({row.subject for _, row in named}) == 1:
        return named[0][1]
    start = max((one.end() for one in _CLAUSE.finditer(text, 0, place)), default=0)
    after = _CLAUSE.search(text, place)
    end = after.start() if after else len(text)
    mine = {row.subject: row for first, row in named if start <= first < end}
    return next(iter(mine.values())) if len(mine) == 1 else None


@cache
def _subject(name: str, *, free: bool = False) -> re.Pattern[str]:
    """Return where a subject stands: as it is written, or with a capital where a sentence begins;
    the longer name of a row in any case."""
    opening = re.escape(name[:1].upper() + name[1:])
    flags = re.IGNORECASE if free and len(name) > 4 else re.NOFLAG
    plain = rf"(?<![\w/.-]){re.escape(name)}(?![\w/-])"
    return re.compile(rf"{plain}|^{opening}(?![\w/-])", flags)


def _of_row(
    text: str, value: StatedValue, tables: Sequence[Mapping[str, Row]], *, stands: bool
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
        if not columns or any(
            value.agrees(one) or _equal(value, one) for one in columns.values()
        ):
            continue
        swapped = any(
            _equal(value, cell)
            for column in columns
            for other in table.values()
            for cell in other.values.get(column, ())
        )
        (column, own), *more = columns.items()
        headed = bool(words(column) & words(text)) or value.kind == root(column)
        foreign = not stands and not more and (headed or _one_slip(value.written, own.written))
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


def _of_states(text: str, tables: Sequence[Mapping[str, Row]]) -> Iterator[Finding]:
    """Yield the words of a sentence that a column has, or might have, but not for its row."""
    for table in tables:
        rows = list(table.values())
        for column in rows[0].cells:
            states = {row.cells.get(column, "") for row in rows}
            if not 1 < len(states) <= len(rows) and not states & phrases().states:
                continue
            more = phrases().states if states & phrases().states else set[str]()
            for state in sorted(one for one in states | more if _STATE.fullmatch(one)):
                for found in re.finditer(rf"(?<![\w-]){re.escape(state)}(?![\w-])", text):
                    row = _row_of(text, found.start(), table)
                    own = row.cells.get(column, "") if row else ""
                    if row is None or not _STATE.fullmatch(own) or own == state:
                        continue
                    if _plain(text, *found.span()) and not _subject(own).search(text):
                        yield *found.span(), state, f"\u201c{row.line}\u201d"


_STATE = re.compile(r"(?=.{4})[A-Z]?[a-z]{2,20}(?:[A-Z][a-z]{2,20}){0,3}")


# --------------------------------------------------------------------------- lines


def _of_words(text: str, value: StatedValue, known: Sequence[Record]) -> str:
    """Return the record that shares most words with a clause, if it has others of the unit."""
    if not value.kind or value.kind in (*WRITTEN, *MONEY):
        return ""
    start = max(text.rfind(mark, 0, value.start) for mark in (",", ";", "(", ":")) + 1
    ends = (place for mark in (",", ";", ")", ":") if (place := text.find(mark, value.end)) >= 0)
    clause = words(text[start : min(ends, default=len(text))])
    mine = [record for record in known if any(one.kind == value.kind for one in record.values)]
    shared = [len((record.words - {value.kind}) & (clause - {value.kind})) for record in mine]
    counted = value.kind in clause and not value.kind.endswith("()") and value.kind not in MEASURED
    if max(shared, default=0) < 2 and not (counted and mine):
        return ""
    best = [one for one, count in zip(mine, shared, strict=True) if count == max(shared)]
    if counted and value.amount < max(one.amount for record in mine for one in record.values):
        return ""  # some of what is counted may be meant
    return _differing(value, best) if len(best) <= 2 else ""


def _differing(value: StatedValue, records: Sequence[Record]) -> str:
    """Return the first record whose values of the same unit all differ."""
    for record in records:
        same = [one for one in record.values if one.kind == value.kind]
        near = any(value.agrees(one) for one in same)
        if same and not near and len({one.amount for one in same}) <= 3:
            return record.line
    return ""


def _miscopied(value: StatedValue, known: Records) -> str:
    """Return the record of a long number that is one digit, or two swapped ones, off a value."""
    digits = value.written.replace(".", "").rstrip("0")
    long = len(digits) >= DIGITS - bool(value.kind and "." in value.written)
    three = {one.written for one in known.values if _of_three(one.written)}
    slip = _one_slip if long else _swapped
    year = not value.kind and YEARS[0] <= value.amount <= YEARS[1]
    if (
        value.kind in WRITTEN
        or year
        or not (long or len(value.written) > 4 or (_of_three(value.written) and len(three) <= FEW))
    ):
        return ""
    near = {one.written for one in known.values if slip(value.written, one.written)}
    if len(near) != 1:
        return ""
    (meant,) = near
    return next(
        record.line for record in known.lines if any(one.written == meant for one in record.values)
    )


def _of_three(written: str) -> bool:
    return len(written.replace(".", "").rstrip("0")) == 3 or len(written) == 3


def _apart(one: str, other: str) -> Sequence[int]:
    """Return where two texts of one length differ; nothing for others."""
    if len(one) != len(other):
        return ()
    return [place for place in range(len(one)) if one[place] != other[place]]


def _swapped(one: str, other: str) -> bool:
    places = _apart(one, other)
    return len(places) == 2 and all(one[a] == other[b] for a, b in (places, reversed(places)))


def _one_slip(one: str, other: str) -> bool:
    places = _apart(one, other)
    return _swapped(one, other) or (len(places) == 1 and places[0] < len(one) - 1)


_VERSION = re.compile(
    r"(?<![\w/.@-])([A-Za-z][\w./-]{1,60}?)(:|==|>=|<=|~=|@\^?)v?(\d{1,5}(?:\.\d{1,5}){1,3})(?![\w.]*\w)"
)
_HAS_VERSION = re.compile(
    r"\b(?:runs?|running|depends? on|needs?|requires?|is|are|was|uses|pins|wants|has|installed|got)\b"
)


def _of_versions(text: str, context: str) -> Iterator[Finding]:
    """Yield the versions that a sentence gives something ("web:1.2"), and the context does not."""
    for found in _VERSION.finditer(text):
        name, sign, version = found.groups()
        if not _HAS_VERSION.search(text, 0, found.start()) or version in context:
            continue
        there = {
            one[0]
            for one in _VERSION.finditer(context)
            if (one[1].rsplit("/", 1)[-1], one[2]) == (name.rsplit("/", 1)[-1], sign)
        }
        if len(there) == 1 and _plain(text, found.start(), found.end()):
            yield *found.span(), found[0], f"\u201c{there.pop()}\u201d"


# --------------------------------------------------------------------------- directions


def _turned(text: str, changes: frozenset[tuple[str, str]]) -> Iterator[Finding]:
    """Yield the changes that a sentence tells the wrong way round."""
    for pattern in phrases().changes if changes else ():
        for told in pattern.finditer(text):
            before, after = told[1], told[2]
            if (after, before) in changes and (before, after) not in changes:
                yield *told.span(), told[0], f"\u201cfrom {after} to {before}\u201d"
