"""The sub-commands with which people look at their lessons, move them, and keep them tidy.

Rule of this package: stdout is data, for a reader or with `--json` for a program; stderr is talk
and progress. Stored text is shown as data, cleaned of what only a machine reads. What a sub-command
needs is imported when it runs.
"""

import argparse
from importlib import import_module
from typing import Protocol

from reflection_mcp.server.flags import add_flags


class Subparsers(Protocol):
    """What `add_subparsers` returns, as far as it is used here."""

    def add_parser(self, name: str, *, help: str, description: str) -> argparse.ArgumentParser:
        """Add a sub-command."""
        ...


def add_commands(commands: Subparsers) -> None:
    """Add every sub-command of this package to a command line, given what `add_subparsers` made."""
    _add_listing(commands)
    _add_fetch_model(commands)
    _add_archive(commands)
    _add_upkeep(commands)


def _command(
    commands: Subparsers, name: str, what: str, module: str, *, makes: bool = False
) -> argparse.ArgumentParser:
    def run(arguments: argparse.Namespace) -> int:
        from reflection_mcp.server.commands.place import run_in_place

        body = import_module(f"reflection_mcp.server.commands.{module}")
        return run_in_place(arguments, getattr(body, f"{name}_lessons"), makes=makes)

    command = commands.add_parser(name, help=what, description=what)
    add_flags(command)
    command.add_argument("--json", action="store_true", help="print JSON")
    command.set_defaults(run=run)
    return command


def _add_listing(commands: Subparsers) -> None:
    lists = _command(commands, "list", "list lessons and strategies", "listing")
    lists.add_argument("--kind", choices=["reflection", "strategy"])
    lists.add_argument("--tag", action="append", default=[], help="may be given more than once")
    lists.add_argument("--error-type")
    lists.add_argument("--outcome", choices=["success", "partial", "failure", "timeout", "error"])
    lists.add_argument("--since", metavar="DATE", help="last met at or after, as 2026-11-21")
    lists.add_argument("--min-importance", type=_share, default=0.0, metavar="0..1")
    lists.add_argument("--order", choices=["newest", "most_met", "importance"], default="newest")
    lists.add_argument("--retired", action="store_true", help="retired ones, too")
    lists.add_argument("--limit", type=_count, default=20, help="default: 20; 0 is all")
    show = _command(commands, "show", "show one record whole", "listing")
    show.add_argument("id", help="of a lesson, strategy, attempt or look-up")
    search = _command(commands, "search", "find lessons that fit words", "listing")
    search.add_argument("words", nargs="+", help="a task, a question, an error")
    search.add_argument("--limit", type=_count, default=10, help="default: 10; 0 is all")
    _command(commands, "stats", "count what is kept and how it helped", "listing")


def _add_fetch_model(commands: Subparsers) -> None:
    what = "download an embedding model, which servers then use offline"

    def run(arguments: argparse.Namespace) -> int:
        from reflection_mcp.server.commands.fetch_model import run_fetch_model

        return run_fetch_model(arguments.name)

    command = commands.add_parser("fetch-model", help=what, description=what)
    command.add_argument("name", help="of a model that fastembed knows: BAAI/bge-small-en-v1.5")
    command.set_defaults(run=run)


def _add_archive(commands: Subparsers) -> None:
    exports = _command(commands, "export", "write all lessons to a file", "archive")
    exports.add_argument("--format", choices=["jsonl", "markdown"], help="default: by the name")
    exports.add_argument("--output", metavar="FILE", help="default: stdout")
    exports.set_defaults(prints_data=True)
    what = "merge lessons from a file"
    imports = _command(commands, "import", what, "archive", makes=True)
    imports.add_argument("file", help="JSON Lines or Markdown; - is stdin")
    imports.add_argument("--format", choices=["jsonl", "markdown"], help="default: by the name")


def _add_upkeep(commands: Subparsers) -> None:
    forget = _command(commands, "forget", "delete records for good", "upkeep")
    forget.add_argument("ids", nargs="*", metavar="ID")
    forget.add_argument("--all", action="store_true", help="every lesson of the project")
    _add_consent(forget)
    what = "merge near-duplicates, raise, lower, retire and link lessons"
    tidy = _command(commands, "consolidate", what, "upkeep")
    tidy.add_argument("--dry-run", action="store_true", help="print the plan, change nothing")
    tidy.add_argument("--undo", action="store_true", help="take the last consolidation back")
    prune = _command(commands, "prune", "delete the least useful lessons", "upkeep")
    prune.add_argument("--max-entries", type=_count, help="how many to keep; default: the setting")
    _add_consent(prune)


def _add_consent(command: argparse.ArgumentParser) -> None:
    command.add_argument("--dry-run", action="store_true", help="print which, delete nothing")
    command.add_argument("--yes", action="store_true", help="do not ask; needed in a script")


def _count(text: str) -> int:
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"{number} is less than 0")
    return number


def _share(text: str) -> float:
    number = float(text)
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError(f"{text} is not a number from 0 to 1")
    return number


_count.__name__, _share.__name__ = "whole number", "number"  # as argparse names them in errors
