"""The mapping between reflections with their wordings, keys and features, and rows."""

import json
import struct
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, cast, get_args

from reflection_mcp.store.columns import (
    check_types,
    decoded,
    micros,
    moment,
    strings_from,
    text_of,
    types_of,
)
from reflection_mcp.store.maintenance import StoredReflection, tidy
from reflection_mcp.store.records import (
    Key,
    Kind,
    Lesson,
    Link,
    Outcome,
    Pattern,
    Reflection,
    Scope,
    Wording,
)

Values = tuple[Any, ...]
"""A row as SQLite hands it out."""

# --------------------------------------------------------------------- reflections

_KINDS = frozenset(get_args(Kind))


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
_REFLECTION_TYPES = types_of(ReflectionRow)
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
    check_types(values, _REFLECTION_TYPES)
    row = ReflectionRow._make(values[:_WIDTH])
    return _reflection(row, links, wordings) if links or wordings else _listed(row)


def _reflection(
    row: ReflectionRow, links: tuple[Link, ...] = (), wordings: tuple[Wording, ...] = ()
) -> Reflection:
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
        tags=strings_from(row.tags),
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
        situations=strings_from(row.situations),
        links=links,
        wordings=wordings,
    )


_listed = lru_cache(maxsize=64)(_reflection)
"""Of rows as lists have them. Four shortlists: errors that are alike have nearly the same one."""


def reflection_row(reflection: Reflection) -> ReflectionRow:
    """The columns of a reflection: its fields, as SQLite can hold them."""
    return ReflectionRow(
        tenant=reflection.scope.tenant,
        project=reflection.scope.project,
        tags=text_of(reflection.tags),
        pattern=None if reflection.pattern is None else text_of(reflection.pattern),
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


_WORDING_TYPES = types_of(WordingRow)
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
    check_types(row, _WORDING_TYPES)
    lesson = Lesson(
        text=row.lesson,
        strategy=row.strategy,
        situations=strings_from(row.situations),
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


class WholeRow(NamedTuple):
    """A row as it is stored, with all that hangs on it."""

    row: StoredRow
    links: Sequence[Link]
    said: Sequence[WordingRow]

    def record(self) -> Reflection:
        """The reflection that it is, with its links and wordings."""
        wordings = tuple(wording_from(each, self.row) for each in self.said)
        return reflection_from(self.row.reflection, links=tuple(self.links), wordings=wordings)

    def stored(self) -> StoredReflection:
        """The same as it is exported."""
        return tidy(
            StoredReflection(
                reflection=self.record(),
                keys=tuple(keys_from(self.row.keys)),
                features=tuple(features_from(self.row.features)),
                author=self.row.author,
            )
        )


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
