"""One view of a result, for clients that show a model both.

The rule: the text stays, as it is the shorter one. A client that was promised a structure refuses a
result without one, so the tools that such a client is told of promise none: some of them show that
promise to the model, too. The names are those that the clients give themselves; what shows both and
has no name of its own needs the setting `views`. Standard library alone: the front uses this.
"""

import json

TYPE_CHECKING = False  # importing `typing` takes a tenth of what a list is waited for
if TYPE_CHECKING:
    from typing import Any

    from mcp.server.context import CallNext, HandlerResult, ServerRequestContext

SHOW_BOTH = ("cline", "copilot-cli", "google-adk", "qwen-cli-mcp-client")
"""How the names of clients begin that show both (docs/hosts.md, November 2026)."""

RECORDER = "snapshot"
"""The name under which the snapshot is asked for, which holds both for every setting."""


def gets_one(client: str, views: str) -> bool:
    """Whether a client with this name gets the text alone, by the setting `views`."""
    if client == RECORDER:
        return False
    return views == "text" or (views == "auto" and client.casefold().startswith(SHOW_BOTH))


def without_promises(listed: str) -> str:
    """A list of tools, as JSON, without what they promise of a structure."""
    result = json.loads(listed)
    _keep_promises_back(result)
    return json.dumps(result, ensure_ascii=False, separators=(",", ":"))


def _keep_promises_back(listed: "dict[str, Any]") -> None:
    for tool in listed["tools"]:
        tool.pop("outputSchema", None)


class OneView:
    """Takes the structure out of what the SDK answers such a client."""

    def __init__(self, views: str) -> None:
        self.views = views

    async def __call__(
        self, ctx: "ServerRequestContext[Any, Any]", call_next: "CallNext"
    ) -> "HandlerResult":
        """Answer, and leave out what this client is not to get."""
        result = await call_next(ctx)
        known = ctx.session.client_params
        if isinstance(result, dict) and known and gets_one(known.client_info.name, self.views):
            if ctx.method == "tools/list":
                _keep_promises_back(result)
            elif ctx.method == "tools/call":
                result.pop("structuredContent", None)
        return result
