"""Builds the application, and the SDK's server around it.

Each is made once, by whichever thread needs it first.
"""

import gc
import sys
import threading
from collections.abc import Callable
from functools import cached_property

TYPE_CHECKING = False  # importing `typing` takes a tenth of what a list is waited for
if TYPE_CHECKING:
    from concurrent.futures import Future
    from typing import Any

    from reflection_mcp.server.application import Application
    from reflection_mcp.server.settings.settings import Settings
    from reflection_mcp.server.transport.protocol import ReflectionServer
    from reflection_mcp.server.transport.stdio import Handover
    from reflection_mcp.server.worker import Worker


class Loader:
    """The application of the settings that `read` returns, and its server."""

    def __init__(self, read: "Callable[[], Settings]") -> None:
        self._read = read
        self._one_at_a_time = threading.Lock()
        self._application: Application | None = None

    @property
    def has_begun(self) -> bool:
        """Whether there is an application, which may have opened its store."""
        return self._application is not None

    @cached_property
    def _settings(self) -> "Settings":
        return self._read()

    @cached_property
    def worker(self) -> "Worker":
        """Where calls compute, those of hooks and later those of the SDK."""
        from reflection_mcp.server.worker import Worker

        return Worker()

    def application(self) -> "Application":
        """What lives as long as the process."""
        from reflection_mcp.server.application import application_for, now
        from reflection_mcp.server.log import Log
        from reflection_mcp.server.settings.places import here

        with self._one_at_a_time:
            if self._application is None:
                style, level = self._settings.log_format, self._settings.log_level
                log = Log(clock=now, stream=sys.stderr, style=style, level=level)
                self._application = application_for(self._settings, here(), log)
            return self._application

    def server(self) -> "ReflectionServer[Any]":
        """The server of the SDK; reading its modules takes most of a second."""
        # That makes garbage by the ten thousand and keeps nearly all of it: without the collector
        # the start is 14 to 20 % shorter.
        gc.disable()
        import logging

        from reflection_mcp.server.app import build

        # Before the SDK configures logging: its own handler draws tracebacks as wide tables.
        logging.basicConfig(stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")
        server = build(self.application())
        server.worker = self.worker
        gc.freeze()
        gc.enable()
        return server

    async def prepare_hooks(self) -> None:
        """Let the first call of a hook find all in place; nothing is left behind."""
        from reflection_mcp.server.front.rehearsal import rehearse_briefing

        application = self.application()
        if application.settings.enabled and not application.has_no_store:
            await application.open_if_it_exists()
            await rehearse_briefing(await application.services_of(application.project, tries=1))

    async def prepare_later_hooks(self) -> None:
        """Let those after the first one do so, too; from then on garbage is collected."""
        from reflection_mcp.server.front.rehearsal import rehearse_hooks

        try:
            if self.application().settings.enabled:
                await rehearse_hooks()
        finally:
            gc.freeze()
            gc.enable()

    def rehearse(self) -> None:
        """Prepare what the first calls of tools need, in the calling thread."""
        if self._settings.enabled:
            import anyio

            from reflection_mcp.server.front.rehearsal import rehearse_tools

            anyio.run(rehearse_tools)

    def close(self) -> "Future[None] | None":
        """Close what was opened in the worker; None where nothing was."""
        application = self._application
        return self.worker.submit(application.close) if application else None

    def load(self) -> "Callable[[Handover], int]":
        """What goes on with a connection in the main thread, and returns the exit code."""
        return self.server().serve_stdio
