"""A host's configuration file: read, changed as a whole or not at all, with a backup.

Rule: the file is replaced in one step, keeps its rights and its links, and its previous content is
stored next to it under a name that says so. A file that was made for us is removed on uninstall.
"""

import errno
import shutil
import stat
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Literal, Protocol

from reflection_mcp.server.hosts import entry_edit, hook_entries
from reflection_mcp.server.hosts.catalog import Host, entry_of
from reflection_mcp.server.hosts.config_formats import Entry
from reflection_mcp.server.hosts.launch import NAME, Launch
from reflection_mcp.server.hosts.remote import Remote
from reflection_mcp.server.settings.private_file import replacing
from reflection_mcp.tools.errors import InvalidInput, ReflectionError

BACKUP = ".before-reflection-mcp"
Done = Literal["added", "already there", "removed", "not there"]


@dataclass(frozen=True, slots=True)
class Changed:
    """The result of a change; `backup` holds the previous content, None when there was none."""

    done: Done
    file: Path
    backup: Path | None = None


class Addition(Protocol):
    """Something that is put into a configuration, and taken out again."""

    def added(self, text: str) -> str:
        """The text with it, brought up to date."""
        ...

    def removed(self, text: str) -> str:
        """The text without it; the same text when it is not in there."""
        ...

    def as_in(self, text: str) -> "Addition | None":
        """As it stands in a text; None when it does not."""
        ...


@dataclass(frozen=True, slots=True)
class ServerAddition:
    """The entry of the server; `is_named` if it names a URL, and not a program of this machine."""

    host: Host
    entry: Entry
    is_named: bool = False

    @property
    def _path(self) -> tuple[str, str]:
        return (self.host.inside, NAME)

    def added(self, text: str) -> str:
        """See `Addition`."""
        return entry_edit.with_server(self.host.format, text, self._path, self.entry)

    def removed(self, text: str) -> str:
        """See `Addition`."""
        return entry_edit.without_server(self.host.format, text, self._path)

    def as_in(self, text: str) -> "ServerAddition | None":
        """See `Addition`.

        Raises:
            InvalidInput: an entry of this name starts another program.
        """
        there = entry_edit.server_in(self.host.format, text, self._path)
        if there is None:
            return None
        entry_edit.see_that_it_is_ours(there, self._path, self.entry)
        # Of a team's server only the URL is passed: its token and project are in the file.
        return replace(self, entry=there) if self.is_named else self


def server_of(host: Host, launch: Launch | Remote) -> ServerAddition:
    """The server of a host, as an addition.

    Raises:
        InvalidInput: the host takes no URL.
    """
    return ServerAddition(host, entry_of(host, launch), isinstance(launch, Remote))


@dataclass(frozen=True, slots=True)
class HooksAddition:
    """The hooks of a host."""

    host: str
    launch: Launch

    def added(self, text: str) -> str:
        """See `Addition`."""
        entries = hook_entries.hook_entries(self.host, self.launch)
        put = partial(hook_entries.with_hooks, host=self.host, entries=entries)
        return entry_edit.in_plain_lines(text, put)

    def removed(self, text: str) -> str:
        """See `Addition`."""
        take = partial(hook_entries.without_hooks, host=self.host)
        return entry_edit.in_plain_lines(text, take)

    def as_in(self, text: str) -> "HooksAddition | None":
        """See `Addition`."""
        return None if self.removed(text) == text else self


def install(file: Path, additions: Sequence[Addition]) -> Changed:
    """Put additions into a configuration, or bring them up to date.

    Raises:
        InvalidInput: the file cannot be read, written, or changed safely; it is as it was.
    """
    before = _read(file)
    try:
        after = _with_all(additions, before or "")
    except ReflectionError as refusal:
        raise _about(file, refusal) from refusal
    if after == before:
        return Changed("already there", file)
    return Changed("added", file, _replace(file, after))


def uninstall(file: Path, additions: Sequence[Addition]) -> Changed:
    """Take additions out of a configuration.

    When nothing else has happened to the file since `install`, it is byte for byte what it was, and
    no copy stays behind; unless one of them was in there before, whose copy is then left.

    Raises:
        InvalidInput: the file cannot be read, written, or changed safely; it is as it was.
    """
    text = _read(file)
    try:
        there = [] if text is None else _all_in(additions, text)
        if text is None or not there:
            return Changed("not there", file)
        after: str | None = _without_all(there, text)
        was = _read(_backup(file))
        unchanged = was is not None and _is_install_of(there, was, text)
        restored = was is not None and unchanged and not _all_in(there, was)
        if restored:
            after = was
        elif text == _with_all(there, ""):
            after = None
    except ReflectionError as refusal:
        raise _about(file, refusal) from refusal
    backup = _replace(file, after, copied=not unchanged and after is not None)
    if restored:
        _backup(file).unlink()
    elif unchanged:
        backup = _backup(file)
    return Changed("removed", file, backup)


def _with_all(additions: Sequence[Addition], text: str) -> str:
    for each in additions:
        text = each.added(text)
    return text


def _without_all(additions: Sequence[Addition], text: str) -> str:
    for each in additions:
        text = each.removed(text)
    return text


def _all_in(additions: Sequence[Addition], text: str) -> list[Addition]:
    return [found for each in additions if (found := each.as_in(text)) is not None]


def _is_install_of(additions: Sequence[Addition], before: str, after: str) -> bool:
    """Return True if installing into `before` gives `after`."""
    try:
        return _with_all(additions, before) == after
    except InvalidInput:
        return False


def _read(file: Path) -> str | None:
    """The text of a file, None when there is none; a byte order mark stays in it."""
    try:
        if file.exists() and not file.is_file():  # a link to /dev/null would be replaced by a file
            raise OSError(errno.EINVAL, "it is not a regular file")
        return file.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{file} is not UTF-8", "save it as UTF-8 first") from error
    except OSError as error:
        raise InvalidInput(f"{file} cannot be read", str(error.strerror)) from error


def _replace(file: Path, text: str | None, *, copied: bool = True) -> Path | None:
    """Write the file in one step, or delete it for None; returns the copy of what it was, if one
    was wanted and there was something to copy."""
    target = file.resolve()  # a link to the file in a folder of dotfiles stays a link
    backup = _backup(file)
    try:
        existed = target.exists()
        mode = stat.S_IMODE(target.stat().st_mode) if existed else 0o600
        if not mode & stat.S_IWUSR:
            raise OSError(errno.EACCES, "it is read-only; make it writable first")
        if existed and copied:
            shutil.copy2(target, backup)
        if text is None:
            target.unlink()
            return None
        target.parent.mkdir(parents=True, exist_ok=True)
        with replacing(target, mode) as stream:
            stream.write(text)
    except OSError as error:
        raise InvalidInput(f"{file} cannot be written", str(error.strerror)) from error
    return backup if existed and copied else None


def _backup(file: Path) -> Path:
    return file.with_name(file.name + BACKUP)


def _about(file: Path, refusal: ReflectionError) -> InvalidInput:
    return InvalidInput(f"{file} was left as it is: {refusal.message}", refusal.hint)
