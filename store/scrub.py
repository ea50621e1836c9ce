"""No text that a database, a JSON encoder or a protocol refuses ever enters a store.

Rule of this module: NUL is dropped (SQL's `length` and full-text search stop there, PostgreSQL
refuses it) and a lone surrogate becomes `?` (SQLite cannot bind it, and mcp 2.3.0 exits over a
result that carries one). Callers scrub too; this is the last defence, the same for every backend.
"""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any, TypeVar, cast

_T = TypeVar("_T")


def scrub(text: str) -> str:
    """The text without NUL, lone surrogates replaced."""
    if "\0" in text:
        text = text.replace("\0", "")
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


@cache
def _names(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def scrubbed(value: _T) -> _T:
    """The same value, a record or any nesting of records, tuples and mappings, with clean texts."""
    return cast(_T, _scrubbed(value))


def _scrubbed(value: Any) -> Any:
    if isinstance(value, str):
        return scrub(value)
    if isinstance(value, tuple):
        return tuple(_scrubbed(item) for item in cast("tuple[object, ...]", value))
    if isinstance(value, Mapping):
        pairs = cast("Mapping[object, object]", value).items()
        return {_scrubbed(key): _scrubbed(item) for key, item in pairs}
    if is_dataclass(value) and not isinstance(value, type):
        changed = {
            name: clean
            for name in _names(type(value))
            if (clean := _scrubbed(before := getattr(value, name))) != before
        }
        return replace(value, **changed) if changed else value
    return value
