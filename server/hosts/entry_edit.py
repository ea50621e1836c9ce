"""Puts the server into a configuration text, or takes it out, and proves that it did only that.

Rule: the text is changed in place and read again; what it then says must be what it said before
plus or minus our entry. When that is not so the change is refused, never written. So it is when an
entry of the same name does not start this program: it is somebody else's, and neither brought up to
date nor taken out.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from reflection_mcp.server.hosts.config_formats import EDITORS, Entry, Format, Path
from reflection_mcp.server.hosts.launch import starts_this
from reflection_mcp.tools.errors import InvalidInput

_COMMAND = ("command", "cmd", "path", "args")
"""The keys of an entry's command line, in the order of its words."""
_STARTING = (*_COMMAND, "env", "type", "cwd")
"""The fields of an entry that start a program; they go when it names a URL."""
_URL = ("url", "httpUrl", "serverUrl")
"""The keys under which hosts keep the URL of a server that they only ask."""


def with_server(form: Format, text: str, path: Path, entry: Entry) -> str:
    """Return the text with the server in it.

    A user's additions to our entry, such as `env`, stay.

    Raises:
        InvalidInput: the text cannot be read, cannot be changed safely, or has another server of
            this name.
    """
    before = _value(form, text)
    there = _below(before, path)
    wanted = dict(entry)
    if there is not None:
        if {**there, **entry} == there:
            return text
        see_that_it_is_ours(there, path, entry)
        replaced = _STARTING if _url_of(entry) and not _url_of(there) else ()
        wanted = {key: value for key, value in there.items() if key not in replaced} | wanted
    servers = {**before.get(path[0], {}), path[1]: wanted}
    return _changed(form, text, path, wanted, {**before, path[0]: servers})


def without_server(form: Format, text: str, path: Path) -> str:
    """The text without the server; the same text when it is not in there.

    Raises:
        InvalidInput: the text cannot be read, or cannot be changed safely.
    """
    before = _value(form, text)
    if _below(before, path) is None:
        return text
    servers = {name: one for name, one in before[path[0]].items() if name != path[1]}
    return _changed(form, text, path, None, {**before, path[0]: servers})


def server_in(form: Format, text: str, path: Path) -> Entry | None:
    """The entry of this name, None without one.

    Raises:
        InvalidInput: the text cannot be read.
    """
    return _below(_value(form, text), path)


def see_that_it_is_ours(there: Entry, path: Path, entry: Entry) -> None:
    """See that an entry which is there starts this program, or names the URL that `entry` names.

    Raises:
        InvalidInput: it does not.
    """
    url = _url_of(there)
    if not (url and url == _url_of(entry)) and not starts_this(_words_of(there)):
        raise InvalidInput(
            f"its entry {'.'.join(path)} starts another program, or names another URL",
            "rename that entry, remove it by hand, or name its URL with --uninstall --url URL",
        )


def _url_of(entry: Entry) -> str:
    return next((str(entry[key]) for key in _URL if key in entry), "")


def _words_of(entry: object) -> list[str]:
    """The command line of an entry, in whatever way hosts write one down."""
    if isinstance(entry, str):
        return [entry]
    if isinstance(entry, Sequence):
        return [word for each in cast("Sequence[object]", entry) for word in _words_of(each)]
    if isinstance(entry, Mapping):
        fields = cast("Mapping[str, object]", entry)
        return [word for key in _COMMAND if key in fields for word in _words_of(fields[key])]
    return []


def _value(form: Format, text: str) -> dict[str, Any]:
    value = EDITORS[form].value_of(text.removeprefix("\ufeff"))
    if not isinstance(value, dict):
        raise InvalidInput("it does not hold settings", "correct the file first")
    return cast("dict[str, Any]", value)


def _below(value: Mapping[str, Any], path: Path) -> Entry | None:
    servers = value.get(path[0], {})
    if not isinstance(servers, Mapping):
        raise InvalidInput(
            f"its entry {path[0]} is not a table of servers", "correct the file first"
        )
    entry = cast("Mapping[str, Any]", servers).get(path[1])
    if entry is not None and not isinstance(entry, Mapping):
        raise InvalidInput(f"its entry {'.'.join(path)} is not a server", "correct the file first")
    return cast("Entry | None", entry)


def _changed(
    form: Format, text: str, path: Path, entry: Entry | None, expected: Mapping[str, Any]
) -> str:
    """Return the changed text, if it has the expected value; an empty table may remain or go."""
    try:
        changed = in_plain_lines(text, lambda bare: EDITORS[form].edited(bare, path, entry))
        safe = _solid(_value(form, changed)) == _solid(expected)
    except (ValueError, LookupError, TypeError):  # of a library that does not know such a form
        changed, safe = "", False
    if not safe:
        raise InvalidInput(
            "its format is too unusual to be changed safely",
            "add or remove it by hand; --print shows what to add",
        )
    return changed


def in_plain_lines(text: str, change: Callable[[str], str]) -> str:
    """The text after a change that knows of no byte order mark and of one kind of line ends."""
    bare = text.removeprefix("\ufeff")
    plain = bare.replace("\r\n", "\n")
    changed = change(plain)
    if changed == plain:
        return text
    mark = text[: len(text) - len(bare)]
    return mark + (changed.replace("\n", "\r\n") if "\r\n" in bare else changed)


def _solid(value: Mapping[str, Any]) -> dict[str, Any]:
    return {key: one for key, one in value.items() if one != {}}
