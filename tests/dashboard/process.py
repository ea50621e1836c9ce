"""The command in processes of its own, as a person starts it."""

import os
import signal
from pathlib import Path

from tests.forked import Forked

ENVIRONMENT = {
    name: value for name, value in os.environ.items() if not name.startswith("REFLECTION_")
}


class Starter:
    """Starts the command in processes of its own, over a store in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store = folder / "store.db"
        self.running: list[Forked] = []

    def start(self, *flags: str, opened: bool = False, **settings: str) -> Forked:
        """A process; it has not said anything yet."""
        flags = flags if opened else ("--no-open", *flags)
        return self.run("dashboard", *flags, **settings)

    def run(self, *words: str, **settings: str) -> Forked:
        """A process of the command line."""
        process = Forked(
            ["reflection_mcp.server", *words],
            cwd=self.folder,
            env=ENVIRONMENT
            | {"REFLECTION_STORE": str(self.store), "REFLECTION_PROJECT": "shop"}
            | settings,
        )
        self.running.append(process)
        return process

    def url(self, *flags: str, **settings: str) -> str:
        """The address that a new process prints."""
        return printed(self.start(*flags, opened=False, **settings))

    def end(self, process: Forked, number: signal.Signals) -> tuple[int, str]:
        """End a process by a signal; its exit code and what it said besides."""
        process.send_signal(number)
        assert process.stdout.read() == b""
        return process.wait(60), process.stderr.read().decode()

    def close(self) -> None:
        """End all that still run."""
        for process in self.running:
            process.kill()
            process.close()


def printed(process: Forked) -> str:
    """The line that a process prints next."""
    return process.stdout.readline().decode().strip()
