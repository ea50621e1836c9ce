"""The mapping between records and rows.

Rules of this module: a time is an integer, microseconds since 1970 UTC, so that it compares and
returns exactly; a field that queries filter by has a column, every other one is JSON; a field that
a row does not have yet takes the record's default, so that fields can be added.
"""

import json
import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple, cast, get_args

from reflection_mcp.store.records import (
    Attempt,
    Check,
    Key,
    Kind,
    Lesson,
    Link,
    Lookup,
    Outcome,
    Pattern,
    Reflection,
    Scope,
    Score,
    Wording,
)
from reflection_mcp.store.sqlite.errors import decoded

Values = tuple[Any, ...]
"""A row as SQLite hands it out."""

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

_KINDS = frozenset(get_args(Kind))
_NUMBER_TYPES = (int, float)


def _types(row: type) -> tuple[tuple[type, ...], ...]:
    """The types that a value of each column may have, from the annotations of a row."""
    of_each = ({*get_args(hint)} or {hint} for hint in row.__annotations__.values())
    return tuple((*of, *_NUMBER_TYPES) if of & {*_NUMBER_TYPES} else (*of,) for of in of_each)


def _typed(row: Sequence[Any], types: Sequence[tuple[type, ...]]) -> None:
    """Raise TypeError for a value that a STRICT table could not have taken."""
    if not all(map(isinstance, row, types)):
        raise TypeError("a value of another type than its column")


class ReflectionRow(NamedTuple):
    """The columns of a reflection that are the same in every query, in this order."""

    tenant: str
    project: str
    id: str
    kind: str
    signature: str
    lesson: str
    trigger: str
    evidence: str
    example: str
    question: str
    tags: str
    error_type: str | None
    category: str
    pattern: str | None
    iteration: int
    quality_delta: float | None
    outcome: str | None
    importance: float
    confidence: float
    source: str
    suspicious: int
    retired: int
    first_seen: int
    last_seen: int
    occurrences: int
    sources: int
    shown: int
    helped: int
    failed: int
    recurred: int
    strategy: str
    situations: str


_WIDTH = len(ReflectionRow._fields)
_REFLECTION_TYPES = _types(ReflectionRow)
COLUMNS = ", ".join(f'"{name}"' for name in ReflectionRow._fields)
MARKS = ", ".join("?" * _WIDTH)
SELECT_REFLECTION = ", ".join(f'r."{name}"' for name in ReflectionRow._fields)


class StoredRow(NamedTuple):
    """A row with what is kept beside the reflection: what recording needs of it."""

    reflection: ReflectionRow
    rid: int
    author: str
    repeated: int
    keys: str
    features: bytes

    @property
    def shown(self) -> tuple[str, str, str]:
        """The wording that the row shows: author, lesson, strategy."""
        return (self.author, self.reflection.lesson, self.reflection.strategy)


STORED = f"{SELECT_REFLECTION}, r.rid, r.author, r.repeated, r.keys, r.features"
"""The columns that are selected for `stored_row`."""


def stored_row(values: Sequence[Any]) -> StoredRow:
    """The values of `STORED` by their names."""
    return StoredRow(ReflectionRow._make(values[:_WIDTH]), *values[_WIDTH:])


@decoded
def reflection_from(
    values: Sequence[Any], links: tuple[Link, ...] = (), wordings: tuple[Wording, ...] = ()
) -> Reflection:
    """The reflection of a row that starts with the columns of `ReflectionRow`."""
    _typed(values, _REFLECTION_TYPES)
    row = ReflectionRow._make(values[:_WIDTH])
    if row.kind not in _KINDS:
        raise ValueError("no kind of reflection")
    return Reflection(
        scope=Scope(tenant=row.tenant, project=row.project),
        id=row.id,
        kind=cast("Kind", row.kind),
        signature=row.signature,
        lesson=row.lesson,
        trigger=row.trigger,
        evidence=row.evidence,
        example=row.example,
        question=row.question,
        tags=_strings(row.tags),
        error_type=row.error_type,
        category=row.category,
        pattern=None if row.pattern is None else _pattern(row.pattern),
        iteration=row.iteration,
        quality_delta=row.quality_delta,
        outcome=cast("Outcome | None", row.outcome),
        importance=row.importance,
        confidence=row.confidence,
        source=row.source,
        suspicious=row.suspicious == 1,
        retired=row.retired == 1,
        first_seen=moment(row.first_seen),
        last_seen=moment(row.last_seen),
        occurrences=row.occurrences,
        sources=row.sources,
        shown=row.shown,
        helped=row.helped,
        failed=row.failed,
        recurred=row.recurred,
        strategy=row.strategy,
        situations=_strings(row.situations),
        links=links,
        wordings=wordings,
    )


def reflection_row(reflection: Reflection) -> ReflectionRow:
    """The columns of a reflection: its fields, as SQLite can hold them."""
    return ReflectionRow(
        tenant=reflection.scope.tenant,
        project=reflection.scope.project,
        tags=text_of(reflection.tags),
        pattern=None if reflection.pattern is None else text_of(asdict(reflection.pattern)),
        suspicious=int(reflection.suspicious),
        retired=int(reflection.retired),
        first_seen=micros(reflection.first_seen),
        last_seen=micros(reflection.last_seen),
        situations=text_of(reflection.situations),
        **{name: getattr(reflection, name) for name in _AS_IT_IS},
    )


_AS_IT_IS = tuple(
    name
    for name in ReflectionRow._fields
    if name
    not in (
        "tenant", "project", "tags", "pattern", "suspicious", "retired", "first_seen", "last_seen",
        "situations",
    )
)  # fmt: skip
"""The columns that hold the field of the same name unchanged."""


class WordingRow(NamedTuple):
    """The columns of a wording."""

    source: str
    lesson: str
    strategy: str
    at: int
    times: int
    suspicious: int
    situations: str
    outcome: str | None
    helped: int
    failed: int

    @property
    def key(self) -> tuple[str, str, str]:
        """The source and its words, to be compared with what a row shows."""
        return (self.source, self.lesson, self.strategy)


_WORDING_TYPES = _types(WordingRow)
WORDING = ", ".join(WordingRow._fields)
WORDING_MARKS = ", ".join("?" * len(WordingRow._fields))


def wording_row(said: Wording) -> WordingRow:
    """The columns of a wording."""
    return WordingRow(
        source=said.source,
        lesson=said.lesson.text,
        strategy=said.lesson.strategy,
        at=micros(said.at),
        times=said.times,
        suspicious=int(said.suspicious),
        situations=text_of(said.lesson.situations),
        outcome=said.lesson.outcome,
        helped=said.helped,
        failed=said.failed,
    )


@decoded
def wording_from(row: WordingRow, of: StoredRow) -> Wording:
    """The wording of a row of `wording`; what was counted since it is shown stands in the row that
    shows it."""
    _typed(row, _WORDING_TYPES)
    lesson = Lesson(
        text=row.lesson,
        strategy=row.strategy,
        situations=_strings(row.situations),
        outcome=cast("Outcome | None", row.outcome),
    )
    return Wording(
        lesson=lesson,
        source=row.source,
        at=moment(row.at),
        times=row.times + (of.repeated if row.key == of.shown else 0),
        suspicious=row.suspicious == 1,
        helped=row.helped + (of.reflection.helped if row.key[1:] == of.shown[1:] else 0),
        failed=row.failed + (of.reflection.failed if row.key[1:] == of.shown[1:] else 0),
    )


def _strings(text: str) -> tuple[str, ...]:
    if text == "[]":
        return ()
    strings = json.loads(text)
    if not isinstance(strings, list):
        raise TypeError("no list of texts")
    texts = cast("list[object]", strings)
    if not all(isinstance(each, str) for each in texts):
        raise TypeError("no list of texts")
    return tuple(map(str, texts))


_decode = json.JSONDecoder().raw_decode
"""Decode JSON. Half of the time of `json.loads` goes into looking for spaces, and we write none."""


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


class AttemptRow(NamedTuple):
    """The columns of an attempt: what is asked for; `body` is the JSON of all the rest."""

    id: str
    conversation_id: str
    at: int
    judged_quality: float | None
    quality: float | None
    feedback: str | None
    body: str


_ATTEMPT_TYPES = _types(AttemptRow)
ATTEMPT = ", ".join(f"a.{name}" for name in AttemptRow._fields)


def attempt_row(attempt: Attempt) -> AttemptRow:
    """The columns of an attempt."""
    body = asdict(attempt)
    columns: dict[str, Any] = {n: body.pop(n) for n in AttemptRow._fields if n != "body"}
    columns |= {"at": micros(attempt.at), "body": text_of(body)}
    return AttemptRow(**columns)


@decoded
def attempt_from(values: Sequence[Any]) -> Attempt:
    """The attempt of the values of `ATTEMPT`."""
    _typed(values, _ATTEMPT_TYPES)
    row = AttemptRow._make(values)
    body = cast("dict[str, Any]", json.loads(row.body))
    for name in ("confidence", "relevance", "completeness"):
        body[name] = Score(**_known(Score, body[name]))
    body["checks"] = tuple(Check(**_known(Check, check)) for check in body["checks"])
    for name in ("issues", "improvements", "tags"):
        body[name] = tuple(body[name])
    columns: dict[str, Any] = row._asdict()
    columns |= {"at": moment(row.at)}
    del columns["body"]
    return Attempt(**_known(Attempt, body, **columns))


# --------------------------------------------------------------------- look-ups


class LookupRow(NamedTuple):
    """The columns of a look-up."""

    id: str
    conversation_id: str
    at: int
    signature: str
    verdict: str
    source: str
    summary: str
    error_type: str | None
    matched_id: str | None
    shown: str
    neighbour_id: str | None
    asked_id: str | None
    versions: str


_LOOKUP_TYPES = _types(LookupRow)
LOOKUP = ", ".join(f"l.{name}" for name in LookupRow._fields)


def lookup_row(lookup: Lookup) -> LookupRow:
    """The columns of a look-up."""
    columns: dict[str, Any] = {name: getattr(lookup, name) for name in LookupRow._fields}
    columns |= {"at": micros(lookup.at), "shown": text_of(lookup.shown)}
    columns |= {"versions": text_of(lookup.versions)}
    return LookupRow(**columns)


@decoded
def lookup_from(values: Sequence[Any]) -> Lookup:
    """The look-up of the values of `LOOKUP`."""
    _typed(values, _LOOKUP_TYPES)
    row = LookupRow._make(values)
    columns: dict[str, Any] = row._asdict()
    columns |= {"at": moment(row.at), "shown": _strings(row.shown)}
    columns |= {"versions": _strings(row.versions)}
    return Lookup(**columns)
