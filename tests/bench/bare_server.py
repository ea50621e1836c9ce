"""The yardstick: the SDK's server with one trivial tool, over stdio, or with tokens over HTTP."""

import hashlib
import os
import sys
import tomllib
from pathlib import Path

from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from mcp.server.mcpserver import MCPServer


async def echo(text: str) -> str:
    """Return the text."""
    return text


class Known:
    """The digests of a file that is read once."""

    def __init__(self, path: Path) -> None:
        rows = tomllib.loads(path.read_text())["token"]
        self._names = {row["digest"]: row["name"] for row in rows}

    async def verify_token(self, token: str) -> AccessToken | None:
        """Whose a token is, or None."""
        name = self._names.get(hashlib.sha256(token.encode()).hexdigest())
        return AccessToken(token="", client_id=name, scopes=[]) if name else None


def serve_http() -> None:
    """Serve on a free port, which is told on stderr."""
    import uvicorn

    from reflection_mcp.server.access.listener import tcp_socket

    known = Known(Path(os.environ["REFLECTION_TOKENS"]))
    auth = AuthSettings.model_validate({"issuer_url": "http://bare", "resource_server_url": None})
    server = MCPServer("bare", auth=auth, token_verifier=known)
    server.add_tool(echo)
    with tcp_socket("127.0.0.1", 0) as listening:
        url = f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
        print(f"running on {url}", file=sys.stderr, flush=True)
        app = server.streamable_http_app()
        config = uvicorn.Config(app, log_level="warning", access_log=False)
        uvicorn.Server(config).run([listening])


if __name__ == "__main__":
    if "--http" in sys.argv:
        serve_http()
    else:
        bare = MCPServer("bare")
        bare.add_tool(echo)
        bare.run()
