"""Processes that run a module, forked from a process that has imported the SDK already.

The import takes most of a second, which is more than what most tests do with a server. In all else
such a process is what a host starts: its own descriptors, environment, folder, signals and exit
code. Tests of the start itself (what it imports, what it keeps) start an interpreter.
"""

import fcntl
import multiprocessing
import os
import runpy
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from multiprocessing import forkserver, reduction
from pathlib import Path
from typing import Any

ABOVE = 100
"""Descriptors from here on are not asked for under their numbers."""

_server = multiprocessing.get_context("forkserver")
_server.set_forkserver_preload(["tests.imported_once"])


def stop() -> None:
    """End the process that forks, and what a test that failed has left running."""
    for left in multiprocessing.active_children():
        left.kill()
        left.join()
    vars(forkserver)["_forkserver"]._stop()


class _Descriptor:
    """A file descriptor that is handed to the new process."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __reduce__(self) -> Any:
        return _received, (reduction.DupFd(self.number),)


def _received(sent: Any) -> int:
    number: int = sent.detach()
    return number


class Forked:
    """A process that runs `python -m module`; the names are those of `subprocess.Popen`.

    Args:
        command: the module, and its arguments.
        stdin, stdout, stderr: descriptors; a pipe of one's own if None.
        pass_fds: descriptors that it has under the same numbers.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        stdin: int | None = None,
        stdout: int | None = None,
        stderr: int | None = None,
        pass_fds: Sequence[int] = (),
    ) -> None:
        theirs: list[int] = []
        if stdin is None:
            stdin, writing = os.pipe()
            theirs.append(stdin)
            self.stdin = os.fdopen(writing, "wb")
        if stdout is None:
            reading, stdout = os.pipe()
            theirs.append(stdout)
            self.stdout = os.fdopen(reading, "rb")
        if stderr is None:
            reading, stderr = os.pipe()
            theirs.append(stderr)
            self.stderr = os.fdopen(reading, "rb")
        given = {0: stdin, 1: stdout, 2: stderr, **{number: number for number in pass_fds}}
        self._process = _server.Process(
            target=_run,
            args=(
                list(command),
                dict(os.environ if env is None else env),
                str(cwd or Path.cwd()),
                {number: _Descriptor(ours) for number, ours in given.items()},
            ),
        )
        self._process.start()
        for number in theirs:
            os.close(number)
        assert self._process.pid is not None
        self.pid = self._process.pid

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        code = self._process.exitcode
        if code is None:
            raise subprocess.TimeoutExpired("a forked process", timeout or 0)
        return code

    def send_signal(self, number: signal.Signals) -> None:
        if self._process.exitcode is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def close(self) -> None:
        """End it, and close the pipes to it."""
        self.kill()
        self.wait(60)
        for name in {"stdin", "stdout", "stderr"} & vars(self).keys():
            vars(self)[name].close()


def ran(
    command: Sequence[str], *, env: Mapping[str, str], cwd: Path | None = None, given: str = ""
) -> "subprocess.CompletedProcess[str]":
    """What a process printed that was given an input, and its exit code."""
    process = Forked(command, env=env, cwd=cwd)
    with closing(process):
        process.stdin.write(given.encode())
        process.stdin.close()
        out, said = process.stdout.read().decode(), process.stderr.read().decode()
        return subprocess.CompletedProcess(command, process.wait(60), out, said)


def _run(
    command: list[str], environment: dict[str, str], folder: str, given: dict[int, int]
) -> None:
    """Become what an interpreter is that was started for this module."""
    # First out of the way of the numbers that are asked for.
    moved = {number: fcntl.fcntl(ours, fcntl.F_DUPFD, ABOVE) for number, ours in given.items()}
    for ours in given.values():
        os.close(ours)
    for number, ours in moved.items():
        os.dup2(ours, number)
        os.close(ours)
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", 1, encoding="utf-8", errors="backslashreplace", closefd=False)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.argv = ["", *command[1:]]
    runpy.run_module(command[0], run_name="__main__", alter_sys=True)
