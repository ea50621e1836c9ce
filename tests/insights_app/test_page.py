"""The page of the MCP App in a real Chromium: in a frame without an origin, under the policy that
the specification gives to a page that asks for nothing, beside a host of a few lines."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from reflection_mcp.server.mcp.insights_app import URI
from reflection_mcp.store.contract import Store
from reflection_mcp.store.records import Scope
from tests.chromium import Page, Watch, launched
from tests.insights_app.server import ERROR, IMAGE, Served
from tests.requirements import requirement

pytestmark = pytest.mark.slow

HOST = "http://host.invalid"
POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline';"
    " img-src 'self' data:; media-src 'self' data:; connect-src 'none'"
)
FRAME = """<!doctype html><title>host</title>
<iframe sandbox="allow-scripts" src="/app" width="600" height="400"></iframe>
<script>
window.heard = [];
const frame = document.querySelector("iframe").contentWindow;
window.say = (message) => frame.postMessage({ jsonrpc: "2.0", ...message }, "*");
addEventListener("message", async ({ source, data }) => {
  if (source !== frame) return;
  heard.push(data);
  if (data.method === "ui/initialize") say({ id: data.id, ...(await welcome()) });
  else if (data.method === "ui/notifications/initialized")
    for (const message of await results()) say(message);
  else if (data.method === "tools/call") say({ id: data.id, ...(await called(data.params)) });
});
</script>"""
SHOP = Scope(project="shop")
WELCOME: dict[str, Any] = {
    "protocolVersion": "2026-01-26",
    "hostInfo": {"name": "host", "version": "1"},
    "hostCapabilities": {"serverTools": {}},
    "hostContext": {
        "theme": "dark",
        "styles": {"variables": {"--color-background-primary": "rgb(1, 2, 3)"}},
    },
}


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with launched() as browser:
        yield browser


@dataclass
class Host:
    """A host that shows the page, with the real server behind it."""

    chromium: Any
    served: Served
    watch: Watch = field(default_factory=lambda: Watch({HOST}))
    contexts: list[Any] = field(default_factory=list[Any])
    calls: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    def show(
        self,
        result: dict[str, Any] | None,
        welcome: dict[str, Any] | None = None,
        answer: Callable[[dict[str, Any]], dict[str, Any]] | None = None,
        refuse: str = "",
    ) -> Page:
        """Show a result of a tool; returns the host's page."""
        context = self.chromium.new_context()
        context.set_default_timeout(30_000)
        self.contexts.append(context)
        page = self.watch.over(context.new_page())
        html = self.served.page(URI)
        policy = {"content-security-policy": POLICY, "content-type": "text/html"}

        def serve(route: Any) -> None:
            is_app = route.request.url.endswith("/app")
            body, headers = (html, policy) if is_app else (FRAME, {"content-type": "text/html"})
            route.fulfill(body=body, headers=headers)

        context.route(f"{HOST}/**", serve)

        def called(params: dict[str, Any]) -> dict[str, Any]:
            self.calls.append(params)
            return answer(params) if answer else {"result": self.served.call(**params)}

        begin = {"result": WELCOME if welcome is None else welcome}
        messages: list[dict[str, Any]] = [
            {"method": "ui/notifications/tool-input", "params": {"arguments": {}}}
        ]
        if result is not None:
            messages.append({"method": "ui/notifications/tool-result", "params": result})
        page.expose_function("welcome", lambda: {"error": {"message": refuse}} if refuse else begin)
        page.expose_function("results", lambda: messages)
        page.expose_function("called", called)
        page.goto(f"{HOST}/")
        return page


def inside(page: Page) -> Any:
    """What the frame shows."""
    return page.frame_locator("iframe")


def heard(page: Page) -> list[str]:
    """The methods of the page's messages."""
    methods: list[str] = page.evaluate("heard.map((message) => message.method)")
    return methods


@pytest.fixture
def host(chromium: Any, tmp_path: Path) -> Iterator[Host]:
    """A host; at the end nothing may have gone wrong in any page."""
    one = Host(chromium, Served(tmp_path / "store.db"))
    one.served.learn()
    yield one
    for context in one.contexts:
        context.close()
    assert one.watch.faults == []


@requirement("app:page")
def test_lessons_are_shown_after_the_handshake_in_the_colours_of_the_host(host: Host) -> None:
    page = host.show(host.served.call("get_insights", {}))
    row = inside(page).get_by_role("row").filter(has_text="Close the file before it is renamed.")
    row.get_by_text("Use a context manager.").wait_for()
    row.get_by_text("not tried yet").wait_for()
    asked = [method for method in heard(page) if method != "ui/notifications/size-changed"]
    assert asked == ["ui/initialize", "ui/notifications/initialized"]
    style = (
        inside(page)
        .locator("body")
        .evaluate(
            "(body) => [getComputedStyle(body).backgroundColor, getComputedStyle(body).colorScheme]"
        )
    )
    assert style == ["rgb(1, 2, 3)", "dark"]


@requirement("app:page")
def test_a_hostile_lesson_is_text(host: Host) -> None:
    page = host.show(host.served.call("get_insights", {}))
    inside(page).get_by_text(IMAGE).first.wait_for()
    assert inside(page).locator("img").count() == 0


@requirement("app:page")
def test_a_button_gives_the_feedback_that_the_tool_gives(host: Host) -> None:
    result = host.served.call("has_seen_error_before", {"error": ERROR})
    page = host.show(result)
    inside(page).get_by_role("button", name="It helped").click()
    inside(page).get_by_role("status").filter(has_text="helped 1, failed 0").wait_for()
    (advice,) = result["structuredContent"]["advice"]
    (call,) = host.calls
    assert call["arguments"] == {"feedback": "positive", "id": advice["id"]}

    async def votes(store: Store) -> list[str]:
        return [vote.kind for vote in await store.votes(SHOP)]

    assert host.served.stored(votes) == ["positive"]
    assert inside(page).get_by_role("button", name="It helped").is_disabled()


def test_a_wrong_match_is_about_the_look_up(host: Host) -> None:
    result = host.served.call("has_seen_error_before", {"error": ERROR})
    page = host.show(result)
    inside(page).get_by_role("button", name="Wrong match").click()
    inside(page).get_by_role("status").filter(has_text="will not be shown").wait_for()
    (call,) = host.calls
    seen = result["structuredContent"]
    assert (call["arguments"]["feedback"], call["arguments"]["id"]) == (
        "wrong_match", seen["lookup_id"],
    )  # fmt: skip

    async def vetoes(store: Store) -> int:
        asked = await store.lookup(SHOP, seen["lookup_id"])
        return len(await store.vetoes(SHOP, asked.signature)) if asked else 0

    assert host.served.stored(vetoes) == 1


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ({"error": {"code": -32000, "message": "Not allowed here"}}, "Not allowed here"),
        ({"error": {"code": -32000}}, "The host refused."),
        (
            {"result": {"isError": True, "content": [{"type": "text", "text": "no such id"}]}},
            "no such id",
        ),
    ],
)
def test_feedback_that_is_refused_says_so_and_can_be_given_again(
    host: Host, answer: dict[str, Any], told: str
) -> None:
    page = host.show(host.served.call("get_insights", {}), answer=lambda _: answer)
    button = inside(page).get_by_role("button", name="It failed").first
    button.click()
    inside(page).get_by_role("status").filter(has_text=told).wait_for()
    assert button.is_enabled()


def test_a_host_that_calls_no_tools_gets_no_buttons(host: Host) -> None:
    page = host.show(host.served.call("get_insights", {}), {"hostCapabilities": {}})
    inside(page).get_by_role("heading", name="Lessons").wait_for()
    assert inside(page).get_by_role("button").count() == 0


def test_a_look_alike_is_shown_with_what_differs_and_without_buttons(host: Host) -> None:
    view = {
        "summary": "Not recognised: it resembles a known error, but differs.",
        "similar": [{"id": "ref-a", "summary": "port 80 in use", "differences": ["80, not 443"]}],
        "elsewhere": {"lesson": "Restart it.", "there": "a.py", "here": "b.py"},
        "withheld": [{"id": "ref-b", "reason": "it failed 3 times"}],
        "tried": ["restarted"],
        "candidates": [{"id": "ref-c", "steps": ["make deps"]}],
        "question": "Is it the same?",
    }
    page = host.show({"content": [], "structuredContent": view})
    for told in ("80, not 443", "a.py, not in b.py", "it failed 3 times", "restarted", "make deps"):
        inside(page).get_by_text(told).wait_for()
    inside(page).get_by_text("Is it the same?").wait_for()
    assert inside(page).get_by_role("button").count() == 2, "those of the candidate"


def test_a_result_without_a_structure_is_shown_as_its_text(host: Host) -> None:
    page = host.show({"isError": True, "content": [{"type": "text", "text": "busy: try again"}]})
    inside(page).get_by_text("busy: try again").wait_for()


def test_a_call_that_is_cancelled_and_a_host_that_refuses_are_told(host: Host) -> None:
    page = host.show(None)
    inside(page).get_by_text("Waiting for the result.").wait_for()
    page.evaluate('say({ method: "ui/notifications/tool-cancelled", params: {} })')
    inside(page).get_by_text("The call was cancelled.").wait_for()
    page = host.show(None, refuse="not here")
    inside(page).get_by_text("The host refused to show this.").wait_for()


def test_the_host_may_change_its_colours_and_end_the_page(host: Host) -> None:
    page = host.show(host.served.call("get_insights", {}))
    inside(page).get_by_role("heading", name="Lessons").wait_for()
    light = {"theme": "light", "styles": {"variables": {"color": "red"}}}
    changed = {"method": "ui/notifications/host-context-changed", "params": light}
    page.evaluate("(message) => say(message)", changed)
    page.evaluate('say({ id: "end", method: "ui/resource-teardown", params: {} })')
    page.wait_for_function('heard.some((message) => message.id === "end" && message.result)')
    scheme = inside(page).locator("body").evaluate("(body) => getComputedStyle(body).colorScheme")
    assert scheme == "light"
    page.wait_for_function(
        'heard.some((m) => m.method === "ui/notifications/size-changed" && m.params.height > 20)'
    )


def test_nobody_but_the_host_is_listened_to(host: Host) -> None:
    page = host.show(host.served.call("get_insights", {}))
    inside(page).get_by_role("heading", name="Lessons").wait_for()
    forged = {"jsonrpc": "2.0", "method": "ui/notifications/tool-cancelled"}
    inside(page).locator("body").evaluate(
        "(body, forged) => new Promise((done) => {"
        " addEventListener('message', () => setTimeout(done)); postMessage(forged, '*') })",
        forged,
    )
    assert inside(page).get_by_role("heading", name="Lessons").is_visible()
