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
from pydantic_core import PydanticSerializationError, to_json

from reflection_mcp.store.scrub import scrub

_T = TypeVar("_T")


def encodable(value: _T) -> _T:
    """Return the same value with clean texts: a text, a mapping, a list, a model, a dataclass."""
    try:
        to_json(value)
    except PydanticSerializationError:
        return cast(_T, _scrubbed(value))
    return value


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
        names = type(value).model_fields
        return value.model_copy(update={name: _scrubbed(getattr(value, name)) for name in names})
    if is_dataclass(value) and not isinstance(value, type):
        changed = {each.name: _scrubbed(getattr(value, each.name)) for each in fields(value)}
        return replace(value, **changed)
    return value
