"""Our MCP server: the SDK's server with stricter answers.

Through public seams only (`list_tools`, `call_tool`, `read_resource`, `get_prompt`):

- tool definitions carry no noise, come in the order of registration, and are made once;
- an unknown tool or prompt is the protocol error -32602; an unknown argument is refused with a
  suggestion; an argument that does not fit is refused in one line, without an echo;
- failures that were foreseen are told as `message: hint`, all others in general words with their
  traceback on stderr; no error is longer than a line;
- what a tool returns is always something the wire can carry.

SDK fault (mcp 2.3.0): what the SDK's server says of tools, unknown names and failures is written
for programs: titles beside every name, the whole text of an exception, results that the wire cannot
carry. Can go when a release refuses unknown arguments, keeps definitions short and hides the text
of stray exceptions.
"""

import logging
import time
from collections.abc import Callable, Iterable
from contextlib import AbstractAsyncContextManager, nullcontext
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

import anyio
from anyio.abc import ObjectReceiveStream, ObjectSendStream
from mcp.server.lowlevel.helper_types import ReadResourceContents
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import (
    ResourceNotFoundError,
    ToolError,
    UnexpectedResourceError,
    UnexpectedToolError,
)
from mcp.server.mcpserver.tools import Tool
from mcp.server.runner import serve_dual_era_loop
from mcp.shared.exceptions import MCPError
from mcp.shared.message import SessionMessage
from mcp_types import INTERNAL_ERROR, CallToolResult, GetPromptResult, InputRequiredResult
from mcp_types import Resource as ListedResource
from mcp_types import Tool as Definition
from pydantic import AnyUrl, ValidationError

from reflection_mcp.server.transport import failures
from reflection_mcp.server.transport.arguments import (
    FaithfulMetadata,
    instead,
    refusal,
    shown,
    unknown_argument,
)
from reflection_mcp.server.transport.schema import input_schema, output_schema
from reflection_mcp.server.transport.stdio import Handover, serve
from reflection_mcp.server.transport.surrogates import encodable
from reflection_mcp.server.worker import Worker

if TYPE_CHECKING:
    from mcp.server.auth.provider import TokenVerifier
    from mcp.server.auth.settings import AuthSettings
    from mcp.server.transport_security import TransportSecuritySettings
    from starlette.applications import Starlette

LifespanT = TypeVar("LifespanT")

_logger = logging.getLogger(__name__)


class ToolCall(NamedTuple):
    """A call of a tool that has ended: its seconds, `ok` or `error`, and the ids that its result
    names."""

    tool: str
    seconds: float
    result: str
    ids: tuple[str, ...]


MOST_IDS = 20
"""The ids of one result that are named."""


def ids_in(structured: object) -> tuple[str, ...]:
    """The ids of the records that a result names, at any depth."""
    found: dict[str, None] = {}
    rest: list[object] = [structured]
    while rest and len(found) < MOST_IDS:
        part = rest.pop(0)
        if isinstance(part, dict):
            for name, value in cast("dict[str, object]", part).items():
                if isinstance(value, str) and value and (name == "id" or name.endswith("_id")):
                    found[value] = None
                rest.append(value)
        elif isinstance(part, list):
            rest.extend(cast("list[object]", part))
    return tuple(found)[:MOST_IDS]


def _at_once(tool: str) -> AbstractAsyncContextManager[None]:
    """Wait for nothing."""
    return nullcontext()


class ReflectionServer(MCPServer[LifespanT]):
    """An `MCPServer` with short definitions, strict arguments and errors that help."""

    _definitions: list[Definition] | None = None

    refuse: Callable[[str], str] | None = None
    """Why the caller may not call the tool of this name, in one line; empty if it may."""

    turn: Callable[[str], AbstractAsyncContextManager[None]] = staticmethod(_at_once)
    """Waits until the caller may have a call of the tool of this name answered."""

    observe: Callable[["ToolCall"], None] | None = None
    """Hears of every call of a tool that exists, after its end."""

    @cached_property
    def worker(self) -> Worker:
        """Where calls compute; whoever opens something there closes it there."""
        return Worker()

    async def list_tools(self) -> list[Definition]:
        """All tools, in the order in which they were registered."""
        known = self._definitions
        if known is None or len(known) != len(self._tool_manager.list_tools()):
            known = self._definitions = [_short(tool) for tool in await super().list_tools()]
        return list(known)

    async def call_tool(
        self,
        name: str,
        arguments: dict[str, Any],
        context: Context[LifespanT, Any] | None = None,
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool.

        Raises:
            MCPError: -32602 for a tool that does not exist.
            ToolError: the caller may not call it, its arguments cannot be used, or it failed in a
                way that was foreseen.
            UnexpectedToolError: anything else; what happened is its `__cause__`.
        """
        tool = self._tool(name)
        if self.observe is None:
            return await self._called(tool, name, arguments, context)
        began, result, structured = time.perf_counter(), "error", None
        try:
            done = await self._called(tool, name, arguments, context)
            if isinstance(done, CallToolResult) and not done.is_error:
                result, structured = "ok", done.structured_content
            return done
        finally:
            seconds = time.perf_counter() - began
            self.observe(ToolCall(name, seconds, result, ids_in(structured)))

    async def _called(
        self,
        tool: Tool,
        name: str,
        arguments: dict[str, Any],
        context: Context[LifespanT, Any] | None,
    ) -> CallToolResult | InputRequiredResult:
        if self.refuse is not None and (why := self.refuse(name)):
            raise ToolError(why)
        given = encodable(arguments)
        if (stray := unknown_argument(given, list(tool.parameters["properties"]))) is not None:
            raise ToolError(stray)
        try:
            async with self.turn(name):
                return await self.worker.run(super().call_tool, name, given, context)
        except UnexpectedToolError as crash:
            raise _crash(name, crash.__cause__) from crash.__cause__
        except ToolError as error:
            raise _refusal(error.__cause__, tool) from error.__cause__

    def _tool(self, name: str) -> Tool:
        """The tool with this name, made to take its arguments as they were sent."""
        tool = self._tool_manager.get_tool(name)
        if tool is None:
            names = [tool.name for tool in self._tool_manager.list_tools()]
            raise failures.protocol_error(f"unknown tool {shown(name)}; {instead(name, names)}")
        if not isinstance(tool.fn_metadata, FaithfulMetadata):
            tool.fn_metadata = FaithfulMetadata.of(tool.fn_metadata)
        return tool

    async def list_resources(self) -> list[ListedResource]:
        """All resources but the pages that tools name: those are for hosts, not for people."""
        return [each for each in await super().list_resources() if not each.uri.startswith("ui:")]

    async def read_resource(
        self, uri: AnyUrl | str, context: Context[LifespanT, Any] | None = None
    ) -> Iterable[ReadResourceContents] | InputRequiredResult:
        """Read a resource.

        Raises:
            MCPError: -32602 for a resource that does not exist or a request that was at fault,
                -32603 for any other failure that was foreseen.
            UnexpectedResourceError: anything else; what happened is its `__cause__`.
        """
        asked = str(uri)
        try:
            contents = await self.worker.run(super().read_resource, uri, context)
        except ResourceNotFoundError as error:
            raise failures.protocol_error(str(error), uri=asked) from error
        except UnexpectedResourceError as crash:
            failure = failures.foreseen(crash.__cause__)
            if failure is not None:
                raise failures.as_protocol_error(failure, uri=asked) from failure
            raise UnexpectedResourceError(
                failures.unforeseen(f"resource {shown(asked)}")
            ) from crash.__cause__
        return contents if isinstance(contents, InputRequiredResult) else encodable(list(contents))

    async def get_prompt(
        self,
        name: str,
        arguments: dict[str, Any] | None = None,
        context: Context[LifespanT, Any] | None = None,
    ) -> GetPromptResult | InputRequiredResult:
        """Get a prompt.

        Raises:
            MCPError: -32602 for a prompt or argument that does not exist, one that is missing, or
                a request that was at fault; -32603 for any other failure.
        """
        prompt = self._prompt_manager.get_prompt(name)
        if prompt is None:
            names = [prompt.name for prompt in self._prompt_manager.list_prompts()]
            raise failures.protocol_error(f"unknown prompt {shown(name)}; {instead(name, names)}")
        given = encodable(arguments or {})
        known = [argument.name for argument in prompt.arguments or ()]
        missing = [a.name for a in prompt.arguments or () if a.required and a.name not in given]
        stray = unknown_argument(given, known)
        if stray is not None or missing:
            raise failures.protocol_error(stray or f"missing: {', '.join(missing)}")
        try:
            return encodable(await super().get_prompt(name, given, context))
        except ValueError as error:
            raise _prompt_failure(name, error) from error

    def http_app(
        self,
        security: "TransportSecuritySettings",
        auth: "AuthSettings | None" = None,
        verifier: "TokenVerifier | None" = None,
    ) -> "Starlette":
        """The application for streamable HTTP, which asks for tokens where there is a verifier."""
        from reflection_mcp.server.transport.sessions import share_out

        app = self._lowlevel_server.streamable_http_app(
            transport_security=security, auth=auth, token_verifier=verifier
        )
        share_out(self._lowlevel_server.session_manager)
        return app

    def serve_stdio(self, taken: Handover | None = None) -> int:
        """Serve the client on stdin and stdout in the main thread; returns the exit code."""
        return anyio.run(serve, self._lowlevel_server, taken)

    async def converse(
        self,
        read: ObjectReceiveStream[SessionMessage | Exception],
        write: ObjectSendStream[SessionMessage],
    ) -> None:
        """Answer what needs no lifespan, until there is no more to read."""
        state = cast(LifespanT, None)
        await serve_dual_era_loop(self._lowlevel_server, read, write, lifespan_state=state)


def _short(tool: Definition) -> Definition:
    output = tool.output_schema
    return tool.model_copy(
        update={
            "description": " ".join((tool.description or "").split()),
            "input_schema": input_schema(tool.input_schema),
            "output_schema": None if output is None else output_schema(output),
        }
    )


def _crash(name: str, cause: BaseException | None) -> ToolError:
    failure = failures.foreseen(cause)
    if failure is not None:
        return failures.as_tool_error(failure)
    return UnexpectedToolError(failures.unforeseen(name))


def _refusal(cause: BaseException | None, tool: Tool) -> ToolError:
    if isinstance(cause, ValidationError):
        return ToolError(refusal(cause, tool.parameters))
    return ToolError(failures.one_line(str(cause)))


def _prompt_failure(name: str, error: ValueError) -> MCPError:
    """The SDK wraps what a prompt raises twice, and hides what it was."""
    cause = error.__cause__ and error.__cause__.__cause__
    failure = failures.foreseen(cause)
    if failure is not None:
        return failures.as_protocol_error(failure)
    if isinstance(cause, ValidationError):
        names = dict.fromkeys(shown(str(fault["loc"][0])) for fault in cause.errors())
        return failures.protocol_error(f"pass text for {', '.join(names)}")
    _logger.error("Prompt %r raised an unexpected exception", name, exc_info=cause)
    return failures.protocol_error(failures.unforeseen(f"prompt {name}"), code=INTERNAL_ERROR)
