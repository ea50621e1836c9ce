"""The command in processes of its own, as a person starts it."""

import os
import signal
import subprocess
import sys
from pathlib import Path

ENVIRONMENT = {
    name: value for name, value in os.environ.items() if not name.startswith("REFLECTION_")
}


class Starter:
    """Starts the command in processes of its own, over a store in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store = folder / "store.db"
        self.running: list[subprocess.Popen[str]] = []

    def start(self, *flags: str, opened: bool = False, **settings: str) -> subprocess.Popen[str]:
        """A process; it has not said anything yet."""
        flags = flags if opened else ("--no-open", *flags)
        process = subprocess.Popen(
            [sys.executable, "-m", "reflection_mcp.server", "dashboard", *flags],
            cwd=self.folder,
            env=ENVIRONMENT
            | {"REFLECTION_STORE": str(self.store), "REFLECTION_PROJECT": "shop"}
            | settings,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        self.running.append(process)
        return process

    def url(self, *flags: str) -> str:
        """The address that a new process prints."""
        process = self.start(*flags)
        assert process.stdout is not None
        return process.stdout.readline().strip()

    def end(self, process: subprocess.Popen[str], number: signal.Signals) -> tuple[int, str]:
        """End a process by a signal; its exit code and what it said besides."""
        process.send_signal(number)
        _, said = process.communicate(timeout=60)
        return process.returncode, said

    def close(self) -> None:
        """End all that still run."""
        for process in self.running:
            if process.poll() is None:
                process.kill()
            process.communicate(timeout=60)
