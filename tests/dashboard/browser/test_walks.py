"""What a person does with the dashboard, from the printed address on, in a real browser."""

import re
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest

from tests.chromium import Page
from tests.dashboard.browser.conftest import Browser
from tests.requirements import requirement

pytestmark = pytest.mark.slow

Browsing = Callable[..., Browser]
PAGES = ("How are we doing", "Errors", "Review", "Unresolved", "Answers", "Scope")


def heading(page: Page) -> str:
    text: str = page.locator("h1").inner_text()
    return text


def rows(page: Page) -> list[str]:
    ids: list[str] = page.locator(".list tbody tr").evaluate_all("rows => rows.map(r => r.id)")
    return ids


def first_row(page: Page) -> str:
    """The id of the first row of the list, once there is one."""
    name: str = page.locator(".list tbody tr").first.get_attribute("id")
    return name


def wait_for_candidates(page: Page, number: int) -> None:
    """Wait until so many candidates are shown."""
    expect: Any = import_module("playwright.sync_api").expect
    expect(page.locator(".item .state.candidate")).to_have_count(number)


def state(page: Page) -> str:
    text: str = page.locator("h1 + p .state").inner_text()
    return text


def flash(page: Page) -> str:
    text: str = page.get_by_role("status").inner_text()
    return text


@requirement("dashboard:in-a-browser")
def test_a_first_visit_to_an_empty_store_walks_through_every_page(browsing: Browsing) -> None:
    page = browsing(None).tab()
    assert heading(page) == "How are we doing"
    for name in PAGES:
        page.get_by_role("navigation").get_by_role("link", name=name).click()
        page.wait_for_selector(f"nav [aria-current=page]:text-is('{name}')")
    page.goto(page.url.replace("/scope", "/errors"))
    assert "Nothing is stored yet." in page.inner_text("main")


@requirement("dashboard:in-a-browser")
def test_an_error_that_came_back_is_found_opened_and_called_failed(browser: Browser) -> None:
    page = browser.tab()
    page.get_by_text("after a lesson was shown", exact=True).click()
    page.wait_for_url("**lately=came_back*")
    page.get_by_role("link", name="KeyError: 'price'").click()
    assert state(page) == "unproven"
    page.get_by_label("Comment").fill("The catalogue has no price either.")
    page.get_by_role("button", name="It failed").click()
    assert "helped" in flash(page) or "failed" in flash(page)
    page.reload()
    assert "The catalogue has no price either." in page.inner_text("main")


@requirement("dashboard:in-a-browser")
def test_one_candidate_is_confirmed_two_are_rejected_at_once_and_that_is_undone(
    browser: Browser,
) -> None:
    page = browser.tab("/review")
    page.locator("#ref-deps").get_by_role("button", name="Confirm").click()
    assert "ref-deps: confirmed, a lesson from now on" in flash(page)
    page.get_by_role("button", name="Undo").click()
    wait_for_candidates(page, 3)
    page.locator("#ref-deps").get_by_role("button", name="Confirm").click()
    wait_for_candidates(page, 2)
    for name in ("ref-clean", "ref-seed"):
        page.get_by_label(f"Choose {name}").check()
    page.locator("#several").get_by_role("button", name="Reject").click()
    assert "2 of 2 done" in flash(page)
    wait_for_candidates(page, 0)
    page.get_by_role("button", name="Undo").click()
    assert "as it was before" in flash(page)
    wait_for_candidates(page, 2)
    page.get_by_label("Choose ref-seed").check()
    page.locator("#several").get_by_role("button", name="Reject").click()
    wait_for_candidates(page, 1)


@requirement("dashboard:in-a-browser")
def test_of_two_tabs_the_second_edit_is_refused_with_both_texts(browser: Browser) -> None:
    context = browser.context()
    one, two = (browser.tab("/errors/ref-lock", context=context) for _ in range(2))
    for page, text in ((one, "The first tab was faster."), (two, "The second tab was slower.")):
        page.get_by_text("Edit", exact=True).click()
        page.get_by_label("Lesson").fill(text)
    one.get_by_role("button", name="Save").click()
    assert "changed; the earlier text is kept" in flash(one)
    two.get_by_role("button", name="Save").click()
    assert "nothing was saved" in two.get_by_role("alert").inner_text()
    assert "The first tab was faster." in two.locator("blockquote").first.inner_text()
    assert two.get_by_label("Lesson").input_value() == "The second tab was slower."
    two.get_by_role("button", name="Save").click()
    assert "The second tab was slower." in two.locator("blockquote").first.inner_text()
    browser.watch.expect(
        "console: Failed to load resource: the server responded with a status of 409"
    )


@requirement("dashboard:in-a-browser")
def test_a_lesson_is_written_for_an_error_that_has_none(browser: Browser) -> None:
    page = browser.tab("/unresolved")
    page.get_by_text("Write a lesson").click()
    page.get_by_label("Lesson: what is the cause").fill("Two packages want different reacts.")
    page.get_by_role("button", name="Store").click()
    assert "stored" in flash(page)
    page.locator("nav").get_by_role("link", name="Errors").click()
    page.get_by_label("Search").fill("different reacts")
    page.keyboard.press("Enter")
    assert "Two packages want different reacts." in page.inner_text(".list")


@requirement("dashboard:in-a-browser")
def test_a_lesson_is_deleted_once_its_id_was_typed(browser: Browser) -> None:
    page = browser.tab("/errors/ref-yaml")
    page.get_by_text("Delete for good").click()
    page.get_by_label("Type ref-yaml").fill("ref-yaml")
    page.get_by_role("button", name="Delete").click()
    assert "ref-yaml: deleted" in flash(page)
    assert "ref-yaml" not in rows(page)


def test_a_search_for_a_script_is_a_search_for_words(browser: Browser) -> None:
    page = browser.tab("/errors")
    page.get_by_label("Search").fill("<script>alert(1)</script> price")
    page.get_by_label("Search").press("Enter")
    page.wait_for_url("**/errors?q=*")
    assert page.get_by_label("Search").input_value() == "<script>alert(1)</script> price"
    assert rows(page) in ([], ["ref-price"])


@requirement("dashboard:in-a-browser")
def test_keys_alone_are_enough(browser: Browser) -> None:
    page = browser.tab("/errors")
    keys = page.keyboard
    page.wait_for_function("document.readyState === 'complete'")
    assert page.get_by_text("Keys:").is_visible()
    keys.press("/")
    keys.type("catalogue price")
    keys.press("Enter")
    page.wait_for_url("**/errors?q=*")
    keys.press("j")
    assert page.locator("tr.chosen").get_attribute("id") == "ref-price"
    keys.press("o")
    page.wait_for_url("**/errors/ref-price*")
    keys.press("y")
    assert "helped" in flash(page)
    page.goto(f"{browser.origin}/errors")
    all_rows = rows(page)
    for key in "jjk":
        keys.press(key)
    assert page.locator("tr.chosen").get_attribute("id") == all_rows[0]
    keys.press("Control+j")
    assert page.locator("tr.chosen").get_attribute("id") == all_rows[0]


def test_keys_type_what_they_say_in_a_field(browser: Browser) -> None:
    page = browser.tab("/errors")
    page.get_by_label("Search").press("j")
    page.get_by_label("Search").press("y")
    assert page.get_by_label("Search").input_value() == "jy"
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    assert page.locator("tr.chosen").count() == 1


def test_in_the_review_keys_settle_what_is_chosen(browser: Browser) -> None:
    page = browser.tab("/review")
    before = page.locator(".item").count()
    page.keyboard.press("j")
    page.keyboard.press("n")
    page.wait_for_url("**/review?done=*")
    assert page.locator(".item").count() == before - 1


@requirement("dashboard:in-a-browser")
def test_without_script_everything_works(browser: Browser) -> None:
    page = browser.tab("/errors", java_script_enabled=False)
    assert not page.get_by_text("Keys:").is_visible()
    page.get_by_role("complementary").get_by_role("link", name="harmful").click()
    page.get_by_role("link", name="TS2339: Property").click()
    page.get_by_role("button", name="Retire").click()
    assert state(page) == "retired"
    page.get_by_role("button", name="Undo").click()
    assert state(page) == "harmful"
    page.get_by_role("button", name="It helped").click()
    assert "helped 1" in flash(page)


@requirement("dashboard:in-a-browser")
@pytest.mark.parametrize(
    "path", ["/", "/errors", "/errors/ref-price", "/review", "/unresolved", "/answers", "/scope"]
)
def test_a_narrow_screen_shows_every_page_without_scrolling_aside(
    browser: Browser, path: str
) -> None:
    page = browser.tab(path, viewport={"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_dark_is_dark(browser: Browser) -> None:
    page = browser.tab(color_scheme="dark")
    ground = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(ground) == "rgb(13, 17, 23)"
    assert browser.tab().evaluate(ground) == "rgb(255, 255, 255)"


def test_the_back_button_leads_back(browser: Browser) -> None:
    page = browser.tab("/errors?state=harmful")
    page.get_by_role("link", name="TS2339: Property").click()
    page.wait_for_url("**/errors/ref-never*")
    page.go_back()
    assert rows(page) == ["ref-never"]


@requirement("dashboard:in-a-browser")
def test_a_page_that_stays_open_shows_what_is_new(browser: Browser) -> None:
    page = browser.tab("/errors/ref-lock")
    other = browser.tab("/errors/ref-lock", context=page.context)
    other.get_by_role("button", name="Retire").click()
    assert state(page) == "proven"
    page.evaluate("refresh()")
    page.wait_for_selector(".state.retired")


def test_what_somebody_types_is_not_replaced(browser: Browser) -> None:
    page = browser.tab("/errors/ref-lock")
    other = browser.tab("/errors/ref-lock", context=page.context)
    other.get_by_role("button", name="Retire").click()
    page.get_by_label("Comment").fill("still typing")
    page.evaluate("refresh()")
    assert (page.get_by_label("Comment").input_value(), state(page)) == ("still typing", "proven")


def test_a_read_only_dashboard_has_no_button_that_changes_anything(browsing: Browsing) -> None:
    browser = browsing()
    page = browser.watch.over(browser.context().new_page())
    page.goto(browser.start("--read-only"))
    page.wait_for_url(f"{browser.origin}/")
    for path in ("/errors/ref-lock", "/review", "/unresolved"):
        page.goto(f"{browser.origin}{path}")
        assert page.get_by_role("button").count() == 0


@requirement("dashboard:in-a-browser")
def test_three_questions_are_answered_within_three_clicks(browser: Browser) -> None:
    """Which lesson failed most last month? What came back? What has no lesson?"""
    page = browser.tab()
    page.get_by_role("link", name=re.compile("12 helped, 7 failed")).click()
    assert first_row(page) == "ref-never"
    page.get_by_role("link", name="Reflection").click()
    page.get_by_role("link", name=re.compile("repeats after a lesson was shown")).click()
    assert first_row(page) == "ref-lock"
    page.get_by_role("link", name="Reflection").click()
    page.get_by_role("main").get_by_role("link", name=re.compile("unresolved")).click()
    assert "npm ERR! code ERESOLVE" in page.inner_text("main")


@requirement("dashboard:found-at-once")
def test_what_a_newcomer_looks_for_stands_on_the_first_page_and_leads_there(
    browser: Browser,
) -> None:
    page = browser.tab()
    assert page.locator("nav .count").inner_text() == "6"
    for heading_text, found in (
        ("Failed most in 30 days", "TS2339: Property 'id' does not exist on type 'never'"),
        ("Came back most in 30 days", "PermissionError: [WinError 32]"),
        ("To confirm or reject", "make: *** [clean] Error 2"),
    ):
        section = page.locator("section", has=page.get_by_role("heading", name=heading_text))
        section.locator("ol a").first.click()
        page.wait_for_url("**/errors/ref-*")
        assert heading(page).startswith(found)
        page.go_back()
        page.wait_for_url(f"{browser.origin}/")


@requirement("dashboard:found-at-once")
def test_a_candidate_is_confirmed_on_its_own_page(browser: Browser) -> None:
    page = browser.tab("/errors/ref-deps")
    assert "No agent is shown the fix until you confirm it." in page.inner_text("main")
    for name in ("It helped", "It failed", "Restore"):
        assert page.get_by_role("button", name=name).count() == 0
    page.get_by_role("link", name="Edit").click()
    page.get_by_label("Lesson").wait_for()
    page.get_by_role("button", name="Confirm").click()
    page.wait_for_url("**done=*")
    assert page.locator("nav .count").inner_text() == "5"
    assert "Bash: make deps" in page.inner_text("main")
    assert page.get_by_role("button", name="It helped").count() == 1


@requirement("dashboard:undo", "dashboard:in-a-browser")
def test_a_wrong_match_is_undone(browser: Browser) -> None:
    page = browser.tab("/errors/ref-lock")
    page.get_by_role("button", name="Wrong match").first.click()
    assert "will not be shown for this error again" in flash(page)
    page.get_by_role("button", name="Undo").click()
    assert "as it was before" in flash(page)


@requirement("dashboard:found-at-once")
def test_buttons_for_all_that_are_ticked_wait_for_a_tick(browser: Browser) -> None:
    page = browser.tab("/review")
    several = page.locator("#several").get_by_role("button", name="Confirm")
    assert several.is_disabled()
    page.get_by_label("Choose ref-deps").check()
    assert several.is_enabled()
    page.get_by_label("Choose ref-deps").uncheck()
    assert several.is_disabled()
    other = browser.tab("/review", context=page.context)
    other.locator("#ref-deps").get_by_role("button", name="Reject").click()
    other.wait_for_url("**done=*")
    page.evaluate("document.activeElement.blur(); refresh()")
    page.locator("#ref-deps").wait_for(state="detached")
    assert several.is_disabled()
    assert page.locator("nav .count").inner_text() == "5"


@requirement("dashboard:found-at-once")
def test_without_script_buttons_that_had_nothing_ticked_say_so_on_the_same_page(
    browser: Browser,
) -> None:
    page = browser.tab("/review", java_script_enabled=False)
    page.locator("#several").get_by_role("button", name="Confirm").click()
    assert "Nothing was ticked" in flash(page)
    assert heading(page) == "Review"


@requirement("dashboard:found-at-once")
def test_from_an_address_that_leads_nowhere_a_link_leads_home(browser: Browser) -> None:
    page = browser.tab("/nowhere")
    page.get_by_role("link", name="Start page").click()
    page.wait_for_url(f"{browser.origin}/")
    browser.watch.expect(
        "console: Failed to load resource: the server responded with a status of 404"
    )


@requirement("dashboard:found-at-once")
def test_a_narrow_list_shows_what_became_of_each_lesson_and_folds_the_filters(
    browser: Browser,
) -> None:
    page = browser.tab("/errors?lately=came_back", viewport={"width": 390, "height": 800})
    for name in ("helped", "failed", "came back"):
        cell = page.locator(".list thead th", has_text=name).last
        assert cell.bounding_box()["x"] + cell.bounding_box()["width"] <= 390
    filters = page.get_by_role("complementary")
    assert not filters.is_visible()
    page.get_by_label("Filters", exact=True).first.check()
    filters.get_by_role("link", name="harmful").click()
    page.wait_for_url("**state=harmful*")
    assert rows(page) == ["ref-never"]
    page.get_by_title("Remove this filter").first.click()
    page.wait_for_url("**/errors?state=harmful")
    assert rows(page) == ["ref-never"]


def test_another_period_counts_other_days(browser: Browser) -> None:
    page = browser.tab("/errors?lately=helped")
    assert len(rows(page)) == 4
    page.get_by_role("link", name="7 days").click()
    page.wait_for_url("**period=7d*")
    assert len(rows(page)) == 2
    assert "in 7 days" in page.inner_text(".list thead").casefold()
