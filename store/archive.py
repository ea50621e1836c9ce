"""Lessons as files that people keep, review in git, edit and bring back.

Rules of this module: pure, text in and out. Two forms: JSON Lines, here, holds everything; Markdown
(`archive_markdown`) holds what a person reads and may change. Both are in the order of the ids, so
that a file changes only where a lesson did. Fields at their default are left out; fields that are
not known are skipped, so that files of later versions can be read; what cannot be read is refused
with its line number. Nothing from a file is trusted; it is cleaned by
`reflection_mcp.tools.learning.file_import`.
"""

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, asdict, fields
from datetime import UTC, datetime
from typing import Any, TypeVar, cast, get_args

from reflection_mcp.store.interactions import Lookup
from reflection_mcp.store.maintenance import StoredReflection
from reflection_mcp.store.records import (
    Attempt,
    Key,
    Kind,
    Lesson,
    Link,
    LinkKind,
    Outcome,
    Pattern,
    Reflection,
    Scope,
    Wording,
)

FORMAT = "reflection-mcp/1"
MOST = 2**31  # a counter that every database can hold
LONGEST_LINE = 2_000_000  # characters; the largest row that can be stored is a tenth of it
_Word = TypeVar("_Word", bound=str)


class UnreadableLine(ValueError):
    """A line of a file is not what an archive holds; `line` is its number, from 1."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


# --------------------------------------------------------------------- JSON Lines

_NOT_WRITTEN = frozenset({"scope", "links", "wordings", "pattern"})
_DEFAULTS: Mapping[str, Any] = {
    each.name: each.default for each in fields(Reflection) if each.default is not MISSING
}
_NAMES = tuple(each.name for each in fields(Reflection) if each.name not in _NOT_WRITTEN)


def header(scope: Scope) -> str:
    """The first line of a file of JSON Lines."""
    return _compact({"format": FORMAT, "project": scope.project})


def line_of(row: StoredReflection) -> str:
    """One row as a line of JSON."""
    reflection = row.reflection
    body: dict[str, Any] = {
        name: plain(value)
        for name in _NAMES
        if (value := getattr(reflection, name)) != _DEFAULTS.get(name, MISSING)
    }
    if reflection.pattern is not None:
        body["pattern"] = asdict(reflection.pattern)
    lists = {
        "links": [[link.kind, link.target_id] for link in reflection.links],
        "wordings": [wording_body(said) for said in reflection.wordings],
        "keys": [[key.kind, key.digest] for key in row.keys],
        "features": list(row.features),
    }
    body |= {name: value for name, value in lists.items() if value}
    if row.author and row.author != reflection.source:
        body["author"] = row.author
    return _compact(body)


def _compact(body: Mapping[str, Any]) -> str:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))


def plain(value: Any) -> Any:
    """A value as JSON has it: times in UTC with a Z, tuples as lists."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
    return [*cast("Iterable[Any]", value)] if isinstance(value, tuple) else value


def body_of(record: Reflection | Attempt | Lookup) -> dict[str, Any]:
    """All fields of a record by name; the lesson of a wording lies beside its source."""
    body = asdict(record)
    for wording in body.get("wordings", ()):
        lesson = wording.pop("lesson")
        wording |= {"lesson": lesson.pop("text"), **lesson}
    return body


def wording_body(said: Wording) -> dict[str, Any]:
    """A wording as JSON has it."""
    lesson = said.lesson
    body = {"source": said.source, "lesson": lesson.text, "at": plain(said.at)}
    more = {
        "strategy": lesson.strategy,
        "situations": plain(lesson.situations),
        "outcome": lesson.outcome,
        "suspicious": said.suspicious,
        "helped": said.helped,
        "failed": said.failed,
    }
    body |= {name: value for name, value in more.items() if value}
    return body if said.times == 1 else body | {"times": said.times}


def rows_of_lines(lines: Iterable[str]) -> Iterator[StoredReflection]:
    """The rows of a file of JSON Lines, with its header or without.

    Raises:
        UnreadableLine: a line is no JSON object, or has a value that its field cannot have.
    """
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        if len(line) > LONGEST_LINE:
            raise UnreadableLine(number, "it is too long")
        try:
            body = json.loads(line)
        except (ValueError, RecursionError) as wrong:
            raise UnreadableLine(number, "it is not JSON") from wrong
        if not isinstance(body, dict):
            raise UnreadableLine(number, "it is not a JSON object")
        if "format" in body and "id" not in body:
            if body["format"] != FORMAT:
                raise UnreadableLine(number, f"its format is not {FORMAT}")
            continue
        try:
            yield _row(cast("dict[str, Any]", body))
        except (KeyError, TypeError, ValueError, OverflowError) as wrong:
            raise UnreadableLine(number, "a field is missing or has a wrong value") from wrong


def _row(body: Mapping[str, Any]) -> StoredReflection:
    given: dict[str, Any] = {
        name: _read(name, body[name]) for name in _NAMES if body.get(name) is not None
    }
    given.setdefault("last_seen", given["first_seen"])
    given["links"] = tuple(link(kind, target) for kind, target in body.get("links", ()))
    given["wordings"] = tuple(wording(said) for said in body.get("wordings", ()))
    if body.get("pattern") is not None:
        given["pattern"] = _pattern(body["pattern"])
    reflection = Reflection(scope=Scope(), **given)
    return StoredReflection(
        reflection=reflection,
        keys=tuple(Key(kind=_str(k), digest=_str(d)) for k, d in body.get("keys", ())),
        features=tuple(_int(feature) for feature in body.get("features", ())),
        author=_str(body.get("author", reflection.source)),
    )


def _read(name: str, value: Any) -> Any:
    if name in ("first_seen", "last_seen"):
        return moment(value)
    if name in ("tags", "situations"):
        return tuple(_str(tag) for tag in value)
    if name == "kind":
        return one_of(get_args(Kind), value)
    if name == "outcome":
        return one_of(get_args(Outcome), value)
    expected = _DEFAULTS.get(name)
    if isinstance(expected, bool):
        return _exactly(bool, value)
    if isinstance(expected, int):
        return min(MOST, max(int(name == "occurrences"), _int(value)))
    if isinstance(expected, float):
        return min(1.0, max(0.0, finite(value)))
    return finite(value) if name == "quality_delta" else _str(value)


def _exactly(kind: type, value: Any) -> Any:
    if type(value) is not kind:
        raise TypeError(f"not {kind.__name__}")
    return value


def _str(value: Any) -> str:
    return str(_exactly(str, value))


def _int(value: Any) -> int:
    return int(_exactly(int, value))


def finite(value: Any) -> float:
    """A number that is one.

    Raises:
        TypeError, ValueError: it is none, or has no end.
    """
    read = float(value if type(value) is int else _exactly(float, value))
    if not math.isfinite(read):
        raise ValueError("not finite")
    return read


def one_of(allowed: tuple[_Word, ...], value: Any) -> _Word:
    """The value, if it is one of these words.

    Raises:
        ValueError: it is another one.
    """
    for word in allowed:
        if word == value:
            return word
    raise ValueError("not one of the known words")


def moment(value: Any) -> datetime:
    """A time as ISO 8601; without a zone it is UTC.

    Raises:
        TypeError, ValueError: it is none.
    """
    read = datetime.fromisoformat(_str(value))
    return (read if read.tzinfo else read.replace(tzinfo=UTC)).astimezone(UTC)


def link(kind: Any, target: Any) -> Link:
    """The link to a row.

    Raises:
        TypeError, ValueError: it is none.
    """
    return Link(kind=one_of(get_args(LinkKind), kind), target_id=_str(target))


def wording(body: Mapping[str, Any]) -> Wording:
    """Return the wording that `wording_body` made JSON of.

    Raises:
        KeyError, TypeError, ValueError: it is none.
    """
    lesson = Lesson(
        text=_str(body["lesson"]),
        strategy=_str(body.get("strategy", "")),
        situations=_read("situations", body.get("situations", [])),
        outcome=_read("outcome", body["outcome"]) if body.get("outcome") else None,
    )
    return Wording(
        lesson=lesson,
        source=_str(body["source"]),
        at=moment(body["at"]),
        times=max(1, _int(body.get("times", 1))),
        suspicious=_exactly(bool, body.get("suspicious", False)),
        helped=_read("helped", body.get("helped", 0)),
        failed=_read("failed", body.get("failed", 0)),
    )


def _pattern(body: Mapping[str, Any]) -> Pattern:
    location, error_type = body.get("location"), body.get("error_type")
    return Pattern(
        version=_str(body["version"]),
        lines=tuple(_str(line) for line in body.get("lines", ())),
        location=None if location is None else _str(location),
        error_type=None if error_type is None else _str(error_type),
    )
