"""`reflection-mcp`: without a sub-command it serves MCP over stdio.

stdout is data (protocol frames, or what a sub-command prints), stderr is talk. Exit codes: 0 done,
1 something is wrong and was said, 2 the command line or a setting cannot be used, 130 and 143 ended
by a signal. What a sub-command needs is imported when it runs, so that serving starts fast.
"""

import argparse
import gc
import logging
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from reflection_mcp.server.commands import add_commands
from reflection_mcp.server.hosts import add_install_command

if TYPE_CHECKING:  # both import pydantic, which the help text does not need
    from reflection_mcp.server.log import Log
    from reflection_mcp.server.settings import Settings

OK, WRONG, UNUSABLE = 0, 1, 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = _parser().parse_args(argv)
    run: Callable[[argparse.Namespace], int] = arguments.run
    from reflection_mcp.store.errors import StoreError
    from reflection_mcp.tools.errors import ReflectionError

    _settle_stdout(for_programs=arguments.prints_data or getattr(arguments, "json", False))
    try:
        return run(arguments)
    except (ReflectionError, StoreError) as failure:
        print(f"reflection-mcp: {failure.message}: {failure.hint}", file=sys.stderr)
        return UNUSABLE
    except (BrokenPipeError, ExceptionGroup) as failure:
        if not _is_broken_pipe(failure):
            raise
        # `reflection-mcp list | head`: the reader has seen enough. Python would complain once more
        # when it flushes stdout at the end, so there must be nothing left to flush to.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK


def _settle_stdout(*, for_programs: bool) -> None:
    """Data for programs is UTF-8 wherever it goes; what a console has no letter for is spelled."""
    reconfigure = getattr(sys.stdout, "reconfigure", None)  # a stream that is no file has none
    if reconfigure is None:
        return
    if for_programs:
        reconfigure(encoding="utf-8", errors="strict", newline="\n")
    else:
        reconfigure(errors="backslashreplace")


def _is_broken_pipe(failure: "BrokenPipeError | ExceptionGroup[Exception]") -> bool:
    """Whether a broken pipe is all that happened."""
    if isinstance(failure, BrokenPipeError):
        return True
    return failure.split(BrokenPipeError)[1] is None


# --------------------------------------------------------------------------- sub-commands


def _serve(arguments: argparse.Namespace) -> int:
    # Reading the SDK's modules makes garbage by the ten thousand and keeps nearly all of it:
    # without the collector the start is 14 to 20 % shorter.
    gc.disable()
    from reflection_mcp.server.app import build
    from reflection_mcp.server.application import application_for
    from reflection_mcp.server.stdio import serve_stdio

    # Before the SDK configures logging: its own handler draws tracebacks as wide tables.
    logging.basicConfig(stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")
    settings, log = _configured(arguments)
    server = build(application_for(settings, _here(), log))
    gc.freeze()
    gc.enable()
    if getattr(arguments, "http", False):
        from reflection_mcp.server.http import serve_http

        return serve_http(server, arguments.host, arguments.port)
    return serve_stdio(server)


def _doctor(arguments: argparse.Namespace) -> int:
    from reflection_mcp.server.doctor import doctor

    settings, _ = _configured(arguments)
    return doctor(settings, _here(), as_json=arguments.json)


def _demo(arguments: argparse.Namespace) -> int:
    from reflection_mcp.server.demo import demo

    return demo()


def _here() -> Path:
    """The folder the process was started in; the root when that folder is gone."""
    try:
        return Path.cwd()
    except FileNotFoundError:
        return Path(Path.home().anchor)


def _configured(arguments: argparse.Namespace) -> "tuple[Settings, Log]":
    from reflection_mcp.server.application import now
    from reflection_mcp.server.log import Log
    from reflection_mcp.server.settings import load

    settings = load(_overrides(arguments), os.environ, getattr(arguments, "config", None))
    log = Log(clock=now, stream=sys.stderr, style=settings.log_format, level=settings.log_level)
    for warning in settings.warnings:
        print(f"reflection-mcp: {warning}", file=sys.stderr)
    return settings, log


def _overrides(arguments: argparse.Namespace) -> Mapping[str, object]:
    return {name: getattr(arguments, name, None) for name in ("store", "tenant", "project", "mode")}


# --------------------------------------------------------------------------- the command line


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="reflection-mcp",
        description="An MCP server that lets an AI assistant learn from its own work. Without a "
        "sub-command it serves MCP over stdin and stdout.",
    )
    parser.add_argument("--version", action="version", version=version("reflection-mcp"))
    _add_settings(parser)
    parser.set_defaults(run=_serve, prints_data=False)
    commands = parser.add_subparsers(title="sub-commands", metavar="")
    serve = _command(commands.add_parser, "serve", "serve MCP (the default)", _serve)
    serve.add_argument("--http", action="store_true", help="over streamable HTTP on this machine")
    serve.add_argument("--host", default="127.0.0.1", help="a loopback address")
    serve.add_argument("--port", type=int, default=8931, help="default: 8931")
    checkup = _command(
        commands.add_parser, "doctor", "show settings, store and judges; test itself", _doctor
    )
    checkup.add_argument("--json", action="store_true", help="print JSON")
    add_install_command(commands.add_parser)
    _command(commands.add_parser, "demo", "show on real input what an assistant sees", _demo)
    add_commands(commands, _add_settings)
    return parser


def _command(
    add: Callable[..., argparse.ArgumentParser],
    name: str,
    what: str,
    run: Callable[[argparse.Namespace], int],
) -> argparse.ArgumentParser:
    command = add(name, help=what, description=what)
    _add_settings(command)
    command.set_defaults(run=run)
    return command


def _add_settings(parser: argparse.ArgumentParser) -> None:
    """The settings that are worth a flag; every other one has a variable and a line in the file."""
    nothing = argparse.SUPPRESS  # so that a flag before the sub-command is not overwritten by None
    parser.add_argument("--store", default=nothing, help="where everything is kept")
    parser.add_argument("--tenant", default=nothing, help="whose memory")
    parser.add_argument("--project", default=nothing, help="which part of it")
    parser.add_argument("--mode", default=nothing, choices=["lite", "full"], help="lite or full")
    parser.add_argument("--config", default=nothing, type=Path, help="a settings file (TOML)")
