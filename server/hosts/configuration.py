"""A host's configuration file: read, changed as a whole or not at all, with a backup.

Rule: the file is replaced in one step, keeps its rights and its links, and its previous content is
stored next to it under a name that says so. A file that was made for us is removed on uninstall.
"""

import errno
import shutil
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from reflection_mcp.server.hosts import entry_edit
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


def install(host: Host, file: Path, launch: Launch | Remote) -> Changed:
    """Add the server to a host's configuration, or bring its command up to date.

    Raises:
        InvalidInput: the file cannot be read, written, or changed safely; it is as it was.
    """
    path, entry = (host.inside, NAME), entry_of(host, launch)
    before = _read(file)
    try:
        after = entry_edit.with_server(host.format, before or "", path, entry)
    except ReflectionError as refusal:
        raise _about(file, refusal) from refusal
    if after == before:
        return Changed("already there", file)
    return Changed("added", file, _replace(file, after))


def uninstall(host: Host, file: Path, launch: Launch | Remote) -> Changed:
    """Take the server out of a host's configuration.

    When nothing else has happened to the file since `install`, it is byte for byte what it was, and
    no copy stays behind; unless our entry was in there before, whose copy is then left.

    Raises:
        InvalidInput: the file cannot be read, written, or changed safely; it is as it was.
    """
    path, entry = (host.inside, NAME), entry_of(host, launch)
    text = _read(file)
    try:
        if text is None or (there := entry_edit.server_in(host.format, text, path)) is None:
            return Changed("not there", file)
        entry_edit.see_that_it_is_ours(there, path, entry)
        if isinstance(launch, Remote):  # whose variable and project need not be named once more
            entry = there
        after: str | None = entry_edit.without_server(host.format, text, path)
        was = _read(_backup(file))
        unchanged = was is not None and _is_install_of(host, was, text, entry)
        restored = (
            was is not None and unchanged and entry_edit.server_in(host.format, was, path) is None
        )
        if restored:
            after = was
        elif text == entry_edit.snippet(host.format, path, entry):
            after = None
    except ReflectionError as refusal:
        raise _about(file, refusal) from refusal
    backup = _replace(file, after, copied=not unchanged and after is not None)
    if restored:
        _backup(file).unlink()
    elif unchanged:
        backup = _backup(file)
    return Changed("removed", file, backup)


def _is_install_of(host: Host, before: str, after: str, entry: Entry) -> bool:
    """Return True if installing into `before` gives `after`."""
    path = (host.inside, NAME)
    try:
        return entry_edit.with_server(host.format, before, path, entry) == after
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
