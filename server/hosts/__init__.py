"""Where assistants live: adding the server to a host, and what is shipped for one host alone.

`add_install_command` is all that the command line needs; everything else is imported when it runs.
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

HOST_KEYS = (
    "claude-desktop",
    "claude-code",
    "cursor",
    "vscode",
    "codex",
    "gemini",
    "opencode",
    "zed",
    "windsurf",
    "goose",
)
"""The hosts of `catalog`, told here so that the help text costs no import."""


def add_install_command(add: Callable[..., argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """Add `install HOST` to a command line; `add` is the `add_parser` of its sub-commands."""
    what = "add the server to an assistant, or take it out"
    command = add("install", help=what, description=what)
    command.add_argument("host", metavar="HOST", choices=HOST_KEYS, help=", ".join(HOST_KEYS))
    command.add_argument(
        "--project",
        dest="in_repository",
        action="store_true",
        help="in the file of the repository in this folder, not in the user's",
    )
    kind = command.add_mutually_exclusive_group()
    kind.add_argument("--uninstall", action="store_true", help="take it out again")
    kind.add_argument("--print", dest="show", action="store_true", help="change nothing, show it")
    kind.add_argument(
        "--plugin", type=Path, metavar="DIR", help="claude-code: write the plugin with its hooks"
    )
    kind.add_argument(
        "--bundle",
        type=Path,
        metavar="DIR",
        help="claude-desktop: write the bundle, and server.json for the registry",
    )
    command.set_defaults(run=_run)
    return command


def _run(arguments: argparse.Namespace) -> int:
    from reflection_mcp.server.hosts.command import Wish, carry_out

    wish = Wish(
        host=arguments.host,
        in_repository=arguments.in_repository,
        uninstall=arguments.uninstall,
        show=arguments.show,
        plugin=arguments.plugin,
        bundle=arguments.bundle,
    )
    told = carry_out(wish)
    print(told.data, end="")
    print(told.talk, file=sys.stderr)
    return 0
