"""What HTTP itself refuses: without a token, under another name, too fast, too slowly, too much."""

import json
import logging
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import anyio
import httpx2
import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from reflection_mcp.server.access import deadline, limits
from reflection_mcp.server.access.app import app_for
from reflection_mcp.server.access.exposure import Exposure
from reflection_mcp.server.access.limits import Buckets
from reflection_mcp.server.access.principal import principal_of
from reflection_mcp.server.access.token_file import FileVerifier, principal_named
from reflection_mcp.server.app import build
from reflection_mcp.server.application import now
from reflection_mcp.tools.ports import silent
from tests.requirements import requirement
from tests.server.access.serving import FREE, House, Mode, call, calling, each_era, served_as

pytestmark = pytest.mark.anyio

MODERN, OLDER = "2026-07-28", "2025-11-25"
JSON = {"content-type": "application/json", "accept": "application/json, text/event-stream"}


def a_call(mode: Mode, tool: str = "get_insights", **arguments: Any) -> dict[str, Any]:
    """The headers and the body of a call as an SDK client of that era sends it."""
    params: dict[str, Any] = {"name": tool, "arguments": arguments}
    headers = {**JSON, "mcp-protocol-version": OLDER}
    if mode == "auto":
        headers |= {
            "mcp-protocol-version": MODERN,
            "mcp-method": "tools/call",
            "mcp-name": tool,
        }
        params["_meta"] = {
            "io.modelcontextprotocol/protocolVersion": MODERN,
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": {"name": "editor", "version": "1"},
        }
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    return {"headers": headers, "content": json.dumps(body)}


async def post(url: str, mode: Mode = "auto", **headers: str) -> httpx2.Response:
    asked = a_call(mode)
    asked["headers"] |= {name.replace("_", "-"): value for name, value in headers.items()}
    async with httpx2.AsyncClient() as client:
        return await client.post(url, **asked)


@each_era
@requirement("access:no-token")
async def test_no_request_without_a_good_token_reaches_a_tool(
    house: House, url: str, mode: Mode, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    good = house.let_in("ann")
    ended = house.file.add(principal_named("old", "acme", "writer"), now() - timedelta(days=1))
    revoked = house.let_in("gone")
    async with calling(url, revoked, mode) as gone:
        assert await call(gone, "get_insights")
        house.file.revoke("gone")
        with pytest.raises(Exception, match="returned an error"):
            await gone.call_tool("get_insights", {})
    asked = house.application.last_asked
    for wrong in ("", "Bearer", "Bearer rmt_x", f"Basic {good}", good):
        answer = await post(url, mode, authorization=wrong)
        assert answer.status_code == 401, wrong
    for token in (ended, revoked, good[:-1], good.upper()):
        answer = await post(url, mode, authorization=f"Bearer {token}")
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"].startswith('Bearer error="invalid_token"')
        assert "resource_metadata" not in answer.headers["www-authenticate"]
    assert house.application.last_asked == asked
    assert good not in caplog.text
    assert ended not in caplog.text


async def test_no_oauth_is_told_where_tokens_are_handed_out(house: House, url: str) -> None:
    async with httpx2.AsyncClient() as client:
        for path in ("oauth-protected-resource", "oauth-protected-resource/mcp",
                     "oauth-authorization-server", "openid-configuration"):  # fmt: skip
            told = await client.get(f"{url.removesuffix('/mcp')}/.well-known/{path}")
            assert told.status_code == 404


async def test_the_session_of_another_principal_is_not_found(house: House, url: str) -> None:
    ann, bob = house.let_in("ann"), house.let_in("bob")
    hello = {
        "jsonrpc": "2.0",
        "id": 0,
        "method": "initialize",
        "params": {
            "protocolVersion": OLDER,
            "capabilities": {},
            "clientInfo": {"name": "editor", "version": "1"},
        },
    }
    async with httpx2.AsyncClient() as client:
        own = {**JSON, "authorization": f"Bearer {ann}"}
        begun = await client.post(url, json=hello, headers=own)
    session = begun.headers["mcp-session-id"]
    mine = await post(url, "legacy", authorization=f"Bearer {ann}", mcp_session_id=session)
    his = await post(url, "legacy", authorization=f"Bearer {bob}", mcp_session_id=session)
    nobodys = await post(url, "legacy", authorization=f"Bearer {ann}", mcp_session_id="x")
    assert (mine.status_code, his.status_code, nobodys.status_code) == (200, 404, 404)


@requirement("access:hardened")
async def test_only_requests_to_this_server_from_its_own_pages_are_answered(house: House) -> None:
    async with house.open(allowed=["memory.example.com"]) as url:
        token = f"Bearer {house.let_in('ann')}"
        port = urlsplit(url).port
        for headers, status in (
            ({}, 200),
            ({"host": f"localhost:{port}"}, 200),
            ({"host": "memory.example.com"}, 200),
            ({"host": "localhost:1"}, 421),
            ({"host": "memory.example.com:443"}, 421),
            ({"host": "evil.example.com"}, 421),
            ({"origin": f"http://localhost:{port}"}, 200),
            ({"origin": f"http://localhost:{port}0"}, 403),
            ({"origin": "https://evil.example.com"}, 403),
        ):
            answer = await post(url, "auto", authorization=token, **headers)
            assert answer.status_code == status, headers
        async with httpx2.AsyncClient() as client:
            elsewhere = {"host": "evil.example.com"}
            answer = await client.get(url.replace("/mcp", "/other"), headers=elsewhere)
            assert answer.status_code == 421


@requirement("access:hardened")
async def test_a_principal_that_asks_too_fast_is_told_when_to_ask_again(house: House) -> None:
    at = 0.0
    async with house.open(buckets=Buckets(0.5, 2, lambda: at)) as url:
        ann, bob = (f"Bearer {house.let_in(name)}" for name in ("ann", "bob"))
        told = [(await post(url, authorization=ann)).status_code for _ in range(3)]
        assert told == [200, 200, 429]
        slow = await post(url, authorization=ann)
        assert slow.headers["retry-after"] == "2"
        assert slow.json()["error"] == "too_many_requests"
        assert (await post(url, authorization=bob)).status_code == 200
        at = 2.0
        assert (await post(url, authorization=ann)).status_code == 200


def test_a_bucket_fills_up_to_its_burst_and_old_ones_are_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    at = 0.0
    buckets = Buckets(1, 2, lambda: at)
    assert [buckets.wait("a") for _ in range(3)] == [0, 0, 1]
    at = 0.25
    assert buckets.wait("a") == 0.75
    at = 100.0
    assert [buckets.wait("a") for _ in range(3)] == [0, 0, 1]
    monkeypatch.setattr(limits, "MOST", 1)
    buckets.wait("b")
    assert [buckets.wait("a") for _ in range(3)] == [0, 0, 1]
    assert not any(Buckets(0, 0).wait("a") for _ in range(100))


@requirement("access:hardened")
async def test_a_body_that_is_too_large_is_refused(house: House, url: str) -> None:
    headers = {**JSON, "authorization": f"Bearer {house.let_in('ann')}"}
    async with httpx2.AsyncClient() as client:
        answer = await client.post(url, content=b" " * 5_000_000, headers=headers)
    assert answer.status_code == 413


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ",
        b"GET /x HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\nPOST /mcp HTTP/1.1\r\nX-Slow: ",
        b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Type: application/json\r\n"
        b"Authorization: Bearer TOKEN\r\nContent-Length: 100\r\n\r\n{",
    ],
)
@requirement("access:hardened")
async def test_a_request_that_never_ends_is_given_up(
    house: House, monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    monkeypatch.setattr(deadline, "ARRIVAL", 0.2)
    async with house.open() as url:
        port = urlsplit(url).port
        assert port
        raw = sent.replace(b"PORT", str(port).encode())
        raw = raw.replace(b"TOKEN", house.let_in("ann").encode())
        with anyio.fail_after(60):
            async with await anyio.connect_tcp("127.0.0.1", port) as slow:
                await slow.send(raw)
                with pytest.raises((anyio.EndOfStream, anyio.BrokenResourceError)):
                    while await slow.receive():
                        pass


async def test_a_connection_that_is_used_again_has_time_for_each_request(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deadline, "ARRIVAL", 30.0)
    async with house.open() as url, calling(url, house.let_in("ann")) as ann:
        for _ in range(3):
            await call(ann, "get_insights")


async def test_what_is_mounted_beside_mcp_knows_the_principal(house: House) -> None:
    async def who(request: Request) -> PlainTextResponse:
        return PlainTextResponse(str(principal_of(request)))

    exposure = Exposure(auth="tokens", port=1)
    verifier = FileVerifier(house.file, now, silent)
    app = app_for(build(house.application), exposure, verifier, None, FREE)
    app.router.routes.append(Route("/who", who))
    token = house.let_in("ann")
    transport = httpx2.ASGITransport(app=app)
    async with httpx2.AsyncClient(transport=transport, base_url="http://localhost:1") as client:
        known = await client.get("/who", headers={"authorization": f"Bearer {token}"})
        stranger = await client.get("/who")
    assert known.text == str(principal_named("ann", "acme", "writer"))
    assert stranger.text == "None"


async def test_a_server_that_knows_tokens_has_nothing_to_say_about_them(
    house: House, capsys: pytest.CaptureFixture[str]
) -> None:
    token = house.let_in("ann")
    async with served_as(house.application, Exposure(auth="tokens")) as url:
        assert (await post(url, authorization=f"Bearer {token}")).status_code == 200
    assert capsys.readouterr().err == ""
