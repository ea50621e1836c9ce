"""The sub-commands with which people look at their lessons, change, move and tidy them.

Rule of this package: data goes to stdout, for a reader or with `--json` for a program; messages and
progress go to stderr. Stored text is shown as data, cleaned of what only a machine
reads. What a sub-command needs is imported when it runs.
"""

import argparse
from collections.abc import Callable
from importlib import import_module
from typing import Any, Protocol

from reflection_mcp.server.settings.flags import add_flags


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
    _add_review(commands)
    _add_transcripts(commands)
    _add_tokens(commands)
    _add_dashboard(commands)
    _add_migrate(commands)


def _command(
    commands: Subparsers,
    name: str,
    what: str,
    module: str,
    *,
    makes: bool = False,
    looks: bool = False,
) -> argparse.ArgumentParser:
    """A sub-command on lessons: `NAME_lessons` of a module, which gets an open store."""

    def run(arguments: argparse.Namespace) -> int:
        from reflection_mcp.server.commands.place import run_in_place

        return run_in_place(arguments, _found(module, f"{name}_lessons"), makes=makes, looks=looks)

    command = sub_command(commands, name, what, run)
    command.add_argument("--json", action="store_true", help="print JSON")
    return command


def _own_command(
    commands: Subparsers, name: str, what: str, module: str
) -> argparse.ArgumentParser:
    """A sub-command that is a module of its own, whose function `run` does it all."""
    return sub_command(commands, name, what, lambda arguments: _found(module, "run")(arguments))


def sub_command(
    commands: Subparsers, name: str, what: str, run: Callable[[argparse.Namespace], int]
) -> argparse.ArgumentParser:
    """Add a sub-command that takes the flags of the settings."""
    command = commands.add_parser(name, help=what, description=what)
    add_flags(command)
    command.set_defaults(run=run)
    return command


def _found(module: str, name: str) -> Any:
    return getattr(import_module(f"reflection_mcp.server.commands.{module}"), name)


def _add_listing(commands: Subparsers) -> None:
    what = "show today's look-ups, new lessons and feedback"
    today = _command(commands, "today", what, "today", looks=True)
    today.add_argument(
        "--since",
        metavar="DATE",
        help="count from this date on, such as 2026-11-21; default: today",
    )
    lists = _command(commands, "list", "list lessons and strategies", "listing", looks=True)
    what = "only lessons (reflection), or only strategies; attempt: what was judged"
    lists.add_argument("--kind", choices=["reflection", "strategy", "attempt"], help=what)
    what = "only attempts whose quality is below it"
    lists.add_argument("--max-quality", type=_share, metavar="0..1", help=what)
    lists.add_argument(
        "--tag", action="append", default=[], help="only with this tag; may be repeated"
    )
    lists.add_argument("--error-type", metavar="TYPE", help="only of this type, such as KeyError")
    outcomes = ["success", "partial", "failure", "timeout", "error"]
    lists.add_argument("--outcome", choices=outcomes, help="only with this outcome")
    what = "only if last seen on or after it, such as 2026-11-21"
    lists.add_argument("--since", metavar="DATE", help=what)
    what = "only with at least this importance"
    lists.add_argument("--min-importance", type=_share, default=0.0, metavar="0..1", help=what)
    orders = ["newest", "most_met", "importance"]
    what = "default: newest; most_met: most often met first"
    lists.add_argument("--order", choices=orders, default="newest", help=what)
    lists.add_argument("--retired", action="store_true", help="include retired lessons")
    _add_limit(lists, 20)
    show = _command(commands, "show", "show everything about one record", "listing")
    show.add_argument("id", help="the id of a lesson, strategy, attempt or look-up")
    search = _command(commands, "search", "find lessons by words", "listing", looks=True)
    search.add_argument("words", nargs="+", help="a task, a question or an error")
    _add_limit(search, 10)
    what = "list errors, and whether the advice on each one worked"
    errors = _command(commands, "errors", what, "errors", looks=True)
    sorts = ["came-back", "met", "failed", "newest"]
    what = "default: came-back (the errors that came back most often after advice come first)"
    errors.add_argument("--sort", choices=sorts, default="came-back", help=what)
    errors.add_argument("--retired", action="store_true", help="include retired lessons")
    _add_limit(errors, 20, "errors")
    what = "count what is stored and how often it helped"
    _command(commands, "stats", what, "listing", looks=True)


def _add_fetch_model(commands: Subparsers) -> None:
    def run(arguments: argparse.Namespace) -> int:
        result: int = _found("fetch_model", "run")(arguments)
        return result

    what = "download an embedding model, to be used offline"
    command = commands.add_parser("fetch-model", help=what, description=what)
    command.set_defaults(run=run)
    command.add_argument(
        "name", help="a model that fastembed knows, such as BAAI/bge-small-en-v1.5"
    )


def _add_archive(commands: Subparsers) -> None:
    exports = _command(commands, "export", "write all lessons to a file", "archive")
    _add_format(exports)
    exports.add_argument("--output", metavar="FILE", help="default: stdout")
    exports.set_defaults(prints_data=True)
    what = "merge lessons from a file"
    imports = _command(commands, "import", what, "archive", makes=True)
    imports.add_argument("file", help="the file, or - for stdin")
    _add_format(imports)

    what = "copy everything of the tenant to another store; if interrupted, run it again"
    copies = _command(commands, "copy", what, "copy")
    what = "the other store: a path, sqlite:///PATH or postgresql://HOST/DATABASE"
    copies.add_argument("--to", required=True, metavar="LOCATION", help=what)
    what = "copy only the project in use (see --project), not all projects"
    copies.add_argument("--only-project", action="store_true", help=what)


def _add_format(command: argparse.ArgumentParser) -> None:
    what = "default: markdown for a file named *.md, else jsonl (JSON Lines)"
    command.add_argument("--format", choices=["jsonl", "markdown"], help=what)


def _add_draft(commands: Subparsers) -> None:
    what = "add a lesson, with flags or in your editor"
    add = _command(commands, "add", what, "draft", makes=True)
    add.add_argument("lesson", nargs="?", help="one sentence; without it your editor opens")
    add.add_argument("--error", help="the text of the error that the lesson is about")
    what = "change a lesson, with flags or in your editor"
    edit = _command(commands, "edit", what, "draft")
    edit.add_argument("id", help="the id of a lesson or strategy")
    edit.add_argument("--lesson", help="the new text")
    what = "hide the lesson without deleting it"
    state = edit.add_mutually_exclusive_group()
    state.add_argument("--retire", dest="retired", action="store_true", default=None, help=what)
    what = "show a retired lesson again"
    state.add_argument("--restore", dest="retired", action="store_false", help=what)
    for command in (add, edit):
        command.add_argument("--strategy", help="the rule for next time")
        more = "may be repeated" + ("; replaces the stored ones" if command is edit else "")
        command.add_argument("--tag", action="append", help=f"a key word; {more}")
        what = f"a short phrase for when the lesson is needed; {more}"
        command.add_argument("--situation", action="append", metavar="PHRASE", help=what)
        what = "how much the lesson matters"
        command.add_argument("--importance", type=_share, metavar="0..1", help=what)


def _add_upkeep(commands: Subparsers) -> None:
    forget = _command(commands, "forget", "delete records for good", "maintenance")
    what = "the id of a lesson, strategy, attempt or look-up"
    forget.add_argument("ids", nargs="*", metavar="ID", help=what)
    forget.add_argument("--all", action="store_true", help="all lessons of the project")
    _add_consent(forget)
    what = "merge near-duplicate lessons, adjust importance, retire useless ones"
    tidy = _command(commands, "consolidate", what, "maintenance")
    tidy.add_argument("--dry-run", action="store_true", help="print the plan, change nothing")
    tidy.add_argument("--undo", action="store_true", help="undo the last consolidation")
    prune = _command(commands, "prune", "delete the least useful lessons", "maintenance")
    what = "number of lessons to keep; default: the setting max_entries"
    prune.add_argument("--max-entries", type=_count, metavar="N", help=what)
    _add_consent(prune)


def _add_review(commands: Subparsers) -> None:
    what = "decide about lessons that are unconfirmed, contradict each other, or do not help"
    asks = _command(commands, "review", what, "review", looks=True)
    asks.add_argument(
        "id", nargs="?", help="the id of the lesson to act on; without it you are asked about each"
    )
    actions = ["confirm", "reject", "edit", "merge", "forget", "project", "tenant"]
    asks.add_argument("action", nargs="?", choices=actions, help="what to do with it")
    what = "merge: the lesson to merge into ID; default: the one that contradicts it"
    asks.add_argument("other", nargs="?", metavar="OTHER", help=what)
    asks.add_argument("--list", action="store_true", help="print the lessons without asking")
    asks.add_argument("--lesson", help="edit: the new text")
    asks.add_argument("--strategy", help="edit: the new rule for next time")
    asks.add_argument("--yes", action="store_true", help="forget: do not ask; required in a script")


def _add_transcripts(commands: Subparsers) -> None:
    what = "propose fixes from session files of Claude Code, Codex or Gemini CLI, for review"
    learn = _command(commands, "learn", what, "transcripts", makes=True)
    learn.add_argument("files", nargs="+", metavar="TRANSCRIPT", help="a session file")


def _add_tokens(commands: Subparsers) -> None:
    what = "add, list or revoke the tokens with which others use `serve --http`"
    command = _own_command(commands, "tokens", what, "tokens")
    command.add_argument("action", choices=["add", "list", "revoke"], help="what to do")
    command.add_argument("name", nargs="?", help="who will use the token; each name has one token")
    what = "reader: looks things up; writer: also learns and judges; admin: the same as writer"
    roles = ["reader", "writer", "admin"]
    command.add_argument("--role", choices=roles, default="writer", help=f"{what}; default: writer")
    what = "days until it expires; default: never"
    command.add_argument("--days", type=_count, metavar="N", help=what)
    command.add_argument("--json", action="store_true", help="print JSON")


def _add_dashboard(commands: Subparsers) -> None:
    what = "see in your browser which lessons help and which fail, and correct them"
    command = _own_command(commands, "dashboard", what, "dashboard")
    command.add_argument("--port", type=_port, default=0, help="default: any free one")
    what = "an address of this machine; default: 127.0.0.1"
    command.add_argument("--host", default="127.0.0.1", help=what)
    command.add_argument("--no-open", action="store_true", help="do not open a browser")
    command.add_argument("--read-only", action="store_true", help="show everything, change nothing")
    command.add_argument("--json", action="store_true", help="print JSON")


def _add_migrate(commands: Subparsers) -> None:
    what = "create the tables of a store in PostgreSQL, or upgrade them"
    command = _own_command(commands, "migrate", what, "migrate")
    what = (
        "URL of the database, with the role that owns its tables; default: the store of the "
        "settings"
    )
    command.add_argument("--to", default="", metavar="URL", help=what)
    what = "a role that may use the tables but not alter them; let the server use such a role"
    command.add_argument("--grant", default="", metavar="ROLE", help=what)
    what = "shard the tables by tenant; needs the extension Citus"
    command.add_argument("--distribute", action="store_true", help=what)


def _add_consent(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--dry-run", action="store_true", help="show what would be deleted, delete nothing"
    )
    command.add_argument("--yes", action="store_true", help="do not ask; required in a script")


def _add_limit(command: argparse.ArgumentParser, most: int, things: str = "lessons") -> None:
    what = f"maximum number of {things}; default: {most}; 0 means all"
    command.add_argument("--limit", type=_count, default=most, metavar="N", help=what)


def _count(text: str) -> int:
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"{number} is less than 0")
    return number


def _port(text: str) -> int:
    number = _count(text)
    if number > 65_535:
        raise argparse.ArgumentTypeError(f"{number} is more than 65535")
    return number


def _share(text: str) -> float:
    number = float(text)
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError(f"{text} is not a number from 0 to 1")
    return number


_count.__name__ = _port.__name__ = "whole number"
_share.__name__ = "number"  # as argparse names them in errors
