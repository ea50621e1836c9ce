"""The settings that have a command-line flag.

Every other setting has a variable and a line in the file.
"""

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # imports pydantic, which the help text does not need
    from reflection_mcp.server.settings.settings import Settings

FLAGS = ("store", "tenant", "project", "mode")


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags to a command, or to a sub-command, which may follow them."""
    nothing = argparse.SUPPRESS  # so that a flag before the sub-command is not overwritten by None
    parser.add_argument(
        "--store", default=nothing, metavar="FILE", help="the file that holds everything"
    )
    what = "separates users who share a store"
    parser.add_argument("--tenant", default=nothing, metavar="NAME", help=what)
    what = "project of the lessons; default: the repository in this folder"
    parser.add_argument("--project", default=nothing, metavar="NAME", help=what)
    parser.add_argument(
        "--mode",
        default=nothing,
        choices=["lite", "full"],
        help="full: also consolidate lessons when idle; default: lite",
    )
    what = "settings file (TOML)"
    parser.add_argument("--config", default=nothing, metavar="FILE", type=Path, help=what)


def settings_of(arguments: argparse.Namespace) -> "Settings":
    """The settings in force for a command line; what is odd about them is said on stderr.

    Raises:
        InvalidInput: a value, or the settings file, cannot be used.
    """
    from reflection_mcp.server.settings.settings import load

    given = {name: getattr(arguments, name, None) for name in FLAGS}
    settings = load(given, os.environ, getattr(arguments, "config", None))
    for warning in settings.warnings:
        print(f"reflection-mcp: {warning}", file=sys.stderr)
    return settings
