"""What a real browser does with tickets, cookies, forged forms and hostile texts."""

import re
import threading
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import anyio
import pytest

from reflection_mcp.store.open import open_store
from tests.dashboard.browser.conftest import Browser
from tests.dashboard.hostile_texts import TEXTS
from tests.dashboard.test_hostile_texts import infest
from tests.requirements import requirement

pytestmark = pytest.mark.slow

Browsing = Callable[..., Browser]
NOT_LOGGED_IN = "console: Failed to load resource: the server responded with a status of 401"
REFUSED = re.compile(r"status of 40[13] |BLOCKED_BY_RESPONSE|^error: Failed to fetch|Framing")


@contextmanager
def another_site(page: str) -> Generator[str]:
    """A page on another origin, on this machine."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = page.encode()
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        # By its other name it is another site, too, and not only another origin.
        yield f"http://localhost:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@requirement("dashboard:in-a-browser", "dashboard:closed")
def test_an_address_opens_once(browser: Browser) -> None:
    browser.tab()
    other = browser.watch.over(browser.context().new_page())
    assert other.goto(browser.url).status == 401
    assert "reflection-mcp dashboard" in other.inner_text("body")
    browser.watch.expect(NOT_LOGGED_IN)


@requirement("dashboard:in-a-browser")
def test_a_link_on_another_site_opens_the_dashboard(browser: Browser) -> None:
    """A chat in a browser, or a terminal in one, shows the address as a link."""
    url = browser.start()
    page = browser.watch.over(browser.context().new_page())
    with another_site(f'<link rel=icon href="data:,"><a href="{url}">open</a>') as site:
        browser.watch.origins.add(site)
        page.goto(site)
        page.get_by_role("link").click()
        page.wait_for_url(f"{browser.origin}/")
    assert page.locator("h1").inner_text() == "Overview"


@requirement("dashboard:closed")
def test_the_cookie_of_another_dashboard_is_none_here(browsing: Browsing, tmp_path: Path) -> None:
    one, two = browsing(), browsing()
    two.starter.store = two.starter.folder / "other.db"
    page = one.tab()
    two.starter.store.write_bytes(one.starter.store.read_bytes())
    two.start()
    one.watch.origins.add(two.origin)
    assert two.origin != one.origin
    assert page.goto(f"{two.origin}/").status == 401
    one.watch.expect(NOT_LOGGED_IN)


FORM = """<link rel=icon href="data:,">
<form method=post action="{origin}/errors/ref-lock/retire"><input name=token value=x></form>
<script>document.forms[0].submit()</script>"""
FETCH = """<link rel=icon href="data:,"><script>
fetch("{origin}/errors/ref-lock/retire", {{method: "POST", mode: "no-cors",
  credentials: "include", body: new URLSearchParams({{token: "x"}})
}}).finally(() => document.title = "done")</script>"""


@requirement("dashboard:in-a-browser", "dashboard:closed")
@pytest.mark.parametrize("forged", [FORM, FETCH], ids=["form", "fetch"])
def test_a_form_that_another_site_sends_changes_nothing(browser: Browser, forged: str) -> None:
    page = browser.tab("/errors/ref-lock")
    with another_site(forged.format(origin=browser.origin)) as site:
        browser.watch.origins.add(site)
        other = browser.watch.over(page.context.new_page())
        other.goto(site)
        if forged == FORM:
            other.wait_for_url(f"{browser.origin}/**")
        else:
            other.wait_for_function("document.title === 'done'")
    page.reload()
    assert page.locator("h1 + p .state").inner_text() == "proven"
    # Without the Strict cookie it is not even logged in; Chromium withholds what comes back.
    browser.watch.faults = [each for each in browser.watch.faults if not REFUSED.search(each)]


def test_another_site_cannot_show_a_page_in_a_frame(browser: Browser) -> None:
    page = browser.tab()
    with another_site(f'<link rel=icon href="data:,"><iframe src="{browser.origin}/">') as site:
        browser.watch.origins.add(site)
        page.goto(site)
        assert "Reflection" not in page.frames[-1].content()
    assert browser.watch.faults
    browser.watch.faults = [each for each in browser.watch.faults if not REFUSED.search(each)]


def infested(path: Path) -> None:
    """A store in which every text is hostile."""

    async def work() -> None:
        store = await open_store(str(path))
        await infest(store)
        await store.close()

    with ThreadPoolExecutor(1) as thread:
        thread.submit(anyio.run, work).result()


@requirement("dashboard:in-a-browser", "dashboard:text-is-text")
def test_no_stored_text_is_executed_loaded_or_followed(browsing: Browsing) -> None:
    """No dialog, no message of the policy, no request to another origin, on any page."""
    browser = browsing(infested)
    page = browser.tab()
    paths = ["/", "/errors?period=90d", "/errors?order=failed", "/review", "/unresolved", "/scope"]
    paths += ["/answers?period=90d"]
    paths += [f"/errors/ref-zqx{number}?all=1" for number in range(len(TEXTS))]
    for path in paths:
        assert page.goto(f"{browser.origin}{path}").status == 200
        page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
        assert page.locator("script").count() == 1
        assert page.locator("main img, main iframe, main style, main base").count() == 0
