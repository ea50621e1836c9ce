"""The yardstick: the SDK's server with one trivial tool, over stdio."""

from mcp.server.mcpserver import MCPServer

server = MCPServer("bare")


@server.tool()
async def echo(text: str) -> str:
    """Return the text."""
    return text


if __name__ == "__main__":
    server.run()
