"""No lone surrogate crosses the wire, in either direction.

Half of a UTF-16 pair is a legal JSON escape and a legal Python character, but no UTF-8 text. A
result that carries one ends mcp 2.3.0 ("PydanticSerializationError", exit 1 at the next message),
and a request that carries one is never answered. Both become U+FFFD here; pairs that only met as
two halves are joined; nothing else is touched, and whatever is clean is returned as it came.

SDK fault (mcp 2.3.0): a lone surrogate in a result ends the process with
PydanticSerializationError, and one in a request is never answered. Can go when a release survives
both.
"""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar, cast

from pydantic import BaseModel
from pydantic_core import PydanticSerializationError

from reflection_mcp.store.scrub import scrub

_T = TypeVar("_T")


def carries_surrogate(value: object) -> bool:
    """Whether a text anywhere in this value (keys, items, fields) cannot be written as UTF-8."""
    if isinstance(value, str):
        return not value.isascii() and not _is_utf8(value)
    if isinstance(value, BaseModel):
        return not _is_writable(value)  # four times as fast as looking at each field
    return any(carries_surrogate(part) for part in _parts(value))


def _is_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_writable(model: BaseModel) -> bool:
    try:
        model.model_dump_json()
    except PydanticSerializationError:
        return False
    return True


def _parts(value: object) -> list[object]:
    if isinstance(value, Mapping):
        pairs = cast("Mapping[object, object]", value)
        return [*pairs.keys(), *pairs.values()]
    if isinstance(value, list | tuple):
        return list(cast("list[object]", value))
    return list(_fields(value).values())


def _fields(value: object) -> dict[str, object]:
    if isinstance(value, BaseModel):
        return {name: getattr(value, name) for name in type(value).model_fields}
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    return {}


def encodable(value: _T) -> _T:
    """The same value with clean texts: a text, a mapping, a list, a tuple, a model, a dataclass."""
    return cast(_T, _scrubbed(value)) if carries_surrogate(value) else value


def _scrubbed(value: Any) -> Any:
    if isinstance(value, str):
        return scrub(value)
    if isinstance(value, Mapping):
        pairs = cast("Mapping[object, object]", value)
        return {_scrubbed(key): _scrubbed(item) for key, item in pairs.items()}
    if isinstance(value, list):
        return [_scrubbed(item) for item in cast("list[object]", value)]
    if isinstance(value, tuple):
        return tuple(_scrubbed(item) for item in cast("tuple[object, ...]", value))
    if isinstance(value, BaseModel):
        return value.model_copy(update=_scrubbed(_fields(value)))
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **_scrubbed(_fields(value)))
    return value
