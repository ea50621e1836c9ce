"""A real Chromium that is driven against the real command.

Nothing here waits for time to pass: locators wait for what they look for. Each test fails on any
message in the console, any error of a page, any request that fails, and any to another origin.
"""

import base64
import hashlib
import json
import shutil
import subprocess
import tarfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.chromium import Page, Watch, launched
from tests.dashboard.invented import filled
from tests.dashboard.process import Starter
from tests.new_store import placed

AXE = "axe-core@4.14.1"
AXE_DIGEST = (  # sha512
    "FHfa+lmNjQZfJz1q8wKqIDwC6DExcHt/pkjNQb09a3NPjCKg2rhu5qb2S4r76ASyFNNtuFooJpZe37OgudVGtQ=="
)


@pytest.fixture(scope="package")
def chromium() -> Iterator[Any]:
    """One browser for all tests of this folder."""
    with launched() as browser:
        yield browser


@dataclass
class PagesWatch(Watch):
    """What went wrong in the pages of one test; a test removes what it expects. `leave` is the
    answer for each page that asks whether to leave it."""

    requests: list[Any] = field(default_factory=list[Any])
    leave: list[bool] = field(default_factory=list[bool])

    def _dialog(self, dialog: Any) -> None:
        if dialog.type != "beforeunload" or not self.leave:
            super()._dialog(dialog)
        elif self.leave.pop(0):
            dialog.accept()
        else:
            dialog.dismiss()

    def _failed(self, request: Any) -> None:
        if request.failure != "net::ERR_ABORTED":  # which is so when a page is left
            self.faults.append(f"failed: {request.url}, {request.failure}")

    def _asked(self, request: Any) -> None:
        parts = urlsplit(str(request.url))
        if parts.scheme == "data":
            return
        self.requests.append(request)
        if f"{parts.scheme}://{parts.netloc}" not in self.origins:
            self.faults.append(f"foreign: {request.url}")

    def expect(self, *beginnings: str) -> None:
        """Take out faults that a test has brought about, each of which must be there."""
        for begin in beginnings:
            found = [fault for fault in self.faults if fault.startswith(begin)]
            assert found, (begin, self.faults)
            self.faults = [fault for fault in self.faults if fault not in found]


@dataclass
class Browser:
    """The command over one store, and tabs in which its pages are open."""

    chromium: Any
    starter: Starter
    watch: PagesWatch
    url: str = ""
    contexts: list[Any] = field(default_factory=list[Any])

    @property
    def origin(self) -> str:
        """Where the pages are."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc}"

    def start(self, *flags: str) -> str:
        """Start the command, or ask it for another ticket; the address it prints."""
        self.url = self.starter.url(*flags)
        self.watch.origins.add(self.origin)
        return self.url

    def context(self, **options: Any) -> Any:
        """A browser of somebody's own, without any cookie."""
        context = self.chromium.new_context(**options)
        context.set_default_timeout(30_000)
        self.contexts.append(context)
        return context

    def tab(self, path: str = "", *, context: Any = None, **options: Any) -> Page:
        """A tab in which the printed address was followed, at a path of the dashboard."""
        page = self.watch.over((context or self.context(**options)).new_page())
        page.goto(self.start())
        page.wait_for_url(f"{self.origin}/")
        if path:
            page.goto(f"{self.origin}{path}")
        return page


Fill = Callable[[Path], None]


def made_up(path: Path) -> None:
    """The made-up project, as it is now."""
    path.write_bytes(filled(TODAY))


TODAY = datetime.now(UTC).replace(microsecond=0)


@pytest.fixture
def browsing(chromium: Any, tmp_path: Path) -> Iterator[Callable[..., Browser]]:
    """Begin to browse a store; at the end nothing may have gone wrong in any page."""
    begun: list[Browser] = []

    def begin(fill: Fill | None = made_up) -> Browser:
        starter = Starter(tmp_path)
        placed(starter.store)
        if fill:
            fill(starter.store)
        begun.append(Browser(chromium, starter, PagesWatch()))
        return begun[-1]

    yield begin
    for one in begun:
        for context in one.contexts:
            context.close()
        one.starter.close()
    assert [fault for one in begun for fault in one.watch.faults] == []


@pytest.fixture
def browser(browsing: Callable[..., Browser]) -> Browser:
    """A browser over the made-up project."""
    return browsing()


@pytest.fixture(scope="package")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The script of axe, unpacked outside the repository, if npm can fetch it."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("no npm, which fetches axe-core")
    folder = tmp_path_factory.mktemp("axe")
    fetched = subprocess.run(
        [npm, "pack", AXE, "--silent"], cwd=folder, capture_output=True, text=True, timeout=120
    )
    packed = next(folder.glob("*.tgz"), None)
    if fetched.returncode or packed is None:
        pytest.skip("axe-core cannot be fetched from npm")
    digest = base64.b64encode(hashlib.sha512(packed.read_bytes()).digest()).decode()
    assert digest == AXE_DIGEST
    with tarfile.open(packed) as archive:
        script = archive.extractfile("package/axe.min.js")
        assert script is not None
        return script.read().decode()


def faults(page: Page, axe: str) -> list[str]:
    """What axe finds wrong with a page, all of it unfolded."""
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    page.evaluate(axe)
    report = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{page.url}: {each['id']}: {json.dumps(each['nodes'][0]['html'])[:200]}"
        for each in report["violations"]
    ]
