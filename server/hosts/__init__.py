"""Installation into hosts: adds the server to an assistant; files for one host.

`add_install_command` is all that the command line needs; everything else is imported when it runs.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # a server that shows its skill needs no command line
    import argparse

HOST_KEYS = tuple(
    "claude-desktop claude-code cursor vscode codex gemini opencode zed windsurf goose copilot qwen"
    " cline continue".split()
)
"""The hosts of `catalog`, listed here so that the help text costs no import."""


def add_install_command(
    add: "Callable[..., argparse.ArgumentParser]", installed: Callable[[], object]
) -> "argparse.ArgumentParser":
    """Add `install HOST` to a command line.

    Args:
        add: the `add_parser` of its sub-commands.
        installed: called once the server was added to a host.
    """
    what = "add the server to an assistant, with hooks where it can run them, or remove both"
    command = add("install", help=what, description=what)
    hosts = f"{', '.join(HOST_KEYS)}; without it, lists the assistants on this machine and asks"
    command.add_argument("host", metavar="HOST", nargs="?", choices=HOST_KEYS, help=hosts)
    what = "all assistants found on this machine"
    command.add_argument("--all", dest="everywhere", action="store_true", help=what)
    command.add_argument(
        "--project",
        dest="in_repository",
        action="store_true",
        help="use the configuration of the repository in this folder instead of the user's",
    )
    what = "add the server without hooks"
    command.add_argument("--no-hooks", dest="without_hooks", action="store_true", help=what)
    what = "the server of a team at this URL, instead of one that the assistant starts"
    command.add_argument("--url", default="", metavar="URL", help=what)
    what = "with --url: the environment variable in which the assistant finds the token"
    command.add_argument("--token-env", default="", metavar="NAME", help=what)
    kind = command.add_mutually_exclusive_group()
    kind.add_argument("--uninstall", action="store_true", help="remove the server and its hooks")
    kind.add_argument(
        "--print", dest="show", action="store_true", help="show what would be added, change nothing"
    )
    kind.add_argument(
        "--plugin",
        type=Path,
        metavar="DIR",
        help="claude-code only: write the plugin with its hooks",
    )
    kind.add_argument(
        "--bundle",
        type=Path,
        metavar="DIR",
        help="claude-desktop only: write the bundle, and server.json for the registry",
    )
    command.set_defaults(run=_run, installed=installed)
    return command


def _run(arguments: "argparse.Namespace") -> int:
    from reflection_mcp.server.hosts.command import carry_out, chosen
    from reflection_mcp.tools.errors import InvalidInput

    failed = 0
    for host in chosen(arguments.host, everywhere=arguments.everywhere):
        try:
            done = carry_out(host, arguments)
        except InvalidInput as refused:
            if not arguments.everywhere:
                raise
            failed = 1
            print(f"{host}: {refused.message}: {refused.hint}", file=sys.stderr)
        else:
            print(done.data, end="")
            print(done.talk, file=sys.stderr)
    if not (arguments.show or arguments.uninstall or arguments.url or failed):
        arguments.installed()
    return failed
