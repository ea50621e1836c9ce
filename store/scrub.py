"""No text that a database, a JSON encoder or a protocol refuses ever enters a store.

Rule of this module: NUL is dropped (SQL's `length` and full-text search stop there, PostgreSQL
refuses it) and a lone surrogate becomes `?` (SQLite cannot bind it, and mcp 2.3.0 exits over a
result that carries one). Callers scrub too; this is the last defence, the same for every backend.
"""

from collections.abc import Mapping
from dataclasses import fields, replace
from datetime import datetime
from typing import Any, TypeVar, cast

_T = TypeVar("_T")


def scrub(text: str) -> str:
    """The text without NUL, lone surrogates replaced."""
    if "\0" in text:
        text = text.replace("\0", "")
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


_NAMES: dict[type, tuple[str, ...]] = {}


def _names(kind: type[Any]) -> tuple[str, ...]:
    """The fields of a record, looked up once for each kind of it."""
    if kind not in _NAMES:
        _NAMES[kind] = tuple(field.name for field in fields(kind))
    return _NAMES[kind]


def scrubbed(value: _T) -> _T:
    """The same value, a record or any nesting of records, tuples and mappings, with clean texts."""
    return cast(_T, _scrubbed(value))


_PLAIN = frozenset((int, float, bool, type(None), datetime))


def _scrubbed(value: Any) -> Any:
    kind: type[Any] = value.__class__
    if kind in _PLAIN:
        return value
    if kind is str:
        return scrub(value)
    if kind is tuple:
        return tuple(map(_scrubbed, value)) if value else value
    if isinstance(value, Mapping):
        pairs = cast("Mapping[object, object]", value).items()
        return {_scrubbed(key): _scrubbed(item) for key, item in pairs}
    changed = {
        name: clean
        for name in _names(kind)
        if type(before := getattr(value, name)) not in _PLAIN
        and (clean := _scrubbed(before)) != before
    }
    return replace(value, **changed) if changed else value
