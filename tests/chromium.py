"""A real Chromium that is on this machine, for tests of pages; found, or skipped by name.

It is `REFLECTION_CHROMIUM`, else one of `NAMES` on the PATH; `playwright`, which drives it, comes
with `uv run --group browser`.
"""

import os
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")

Page = Any
"""A page of playwright, which only the group `browser` installs."""


@contextmanager
def launched() -> Generator[Any]:
    """A browser. As long as it is there, no other loop can run in this thread."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed (uv run --group browser pytest)"
    )
    named = os.environ.get("REFLECTION_CHROMIUM")
    path = named or next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip("no Chromium (apt-get install chromium-headless-shell)")
    # Chromium has no sandbox for root; anybody else has one.
    flags = ["--no-sandbox"] if os.name == "posix" and os.geteuid() == 0 else []
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=flags)
        yield browser
        browser.close()


@dataclass
class Watch:
    """What went wrong in pages: messages in the console, errors, dialogs, requests that failed or
    went to an origin that is not among `origins`."""

    origins: set[str] = field(default_factory=set[str])
    faults: list[str] = field(default_factory=list[str])

    def over(self, page: Page) -> Page:
        """Watch a page from now on."""
        page.on("console", self._console)
        page.on("pageerror", self._error)
        page.on("dialog", self._dialog)
        page.on("requestfailed", self._failed)
        page.on("request", self._asked)
        return page

    def _console(self, message: Any) -> None:
        if str(message.location["url"]).endswith("/favicon.ico"):
            return  # a Chromium with a window asks for the icon of what is no page of ours, too
        self.faults.append(f"console: {message.text}")

    def _error(self, error: Any) -> None:
        self.faults.append(f"error: {error}")

    def _failed(self, request: Any) -> None:
        self.faults.append(f"failed: {request.url}")

    def _dialog(self, dialog: Any) -> None:
        self.faults.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _asked(self, request: Any) -> None:
        if not request.url.startswith(tuple(self.origins)):
            self.faults.append(f"foreign: {request.url}")
