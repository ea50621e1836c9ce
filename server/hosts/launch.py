"""The command with which a host starts this server: absolute, without PATH or folder.

Rule: the command that is written into a host's configuration is the one that runs now, made
absolute. Hosts start servers with a nearly empty PATH and in a folder of their own, so a bare name
works in a terminal and fails in the host.
"""

import os
import re
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path, PurePath, PureWindowsPath

NAME = "reflection"
"""The name of the server in a host; tools show up as `mcp__reflection__reflect` and the like."""
PACKAGE = "reflection-mcp"
MODULE = "reflection_mcp.server"
# uv keeps what `uvx` runs in a cache that may be emptied at any time: a script in there is no
# command to rely on. Names of the folders: the buckets of uv's cache.
_CACHE = re.compile(r"(archive|environments|builds)-v\d{1,3}")
_RUNNERS = frozenset({"uv", "uvx", "pipx"})
"""Programs that run a package of PyPI by its name; npm has others, of the same names."""
_REQUIRED = re.compile(re.escape(PACKAGE) + r"(?![\w-])")
"""The package, with extras or a version behind its name or without."""


@dataclass(frozen=True, slots=True)
class Launch:
    """A command with its arguments."""

    command: str
    args: tuple[str, ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """The whole command line, one word an element."""
        return (self.command, *self.args)


PUBLISHED = Launch("uvx", (PACKAGE,))
"""Runs the published package on any machine that has uv."""
CLONED = Launch("uv", ("--directory", "/path/to/reflection-mcp", "run", "--no-dev", PACKAGE))
"""Runs a clone, which works before the package is published."""


def claude_command(launch: Launch = PUBLISHED) -> str:
    """The command that adds the server to Claude Code."""
    return f"claude mcp add {NAME} -- {' '.join(launch.words)}"


def launch_now(
    started: str,
    interpreter: str,
    find: Callable[[str], str | None],
    exists: Callable[[str], bool],
) -> Launch:
    """The absolute command that starts what is running now.

    Args:
        started: `sys.argv[0]`, made absolute.
        interpreter: `sys.executable`.
        find: looks a program up in the PATH, as `shutil.which` does.
        exists: says whether a file is there.
    """
    script = PurePath(started)
    if any(_CACHE.fullmatch(part) for part in script.parts):
        runner = find(PUBLISHED.command)
        if runner is not None:
            return Launch(runner, PUBLISHED.args)
    if script.stem == PACKAGE:
        # pip's script takes ".exe" off its own name before it calls us.
        windows = f"{started}.exe"
        return Launch(windows if not exists(started) and exists(windows) else started)
    return Launch(interpreter, ("-m", MODULE))


def starts_this(words: Sequence[str]) -> bool:
    """Return True if a command line starts this program, from wherever it was installed.

    A command that cannot be recognised, such as a script of the user, does not.
    """
    # A path of Windows has both kinds of strokes, one of another system only one.
    names = [PureWindowsPath(word).stem for word in words]
    if names[:1] == [PACKAGE]:
        return True
    if ("-m", MODULE) in pairwise(words):
        return True
    runner = next((place for place, name in enumerate(names) if name in _RUNNERS), len(names))
    return any(_REQUIRED.match(word) for word in words[runner + 1 :])


def this_launch() -> Launch:
    """`launch_now` for this process."""
    # Not `Path.resolve`: it follows the link that an installer replaces at the next upgrade, and a
    # host's configuration would go on naming the old file. `Path.absolute` alone keeps "..".
    started = os.path.normpath(Path(sys.argv[0]).absolute())
    return launch_now(started, sys.executable, shutil.which, os.path.exists)
