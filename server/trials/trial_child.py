"""The child process in which code of an answer is run: limits first, then the code.

Started as a script by `trials`, with nothing of this package on its path. It limits itself, tells
its parent on one line of JSON what it did, and ends with its parent.
"""

import ctypes
import doctest
import io
import json
import os
import signal
import sys
from contextlib import redirect_stderr, redirect_stdout
from types import ModuleType
from typing import Any

SECONDS = 5  # of CPU
MEMORY = 512 * 1024**2  # bytes of address space, for Python
FILE_SIZE = 1024**2  # bytes of one file
NEW_USER, NEW_NETWORK = 0x10000000, 0x40000000  # linux/sched.h
PARENT_DEATH_SIGNAL = 1  # linux/prctl.h
SHORT = 200
REFUSED = (
    "socket.", "subprocess.", "os.system", "os.exec", "os.fork", "os.posix_spawn", "os.spawn",
    "os.kill", "ctypes.", "shutil.rmtree", "urllib.", "http.", "ftplib.", "smtplib.", "webbrowser.",
)  # fmt: skip
"""Audit events that the code may not cause."""


def limited(memory: int) -> str:
    """Limit this process, and say what it is kept from."""
    done: list[str] = []
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_SIZE, FILE_SIZE))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        done.append(f"{SECONDS} s of CPU")
    except (ImportError, ValueError, OSError):
        done.append("a limit of time only")
    try:
        libc = ctypes.CDLL(None)
        libc.prctl(PARENT_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
        cut = libc.unshare(NEW_USER | NEW_NETWORK) == 0
    except (OSError, AttributeError, TypeError):  # not Linux
        cut = False
    done.append("a network of its own" if cut else "sockets refused inside Python alone")
    return ", ".join(done)


def refuse(folder: str) -> None:
    """From now on refuse network, processes, and files that are written outside of a folder."""

    def hook(event: str, given: tuple[Any, ...]) -> None:
        if event.startswith(REFUSED):
            raise PermissionError(f"{event} is refused here")
        if event == "open" and isinstance(given[0], str):
            flags = given[2] if isinstance(given[2], int) else 0
            writes = bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))
            if writes and not os.path.realpath(given[0]).startswith(folder):
                raise PermissionError("files are written in the working folder only")

    sys.addaudithook(hook)


def tried(code: str, examples: list[list[str]]) -> dict[str, Any]:
    """Run the code, its doctests, and calls with what they are said to return."""
    module = ModuleType("answer")
    space = module.__dict__
    heard = io.StringIO()
    faults: list[str] = []
    ran: list[str] = []
    with redirect_stdout(heard), redirect_stderr(heard):
        try:
            exec(compile(code, "<answer>", "exec"), space)  # what this process is for
        except AssertionError as failure:
            return {
                "ran": "its own asserts",
                "faults": [f"an assert fails: {_place(failure, code)}"],
            }
        except BaseException as trouble:  # whatever it is, nothing was proven
            return {"ran": "", "why": _short(f"it stops with {trouble!r}")}
        if "assert " in code:
            ran.append("its own asserts")
        tests = [test for test in doctest.DocTestFinder().find(module, "answer") if test.examples]
        for test in tests:
            for example in test.examples:
                got = _shown(example.source, test.globs)
                flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
                if got is not None and not doctest.OutputChecker().check_output(
                    example.want, got, flags
                ):
                    want, source = example.want.strip(), example.source.strip()
                    faults.append(_short(f"{source} gives {got.strip()!r}, not {want!r}"))
        if tests:
            ran.append("its own doctests")
        for call, value in examples:
            try:
                got, want = eval(call, dict(space)), eval(value, {})  # both stand in the answer
            except BaseException:  # the call needs something else, which proves nothing
                continue
            ran.append(call)
            if got != want:
                faults.append(_short(f"{call} gives {got!r}, not {value}"))
    return {
        "ran": _short(", ".join(ran)),
        "why": "nothing in it says what it returns",
        "faults": faults,
    }


def _shown(source: str, space: dict[str, Any]) -> str | None:
    """What the interactive interpreter would print; None for an exception."""
    said = io.StringIO()
    try:
        with redirect_stdout(said):
            exec(compile(source, "<doctest>", "single"), space)
    except BaseException:  # a doctest may want it, and may need what is not here
        return None
    return said.getvalue()


def _place(failure: BaseException, code: str) -> str:
    step, line = failure.__traceback__, 0
    while step is not None:
        if step.tb_frame.f_code.co_filename == "<answer>":
            line = step.tb_lineno
        step = step.tb_next
    lines = code.splitlines()
    return _short(lines[line - 1].strip()) if 0 < line <= len(lines) else "unknown"


def _short(text: object) -> str:
    return str(text)[:SHORT]


def main() -> None:
    """Either limit this process and become another program, or run what comes on stdin."""
    if len(sys.argv) > 1:
        limits = limited(0)  # Node reserves more addresses than any limit would grant
        os.write(1, f"{json.dumps({'limits': limits})}\n".encode())
        os.execvp(sys.argv[1], sys.argv[1:])
    given = json.loads(sys.stdin.read())
    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    limits = limited(MEMORY)
    refuse(os.path.realpath("."))
    told = tried(given["code"], given["examples"])
    answer.write(json.dumps({**told, "limits": limits}))
    answer.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
