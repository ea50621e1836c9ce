"""What a host is told of the page, and that nothing else changes for hosts that show no pages."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.client.extension import advertise
from mcp_types import TextResourceContents

from reflection_mcp.server.app import build
from reflection_mcp.server.application import Application
from reflection_mcp.server.mcp import insights_app
from reflection_mcp.server.mcp.insights_app import MIME_TYPE, URI, InsightsApp
from reflection_mcp.server.settings.settings import Settings
from tests.insights_app.server import ERROR, Served
from tests.requirements import requirement

pytestmark = pytest.mark.anyio

PAGES = advertise(InsightsApp.identifier, {"mimeTypes": [MIME_TYPE]})
SMALLEST, LARGEST = 2_000, 6_144  # bytes: a host fetches it for every conversation


def client(location: str = "memory:", *, pages: bool = False) -> Client:
    application = Application(settings=Settings(store=location), project="shop")
    return Client(build(application), extensions=[PAGES] if pages else [])


async def test_two_tools_name_the_page_and_a_host_can_read_it() -> None:
    async with client() as host:
        tools = {tool.name: tool.meta or {} for tool in (await host.list_tools()).tools}
        named = {name for name, meta in tools.items() if meta.get("ui") == {"resourceUri": URI}}
        assert named == {"get_insights", "has_seen_error_before"}
        assert InsightsApp.identifier in (host.server_capabilities.extensions or {})
        (content,) = (await host.read_resource(URI)).contents
    assert isinstance(content, TextResourceContents)
    assert (content.mime_type, content.meta) == (MIME_TYPE, {"ui": {"prefersBorder": True}})
    assert content.text.startswith("<!doctype html>")


async def test_people_who_browse_resources_do_not_meet_the_page() -> None:
    async with client() as host:
        listed = (await host.list_resources()).resources
    assert listed
    assert URI not in {str(each.uri) for each in listed}


@requirement("app:same-result")
@pytest.mark.parametrize("name", ["get_insights", "has_seen_error_before"])
async def test_both_views_are_the_same_with_pages_and_without(tmp_path: Path, name: str) -> None:
    first, second = tmp_path / "first.db", tmp_path / "second.db"
    Served(first).learn()
    shutil.copy(first, second)
    arguments: dict[str, Any] = {} if name == "get_insights" else {"error": ERROR}
    told: list[str] = []
    for path, pages in ((first, False), (second, True)):
        async with client(str(path), pages=pages) as host:
            result = await host.call_tool(name, arguments)
        told.append(re.sub(r"look-\w+", "look-", result.model_dump_json()))
    assert told[0] == told[1]
    assert "Close the file" in told[0]


def test_the_page_is_small_fetches_nothing_and_makes_no_markup_of_text() -> None:
    page = Path(insights_app.__file__).with_suffix(".html").read_text(encoding="utf-8")
    assert SMALLEST <= len(page.encode()) <= LARGEST
    for word in ("http", "src=", "href", "url(", "@import", "fetch", "innerHTML", "insertAdjacent",
                 "document.write", "eval", "outerHTML"):  # fmt: skip
        assert word not in page, word
