"""What a person does with the dashboard, from the printed address on, in a real browser."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest

from tests.chromium import Page
from tests.dashboard.browser.conftest import Browser
from tests.requirements import requirement

pytestmark = pytest.mark.slow

Browsing = Callable[..., Browser]
PAGES = ("Overview", "Errors", "Review", "Unresolved", "Answers", "Scope")


CUT_TABLES = """[...document.querySelectorAll(".scroll:has(table)")]
  .filter(each => each.scrollWidth > each.clientWidth).map(each => each.ariaLabel)"""
BROKEN_WORDS = """() => {
  const found = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode())
    for (const token of texts.currentNode.data.matchAll(/(?<!\\S)\\S{2,26}(?!\\S)/g))
      for (const word of token[0].matchAll(/[\\p{L}\\p{N}]+/gu)) {
        const range = document.createRange();
        range.setStart(texts.currentNode, token.index + word.index);
        range.setEnd(texts.currentNode, token.index + word.index + word[0].length);
        const parts = [...range.getClientRects()].filter((each) => each.width);
        if (new Set(parts.map((each) => each.top)).size > 1) found.push(word[0]);
      }
  return found;
}"""
"""The words of a page that stand on two lines, beside those of what is too long for one."""


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
    assert heading(page) == "Overview"
    for name in PAGES:
        page.get_by_role("navigation").get_by_role("link", name=name).click()
        page.wait_for_selector(f"nav [aria-current=page]:text-is('{name}')")
    page.goto(page.url.replace("/scope", "/errors"))
    assert "Nothing is stored yet." in page.inner_text("main")


@requirement("dashboard:in-a-browser")
def test_an_error_that_came_back_is_found_opened_and_called_failed(browser: Browser) -> None:
    page = browser.tab()
    page.get_by_role("link", name="Came back most").click()
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
    assert "confirmed, a lesson from now on" in flash(page)
    page.get_by_role("status").get_by_role("button", name="Undo").click()
    wait_for_candidates(page, 3)
    page.locator("#ref-deps").get_by_role("button", name="Confirm").click()
    wait_for_candidates(page, 2)
    for name in ("clean", "seed"):
        page.get_by_label(f"Choose make: *** [{name}]").check()
    page.locator("#several").get_by_role("button", name="Reject").click()
    assert "2 of 2 done" in flash(page)
    wait_for_candidates(page, 0)
    page.get_by_role("status").get_by_role("button", name="Undo").click()
    assert "as it was before" in flash(page)
    wait_for_candidates(page, 2)
    page.get_by_label("Choose make: *** [seed]").check()
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
@pytest.mark.parametrize(
    ("path", "fold", "label"),
    [
        ("/errors/ref-lock", "Edit", "Lesson"),
        ("/unresolved", "Write a lesson", "Lesson: what is the cause"),
    ],
)
def test_the_browser_asks_before_typed_text_is_lost(
    browser: Browser, path: str, fold: str, label: str
) -> None:
    page = browser.tab(path)
    page.get_by_text(fold, exact=True).click()
    page.get_by_label(label).press_sequentially("It is so.")
    browser.watch.leave = [False]
    page.get_by_role("link", name="Answers").click(no_wait_after=True)
    page.wait_for_function("document.readyState === 'complete'")
    assert browser.watch.leave == []
    assert page.url == f"{browser.origin}{path}"
    assert "It is so." in page.get_by_label(label).input_value()
    page.get_by_role("link", name="Cancel").click()  # which asks nothing
    page.get_by_label(label).wait_for(state="hidden")
    page.get_by_text(fold, exact=True).click()
    assert "It is so." not in page.get_by_label(label).input_value()
    page.get_by_role("link", name="Answers").click()
    page.wait_for_url(f"{browser.origin}/answers")


@requirement("dashboard:in-a-browser")
def test_whoever_stays_on_the_page_can_still_send_an_edit(browser: Browser) -> None:
    page = browser.tab("/errors/ref-lock")
    page.get_by_text("Edit", exact=True).click()
    page.get_by_label("Lesson").press_sequentially(" It is so.")
    browser.watch.leave = [False, True]
    page.get_by_role("button", name="Retire").click()
    assert state(page) == "proven"
    page.get_by_role("button", name="Retire").click()
    page.wait_for_selector(".state.retired")
    page.get_by_text("Edit", exact=True).click()
    page.get_by_label("Lesson").press_sequentially(" It is so.")
    page.get_by_role("button", name="Save").click()
    assert "changed; the earlier text is kept" in flash(page)


def test_without_script_an_edit_can_be_cancelled(browser: Browser) -> None:
    page = browser.tab("/errors/ref-lock", java_script_enabled=False)
    page.get_by_text("Edit", exact=True).click()
    page.get_by_label("Lesson").fill("It is so.")
    page.get_by_role("link", name="Cancel").click()
    assert "renamed" in page.locator("#lesson").input_value()


@requirement("dashboard:undo", "dashboard:in-a-browser")
def test_a_comment_is_undone_and_of_two_edits_the_later_one_first(browser: Browser) -> None:
    page = browser.tab("/errors/ref-lock")
    page.get_by_label("Comment").fill("Look at the antivirus first.")
    page.get_by_role("button", name="It failed").click()
    page.wait_for_selector("blockquote:has-text('antivirus')")
    page.get_by_role("status").get_by_role("button", name="Undo").click()
    assert "as it was before" in flash(page)
    assert "undone at" in page.inner_text("main")
    for text in ("It is the first edit.", "It is the second edit."):
        page.get_by_text("Edit", exact=True).click()
        page.get_by_label("Lesson").fill(text)
        page.get_by_role("button", name="Save").click()
        page.wait_for_selector(f"blockquote:has-text('{text}')")
    page.locator("section", has_text="What you changed").get_by_role("button", name="Undo").click()
    assert "Undo first what you changed later" in page.inner_text("main")
    page.get_by_role("button", name="Undo").click()
    page.wait_for_selector("blockquote:has-text('It is the first edit.')")
    page.locator("section", has_text="What you changed").get_by_role("button", name="Undo").click()
    assert state(page) == "proven"
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
    assert "deleted" in flash(page)
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
    page.get_by_role("button", name="It helped").press("Enter")
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


@requirement("dashboard:in-a-browser")
def test_the_foot_of_a_page_names_the_keys_that_work_there(browser: Browser) -> None:
    page = browser.tab()
    for path, named in (
        ("/", ""),
        ("/errors", "/ search j next k previous o open"),
        ("/errors?q=nothing+zqx", "/ search"),
        ("/errors/ref-lock", ""),
        ("/errors/ref-deps", ""),
        ("/review", "j next k previous o open y it is right n it is wrong"),
        ("/unresolved", "j next k previous o open"),
        ("/answers", ""),
        ("/scope", ""),
    ):
        page.goto(f"{browser.origin}{path}")
        foot = page.locator(".keys")
        shown = " ".join(foot.inner_text().split()) if foot.is_visible() else ""
        assert shown == (f"Keys: {named}" if named else "")


def test_a_key_unfolds_the_form_of_an_error_without_a_lesson(browser: Browser) -> None:
    page = browser.tab("/unresolved")
    page.keyboard.press("j")
    page.keyboard.press("o")
    assert page.get_by_label("Lesson: what is the cause").is_visible()


@requirement("dashboard:in-a-browser")
def test_in_the_review_keys_settle_what_is_chosen_and_the_next_one_is_chosen(
    browser: Browser,
) -> None:
    page = browser.tab("/review")
    ids = page.locator(".item").evaluate_all("items => items.map(each => each.id)")
    for key in "jjjn":
        page.keyboard.press(key)
    page.wait_for_url("**/review?done=*")
    assert page.locator(".item").count() == len(ids) - 1
    assert page.locator(".item.chosen").get_attribute("id") == ids[3]
    assert page.get_by_role("status").is_visible()
    page.keyboard.press("k")
    assert page.locator(".item.chosen").get_attribute("id") == ids[1]
    page.goto(f"{browser.origin}/review")
    assert page.locator(".item.chosen").count() == 0


@requirement("dashboard:in-a-browser")
def test_a_form_is_sent_once_however_often_its_key_is_pressed(browser: Browser) -> None:
    page = browser.tab("/review")
    page.evaluate(
        """() => {
          document.body.dataset.sent = 0;
          window.addEventListener("submit", (event) => {
            if (!event.defaultPrevented) document.body.dataset.sent++;
            event.preventDefault();
          });
        }"""
    )
    for key in "jyy":
        page.keyboard.press(key)
    assert page.locator("body").get_attribute("data-sent") == "1"


@requirement("dashboard:undo", "dashboard:in-a-browser")
def test_an_undo_is_found_again_after_the_page_was_left(browser: Browser) -> None:
    page = browser.tab("/errors/ref-lock")
    page.get_by_role("button", name="Retire").click()
    page.wait_for_url("**done=*")
    page.goto(f"{browser.origin}/answers")
    page.get_by_role("link", name="Review").click()
    page.locator("section", has_text="What you changed").get_by_role("button", name="Undo").click()
    assert "as it was before" in flash(page)
    page.goto(f"{browser.origin}/errors/ref-lock")
    assert state(page) == "proven"


def test_a_page_that_the_browser_kept_is_loaded_again(browser: Browser) -> None:
    page = browser.tab("/errors/ref-lock")
    other = browser.tab("/errors/ref-lock", context=page.context)
    other.get_by_role("button", name="Retire").click()
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")
    page.wait_for_selector(".state.retired")


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
    assert page.evaluate(BROKEN_WORDS) == []
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(CUT_TABLES) == []


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
    page.get_by_role("link", name="12 helped, 7 failed").click()
    assert first_row(page) == "ref-never"
    page.get_by_role("link", name="Reflection").click()
    page.get_by_role("link", name="5 came back").click()
    assert first_row(page) == "ref-lock"
    page.get_by_role("link", name="Reflection").click()
    page.get_by_role("main").get_by_role("link", name="unresolved").click()
    assert "npm ERR! code ERESOLVE" in page.inner_text("main")


@requirement("dashboard:found-at-once")
def test_what_a_newcomer_looks_for_stands_on_the_first_page_and_leads_there(
    browser: Browser,
) -> None:
    page = browser.tab()
    assert page.locator("nav .count").inner_text() == "6"
    for label, found in (
        ("Failed most, 30 days", "TS2339: Property 'id' does not exist on type 'never'"),
        ("Came back most", "PermissionError: [WinError 32]"),
        ("To review", "make: *** [clean] Error 2"),
    ):
        page.locator(".first li", has_text=label).get_by_role("link", name=found[:20]).click()
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
    page.get_by_label("Choose make: *** [deps]").check()
    assert several.is_enabled()
    page.get_by_label("Choose make: *** [deps]").uncheck()
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
