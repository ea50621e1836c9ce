"""Pages for everybody: no fault that axe knows, little to load, and many rows."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import anyio
import pytest

from reflection_mcp.store.maintenance import StoredReflection
from reflection_mcp.store.open import open_store
from tests.contract.samples import learned
from tests.dashboard.browser.conftest import TODAY, Browser, faults
from tests.dashboard.invented import SHOP
from tests.requirements import requirement

pytestmark = pytest.mark.slow

Browsing = Callable[..., Browser]
PAGES = (
    "/", "/errors", "/?period=90d", "/errors?state=harmful", "/errors?lately=came_back",
    "/nowhere", "/errors?q=nothing+zqx", "/errors/ref-price",
    "/errors/ref-deps", "/errors/ref-marked", "/review", "/unresolved", "/answers", "/scope",
)  # fmt: skip
DOCS = Path(__file__).parents[3] / "docs"
MOST_OF_A_PICTURE = 100_000
MOST_BYTES, MOST_REQUESTS = 60_000, 4
ROWS = 10_000


@requirement("dashboard:for-everybody")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_fault_on_any_page(browser: Browser, axe: str, scheme: str) -> None:
    # The policy of the pages lets no script in, so that of the test is brought in past it.
    page = browser.tab(color_scheme=scheme, bypass_csp=True)
    page.goto(f"{browser.origin}/errors/ref-yaml")
    page.get_by_role("button", name="Retire").click()
    page.wait_for_url("**done=*")
    found = faults(page, axe)
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 800})
        for path in PAGES:
            page.goto(f"{browser.origin}{path}")
            found += faults(page, axe)
    assert found == []
    browser.watch.expect("console: Failed to load resource: the server responded with a status")


async def _crowd(path: Path) -> None:
    store = await open_store(str(path))
    for first in range(0, ROWS, 500):
        rows = [
            StoredReflection(
                reflection=replace(
                    learned(f"{number:05}", scope=SHOP, error_type="KeyError", tags=("many",)),
                    trigger=f"KeyError: '{number:05}' in the cart of the shop, at checkout",
                    lesson=f"Lesson {number}: read the price from the catalogue when there is none",
                    first_seen=TODAY - timedelta(minutes=number),
                    last_seen=TODAY - timedelta(minutes=number),
                    occurrences=number + 1,
                )
            )
            for number in range(first, first + 500)
        ]
        await store.adopt(SHOP, rows)
    await store.close()


def crowd(path: Path) -> None:
    """A project with ten thousand errors."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(anyio.run, _crowd, path).result()


@requirement("dashboard:in-a-browser")
def test_ten_thousand_errors_are_read_page_by_page(browsing: Browsing) -> None:
    browser = browsing(crowd)
    page = browser.tab("/errors")
    seen: list[str] = []
    for _ in range(5):
        seen += page.locator(".list tbody tr").evaluate_all("rows => rows.map(r => r.id)")
        page.get_by_role("link", name="next page").click()
        page.wait_for_url(f"**after={seen[-1]}*")
    assert seen == [f"ref-{number:05}" for number in range(250)]
    page.get_by_role("link", name="reported", exact=True).click()
    page.wait_for_url("**order=most_met*")
    assert page.locator(".list tbody tr").first.get_attribute("id") == f"ref-{ROWS - 1:05}"


@requirement("dashboard:for-everybody")
def test_a_page_is_light_and_asks_no_other_site_for_anything(browsing: Browsing) -> None:
    browser = browsing(crowd)
    page = browser.tab()
    for path in PAGES[:2]:
        browser.watch.requests.clear()
        page.goto(f"{browser.origin}{path}", wait_until="networkidle")
        asked = browser.watch.requests
        sizes = [each.sizes()["responseBodySize"] for each in asked]
        assert len(asked) <= MOST_REQUESTS
        assert sum(sizes) <= MOST_BYTES, sizes


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_picture_of_the_documents_can_be_made(browser: Browser, scheme: str) -> None:
    """With UPDATE_PICTURES=1 it takes the place of the one that is there."""
    page = browser.tab(color_scheme=scheme, viewport={"width": 1240, "height": 480})
    page.goto(f"{browser.origin}/errors?order=came_back")
    picture = page.screenshot()
    file = DOCS / f"dashboard-{scheme}.png"
    if os.environ.get("UPDATE_PICTURES"):
        file.write_bytes(picture)
    assert max(len(picture), file.stat().st_size) < MOST_OF_A_PICTURE
