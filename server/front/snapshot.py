"""The snapshot: what the SDK says to requests whose answer never changes, kept in a file.

The rule: never stale. With the answers lies all that they depend on: the interpreter, the
distributions beside the SDK, and the size and time of every file of the product. No setting changes
a definition; a test holds that. A file that is missing, damaged or made of anything else is no
snapshot, and whoever asked for it goes on without one. Checksums come from zlib, because hashlib
loads a library that takes longer than all the rest.
"""

import json
import os
import sys
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

ROOMS = ("server", "tools", "store")
FORMAT = "1"
FOREVER = 90 * 24 * 3600.0
"""Seconds after which the file of another installation is taken for a leftover."""

Answers = Mapping[str, Mapping[str, str]]
"""For each version of the protocol and each method the result, as JSON."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Where the answers of this installation lie, and all that they depend on."""

    file: Path
    basis: bytes

    def read(self) -> Answers | None:
        """The answers, or None when there are none that hold."""
        try:
            known = self.file.read_bytes()
        except OSError:
            return None
        head = _head(self.basis)
        if not known.startswith(head):
            return None
        checksum, _, body = known[len(head) :].partition(b"\n")
        return cast(Answers, json.loads(body)) if checksum == _checksum(body) else None

    def write(self, answers: Answers) -> bool:
        """Keep answers, and return whether that could be done."""
        body = json.dumps(answers, separators=(",", ":")).encode()
        draft = self.file.with_name(f"{self.file.name}.{os.getpid()}.draft")
        try:
            self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            # Written whole under another name: nobody ever reads half of it.
            draft.write_bytes(b"%s%s\n%s" % (_head(self.basis), _checksum(body), body))
            draft.replace(self.file)
            _remove_leftovers(self.file)
        except OSError:
            return False
        return True


def _head(basis: bytes) -> bytes:
    return b"%d\n%s\n" % (len(basis), basis)


def _checksum(body: bytes) -> bytes:
    return b"%08x" % zlib.crc32(body)


def _remove_leftovers(file: Path) -> None:
    oldest = file.stat().st_mtime - FOREVER
    for other in file.parent.glob("definitions-*"):
        if other.stat().st_mtime < oldest:
            other.unlink()


def current() -> Snapshot | None:
    """The snapshot of this installation, which may not have been made yet; None where a user has
    no folder for it."""
    import platformdirs

    folder = platformdirs.user_cache_path("reflection-mcp", appauthor=False)
    if not folder.is_absolute():
        return None
    product = Path(__file__).parents[2]
    place = f"{product}\n{sys.prefix}".encode("utf-8", "surrogatepass")
    return Snapshot(folder / f"definitions-{zlib.crc32(place):08x}", _basis(product))


def _basis(product: Path) -> bytes:
    """All that the answers depend on."""
    facts = [FORMAT, sys.version, str(sys.flags.optimize)]  # optimized, docstrings are gone
    facts += sorted(_distributions())
    for room in ROOMS:
        # Where it really lies: in an editable install the rooms are links.
        facts += sorted(_files(os.path.realpath(product / room)))
    return "\n".join(facts).encode("utf-8", "surrogatepass")


def _distributions() -> Iterator[str]:
    """Name and version of whatever is installed beside the SDK, without importing it."""
    for folder in sys.path:
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    if entry.name.endswith((".dist-info", ".egg-info")):
                        yield entry.name
        except OSError:
            continue


def _files(folder: str) -> Iterator[str]:
    """Path, size and time of every file below a folder, without what Python makes of them."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name == "__pycache__":
                continue
            if entry.is_dir():
                yield from _files(entry.path)
            else:
                known = entry.stat()
                yield f"{entry.path} {known.st_size} {known.st_mtime_ns}"
