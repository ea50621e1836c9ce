"""The message of a failure: one line of at most 300 characters, what was wrong and then what to do.

The only place where trouble that was foreseen (`ReflectionError`, `StoreError`) becomes something
a client can read. Whatever was not foreseen is told in general words, because the text of a stray
exception may hold a path, a secret or the caller's own input; its traceback goes to stderr.
"""

import errno
from typing import TYPE_CHECKING, cast

from reflection_mcp.store.errors import StoreError, StoreUnavailable
from reflection_mcp.store.scrub import scrub
from reflection_mcp.tools.errors import InvalidInput, NotFound, ReflectionError

if TYPE_CHECKING:
    # A hook is told of failures, too, and needs no SDK for that.
    from mcp.server.mcpserver.exceptions import ToolError
    from mcp.shared.exceptions import MCPError

INVALID_PARAMS, INTERNAL_ERROR = -32602, -32603
"""The codes of JSON-RPC."""

LONGEST = 300
"""Characters of an error: about 75 tokens; hosts repeat errors to the model word for word."""

Foreseen = ReflectionError | StoreError


TOO_MANY_FILES = StoreUnavailable(
    "too many files are open in the server",
    "raise the limit of open files (ulimit -n) and start it again",
)


def one_line(text: str, limit: int = LONGEST) -> str:
    """The text as a single printable line of at most `limit` characters."""
    # What exceeds the limit many times over is cut before it is worked on.
    words = scrub(text[: limit * 8]).split()
    line = "".join(letter if letter.isprintable() else " " for letter in " ".join(words))
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def foreseen(failure: BaseException | None) -> Foreseen | None:
    """The anticipated failure that this exception is, or that a task group wrapped on its own."""
    while isinstance(failure, BaseExceptionGroup):
        first, *others = cast("BaseExceptionGroup[BaseException]", failure).exceptions
        if others:
            return None
        failure = first
    if isinstance(failure, OSError) and failure.errno in (errno.EMFILE, errno.ENFILE):
        return TOO_MANY_FILES  # a module or a file could not be read
    return failure if isinstance(failure, Foreseen) else None


def told(failure: Foreseen) -> str:
    """`message: hint`, in one line."""
    return one_line(f"{failure.message.rstrip(' .:')}: {failure.hint}")


def unforeseen(name: str) -> str:
    """What a caller may know of a bug in the tool, resource or prompt called `name`."""
    fault = "a fault of the server. Its log has the details."
    return one_line(f"Internal error in {name}: {fault}")


def as_tool_error(failure: Foreseen) -> "ToolError":
    """For a tool: the model reads the line and can act on it."""
    from mcp.server.mcpserver.exceptions import ToolError

    return ToolError(told(failure))


def as_protocol_error(failure: Foreseen, *, uri: str | None = None) -> "MCPError":
    """For a resource or prompt, which have no results that are errors: -32602 when the request
    was at fault, else -32603."""
    code = INVALID_PARAMS if isinstance(failure, InvalidInput | NotFound) else INTERNAL_ERROR
    return protocol_error(told(failure), code=code, uri=uri)


def protocol_error(text: str, *, code: int = INVALID_PARAMS, uri: str | None = None) -> "MCPError":
    """A refusal in one line, with the start of the `uri` it is about, as the protocol asks for."""
    from mcp.shared.exceptions import MCPError

    data = None if uri is None else {"uri": one_line(uri)}
    return MCPError(code=code, message=one_line(text), data=data)
