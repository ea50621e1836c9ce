"""The login of a team's server, in a real browser."""

import re

import pytest

from tests.dashboard.browser.conftest import Browser, faults
from tests.requirements import requirement

pytestmark = pytest.mark.slow


def served(browser: Browser) -> str:
    """Serve a team's dashboard of the store of this browser; its token."""
    process = browser.starter.run("serve", "--http", "--dashboard", "--port", "0")
    said = ""
    while "the dashboard is at" not in said:
        said += process.stderr.readline().decode()
    token = browser.starter.store.with_name("http.token").read_text().strip()
    found = re.search(r"the dashboard is at (\S+)", said)
    assert found is not None
    browser.url = found[1]
    browser.watch.origins.add(browser.origin)
    return token


@requirement("dashboard:team", "dashboard:in-a-browser")
def test_a_token_is_pasted_a_vote_is_given_and_the_browser_logged_out(browser: Browser) -> None:
    token = served(browser)
    page = browser.watch.over(browser.context().new_page())
    page.goto(f"{browser.url}errors/ref-lock?project=shop")
    page.get_by_label("Your token").fill("rmt_wrong")
    page.get_by_role("button", name="Log in").click()
    assert "wrong or has expired" in page.get_by_role("alert").inner_text()
    browser.watch.expect(
        "console: Failed to load resource: the server responded with a status of 401"
    )
    page.get_by_label("Your token").fill(token)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_selector("h1:text-is('Overview')")
    page.goto(f"{browser.url}errors/ref-lock?project=shop")
    page.get_by_role("button", name="It helped").click()
    assert "helped 7" in page.get_by_role("status").inner_text()
    page.get_by_role("button", name="Log local out").click()
    page.get_by_label("Your token").wait_for()
    page.goto(browser.url)
    page.get_by_label("Your token").wait_for()


@requirement("dashboard:for-everybody")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_fault_where_a_token_is_pasted(
    browser: Browser, axe: str, scheme: str
) -> None:
    token = served(browser)
    page = browser.watch.over(browser.context(color_scheme=scheme, bypass_csp=True).new_page())
    page.goto(browser.url)
    found = faults(page, axe)
    page.get_by_label("Your token").fill("rmt_wrong")
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("alert").wait_for()
    found += faults(page, axe)
    page.get_by_label("Your token").fill(token)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_selector("h1:text-is('Overview')")
    found += faults(page, axe)
    assert found == []
    browser.watch.expect(
        "console: Failed to load resource: the server responded with a status of 401"
    )
