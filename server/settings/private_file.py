"""Files that only their owner may read: read, written in one step, changed by one at a time.

Rule: a file that others may read is refused, not used.
"""

import os
import secrets
import stat
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from reflection_mcp.tools.errors import InvalidInput


def read_private(path: Path) -> str:
    """The text of a file of the user's own; empty where there is none.

    Raises:
        InvalidInput: others may read it, or it cannot be read.
    """
    try:
        with path.open(encoding="utf-8") as file:
            mode = os.fstat(file.fileno()).st_mode
            if os.name == "posix" and stat.S_IMODE(mode) & 0o077:
                raise InvalidInput(f"others may read {path}", f"chmod 600 {path}")
            return file.read()
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as trouble:
        reason = getattr(trouble, "strerror", "") or "not UTF-8"
        raise InvalidInput(
            f"{path} cannot be read: {reason.lower()}", "check its permissions"
        ) from None


def write_private(path: Path, text: str) -> None:
    """Put a file that only its owner may read in place of what was there, in one step."""
    with _trouble_named(path), replacing(path) as stream:
        stream.write(text)


@contextmanager
def replacing(path: Path, mode: int = 0o600) -> Generator[TextIO]:
    """A stream that takes the place of a file in one step, once everything is written."""
    partial = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        partial.chmod(mode)
        partial.replace(path)
    except BaseException:
        with suppress(OSError):
            partial.unlink()
        raise


def kept_private(path: Path, new: Callable[[], str]) -> str:
    """The text of a file of the user's own, which is made with a `new` one if there is none.

    Raises:
        InvalidInput: others may read it, or it cannot be read or written.
    """
    with locked(path):
        text = read_private(path).strip()
        if not text:
            text = new()
            write_private(path, f"{text}\n")
    return text


@contextmanager
def locked(path: Path) -> Generator[None]:
    """Be the only one who changes a file; where the system has no locks, changes are rare."""
    from reflection_mcp.store.sqlite.process_lock import flock

    with _trouble_named(path):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if lock := flock():
            lock(descriptor, "wait")
        yield
    finally:
        os.close(descriptor)


@contextmanager
def _trouble_named(path: Path) -> Generator[None]:
    try:
        yield
    except OSError as trouble:
        reason = (trouble.strerror or "refused by the system").lower()
        raise InvalidInput(
            f"{path} cannot be written: {reason}", "check the permissions of its folder"
        ) from None
