"""The snapshot: the SDK's answers to requests whose answer never changes, stored in a file.

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

from reflection_mcp.server.front.shape import cast
from reflection_mcp.server.settings.user_folder import user_folder

ROOMS = ("server", "tools", "store")
FORMAT = "1"
KEPT = ("definitions-", "settings-")
"""How the names of the files begin: of a snapshot, and of what `facts` keeps."""
FOREVER = 90 * 24 * 3600.0
"""Seconds after which the file of another installation is taken for a leftover."""

Answers = Mapping[str, Mapping[str, str]]
"""For each version of the protocol and each method the result, as JSON."""


class Snapshot:
    """Where the answers of this installation lie, and all that they depend on."""

    def __init__(self, file: str, basis: bytes) -> None:
        self.file = file
        self.basis = basis

    def read(self) -> Answers | None:
        """The answers, or None when there are none that hold."""
        try:
            with open(self.file, "rb") as file:
                known = file.read()
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
        return keep(self.file, b"%s%s\n%s" % (_head(self.basis), _checksum(body), body))


def keep(file: str, content: bytes) -> bool:
    """Write a file of this folder, and return whether that could be done."""
    draft = f"{file}.{os.getpid()}.draft"
    try:
        os.makedirs(os.path.dirname(file), mode=0o700, exist_ok=True)
        # Written whole under another name: nobody ever reads half of it.
        with open(draft, "wb") as written:
            written.write(content)
        os.replace(draft, file)
        _remove_leftovers(file)
    except OSError:
        return False
    return True


def _head(basis: bytes) -> bytes:
    return b"%d\n%s\n" % (len(basis), basis)


def _checksum(body: bytes) -> bytes:
    return b"%08x" % zlib.crc32(body)


def _remove_leftovers(file: str) -> None:
    oldest = os.stat(file).st_mtime - FOREVER
    with os.scandir(os.path.dirname(file)) as others:
        for other in others:
            if other.name.startswith(KEPT) and other.stat().st_mtime < oldest:
                os.unlink(other.path)


def current() -> Snapshot | None:
    """The snapshot of this installation, which may not have been made yet; None where a user has
    no folder for it."""
    folder = user_folder("cache")
    if not os.path.isabs(folder):
        return None
    product = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
    place = f"{product}\n{sys.prefix}".encode("utf-8", "surrogatepass")
    file = os.path.join(folder, f"{KEPT[0]}{zlib.crc32(place):08x}")
    return Snapshot(file, _basis(product))


def _basis(product: str) -> bytes:
    """All that the answers depend on."""
    facts = [FORMAT, sys.version, str(sys.flags.optimize)]  # optimized, docstrings are gone
    facts += sorted(_distributions())
    for room in ROOMS:
        # Where it really lies: in an editable install the rooms are links.
        facts += sorted(_files(os.path.realpath(os.path.join(product, room))))
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
