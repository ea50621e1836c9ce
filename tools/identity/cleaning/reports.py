"""The findings of a linter or type checker in a report that was made for another program.

Rule of this module: a finding is a message together with the file it is about and a code or a
column, under the keys that such reports use; a record of a log is none, since it has a time or a
logger. Values are looked at, never run.
"""

from collections.abc import Iterator, Mapping
from typing import cast

from reflection_mcp.tools.identity.cleaning.findings import finding
from reflection_mcp.tools.identity.rule import compiled

_FILES = ("filename", "file", "path", "filepath", "source", "uri")
_MESSAGES = ("message", "msg", "text", "issue_text", "description", "warning")
_CODES = (
    "test_id", "message-id", "ruleid", "rule_id", "rule", "code", "messageid", "cop_name",
    "check_id", "check_name", "option",
)  # fmt: skip
_LINES = ("line", "line_number", "start_line_no", "row", "startline", "begin")
_COLUMNS = ("column", "col", "col_offset", "start_line_pos", "character", "startcolumn")
_PLACES = (
    "location", "locations", "physicallocation", "artifactlocation", "region", "caret", "range",
    "start", "positions", "begin",
)  # fmt: skip
_OF_A_LOG = frozenset(
    "time timestamp @timestamp ts logger levelname asctime exc_info stack stacktrace".split()
)
_GRAVE = ("error", "fatal", "high", "2")
_DEPTH = 6
_MOST = 8

_PLAIN = (str, int)
_NESTED = (dict, list)
"""What JSON, and the notation of Python, make of an object and of a list."""

_Fields = Mapping[str, object]


def _fields(value: object) -> _Fields:
    if not isinstance(value, dict):
        return {}
    fields = cast("dict[object, object]", value)
    return {str(key).casefold(): item for key, item in fields.items()}


def _text(fields: _Fields, keys: tuple[str, ...]) -> str:
    """The first text or number under one of the keys; a text may lie under `text` once more."""
    for key in keys:
        value = fields.get(key)
        if isinstance(value, dict):
            below = _fields(cast("object", value))
            inner = below.get("text") or below.get("value")
            value = inner if isinstance(inner, str) else ""
        if isinstance(value, _PLAIN) and not isinstance(value, bool) and str(value).strip():
            return str(value)
    return ""


def _place(fields: _Fields, depth: int = 0) -> tuple[str, str, str]:
    """File, line and column of a finding, from its fields or from those that say where."""
    file, line, column = (_text(fields, keys) for keys in (_FILES, _LINES, _COLUMNS))
    for key in _PLACES if depth < _DEPTH else ():
        value = fields.get(key)
        first = cast("list[object]", value)[:1] if isinstance(value, list) else [value]
        below = next(iter(first), None)
        if not isinstance(below, dict):
            continue
        inner = _place(_fields(cast("object", below)), depth + 1)
        file, line, column = file or inner[0], line or inner[1], column or inner[2]
    return file, line, column


def _found(fields: _Fields, known_file: str) -> str:
    """The finding that the fields are; empty if they are none."""
    message = _text(fields, _MESSAGES)
    if not message or not _OF_A_LOG.isdisjoint(fields):
        return ""
    code = _text(fields, _CODES)
    code = code if compiled(r"[\w@/.-]{1,80}").fullmatch(code) else ""
    file, line, column = _place(fields)
    file = file or known_file
    is_path = ("." in file or "/" in file) and not any(map(str.isspace, file)) and "\n" not in file
    if not (is_path and line.isdigit() and (code or column)):
        return ""
    if code.isdigit():
        code = f"SC{code}"
    elif symbol := _text(fields, ("symbol",)):
        return f"{file}:{line}: {code}: {message} ({symbol})"
    level = _text(fields, ("severity", "level", "kind", "issue_severity")).casefold()
    return finding(f"{file}:{line}", message, code, "error" if level in _GRAVE else "")


def findings_of(value: object, file: str = "", depth: int = 0) -> Iterator[str]:
    """The findings anywhere in a report, as lines; a file may be told around them."""
    fields = _fields(value)
    if fields and (found := _found(fields, file)):
        yield found
        return
    items = cast("list[object]", value)[:_MOST] if isinstance(value, list) else fields.values()
    nested = [item for item in items if type(item) in _NESTED] if depth <= _DEPTH else []
    if nested and fields:
        file = _place(fields)[0] or file
    for item in nested:
        yield from findings_of(item, file, depth + 1)
