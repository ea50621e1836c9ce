"""How a record becomes a row and comes back.

Rules of this module: a time is an integer, microseconds since 1970 UTC, so that it compares and
returns exactly; what is asked for in a query has a column, what is only handed back is JSON; a
field that a row does not know yet takes the record's default, so that fields can be added.
"""

import json
import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from datetime import UTC, datetime, timedelta
from types import NoneType
from typing import Any, cast, get_args

from reflection_mcp.store.records import (
    Attempt,
    Check,
    Key,
    Kind,
    Link,
    Lookup,
    Pattern,
    Reflection,
    Scope,
    Score,
    Wording,
)
from reflection_mcp.store.sqlite.errors import decoded

Row = tuple[Any, ...]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def micros(time: datetime) -> int:
    """Microseconds since 1970 UTC."""
    return (time - _EPOCH) // _MICROSECOND


@decoded
def moment(stamp: int) -> datetime:
    """The aware UTC time of `micros`."""
    return _EPOCH + stamp * _MICROSECOND


def text_of(value: object) -> str:
    """Compact JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


# --------------------------------------------------------------------- reflections

REFLECTION = (
    "tenant", "project", "id", "kind", "signature", "lesson", "trigger", "evidence", "example",
    "question", "tags", "error_type", "category", "pattern", "iteration", "quality_delta",
    "outcome", "importance", "confidence", "source", "suspicious", "retired", "first_seen",
    "last_seen", "occurrences", "sources", "shown", "helped", "failed", "recurred", "strategy",
    "situations",
)  # fmt: skip
"""The columns of a reflection in the order that `reflection_from` expects."""

_TEXT, _TEXT_OR_NONE = (str,), (str, NoneType)
_NUMBER, _NUMBER_OR_NONE = (int, float), (int, float, NoneType)
_KINDS = frozenset(get_args(Kind))
_NUMBERS = frozenset((
    "iteration", "importance", "confidence", "suspicious", "retired", "first_seen", "last_seen",
    "occurrences", "sources", "shown", "helped", "failed", "recurred",
))  # fmt: skip
_REFLECTION_TYPES = tuple(
    _NUMBER if name in _NUMBERS
    else _NUMBER_OR_NONE if name == "quality_delta"
    else _TEXT_OR_NONE if name in ("error_type", "pattern", "outcome")
    else _TEXT
    for name in REFLECTION
)  # fmt: skip
WIDTH = len(REFLECTION)


def _typed(row: Sequence[Any], types: Sequence[tuple[type, ...]]) -> None:
    """Raise TypeError for a value that a STRICT table could not have taken."""
    if not all(map(isinstance, row, types)):
        raise TypeError("a value of another type than its column")


COLUMNS = ", ".join(f'"{name}"' for name in REFLECTION)

SELECT_REFLECTION = ", ".join(f'r."{name}"' for name in REFLECTION)


STORED = f"{SELECT_REFLECTION}, r.rid, r.author, r.repeated, r.keys, r.features"
"""What recording needs of a row: `REFLECTION`, then what is kept beside it."""

LAST_SEEN, OCCURRENCES, SOURCES, LESSON, STRATEGY = map(
    REFLECTION.index, ("last_seen", "occurrences", "sources", "lesson", "strategy")
)
AUTHOR, REPEATED = WIDTH + 1, WIDTH + 2
"""Where these columns stand in a row of `STORED`; the row number stands at `WIDTH`."""


@decoded
def reflection_from(
    row: Sequence[Any], links: tuple[Link, ...] = (), wordings: tuple[Wording, ...] = ()
) -> Reflection:
    """The reflection of a row that starts with `REFLECTION`."""
    _typed(row, _REFLECTION_TYPES)
    if row[3] not in _KINDS:
        raise ValueError("no kind of reflection")
    return Reflection(
        scope=Scope(tenant=row[0], project=row[1]),
        id=row[2],
        kind=row[3],
        signature=row[4],
        lesson=row[5],
        trigger=row[6],
        evidence=row[7],
        example=row[8],
        question=row[9],
        tags=_strings(row[10]),
        error_type=row[11],
        category=row[12],
        pattern=None if row[13] is None else _pattern(row[13]),
        iteration=row[14],
        quality_delta=row[15],
        outcome=row[16],
        importance=row[17],
        confidence=row[18],
        source=row[19],
        suspicious=row[20] == 1,
        retired=row[21] == 1,
        first_seen=moment(row[22]),
        last_seen=moment(row[23]),
        occurrences=row[24],
        sources=row[25],
        shown=row[26],
        helped=row[27],
        failed=row[28],
        recurred=row[29],
        strategy=row[30],
        situations=_strings(row[31]),
        links=links,
        wordings=wordings,
    )


def reflection_row(reflection: Reflection) -> Row:
    """The values of `REFLECTION`."""
    r = reflection
    pattern = None if r.pattern is None else text_of(asdict(r.pattern))
    return (
        r.scope.tenant, r.scope.project, r.id, r.kind, r.signature, r.lesson, r.trigger,
        r.evidence, r.example, r.question, text_of(r.tags), r.error_type, r.category, pattern,
        r.iteration, r.quality_delta, r.outcome, r.importance, r.confidence, r.source,
        int(r.suspicious), int(r.retired), micros(r.first_seen), micros(r.last_seen),
        r.occurrences, r.sources, r.shown, r.helped, r.failed, r.recurred, r.strategy,
        text_of(r.situations),
    )  # fmt: skip


@decoded
def wording_from(row: Row, repeated: int) -> Wording:
    """The wording of a row of source, lesson, strategy, at, times, suspicious."""
    _typed(row, (_TEXT, _TEXT, _TEXT, _NUMBER, _NUMBER, _NUMBER))
    return Wording(
        source=row[0],
        lesson=row[1],
        strategy=row[2],
        at=moment(row[3]),
        times=row[4] + repeated,
        suspicious=row[5] == 1,
    )


def _strings(text: str) -> tuple[str, ...]:
    if text == "[]":
        return ()
    strings = json.loads(text)
    if not isinstance(strings, list) or not all(isinstance(each, str) for each in strings):
        raise TypeError("no list of texts")
    return tuple(strings)


_decode = json.JSONDecoder().raw_decode
"""Half of the time of `json.loads` goes into looking for blanks, and we write none."""


def _pattern(text: str) -> Pattern:
    """Field by field: each candidate of a look-up has one, and a later program may write more."""
    body, _ = _decode(text)
    return Pattern(
        version=body["version"],
        lines=tuple(body.get("lines", ())),
        location=body.get("location"),
        error_type=body.get("error_type"),
    )


def _known(kind: type, body: Mapping[str, Any], **changed: Any) -> dict[str, Any]:
    """The fields of `body` that the record has: a later program may have written more."""
    names = {field.name for field in fields(kind)}
    return {name: value for name, value in body.items() if name in names} | changed


# --------------------------------------------------------------------- keys and features


def keys_text(keys: Iterable[Key]) -> str:
    """Keys as they stand in the row that they lead to."""
    return text_of([[key.kind, key.digest] for key in keys])


@decoded
def keys_from(text: str) -> list[Key]:
    """The reverse of `keys_text`."""
    return [Key(kind=kind, digest=digest) for kind, digest in json.loads(text)]


_SIGN = 1 << 63
_WRAP = 1 << 64


def signed(feature: int) -> int:
    """Any integer as the 64-bit signed one that a column can hold."""
    return (feature + _SIGN) % _WRAP - _SIGN


def features_blob(features: Iterable[int]) -> bytes:
    """64-bit numbers, little-endian on every machine."""
    numbers = tuple(features)
    try:
        return struct.pack(f"<{len(numbers)}q", *numbers)
    except struct.error:
        return struct.pack(f"<{len(numbers)}q", *map(signed, numbers))


@decoded
def features_from(blob: bytes) -> list[int]:
    """The reverse of `features_blob`."""
    return list(struct.unpack(f"<{len(blob) // 8}q", blob))


# --------------------------------------------------------------------- attempts

ATTEMPT = "a.id, a.conversation_id, a.at, a.judged_quality, a.quality, a.feedback, a.body"
_ATTEMPT_COLUMNS = frozenset(
    {"id", "conversation_id", "at", "judged_quality", "quality", "feedback"}
)


_ATTEMPT_TYPES = (
    _TEXT, _TEXT, _NUMBER, _NUMBER_OR_NONE, _NUMBER_OR_NONE, _TEXT_OR_NONE, _TEXT,
)  # fmt: skip


def attempt_row(attempt: Attempt) -> Row:
    """The values of `ATTEMPT`."""
    whole = asdict(attempt)
    body = {name: value for name, value in whole.items() if name not in _ATTEMPT_COLUMNS}
    return (
        attempt.id, attempt.conversation_id, micros(attempt.at), attempt.judged_quality,
        attempt.quality, attempt.feedback, text_of(body),
    )  # fmt: skip


@decoded
def attempt_from(row: Row) -> Attempt:
    """The attempt of a row that starts with `ATTEMPT`."""
    _typed(row, _ATTEMPT_TYPES)
    body = cast("dict[str, Any]", json.loads(row[6]))
    for name in ("confidence", "relevance", "completeness"):
        body[name] = Score(**_known(Score, body[name]))
    body["checks"] = tuple(Check(**_known(Check, check)) for check in body["checks"])
    for name in ("issues", "improvements", "tags"):
        body[name] = tuple(body[name])
    return Attempt(
        **_known(
            Attempt,
            body,
            id=row[0],
            conversation_id=row[1],
            at=moment(row[2]),
            judged_quality=row[3],
            quality=row[4],
            feedback=row[5],
        )
    )


# --------------------------------------------------------------------- look-ups

_LOOKUP = (
    "id", "conversation_id", "at", "signature", "verdict", "source", "summary", "error_type",
    "matched_id", "shown", "neighbour_id", "asked_id",
)  # fmt: skip
_LOOKUP_TYPES = tuple(
    _NUMBER if name == "at"
    else _TEXT_OR_NONE if name in ("error_type", "matched_id", "neighbour_id", "asked_id")
    else _TEXT
    for name in _LOOKUP
)  # fmt: skip
LOOKUP = ", ".join(f"l.{name}" for name in _LOOKUP)


def lookup_row(lookup: Lookup) -> Row:
    """The values of `LOOKUP`."""
    return (
        lookup.id, lookup.conversation_id, micros(lookup.at), lookup.signature, lookup.verdict,
        lookup.source, lookup.summary, lookup.error_type, lookup.matched_id,
        text_of(lookup.shown), lookup.neighbour_id, lookup.asked_id,
    )  # fmt: skip


@decoded
def lookup_from(row: Row) -> Lookup:
    """The look-up of a row that starts with `LOOKUP`."""
    _typed(row, _LOOKUP_TYPES)
    known: dict[str, Any] = dict(zip(_LOOKUP, row, strict=False))
    known |= {"at": moment(known["at"]), "shown": _strings(known["shown"])}
    return Lookup(**known)
