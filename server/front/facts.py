"""The settings that the front needs, stored in a file: reading them all takes longer than
answering a list.

The rule: kept is only what was loaded, without a warning, from the same flags, variables and
settings file by the same product. So a setting that cannot be used still stops the first start
that has it. Whatever else a setting rests on is found when they are loaded, before anything but a
list or a prompt without a store is answered. Only a file is kept as a store: a URL may hold a
password.
"""

import os
import zlib
from collections.abc import Mapping

from reflection_mcp.server.front.snapshot import Snapshot, keep
from reflection_mcp.server.settings.user_folder import user_folder

TYPE_CHECKING = False  # importing `typing` takes a tenth of what a list is waited for
if TYPE_CHECKING:
    from reflection_mcp.server.settings.settings import Settings

PREFIX = "REFLECTION_"
NAMED = ("config", "REFLECTION_CONFIG")
"""The flag and the variable that name another settings file."""

FOLDERS = ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")


class Facts:
    """The settings `views` and `mode`, and the file of the store."""

    def __init__(self, views: str, mode: str, store: str) -> None:
        self.views = views
        self.mode = mode
        self.store = store


def facts_file(
    snapshot: Snapshot, flags: Mapping[str, str], environment: Mapping[str, str]
) -> str | None:
    """The file for these settings, beside the snapshot; None where they are not followed."""
    if NAMED[0] in flags or NAMED[1] in environment:
        return None
    known = [f"{name}={value}" for name, value in sorted(flags.items())]
    known += sorted(
        f"{name}={value}"
        for name, value in environment.items()
        if name.startswith(PREFIX) or name in FOLDERS
    )
    try:
        known.append(os.getcwd() if flags else "")  # where a relative path starts
        settings = os.stat(os.path.join(user_folder("config"), "config.toml"))
        known.append(f"{settings.st_size} {settings.st_mtime_ns}")
    except FileNotFoundError:
        known.append("none")
    except OSError:
        return None
    key = "\n".join(known).encode("utf-8", "surrogatepass") + b"\n" + snapshot.basis
    return os.path.join(os.path.dirname(snapshot.file), f"settings-{zlib.crc32(key):08x}")


def known_facts(file: str) -> Facts | None:
    """What is known of the settings of this file; None when nothing is."""
    try:
        with open(file, "rb") as kept:
            known = kept.read().decode("utf-8", "surrogatepass")
    except (OSError, ValueError):
        return None
    words = known.split("\n", 2)
    return Facts(*words) if len(words) == 3 else None


def facts_of(settings: "Settings", file: str | None) -> Facts:
    """What the front has to know of settings; keeps it for the next start where that is allowed."""
    found = Facts(settings.views, settings.mode, settings.store)
    if file and not settings.warnings and os.path.isabs(settings.store):
        known = f"{found.views}\n{found.mode}\n{found.store}"
        keep(file, known.encode("utf-8", "surrogatepass"))
    return found
