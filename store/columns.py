"""The forms in which values are stored in columns, the same in every database.

Rules of this module: a time is an integer, microseconds since 1970 UTC, so that it compares and
returns exactly; a field that queries filter by has a column, every other one is JSON; a field that
a row does not have yet takes the record's default, so that fields can be added; what cannot be read
as it was written is damage, never a guess.
"""

import json
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from functools import cache, wraps
from hashlib import blake2b
from typing import Any, ParamSpec, TypeVar, cast, get_args

from reflection_mcp.store.errors import StoreCorrupt
from reflection_mcp.store.records import Scope

P = ParamSpec("P")
T = TypeVar("T")


def damaged() -> StoreCorrupt:
    """The error of a store whose content cannot be what was once written."""
    return StoreCorrupt(
        "the store is damaged",
        "run `reflection-mcp doctor`, then restore a backup or move the file away",
    )


UNREADABLE = (
    ValueError, TypeError, LookupError, AttributeError, OverflowError, struct.error,
)  # fmt: skip
"""The exceptions of a decoder for a row that a database returns and we cannot have written."""


def decoded(decode: Callable[P, T]) -> Callable[P, T]:
    """Return the decoder with unreadable rows reported as a damaged store."""

    @wraps(decode)
    def named_decode(*row: P.args, **more: P.kwargs) -> T:
        try:
            return decode(*row, **more)
        except UNREADABLE as error:
            raise damaged() from error

    return named_decode


MOST = 2**31 - 1
"""No limit in practice, and a number that every database can bind."""


def bounded(limit: int) -> int:
    """A limit as SQL wants it: a negative one would mean none at all."""
    return min(max(limit, 0), MOST)


def salt(scope: Scope) -> int:
    """A number of 64 bits for a scope, which keeps equal features of two scopes apart."""
    name = f"{scope.tenant}\0{scope.project}".encode()
    return int.from_bytes(blake2b(name, digest_size=8).digest(), "little", signed=True)


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
    """Compact JSON; a record is the object of its fields."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=fields_of)


def fields_of(record: Any) -> dict[str, Any]:
    """The fields of a record in their order, by name, as they are."""
    return {name: getattr(record, name) for name in _names(record.__class__)}


_NUMBER_TYPES = (int, float)


def types_of(row: type) -> tuple[tuple[type, ...], ...]:
    """The types that a value of each column may have, from the annotations of a row."""
    of_each = ({*get_args(hint)} or {hint} for hint in row.__annotations__.values())
    return tuple((*of, *_NUMBER_TYPES) if of & {*_NUMBER_TYPES} else (*of,) for of in of_each)


def check_types(row: Sequence[Any], types: Sequence[tuple[type, ...]]) -> None:
    """Raise TypeError for a value that a STRICT table could not have taken."""
    if not all(map(isinstance, row, types)):
        raise TypeError("a value of another type than its column")


def strings_from(text: str) -> tuple[str, ...]:
    """The texts of a JSON list.

    Raises:
        TypeError: it is no list of texts.
    """
    if text == "[]":
        return ()
    strings = json.loads(text)
    if not isinstance(strings, list):
        raise TypeError("no list of texts")
    texts = cast("list[object]", strings)
    if not all(isinstance(each, str) for each in texts):
        raise TypeError("no list of texts")
    return tuple(map(str, texts))


def known_fields(kind: type, body: Mapping[str, Any], **changed: Any) -> dict[str, Any]:
    """The fields of `body` that the record has: a later program may have written more."""
    names = _names(kind)
    return {name: value for name, value in body.items() if name in names} | changed


@cache
def _names(kind: type[Any]) -> Mapping[str, None]:
    return dict.fromkeys(field.name for field in fields(kind))
