"""Putting one entry into a document of any format that hosts keep, and taking it out.

Rule: a library edits what it can read with its comments, TOML and YAML; JSON with comments is
edited by `json_edit`, because no library does.
"""

import io
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal, cast

from reflection_mcp.server.hosts import json_edit
from reflection_mcp.tools.errors import InvalidInput

Format = Literal["json", "toml", "yaml"]
Entry = Mapping[str, Any]
Path = tuple[str, str]
"""The key below which the servers are, and the name of ours."""


@dataclass(frozen=True, slots=True)
class Editor:
    """The value of a document; the document with an entry at a path, or, for None, without it."""

    value_of: Callable[[str], Any]
    edited: Callable[[str, Path, Entry | None], str]


def _toml_value(text: str) -> Any:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        raise InvalidInput("it is not TOML", "correct the file first") from fault


def _toml_edited(text: str, path: Path, entry: Entry | None) -> str:
    import tomlkit

    document = tomlkit.parse(text)
    servers: Any = document.setdefault(path[0], tomlkit.table(is_super_table=True))
    _change(document, servers, path, entry)
    return tomlkit.dumps(document)


def _ruamel() -> Any:
    """The library for YAML, whose functions say nothing of their types."""
    return import_module("ruamel.yaml")


def _yaml_value(text: str) -> Any:
    ruamel = _ruamel()
    try:
        value = ruamel.YAML(typ="safe", pure=True).load(text)
    except ruamel.YAMLError as fault:
        raise InvalidInput("it is not YAML", "correct the file first") from fault
    if not isinstance(value, dict):
        return {} if value is None else value
    # A key with nothing below it is how people write a table that is empty.
    table = cast("dict[str, Any]", value)
    nothing: dict[str, Any] = {}
    return {key: nothing if one is None else one for key, one in table.items()}


def _yaml_edited(text: str, path: Path, entry: Entry | None) -> str:
    yaml = _ruamel().YAML()
    yaml.preserve_quotes, yaml.width = True, 10**6
    guess: Any = import_module("ruamel.yaml.util").load_yaml_guess_indent
    document: Any = {}
    indent: Any = None
    offset: Any = None
    if text.strip():
        document, indent, offset = guess(text)
    yaml.indent(mapping=indent or 2, sequence=indent or 2, offset=offset or 0)
    if document.get(path[0]) is None:
        document[path[0]] = {}
    _change(document, document[path[0]], path, entry)
    stream = io.StringIO()
    yaml.dump(document, stream)
    return stream.getvalue()


def _change(document: Any, servers: Any, path: Path, entry: Entry | None) -> None:
    name = path[1]
    if entry is None:
        del servers[name]
        if not servers:
            del document[path[0]]
    elif name in servers:
        there = servers[name]
        there.update({key: one for key, one in entry.items() if there.get(key) != one})
        for key in [key for key in there if key not in entry]:
            del there[key]
    else:
        servers[name] = entry


EDITORS: Mapping[Format, Editor] = {
    "json": Editor(json_edit.value_of, json_edit.edited),
    "toml": Editor(_toml_value, _toml_edited),
    "yaml": Editor(_yaml_value, _yaml_edited),
}
