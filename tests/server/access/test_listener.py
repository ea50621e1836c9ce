"""`serve --http` as a process: what it says, where it listens, and how it ends."""

import asyncio
import re
import signal
import socket
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

import anyio
import httpx2
import pytest
import uvicorn
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from starlette.applications import Starlette

from reflection_mcp.server import cli
from reflection_mcp.server.access import listener
from reflection_mcp.server.access.exposure import Exposure
from reflection_mcp.server.access.token_file import TokenFile, principal_named
from reflection_mcp.tools.errors import InvalidInput
from tests.forked import Forked
from tests.requirements import requirement
from tests.server.access.serving import call, calling, refused
from tests.server.test_cli import ENVIRONMENT

pytestmark = pytest.mark.costly


@contextmanager
def served(
    tmp_path: Path,
    *flags: str,
    ended_by: signal.Signals = signal.SIGTERM,
    settings: Mapping[str, str] | None = None,
) -> Generator[tuple[str, str]]:
    """Serve in a process of its own: what it says first, and where it then listens."""
    server = Forked(
        ["reflection_mcp.server", "serve", "--http", "--port", "0", *flags],
        cwd=tmp_path,
        env={**ENVIRONMENT, "REFLECTION_STORE": str(tmp_path / "store.db"), **(settings or {})},
    )
    try:
        told = ""
        while (found := re.search(r"running on (\S+)\n", told)) is None:
            line = server.stderr.readline().decode()
            assert line, f"it never came up: {told}"
            told += line
        yield told, found[1]
    finally:
        server.send_signal(ended_by)
        last, code = server.stderr.read().decode(), server.wait(60)
        server.close()
    assert code == 128 + ended_by, last
    assert "Traceback" not in last


@pytest.mark.parametrize(
    "number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)]
)
@requirement("access:by-name")
def test_without_a_choice_it_makes_a_token_for_this_user_and_says_where(
    tmp_path: Path, number: signal.Signals
) -> None:
    with served(tmp_path, ended_by=number) as (told, url):
        path = tmp_path / "http.token"
        assert str(path) in told
        token = path.read_text().strip()
        assert token not in told

        async def use() -> list[str]:
            async with calling(url, token, "legacy") as client:
                # A session keeps a stream open, which must not keep the process alive.
                await call(client, "get_insights")
                return [tool.name for tool in (await client.list_tools()).tools]

        assert "reflect" in anyio.run(use)
        assert httpx2.post(url, json={}).status_code == 401


@pytest.mark.slow
def test_tokens_are_read_again_while_it_runs(tmp_path: Path) -> None:
    with served(tmp_path, "--auth", "tokens") as (told, url):
        assert "there is no token yet" in told
        file = TokenFile(tmp_path / "tokens.toml")
        token = file.add(principal_named("rea", "acme", "reader"), None)

        async def use() -> str:
            async with calling(url, token) as client:
                await call(client, "get_insights")
                return await refused(client, "record_feedback", feedback="positive")

        assert anyio.run(use).startswith("insufficient_scope")
        file.revoke("rea")
        headers = {"authorization": f"Bearer {token}"}
        assert httpx2.post(url, json={}, headers=headers).status_code == 401


@pytest.mark.slow
def test_a_unix_socket_is_for_this_user_alone(tmp_path: Path) -> None:
    path = tmp_path / "r.sock"
    for _ in range(2):  # the second finds what is left of the first
        with served(tmp_path, "--unix-socket", str(path)) as (_, where):
            assert where == str(path)
            assert path.stat().st_mode & 0o777 == 0o600

            async def use() -> list[str]:
                transport = httpx2.AsyncHTTPTransport(uds=str(path))
                url = "http://localhost/mcp"
                async with (
                    httpx2.AsyncClient(transport=transport) as http,
                    Client(streamable_http_client(url, http_client=http)) as client,
                ):
                    return [tool.name for tool in (await client.list_tools()).tools]

            assert "reflect" in anyio.run(use)
            with pytest.raises(InvalidInput, match="address already in use"):
                listener.listen(Exposure(auth="none", unix_socket=str(path)), unreachable)


def unreachable(_: Exposure) -> Starlette:
    raise AssertionError


def test_an_address_that_is_taken_is_told_in_a_line() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as taken,
        pytest.raises(InvalidInput, match=r"127\.0\.0\.1:\d+ cannot be listened on: address"),
    ):
        port = taken.getsockname()[1]
        listener.listen(Exposure(auth="none", port=port), unreachable)


def test_serving_ends_with_success_where_no_signal_ended_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    served: list[str] = []

    def run(self: uvicorn.Server, sockets: list[socket.socket]) -> None:
        served.append(sockets[0].getsockname()[0])

    monkeypatch.setattr(uvicorn.Server, "run", run)
    monkeypatch.setenv("REFLECTION_STORE", str(tmp_path / "store.db"))
    assert cli.main(["serve", "--http", "--port", "0", "--auth", "none"]) == 0
    assert served == ["127.0.0.1"]
    assert not (tmp_path / "http.token").exists()


async def _is_hasty(listening: socket.socket) -> bool:
    """Whether what asyncio accepts on a socket sends small packets at once."""
    accepted: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    async def note(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        own = writer.get_extra_info("socket")
        accepted.set_result(own.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        writer.close()

    async with await asyncio.start_server(note, sock=listening):
        _, writer = await asyncio.open_connection(*listening.getsockname()[:2])
        hasty = await accepted
        writer.close()
    return bool(hasty)


def test_an_answer_is_not_held_back_until_the_client_has_confirmed_its_beginning() -> None:
    assert asyncio.run(_is_hasty(listener.tcp_socket("127.0.0.1", 0)))
