"""One call of the SDK's own client to a server that somebody has started, with a token.

`python -m tests.image_call URL TOKEN` teaches a lesson and asks for it; the workflow does so with
the server of compose.yaml. `SSL_CERT_FILE` may name the certificate of its proxy.
"""

import sys
from typing import Any

import anyio
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

ERROR = "FluxError: the spindle of part 7 is not aligned"
TAUGHT = {
    "question": "Align the spindle",
    "answer": "Turned it by hand.",
    "error": ERROR,
    "outcome": "success",
    "lesson": "The spindle drifts when the hall is cold.",
}


async def seen(url: str, token: str, host: str = "") -> str:
    """How sure the server is that it has met an error which it was taught."""
    own = {"Authorization": f"Bearer {token}"} | ({"Host": host} if host else {})
    async with (
        httpx2.AsyncClient(headers=own, timeout=60) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        await client.call_tool("reflect", TAUGHT)
        found = await client.call_tool("has_seen_error_before", {"error": ERROR})
    told: dict[str, Any] = found.structured_content or {}
    return str(told.get("verdict"))


if __name__ == "__main__":
    verdict = anyio.run(seen, sys.argv[1], sys.argv[2])
    print(verdict)
    sys.exit(verdict != "exact")
