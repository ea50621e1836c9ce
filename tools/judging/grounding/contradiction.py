"""Check for another value, state or direction than the context gives a thing.

Rules of this module: a value is held against what the context records of the same name: a setting,
or a line with the comment above it. It is wrong only where all values of that name and unit differ
and the sentence is a plain statement; advice, plans, comparisons, examples and what is worked out
from other values are left alone (`plain.toml`).
"""

import re
from collections.abc import Iterator, Sequence

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.budget import Budget
from reflection_mcp.tools.judging.case import Case, Piece
from reflection_mcp.tools.judging.finding import at
from reflection_mcp.tools.judging.grounding.plain import WORKED_OUT, Finding, is_plain, phrases
from reflection_mcp.tools.judging.grounding.records import (
    ANY,
    VERSIONED,
    Record,
    Records,
    Setting,
    key,
)
from reflection_mcp.tools.judging.grounding.stated_values import (
    MEASURED,
    MONEY,
    WRITTEN,
    StatedValue,
    one_slip,
    swapped_digits,
    values,
    words,
)
from reflection_mcp.tools.judging.grounding.table_rows import of_other_rows

KIND = "grounding:contradiction"
WINDOW = 60_000
"""Characters of a context that are read."""
LONGEST, MOST = 800, 30
"""Characters of a sentence, and values of one, that are read; nobody states more in it."""
SENTENCE, CHARACTER, RECORD = 60, 20, 2
"""Work to hold a sentence against the context, a character of it, and one of its values against a
record."""
DIGITS = 4
"""Digits from which a number that is one digit off another one was copied wrongly."""
FEW = 20
"""Numbers of three digits in a context up to which a swap of two digits is no chance: 1 in 25."""
YEARS = (1000, 2100)
"""Numbers that are years, of which every other one is likely, too."""


_LOOKUP = re.compile(
    r"\A(?!.*\b(?:should|could|would|why|fix|how (?:do|can|to)|upgrade|recommend\w*)\b).*"
    r"\b(?:which|what|welche\w?|quelle?s?|qu\u00e9|cu\u00e1l)\b",
    re.IGNORECASE | re.DOTALL,
)
"""A question that asks for what the context says."""


def check(case: Case) -> Iterator[Check]:
    """Yield the values of an answer with which its context disagrees, each sentence once."""
    known = Records(case.context[:WINDOW])
    lookup = case.question if _LOOKUP.search(case.question[:LONGEST]) else ""
    sentences = (one for one in case.sentences if len(one.text) <= LONGEST)
    for sentence in case.budget.afford(sentences, lambda one: SENTENCE + CHARACTER * len(one.text)):
        found = next(_of_sentence(sentence, lookup, known, case.budget), None)
        if found:
            start, end, stated, says = found
            place = sentence.start + start, sentence.start + end
            yield at(case, *place, KIND, "wrong", f"The context says {says}.", stated=stated)


def _of_sentence(sentence: Piece, lookup: str, known: Records, budget: Budget) -> Iterator[Finding]:
    text = sentence.text
    yield from _turned(text, known)
    yield from _of_settings(text, known)
    yield from of_other_rows(text, known.tables)
    yield from _of_versions(text, lookup, known) if lookup else ()
    for value in budget.afford(values(text)[:MOST], lambda _: 1 + RECORD * len(known.lines)):
        if not is_plain(text, value.start, value.end):
            continue
        line = _of_name(text, value, known)
        if not line and not WORKED_OUT.search(text, 0, value.start) and not _stands(value, known):
            line = _of_words(text, value, known.lines) or _miscopied(value, known)
        if line:
            yield value.start, value.end, value.written, f"\u201c{line}\u201d"


def _stands(value: StatedValue, known: Records) -> bool:
    """Return True if the context has a value, or one from which it follows."""
    if value.written in known.figures or any(
        value.kind == other.kind and value.agrees(other) for other in known.values
    ):
        return True
    amount = round(value.amount, 6)
    return not {(value.kind, amount), (ANY, amount)}.isdisjoint(known.derived)


# --------------------------------------------------------------------------- settings and names

_DEFAULT = re.compile(r"\bdefaults?\b", re.IGNORECASE)


def _of_settings(text: str, known: Records) -> Iterator[Finding]:
    """Yield the values that a sentence gives a setting, and the context does not."""
    for found in phrases().stated.finditer(text):
        ways = known.settings.get(key(found[1]), ())
        number, unit, word = found[2] or "", found[3] or "", found[4] or ""
        if not ways or any(_same(way, number, unit, word) for way in ways):
            continue
        if _DEFAULT.search(text) and not _DEFAULT.search(known.context):
            continue
        if is_plain(text, found.start(), found.end()):
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


def _of_name(text: str, value: StatedValue, known: Records) -> str:
    """Return the record of the name that a value is said of, if it has others of its unit."""
    name = next((one for one in reversed([*_NAME.finditer(text, 0, value.start)])), None)
    if name is None or not phrases().link.fullmatch(text, name.end(), value.start):
        return ""
    said = name[1] or name[2]
    whole = re.compile(rf"(?<![\w/.-]){re.escape(said)}(?![\w/.-])", re.IGNORECASE)
    mine = [record for record in known.lines if whole.search(record.text) and record.values]
    if len(mine) != 1 or any(value.written == one.written for one in mine[0].values):
        return ""
    (only, *more), of_default = mine[0].values, bool(_DEFAULT.search(mine[0].text))
    if of_default != bool(_DEFAULT.search(text)):
        return "" if not of_default else _differing(value, mine)
    if of_default and not more and not only.kind:
        return mine[0].line  # "[default: 30]" has no unit
    return _differing(value, mine)


# --------------------------------------------------------------------------- lines


def _of_words(text: str, value: StatedValue, known: Sequence[Record]) -> str:
    """Return the record that shares most words with a clause, if it has others of the unit."""
    if not value.kind or value.kind in (*WRITTEN, *MONEY):
        return ""
    start = max(text.rfind(mark, 0, value.start) for mark in (",", ";", "(", ":")) + 1
    ends = (place for mark in (",", ";", ")", ":") if (place := text.find(mark, value.end)) >= 0)
    clause = words(text[start : min(ends, default=len(text))])
    mine = [record for record in known if any(one.kind == value.kind for one in record.values)]
    shared = [len((words(record.text) - {value.kind}) & (clause - {value.kind})) for record in mine]
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
    slip = one_slip if long else swapped_digits
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


# --------------------------------------------------------------------------- versions


def _of_versions(text: str, question: str, known: Records) -> Iterator[Finding]:
    """Yield the version of what the question asks for, where the context has another one."""
    asked = question.lower()
    for found in VERSIONED.finditer(text):
        name, version = found[1].lower(), found[2]
        if name not in asked or version in known.context or version in question:
            continue
        there = {one[0] for one in known.versions if one[1].lower() == name}
        if len(there) == 1 and is_plain(text, *found.span()):
            yield *found.span(), found[0], f"\u201c{there.pop().strip()}\u201d"


# --------------------------------------------------------------------------- directions


def _turned(text: str, known: Records) -> Iterator[Finding]:
    """Yield the changes that a sentence tells the wrong way round."""
    for pattern in phrases().changes:
        for told in pattern.finditer(text):
            before, after = told[1], told[2]
            if phrases().undone.search(text, 0, told.start()):
                continue
            if (after, before) in known.changes and (before, after) not in known.changes:
                yield *told.span(), told[0], f"\u201cfrom {after} to {before}\u201d"
