"""A real server over HTTP on a free port of this machine, and the SDK's own client for it."""

import socket
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import anyio
import httpx2
import pytest
import uvicorn
from mcp import Client
from mcp.client.session import SamplingFnT
from mcp.client.streamable_http import streamable_http_client
from mcp.server.auth.provider import TokenVerifier
from mcp_types import CallToolResult, Implementation, TextContent
from starlette.applications import Starlette

from reflection_mcp.server.access.app import app_for
from reflection_mcp.server.access.deadline import PunctualProtocol
from reflection_mcp.server.access.entrance import app_of
from reflection_mcp.server.access.exposure import Exposure
from reflection_mcp.server.access.limits import Buckets
from reflection_mcp.server.access.listener import tcp_socket
from reflection_mcp.server.access.token_file import FileVerifier, TokenFile, principal_named
from reflection_mcp.server.app import build
from reflection_mcp.server.application import Application, now
from reflection_mcp.server.settings.settings import Settings
from reflection_mcp.server.transport.protocol import ToolCall
from reflection_mcp.tools.ports import silent
from tests.new_store import placed

Mode = Literal["legacy", "auto"]
ERAS: tuple[Mode, ...] = ("legacy", "auto")
each_era = pytest.mark.parametrize("mode", ["auto", pytest.param("legacy", marks=pytest.mark.slow)])
"""The newer era of the protocol, and in `.ci/run` the older one, too."""
FREE = Buckets(0, 0)


class House:
    """A store, a file of tokens, and the application over both."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        chosen = Settings(store=placed(folder / "store.db"), **settings)
        self.application = Application(settings=chosen, project="global")
        self.file = TokenFile(folder / "tokens.toml")
        self.tokens: dict[str, str] = {}

    def let_in(self, name: str, tenant: str = "acme", role: Any = "writer") -> str:
        """A token for somebody, who is known by it from now on."""
        token = self.file.add(principal_named(name, tenant, role), None)
        self.tokens[name] = token
        return token

    @asynccontextmanager
    async def open(
        self,
        *,
        buckets: Buckets = FREE,
        allowed: Sequence[str] = (),
        observe: Callable[[ToolCall], None] | None = None,
    ) -> AsyncGenerator[str]:
        """Serve; where it listens. Callers need a token of the file."""
        verifier = FileVerifier(self.file, now, silent)
        async with serving(self.application, verifier, buckets, allowed, observe) as url:
            yield url


@asynccontextmanager
async def serving(
    application: Application,
    verifier: TokenVerifier | None,
    buckets: Buckets = FREE,
    allowed: Sequence[str] = (),
    observe: Callable[[ToolCall], None] | None = None,
) -> AsyncGenerator[str]:
    """Serve an application as `serve --http` does."""
    with tcp_socket("127.0.0.1", 0) as listening:
        exposure = Exposure(
            auth="tokens" if verifier else "none",
            port=listening.getsockname()[1],
            allowed_hosts=tuple(allowed),
        )
        server = build(application)
        server.observe = observe
        app = app_for(server, exposure, verifier, None, buckets)
        async with running(app, listening):
            yield exposure.url


@asynccontextmanager
async def served_as(application: Application, exposure: Exposure) -> AsyncGenerator[str]:
    """Serve an application just as the settings say."""
    with tcp_socket("127.0.0.1", 0) as listening:
        exposure = replace(exposure, port=listening.getsockname()[1])
        async with running(app_of(build(application), application, exposure), listening):
            yield exposure.url


@asynccontextmanager
async def running(app: Starlette, listening: socket.socket) -> AsyncGenerator[None]:
    """Run uvicorn for an application."""
    config = uvicorn.Config(
        app, http=PunctualProtocol, log_level="critical", lifespan="on", timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(config)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(server.serve, [listening])
        try:
            yield
        finally:
            server.should_exit = True


@asynccontextmanager
async def calling(
    url: str,
    token: str,
    mode: Mode = "auto",
    *,
    project: str = "",
    name: str = "editor",
    model: SamplingFnT | None = None,
) -> AsyncGenerator[Client]:
    """A client that sends a token, of the same name and version as every other one."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    if project:
        headers["X-Reflection-Project"] = project
    info = Implementation(name=name, version="1")
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(
            streamable_http_client(url, http_client=http),
            mode=mode,
            client_info=info,
            sampling_callback=model,
        ) as one,
    ):
        yield one


def text_of(result: CallToolResult) -> str:
    return "\n".join(part.text for part in result.content if isinstance(part, TextContent))


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """Call a tool that must succeed; what it returns for programs."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, text_of(result)
    assert result.structured_content is not None
    return dict(result.structured_content)


async def refused(client: Client, tool: str, **arguments: Any) -> str:
    """Call a tool that must refuse; the line it says."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    return text_of(result)
