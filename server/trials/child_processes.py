"""Runs code of answers in child processes that have limits, no network, and an end.

Guaranteed: a process of its own with limits of time, memory and file size, started in an empty
folder with an empty environment, killed with all it started when the call ends, is cancelled, or
takes too long. On Linux it also dies with this process, and where the kernel lets it, it has a
network of its own, without any way out; elsewhere Python alone refuses sockets. It is no jail for
code that means harm: files that the user may read can be read.
"""

import json
import os
import re
import signal
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from shutil import which
from typing import Any

import anyio
from anyio.abc import Process

from reflection_mcp.tools.ports import Snippet, Trial

SECONDS = 10.0
"""Wall time of one child."""
MOST_OUTPUT = 100_000
CHILD = Path(__file__).with_name("trial_child.py")
PROGRAMS = {"bash": ("bash", "-n"), "javascript": ("node", "--check")}
"""What reads a language without running it."""


_CERTAIN = re.compile(
    r"Unexpected end of input|missing \) after argument|Unterminated|already been declared"
    r"|Missing initializer|Invalid (?:left-hand|regular expression)"
)
"""What is wrong with JavaScript whichever program it is a piece of, and in JSX, too."""


class ChildProcesses:
    """Runs each snippet in a child process of its own."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds

    async def run(self, snippet: Snippet) -> Trial:
        """Run one snippet; a `Trial` without `ran` says why it was not run."""
        with tempfile.TemporaryDirectory(prefix="reflection-") as folder:
            if snippet.language == "python":
                return await self._python(snippet, folder)
            return await self._parsed(snippet, folder)

    async def _python(self, snippet: Snippet, folder: str) -> Trial:
        given = json.dumps({"code": snippet.code, "examples": snippet.examples})
        _, said = await self._child((), given, folder)
        told = _object(said)
        if told is None:
            return Trial(why="it took too long, or was stopped")
        return Trial(
            ran=str(told.get("ran", "")),
            why=str(told.get("why", "")),
            faults=tuple(map(str, told.get("faults", ()))),
            limits=str(told.get("limits", "")),
        )

    async def _parsed(self, snippet: Snippet, folder: str) -> Trial:
        program, option = PROGRAMS[snippet.language]
        found = which(program)
        if found is None:
            return Trial(why=f"{program} is not installed")
        module = "import " in snippet.code or "export " in snippet.code
        name = "answer.mjs" if module else "answer.cjs" if program == "node" else "answer.sh"
        Path(folder, name).write_text(snippet.code, encoding="utf-8")
        code, said = await self._child((found, option, name), "", folder)
        first, _, rest = said.partition("\n")
        limits = _object(first)
        if code is None or limits is None:
            return Trial(why="it took too long, or was stopped")
        ran, verdict = f"{program} {option}", _verdict(rest)
        if code and program == "node" and not _CERTAIN.search(verdict):
            return Trial(why="it is a piece of a program, or not plain JavaScript")
        faults = () if code == 0 else (verdict or f"{ran} ended with {code}",)
        return Trial(ran=ran, faults=faults, limits=str(limits["limits"]))

    async def _child(
        self, arguments: tuple[str, ...], given: str, folder: str
    ) -> tuple[int | None, str]:
        """The exit code and output of a child; None when it had to be ended."""
        process = await anyio.open_process(
            [sys.executable, "-I", "-B", str(CHILD), *arguments],
            cwd=folder,
            env={"PATH": os.defpath, "LANG": "C.UTF-8", "HOME": folder},
            stderr=-2,  # subprocess.STDOUT
            start_new_session=True,
        )
        output = bytearray()
        try:
            with anyio.move_on_after(self._seconds) as clock:
                assert process.stdin is not None
                assert process.stdout is not None
                with suppress(anyio.BrokenResourceError):
                    await process.stdin.send(given.encode())
                await process.stdin.aclose()
                async for chunk in process.stdout:
                    output += chunk
                    if len(output) > MOST_OUTPUT:
                        break
                else:
                    await process.wait()
        finally:
            await _ended(process)
        code = None if clock.cancelled_caught else process.returncode
        return code, output.decode(errors="replace")


async def _ended(process: Process) -> None:
    """End a child with all that it started, and wait for it."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    with anyio.CancelScope(shield=True):
        await process.aclose()


def _object(text: str) -> dict[str, Any] | None:
    """What a child said of itself; None when it was ended before it could."""
    try:
        read: dict[str, Any] = json.loads(text)
    except ValueError:
        return None
    return read


def _verdict(said: str) -> str:
    """The line of a parser's output that says what is wrong."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    return next((line for line in lines if "rror" in line), lines[0] if lines else "")[:200]
