"""Check for another number, version, size or direction than the context gives a thing.

Rules of this module: a value is held against the records of the context that name the same thing: a
line, with the comment above it. It is wrong only where those records hold values of the same unit,
none of them is near, the whole context holds it nowhere, and the sentence is a plain statement;
advice, plans, examples and what is worked out from other values are left alone.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.case import Case, Piece
from reflection_mcp.tools.judging.finding import at
from reflection_mcp.tools.judging.texts.wording import STOP, stem

KIND = "grounding:contradiction"
WINDOW = 60_000
"""Characters of a context and of an answer that are read."""
RECORDS, SENTENCES = 800, 120
NEARLY = 0.03
"""Two values are the same within this share of the larger: a size may be rounded."""
DIGITS = 4
"""Digits from which a number that is one digit off another one was copied wrongly."""

_COMMENT = re.compile(r"\s*(?://|#|--\s|\*\s)")
_VALUE = re.compile(
    r"(?<![A-Za-z0-9_.,:/-])(?:[<>=~^]{1,2})?(?P<n>\d{1,3}(?:,\d{3}){1,4}|\d{1,12})(?P<d>\.\d{1,6})?(?![.,:/-]?\d)"
    r"\s?(?P<unit>%|[A-Za-z]{1,24})?"
)
_TYPED = re.compile(r"\b([A-Za-z]{3,12})\((\d{1,6})\)")
_NAME = re.compile(
    r"`([^`\s]{1,60})`|(?<![\w`])([A-Za-z]\w*[._-]\w[\w.-]{0,40}|[a-z]+[A-Z]\w{0,40})"
)
_NOT_PLAIN = re.compile(
    r"\b(?:should|could|would|must|can|may|might|if|when|once|until|unless|instead|set|raise|lower"
    r"|increase|reduce|change|use|make|try|put|give|run|recommend\w{0,3}|suggest\w{0,3}|than|e\.g"
    r"|example|say|typical\w{0,2}|usual\w{0,2}|normal\w{0,2}|often|elsewhere|another|not|no|never"
    r"|previous\w{0,2}|old|will|suppose|let|about|around|roughly|nearly|almost|over|under|up to|at"
    r" (?:most|least)|most|between|total|both|together|each|per|every|times as|expect\w{0,3}"
    r"|saves?|means?|so that|enough|well|even|wrong\w{0,2}|claims?)\b|[?~\u2248]|n['\u2019]t\b",
    re.IGNORECASE,
)
_UNITS: Mapping[str, tuple[str, float]] = {
    **dict.fromkeys(("ms", "msec", "milliseconds"), ("second", 0.001)),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds", "sekunden"), ("second", 1.0)),
    **dict.fromkeys(("m", "min", "mins", "minute", "minutes"), ("second", 60.0)),
    **dict.fromkeys(("h", "hour", "hours"), ("second", 3600.0)),
    **dict.fromkeys(("d", "day", "days"), ("second", 86400.0)),
    **dict.fromkeys(("kb", "k", "kib", "ko"), ("byte", 1e3)),
    **dict.fromkeys(("mb", "mib", "mo"), ("byte", 1e6)),
    **dict.fromkeys(("gb", "g", "gib", "go"), ("byte", 1e9)),
    **dict.fromkeys(("tb", "t", "tib"), ("byte", 1e12)),
    "%": ("%", 1.0),
}
"""The quantity of a unit, and how many of the smallest unit it is."""


class StatedValue(NamedTuple):
    """A number with what it counts or measures; `written` has no separators."""

    start: int
    end: int
    written: str
    kind: str
    amount: float

    def agrees(self, other: "StatedValue") -> bool:
        """Tell whether two values are near, as they would be if one was rounded."""
        return abs(self.amount - other.amount) <= NEARLY * max(self.amount, other.amount) + 1e-12


class Record(NamedTuple):
    """A line of the context, with the comment above it."""

    text: str
    words: frozenset[str]
    values: Sequence[StatedValue]


def check(case: Case) -> Iterator[Check]:
    """Yield the values of an answer with which its context disagrees, each sentence once."""
    context = case.context[:WINDOW]
    known = list(_records(context))
    changes = _changes(context)
    everywhere = [value for record in known for value in record.values]
    for sentence in case.sentences[:SENTENCES]:
        found = _turned(sentence, changes)
        if found is None:
            found = _against(sentence, known, everywhere)
        if found:
            start, end, stated, why = found
            yield at(case, start, end, KIND, "wrong", f"The context says {why}.", stated=stated)


_PART = re.compile(r"[,;(]| (?:and|but) ")
BEHIND = 24
"""Characters behind a value in which its part of a sentence may say that it is no plain claim."""
Finding = tuple[int, int, str, str]


# --------------------------------------------------------------------------- reading


def values(text: str) -> list[StatedValue]:
    """Return the numbers of a text that are no part of a date, a version or an address."""
    found: list[StatedValue] = []
    for match in _VALUE.finditer(text):
        written = match["n"].replace(",", "") + (match["d"] or "")
        unit = (match["unit"] or "").lower()
        kind, factor = _UNITS.get(unit, (stem(unit) if len(unit) > 3 else "", 1.0))
        found.append(
            StatedValue(match.start(), match.end(), written, kind, float(written) * factor)
        )
    for match in _TYPED.finditer(text):
        name, size = match[1].lower(), float(match[2])
        found.append(StatedValue(match.start(), match.end(), match[2], f"{name}()", size))
    return found


def _records(context: str) -> Iterator[Record]:
    above: list[str] = []
    for _, line in zip(range(RECORDS), context.splitlines(), strict=False):
        if _COMMENT.match(line):
            above.append(line)
            continue
        text = "\n".join([*above, line])
        above = []
        if line.strip():
            yield Record(text, _words(text), [*values(text), *_named(line)])


def _named(line: str) -> Iterator[StatedValue]:
    """Yield the number of "Workers Planned: 2" as a number of workers."""
    if found := _KEY.match(line):
        kind = stem(found[1].lower())
        yield StatedValue(*found.span(2), found[2], kind, float(found[2]))


_KEY = re.compile(
    r"[\s\"-]{0,40}([A-Za-z]{4,20})\"?(?: [A-Z][a-z]{2,12})?\s?[:=]\s?(\d{1,9})[,;]?\s*(?:#|$)"
)


_WORD = re.compile(r"[^\W\d_]{3,30}")


def _words(text: str) -> frozenset[str]:
    small = (word.lower() for word in _WORD.findall(text))
    return frozenset(stem(word) for word in small if word not in STOP)


# --------------------------------------------------------------------------- values


def _against(
    sentence: Piece, known: Sequence[Record], everywhere: Sequence[StatedValue]
) -> Finding | None:
    """Return the first value of a sentence with which the records of its subject disagree."""
    text = sentence.text
    for value in values(text):
        behind = _PART.split(text[value.end : value.end + BEHIND])[0]
        if _NOT_PLAIN.search(text[: value.end] + behind):
            continue
        against = _of_name(text, value, known)
        stands = any(
            value.written == other.written or (value.kind == other.kind and value.agrees(other))
            for other in everywhere
        )
        if not against and stands:
            continue
        against = (
            against
            or _of_words(sentence.text, value, known)
            or _miscopied(value, everywhere, known)
        )
        if against:
            start, end = sentence.start + value.start, sentence.start + value.end
            return start, end, value.written, f"\u201c{against}\u201d"
    return None


_IS = re.compile(
    r"`?(?: (?:value|setting|option))? ?(?:is|was|are|has|holds|defaults to|retries|to|of|=|:)"
    r"(?: set to| now)? `?$"
)


def _of_name(text: str, value: StatedValue, known: Sequence[Record]) -> str:
    """Return the record of the name that a value is said of, if it has others of its unit."""
    name = next((one for one in reversed([*_NAME.finditer(text, 0, value.start)])), None)
    if name is None or not _IS.fullmatch(text, name.end(), value.start):
        return ""
    said = name[1] or name[2]
    whole = re.compile(rf"(?<![\w/.-]){re.escape(said)}(?![\w/.-])", re.IGNORECASE)
    mine = [record for record in known if whole.search(record.text) and record.values]
    if len(mine) != 1 or any(value.written == one.written for one in mine[0].values):
        return ""
    return _differing(value, mine)


def _of_words(text: str, value: StatedValue, known: Sequence[Record]) -> str:
    """Return the record that shares most words with a clause, if it has others of the unit."""
    if not value.kind:
        return ""
    start = max(text.rfind(mark, 0, value.start) for mark in (",", ";", "(", ":")) + 1
    ends = (at for mark in (",", ";", ")", ":") if (at := text.find(mark, value.end)) >= 0)
    clause = _words(text[start : min(ends, default=len(text))])
    mine = [record for record in known if any(one.kind == value.kind for one in record.values)]
    shared = [len((record.words - {value.kind}) & (clause - {value.kind})) for record in mine]
    counted = value.kind in clause and not value.kind.endswith("()") and value.kind not in _MEASURED
    enough = max(shared, default=0) >= 2 or (counted and len(mine) >= 1)
    if not enough:
        return ""
    best = [one for one, count in zip(mine, shared, strict=True) if count == max(shared)]
    if counted and value.amount < max(one.amount for record in mine for one in record.values):
        return ""  # some of what is counted may be meant
    return _differing(value, best) if len(best) <= 2 else ""


_MEASURED = frozenset(kind for kind, _ in _UNITS.values())


def _differing(value: StatedValue, records: Sequence[Record]) -> str:
    """Return the first record whose values of the same unit all differ."""
    return next((_line(one) for one in records if _differs(value, one)), "")


def _differs(value: StatedValue, record: Record) -> bool:
    same = [one for one in record.values if one.kind == value.kind]
    near = any(value.agrees(one) for one in same)
    return bool(same) and not near and len({one.amount for one in same}) <= 3


def _line(record: Record) -> str:
    return record.text.splitlines()[-1].strip()[:120]


def _miscopied(
    value: StatedValue, everywhere: Sequence[StatedValue], known: Sequence[Record]
) -> str:
    """Return the record of a long number that is one digit, or two in a row, off a value."""
    digits = value.written.replace(".", "").rstrip("0")
    if len(digits) < DIGITS - bool(value.kind and "." in value.written):
        return ""
    near = {one.written for one in everywhere if _one_slip(value.written, one.written)}
    if len(near) != 1:
        return ""
    (meant,) = near
    return next(
        _line(record) for record in known if any(one.written == meant for one in record.values)
    )


def _one_slip(one: str, other: str) -> bool:
    if len(one) != len(other):
        return False
    places = [place for place in range(len(one)) if one[place] != other[place]]
    swapped = len(places) == 2 and sorted(one[places[0]] + one[places[1]]) == sorted(
        other[places[0]] + other[places[1]]
    )
    return swapped or (len(places) == 1 and places[0] < len(one) - 1)


# --------------------------------------------------------------------------- directions

_TERM = r"[`\"']?([\w%](?:[\w.%-]{0,39}[\w%])?)(?![\w%])[`\"']?"
_ARROW = re.compile(rf"{_TERM} ?(?:->|\u2192|=>) ?{_TERM}(?=[\s,;)]|$)")
_FROM_TO = re.compile(rf"\bfrom {_TERM} to {_TERM}(?=[\s,.;)]|$)", re.IGNORECASE)
_TAKEN_BY = re.compile(
    rf"^[\s*-]{{0,6}}{_TERM}:?[^\n]{{0,40}}\b(?:replaced by|taken by|renamed to|superseded by)"
    rf" {_TERM}(?=[\s,.;)]|$)",
    re.IGNORECASE | re.MULTILINE,
)
_DIFF = re.compile(
    r"^-[ \t]*([\w.-]{1,40})\s?[:=]\s?(\S{1,40})\n\+[ \t]*\1\s?[:=]\s?(\S{1,40})$", re.M
)
_REPLACE = re.compile(
    rf"\b(?:replace|rename|change) {_TERM} (?:with|by|to) {_TERM}(?=[\s,.;)]|$)", re.I
)


def _changes(context: str) -> frozenset[tuple[str, str]]:
    """Return what a context says to have become what."""
    found = {
        (one[1], one[2])
        for pattern in (_ARROW, _FROM_TO, _TAKEN_BY)
        for one in pattern.finditer(context)
    }
    return frozenset(found | {(one[2], one[3]) for one in _DIFF.finditer(context)})


def _turned(sentence: Piece, changes: frozenset[tuple[str, str]]) -> Finding | None:
    """Return a change that a sentence tells the wrong way round."""
    for pattern in (_FROM_TO, _REPLACE) if changes else ():
        for told in pattern.finditer(sentence.text):
            before, after = told[1], told[2]
            if (after, before) in changes and (before, after) not in changes:
                why = f"\u201cfrom {after} to {before}\u201d"
                return sentence.start + told.start(), sentence.start + told.end(), told[0], why
    return None
