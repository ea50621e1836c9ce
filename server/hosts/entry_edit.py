"""Puts the server into a configuration text, or takes it out, and proves that it did only that.

Rule: the text is changed in place and read again; what it then says must be what it said before
plus or minus our entry. When that is not so the change is refused, never written. So it is when an
entry of the same name does not start this program: it is somebody else's, and neither brought up to
date nor taken out.
"""

import copy
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from reflection_mcp.server.hosts import json_edit, toml_edit, yaml_edit
from reflection_mcp.server.hosts.catalog import Entry, Format
from reflection_mcp.server.hosts.json_text import NotJson
from reflection_mcp.server.hosts.launch import starts_this
from reflection_mcp.tools.errors import InvalidInput

BY_HAND = "add it by hand; --print shows what to add"


_COMMAND = ("command", "cmd", "path", "args")
"""The keys of an entry's command line, in the order of its words."""
_STARTING = (*_COMMAND, "env", "type", "cwd")
"""The fields of an entry that start a program; they go when it names a URL."""
_URL = ("url", "httpUrl", "serverUrl")
"""The keys under which hosts keep the URL of a server that they only ask."""


@dataclass(frozen=True, slots=True)
class _Editor:
    value_of: Callable[[str], Mapping[str, Any] | None]
    added: Callable[[str, Sequence[str], Entry], str]
    removed: Callable[[str, Sequence[str]], str]


_EDITORS = {
    "json": _Editor(json_edit.value_of, json_edit.added, json_edit.removed),
    "toml": _Editor(toml_edit.value_of, toml_edit.added, toml_edit.removed),
}


def with_server(form: Format, text: str, path: tuple[str, str], entry: Entry) -> str:
    """Return the text with the server in it.

    A user's additions to our entry, such as `env`, stay.

    Raises:
        InvalidInput: the text cannot be read, cannot be changed safely, or has another server of
            this name.
    """
    if form == "yaml":
        return _with_block(text, path, entry)
    editor = _EDITORS[form]
    before = _value(editor, text)
    there = _below(before, path)
    if there is not None:
        wanted = {**there, **entry}
        if wanted == there:
            return text
        _see_that_it_is_ours(there, path, entry)
        if _url_of(entry) and not _url_of(there):
            kept = {key: value for key, value in there.items() if key not in _STARTING}
            wanted = {**kept, **entry}
        text = without_server(form, text, path)
        entry = wanted
    after = editor.added(text, path, entry)
    expected = copy.deepcopy(dict(before))
    expected.setdefault(path[0], {})[path[1]] = dict(entry)
    return _proven(editor, after, expected)


def without_server(form: Format, text: str, path: tuple[str, str]) -> str:
    """The text without the server; the same text when it is not in there.

    Raises:
        InvalidInput: the text cannot be read, or cannot be changed safely.
    """
    if form == "yaml":
        return text if _block(text, path) is None else yaml_edit.removed(text, path)
    editor = _EDITORS[form]
    before = _value(editor, text)
    if _below(before, path) is None:
        return text
    expected = copy.deepcopy(dict(before))
    del expected[path[0]][path[1]]
    return _proven(editor, editor.removed(text, path), expected)


def has_server(form: Format, text: str, path: tuple[str, str]) -> bool:
    """Return True if an entry of this name is in the text.

    Raises:
        InvalidInput: the text cannot be read.
    """
    if form == "yaml":
        return _block(text, path) is not None
    return _below(_value(_EDITORS[form], text), path) is not None


def server_in(form: Format, text: str, path: tuple[str, str]) -> Entry:
    """The entry of this name, which is there, in a document that is not YAML."""
    return _below(_value(_EDITORS[form], text), path) or {}


def see_that_it_is_ours(
    form: Format, text: str, path: tuple[str, str], entry: Entry | None = None
) -> None:
    """See that the entry of this name, which is there, starts this program, or names the URL that
    `entry` names.

    Raises:
        InvalidInput: it does not, or the text cannot be read.
    """
    if form == "yaml":
        there: Entry = {"args": yaml_edit.words_of(_block(text, path) or "")}
    else:
        there = server_in(form, text, path)
    _see_that_it_is_ours(there, path, entry or {})


def _see_that_it_is_ours(there: Entry, path: tuple[str, str], entry: Entry) -> None:
    url = _url_of(there)
    if not (url and url == _url_of(entry)) and not starts_this(_words_of(there)):
        raise _anothers(path)


def _url_of(entry: Entry) -> str:
    return next((str(entry[key]) for key in _URL if key in entry), "")


def snippet(form: Format, path: tuple[str, str], entry: Entry) -> str:
    """Return what to add to a configuration by hand: a document with nothing but the server."""
    if form == "yaml":
        return yaml_edit.rendered(path, entry)
    return _EDITORS[form].added("", path, entry)


def _value(editor: _Editor, text: str) -> Mapping[str, Any]:
    try:
        value = editor.value_of(text)
    except NotJson as error:
        line = text.count("\n", 0, error.place) + 1
        raise InvalidInput(f"line {line} cannot be parsed", "correct the file first") from error
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput(f"it is not TOML: {error}", "correct the file first") from error
    if value is None:
        raise InvalidInput("it does not hold settings", "correct the file first")
    return value


def _below(value: Mapping[str, Any], path: tuple[str, str]) -> Mapping[str, Any] | None:
    servers = value.get(path[0], {})
    if not isinstance(servers, Mapping):
        raise InvalidInput(
            f"its entry {path[0]} is not a table of servers", "correct the file first"
        )
    entry = cast("Mapping[str, Any]", servers).get(path[1])
    if entry is not None and not isinstance(entry, Mapping):
        raise InvalidInput(f"its entry {'.'.join(path)} is not a server", "correct the file first")
    return cast("Mapping[str, Any] | None", entry)


def _words_of(entry: object) -> list[str]:
    """The command line of an entry, in whatever way hosts write one down."""
    if isinstance(entry, str):
        return [entry]
    if isinstance(entry, Sequence):
        return [word for each in cast("Sequence[object]", entry) for word in _words_of(each)]
    if isinstance(entry, Mapping):
        told = cast("Mapping[str, object]", entry)
        return [word for key in _COMMAND if key in told for word in _words_of(told[key])]
    return []


def _anothers(path: tuple[str, str]) -> InvalidInput:
    return InvalidInput(
        f"its entry {'.'.join(path)} starts another program, or names another URL",
        "rename that entry, remove it by hand, or name its URL with --uninstall --url URL",
    )


def _proven(editor: _Editor, text: str, expected: Mapping[str, Any]) -> str:
    """Return the text, if it has the expected value; an empty table may remain or be gone."""
    try:
        said = editor.value_of(text)
    except (NotJson, tomllib.TOMLDecodeError):
        said = None
    if said is None or _solid(said) != _solid(expected):
        raise InvalidInput("its format is too unusual to be changed safely", BY_HAND)
    return text


def _solid(value: Mapping[str, Any]) -> dict[str, Any]:
    return {key: one for key, one in value.items() if one != {}}


def _block(text: str, path: tuple[str, str]) -> str | None:
    try:
        return yaml_edit.block_of(text, path)
    except yaml_edit.NotPlain as error:
        raise InvalidInput("its format is too unusual to be changed safely", BY_HAND) from error


def _with_block(text: str, path: tuple[str, str], entry: Entry) -> str:
    there = _block(text, path)
    if there is None:
        return yaml_edit.added(text, path, entry)
    lines = {line.strip() for line in there.splitlines()}
    if all(line.strip() in lines for line in yaml_edit.rendered(path, entry).splitlines()[1:]):
        return text
    see_that_it_is_ours("yaml", text, path)
    raise InvalidInput(f"its entry {'.'.join(path)} differs", "remove it with --uninstall first")
