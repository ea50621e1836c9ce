"""Removal of characters that a database, a JSON encoder or the protocol would refuse.

Rule of this module: NUL is dropped (SQL's `length` and full-text search stop there, PostgreSQL
refuses it) and a lone surrogate becomes U+FFFD (SQLite cannot bind it, and mcp 2.3.0 exits over a
result that carries one). Callers scrub too; this is the last defence, the same for every backend.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, replace
from datetime import date, datetime
from operator import attrgetter
from re import Match
from typing import Any, NamedTuple, TypeVar, cast

_T = TypeVar("_T")
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_HALVES = re.compile("[\ud800-\udfff]+")


def _joined(halves: Match[str]) -> str:
    """The pairs of a run of halves joined, and U+FFFD for each other half."""
    run = halves[0]
    if _PAIR.search(run) is None:
        return "\ufffd" * len(run)
    return run.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def scrub(text: str) -> str:
    """The text without NUL, U+FFFD for each lone surrogate; the two halves of a pair are joined."""
    if "\0" in text:
        text = text.replace("\0", "")
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return _HALVES.sub(_joined, text)
    return text


def scrubbed(value: _T) -> _T:
    """The same value with clean texts; a record, or any nesting of records, tuples, lists and
    mappings."""
    return value if _is_clean(value) else cast(_T, _scrubbed(value))


_PLAIN = frozenset((int, float, bool, type(None), date, datetime))
"""Types without text."""


def _is_clean(value: object) -> bool:
    """Return True if nothing has to be replaced, as nearly always: every write checks some hundred
    values, so they are checked in one loop."""
    left: list[Any] = [value]
    while left:
        each = left.pop()
        kind = each.__class__
        if kind is str:
            if "\0" in each or not (each.isascii() or scrub(each) == each):
                return False
        elif kind is tuple or kind is list:
            if not _PLAIN.issuperset(map(type, each)):  # such as hundreds of features
                left += each
        elif kind not in _PLAIN:
            left += _parts(each)
    return True


def _parts(value: Any) -> Iterable[object]:
    kind = value.__class__
    if kind not in _FIELDS and isinstance(value, Mapping):  # in this order: the second is expensive
        pairs = cast("Mapping[object, object]", value).items()
        return [part for pair in pairs for part in pair]
    return _fields(kind).read(value)


class _Fields(NamedTuple):
    """The fields of a kind of record, and what reads all of them at once."""

    names: tuple[str, ...]
    read: Callable[[Any], tuple[object, ...]]


_FIELDS: dict[type, _Fields] = {}


def _fields(kind: type[Any]) -> _Fields:
    if kind not in _FIELDS:
        names = tuple(field.name for field in fields(kind))
        assert len(names) > 1  # of a single one, `attrgetter` makes no tuple
        _FIELDS[kind] = _Fields(names, attrgetter(*names))
    return _FIELDS[kind]


def _scrubbed(value: Any) -> Any:
    kind = value.__class__
    if kind in _PLAIN:
        return value
    if kind is str:
        return scrub(value)
    if kind is tuple or kind is list:
        return tuple(map(_scrubbed, value))
    if isinstance(value, Mapping):
        pairs = cast("Mapping[object, object]", value).items()
        return {_scrubbed(key): _scrubbed(item) for key, item in pairs}
    return replace(value, **{name: _scrubbed(getattr(value, name)) for name in _fields(kind).names})
