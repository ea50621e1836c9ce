"""The sub-commands with which people look at their lessons, change, move and tidy them.

Rule of this package: data goes to stdout, for a reader or with `--json` for a program; messages and
progress go to stderr. Stored text is shown as data, cleaned of what only a machine
reads. What a sub-command needs is imported when it runs.
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
    _add_draft(commands)
    _add_fetch_model(commands)
    _add_archive(commands)
    _add_upkeep(commands)


def _command(
    commands: Subparsers,
    name: str,
    what: str,
    module: str,
    *,
    makes: bool = False,
    looks: bool = False,
) -> argparse.ArgumentParser:
    def run(arguments: argparse.Namespace) -> int:
        from reflection_mcp.server.commands.place import run_in_place

        body = import_module(f"reflection_mcp.server.commands.{module}")
        return run_in_place(arguments, getattr(body, f"{name}_lessons"), makes=makes, looks=looks)

    command = commands.add_parser(name, help=what, description=what)
    add_flags(command)
    command.add_argument("--json", action="store_true", help="print JSON")
    command.set_defaults(run=run)
    return command


def _add_listing(commands: Subparsers) -> None:
    what = "show what was looked up, learned, helped and harmed today"
    today = _command(commands, "today", what, "today", looks=True)
    today.add_argument("--since", metavar="DATE", help="default: midnight; such as 2026-11-21")
    lists = _command(commands, "list", "list lessons and strategies", "listing", looks=True)
    lists.add_argument("--kind", choices=["reflection", "strategy"])
    lists.add_argument(
        "--tag", action="append", default=[], help="only with this tag; may be repeated"
    )
    lists.add_argument("--error-type")
    lists.add_argument("--outcome", choices=["success", "partial", "failure", "timeout", "error"])
    lists.add_argument("--since", metavar="DATE", help="seen at or after, such as 2026-11-21")
    lists.add_argument("--min-importance", type=_share, default=0.0, metavar="0..1")
    lists.add_argument("--order", choices=["newest", "most_met", "importance"], default="newest")
    lists.add_argument("--retired", action="store_true", help="include retired lessons")
    lists.add_argument("--limit", type=_count, default=20, help="default: 20; 0 means all")
    show = _command(commands, "show", "show everything about one record", "listing")
    show.add_argument("id", help="the id of a lesson, strategy, attempt or look-up")
    search = _command(commands, "search", "find lessons by words", "listing", looks=True)
    search.add_argument("words", nargs="+", help="a task, a question, an error")
    search.add_argument("--limit", type=_count, default=10, help="default: 10; 0 means all")
    what = "count what is stored and how often it helped"
    _command(commands, "stats", what, "listing", looks=True)


def _add_fetch_model(commands: Subparsers) -> None:
    what = "download an embedding model, to be used offline"

    def run(arguments: argparse.Namespace) -> int:
        from reflection_mcp.server.commands.fetch_model import run_fetch_model

        return run_fetch_model(arguments.name)

    command = commands.add_parser("fetch-model", help=what, description=what)
    command.add_argument(
        "name", help="a model that fastembed knows, such as BAAI/bge-small-en-v1.5"
    )
    command.set_defaults(run=run)


def _add_archive(commands: Subparsers) -> None:
    exports = _command(commands, "export", "write all lessons to a file", "archive")
    exports.add_argument(
        "--format", choices=["jsonl", "markdown"], help="default: by the file name"
    )
    exports.add_argument("--output", metavar="FILE", help="default: stdout")
    exports.set_defaults(prints_data=True)
    what = "merge lessons from a file"
    imports = _command(commands, "import", what, "archive", makes=True)
    imports.add_argument("file", help="JSON Lines or Markdown; - means stdin")
    imports.add_argument(
        "--format", choices=["jsonl", "markdown"], help="default: by the file name"
    )


def _add_draft(commands: Subparsers) -> None:
    what = "add a lesson, with flags or in your editor"
    add = _command(commands, "add", what, "draft", makes=True)
    add.add_argument("lesson", nargs="?", help="one sentence; without it, your editor is opened")
    add.add_argument("--error", help="the text of the error that the lesson is about")
    what = "change a lesson, with flags or in your editor"
    edit = _command(commands, "edit", what, "draft")
    edit.add_argument("id", help="the id of a lesson or strategy")
    edit.add_argument("--lesson", help="the new text")
    what = "stop offering it"
    state = edit.add_mutually_exclusive_group()
    state.add_argument("--retire", dest="retired", action="store_true", default=None, help=what)
    what = "offer it again"
    state.add_argument("--restore", dest="retired", action="store_false", help=what)
    for command in (add, edit):
        command.add_argument("--strategy", help="the rule for next time")
        command.add_argument("--tag", action="append", help="may be repeated; edit: replaces all")
        what = "when somebody needs it; may be repeated; edit: replaces all"
        command.add_argument("--situation", action="append", help=what)
        command.add_argument("--importance", type=_share, metavar="0..1")


def _add_upkeep(commands: Subparsers) -> None:
    forget = _command(commands, "forget", "delete records for good", "upkeep")
    forget.add_argument("ids", nargs="*", metavar="ID")
    forget.add_argument("--all", action="store_true", help="all lessons of the project")
    _add_consent(forget)
    what = "merge near-duplicate lessons, adjust importance, retire useless ones"
    tidy = _command(commands, "consolidate", what, "upkeep")
    tidy.add_argument("--dry-run", action="store_true", help="print the plan, change nothing")
    tidy.add_argument("--undo", action="store_true", help="undo the last consolidation")
    prune = _command(commands, "prune", "delete the least useful lessons", "upkeep")
    prune.add_argument(
        "--max-entries", type=_count, help="how many lessons stay; default: the setting"
    )
    _add_consent(prune)


def _add_consent(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--dry-run", action="store_true", help="show what would be deleted, delete nothing"
    )
    command.add_argument("--yes", action="store_true", help="do not ask; required in a script")


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
