"""From a line of the client to a message: read, repaired, or answered with what is wrong.

JSON-RPC wants an answer to a line that is no message: -32700 when it is no JSON, -32600 when it is
no message, with the id of the request where one can be found. A line that only fails over half a
surrogate pair is repaired. What looks like a response is never answered, or two peers could answer
each other without end.

SDK fault (mcp 2.3.0): a line that cannot be read is dropped without an answer, and its sender waits
for ever. Can go when a release answers it with -32700 or -32600.
"""

import json
import re
from typing import Any, cast

from mcp.shared.dispatcher import as_request_id
from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    RequestId,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError

from reflection_mcp.server.transport.surrogates import encodable

SEARCHED = 250_000
"""Characters of a broken line that are searched for an id (at most 0.1 s)."""

_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*"?|[\[{]+|[\]}]+')
_ID = re.compile(
    r"\s{0,9}:\s{0,9}(-?(?:0|[1-9][0-9]{0,17})(?=\s{0,9}[,}])|"
    r'"[^"\\\x00-\x1f]{0,200}")'
)

_NOT_JSON = "this line is not JSON, too long, or nested too deeply; send one message per line"
_NOT_ONE = "a message is one JSON object on a line; batches are not part of this protocol"
_NOTIFIES = "notifications/"
"""How the method of every notification begins; whatever else has no id is no message."""

_WANTED = {
    "jsonrpc": 'jsonrpc must be "2.0"',
    "id": "id must be a string or a whole number",
    "method": "method must be a string",
    "params": "params must be an object",
}


class Refused(Exception):
    """A line that is no message, with the answer to it, if it wants one."""

    def __init__(self, code: int = 0, why: str = "", request_id: RequestId | None = None) -> None:
        super().__init__(why)
        error = ErrorData(code=code, message=why)
        self.answer = JSONRPCError(jsonrpc="2.0", id=request_id, error=error) if code else None


def message_in(line: str) -> JSONRPCMessage:
    """Return the message that a line is.

    Raises:
        Refused: it is none.
    """
    try:
        message = jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValidationError:
        message = _repaired(line)
    # The SDK takes a request whose id is no id for a notification.
    if isinstance(message, JSONRPCNotification) and not message.method.startswith(_NOTIFIES):
        raise Refused(INVALID_REQUEST, _WANTED["id"])
    return message


def _repaired(line: str) -> JSONRPCMessage:
    try:
        given: Any = encodable(json.loads(line))  # it takes half a pair, pydantic does not
    except (ValueError, RecursionError):
        raise Refused(PARSE_ERROR, _NOT_JSON, id_in(line)) from None
    if not isinstance(given, dict):
        raise Refused(INVALID_REQUEST, _NOT_ONE)
    fields = cast("dict[str, Any]", given)
    try:
        return jsonrpc_message_adapter.validate_json(json.dumps(fields), by_name=False)
    except ValidationError as error:
        places = [fault["loc"] for fault in error.errors(include_url=False, include_context=False)]
    notifies = "id" not in fields and str(fields.get("method")).startswith(_NOTIFIES)
    if notifies or fields.keys() & {"result", "error"}:
        raise Refused
    wrong = dict.fromkeys(str(loc[1]) for loc in places if loc[0] == JSONRPCRequest.__name__)
    why = "; ".join(_WANTED[name] for name in wrong)
    raise Refused(INVALID_REQUEST, why, as_request_id(fields.get("id")))


def id_in(line: str) -> RequestId | None:
    """Return the id of the request that a broken line was to be, if it can be told."""
    depth = 0
    for token in _TOKEN.finditer(line[:SEARCHED]):
        if token[0][0] in "{[":
            depth += len(token[0])
        elif token[0][0] in "}]":
            depth -= len(token[0])
        elif depth == 1 and token[0] == '"id"' and (found := _ID.match(line, token.end())):
            return cast(RequestId, json.loads(found[1]))
    return None
