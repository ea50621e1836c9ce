"""`reflection-mcp`: without a sub-command it serves MCP over stdio.

stdout is for data (protocol frames, or what a sub-command prints), stderr for messages. Exit codes:
0 done, 1 problems found or partly done, 2 nothing was done because an argument, a setting or the
store cannot be used, 130 and 143 ended by a signal. What a sub-command needs is
imported when it runs, so that serving starts fast.
"""

import argparse
import errno
import os
import sys
from collections.abc import Callable, Sequence
from functools import cache
from importlib.metadata import version
from typing import Any, NoReturn

from reflection_mcp.server.commands import add_commands, sub_command
from reflection_mcp.server.hosts import add_install_command
from reflection_mcp.server.settings.flags import add_flags, settings_of

OK, UNUSABLE = 0, 2

LAST_WORDS = 2.0
"""Seconds that a process which is over waits for the snapshot of the next one."""

AT_A_TERMINAL = (
    "reflection-mcp is waiting for an MCP client on stdin. To add it to an assistant, run "
    "`reflection-mcp install`; to see what it does, `reflection-mcp demo`; Ctrl-C ends it."
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
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
    except OSError as failure:
        if failure.errno not in (errno.EMFILE, errno.ENFILE):
            raise
        hint = "raise the limit of open files (ulimit -n)"
        print(f"reflection-mcp: too many files are open: {hint}", file=sys.stderr)
        return UNUSABLE


FILES = 16
"""Files that a server opens: three event loops, the wire, and the store."""


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
    from reflection_mcp.server.front.loader import Loader
    from reflection_mcp.server.front.snapshot import current
    from reflection_mcp.server.transport.descriptors import ensure_spare

    ensure_spare(FILES)
    snapshot = current()  # of the files as they are before they are imported
    settings = settings_of(arguments)
    http = getattr(arguments, "http", False)
    if sys.stdin.isatty() and not http:
        print(AT_A_TERMINAL, file=sys.stderr)
    loader = Loader(lambda: settings)
    if http:
        from reflection_mcp.server.access.entrance import serve_http
        from reflection_mcp.server.access.exposure import exposure_of

        exposure = exposure_of(arguments)
        return serve_http(loader.server(), loader.application(), exposure)
    from reflection_mcp.server.front.recording import record_beside

    server = loader.server()
    recording = record_beside(server, snapshot) if snapshot else None
    code = server.serve_stdio()
    if recording and code == OK:
        recording.join(LAST_WORDS)
    return code


def _doctor(arguments: argparse.Namespace) -> int:
    if arguments.rekey:
        from reflection_mcp.server.commands.maintenance import rekey_lessons
        from reflection_mcp.server.commands.place import run_in_place

        return run_in_place(arguments, rekey_lessons)
    from reflection_mcp.server.doctor.doctor import doctor, tell
    from reflection_mcp.server.settings.places import here

    if arguments.url or arguments.token_env:
        from reflection_mcp.server.doctor.reach import look_at_server
        from reflection_mcp.server.hosts.remote import remote_at

        remote = remote_at(arguments.url, arguments.token_env)
        return tell(look_at_server(remote, os.environ), as_json=arguments.json)

    return doctor(settings_of(arguments), here(), as_json=arguments.json)


def _installed() -> None:
    """Make the snapshot by which the first start of a host is answered at once."""
    from reflection_mcp.server.front.recording import record_for_the_next_start

    record_for_the_next_start()


def _hook(arguments: argparse.Namespace) -> int:
    from reflection_mcp.server.front.entry import FLAGS
    from reflection_mcp.server.hook_process import run_hook

    given = {name: getattr(arguments, name, None) for name in FLAGS}
    if given["config"]:
        given["config"] = given["config"].absolute()  # the hook changes to the event's folder
    flags = {name: str(value) for name, value in given.items() if value is not None}
    return run_hook((arguments.host, arguments.event), flags)


def _demo(arguments: argparse.Namespace) -> int:
    from reflection_mcp.server.demo import demo

    return demo()


def _completion(arguments: argparse.Namespace) -> int:
    import shtab

    print(shtab.complete(parser(), arguments.shell))
    return OK


# --------------------------------------------------------------------------- the command line


class _Parser(argparse.ArgumentParser):
    """A parser that suggests the nearest sub-command or value for a mistyped one, and shows how a
    sub-command is used with what it refuses."""

    def parse_known_args(self, *args: Any, **named: Any) -> tuple[Any, list[str]]:
        """Return the arguments; nothing is ever left over."""
        parsed, extra = super().parse_known_args(*args, **named)
        if extra:
            self.error(f"unrecognized arguments: {' '.join(extra)}")
        return parsed, extra

    def error(self, message: str) -> NoReturn:
        """Print usage and the message, with a suggestion if there is one, and exit with 2."""
        import difflib
        import re

        wrong = re.search(r"invalid choice: '([^']{1,60})' \(", message)
        if wrong is not None:
            choices = re.findall(r"'?([\w-]+)'?(?:, |\))", message[wrong.end() :])
            nearest = difflib.get_close_matches(wrong[1], choices, 1)
            if nearest:
                message = f"'{wrong[1]}' is not known; did you mean '{nearest[0]}'?"
        super().error(message)


@cache
def parser() -> argparse.ArgumentParser:
    """The whole command line."""
    whole = _Parser(
        prog="reflection-mcp",
        description="An MCP server that lets an AI assistant learn from its own work. Without a "
        "sub-command it serves MCP over stdin and stdout.",
        epilog="exit codes: 0 done; 1 problems found, or only partly done, and each problem is "
        "listed; 2 nothing done: an argument, a setting or the store cannot be used; "
        "130 interrupted; 143 terminated",
    )
    named = f"reflection-mcp {version('reflection-mcp')}"
    whole.add_argument("--version", action="version", version=named)
    add_flags(whole)
    whole.set_defaults(run=_serve, prints_data=False)
    commands = whole.add_subparsers(title="sub-commands", metavar="COMMAND")
    _add_http(sub_command(commands, "serve", "serve MCP (the default)", _serve))
    what = "check settings, store and available models, and run a self-test"
    checkup = sub_command(commands, "doctor", what, _doctor)
    checkup.add_argument("--json", action="store_true", help="print JSON")
    what = "update the signatures of errors that an earlier version stored"
    checkup.add_argument("--rekey", action="store_true", help=what)
    what = "check the server at this URL instead: can it be reached and used?"
    checkup.add_argument("--url", default="", metavar="URL", help=what)
    what = "with --url: the environment variable that holds the token"
    checkup.add_argument("--token-env", default="", metavar="NAME", help=what)
    add_install_command(commands.add_parser, _installed)
    what = "answer one event of a hook, for assistants whose hooks start a process"
    hook = commands.add_parser("hook", help=what, description=what)
    what = "the assistant that calls, such as cursor; it passes the event on stdin, as JSON"
    hook.add_argument("host", metavar="HOST", help=what)
    what = "the name of the event, as the assistant has it"
    hook.add_argument("event", metavar="EVENT", help=what)
    hook.set_defaults(run=_hook)
    what = "show what an assistant sees, with a temporary store"
    commands.add_parser("demo", help=what, description=what).set_defaults(run=_demo)
    add_commands(commands)
    what = "print a completion script for your shell"
    completion = commands.add_parser("completion", help=what, description=what)
    completion.add_argument("shell", choices=["bash", "zsh", "fish", "tcsh"])
    completion.set_defaults(run=_completion)
    return whole


def _add_http(serve: argparse.ArgumentParser) -> None:
    serve.add_argument("--http", action="store_true", help="serve Streamable HTTP")
    serve.add_argument("--host", default="127.0.0.1", help="default: 127.0.0.1")
    serve.add_argument("--port", type=int, default=8931, help="default: 8931")
    what = "listen on a Unix socket that only this user may use, instead of a port"
    serve.add_argument("--unix-socket", default="", metavar="PATH", help=what)
    what = (
        "how callers prove who they are; default: with a token from a file that only this "
        "user can read; none: not at all"
    )
    serve.add_argument("--auth", choices=["none", "tokens", "oauth"], help=what)
    what = "the URL under which others reach the server"
    serve.add_argument("--public-url", default="", metavar="URL", help=what)
    what = "another Host header to accept; may be repeated"
    serve.add_argument("--allowed-host", action="append", default=[], metavar="HOST", help=what)
    what = "the server is behind a proxy, on a private network"
    serve.add_argument("--behind-proxy", action="store_true", help=what)
    what = "also serve the dashboard under /dashboard, to anyone who logs in with a token"
    serve.add_argument("--dashboard", action="store_true", help=what)
    what = (
        "a separate port for /healthz, /readyz and /metrics; anyone who can reach it can read them"
    )
    serve.add_argument("--metrics-port", type=int, metavar="PORT", help=what)
    what = "the address of that port; default: 127.0.0.1"
    serve.add_argument("--metrics-host", default="127.0.0.1", metavar="HOST", help=what)
