"""What can be said about a message that is none: repaired, answered, or let go.

mcp 2.3.0 drops whatever it cannot read, and its sender waits for ever. JSON-RPC wants an answer:
-32700 when the line is no JSON, -32600 when it is no message, with the id of the request where one
can be found. A line that only fails over half a surrogate pair is repaired. What looks like a
response is never answered, or two peers could answer each other without end.

SDK fault (mcp 2.3.0): a line that cannot be read is dropped without an answer. Can go when a
release answers it with -32700 or -32600.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

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
from pydantic_core import ErrorDetails

from reflection_mcp.server.transport.surrogates import encodable

SEARCHED = 250_000
"""Characters of a broken line that are searched for an id (at most 0.1 s)."""

_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*"?|[\[{]+|[\]}]+')
_ID = re.compile(
    r"\s{0,9}:\s{0,9}(-?(?:0|[1-9][0-9]{0,17})(?=\s{0,9}[,}])|"
    r'"[^"\\\x00-\x1f]{0,200}")'
)

_NOT_JSON = "this line is no JSON, or too long, or nested too deeply; send one message per line"
_NOT_ONE = "a message is one JSON object on a line; batches are not part of this protocol"
_NOTIFIES = "notifications/"
"""How the method of every notification begins; whatever else has no id is no message."""

_WANTED = {
    "jsonrpc": 'jsonrpc must be "2.0"',
    "id": "id must be a string or a whole number",
    "method": "method must be a string",
    "params": "params must be an object",
}


@dataclass(frozen=True, slots=True)
class Refused:
    """What cannot be worked on, and the answer to it."""

    answer: JSONRPCError


def reread(error: Exception) -> JSONRPCMessage | Refused | None:
    """The message that was meant by a line which the transport could not read, or the answer to
    it; None when it wants no answer."""
    if not isinstance(error, ValidationError):
        return None
    faults = error.errors(include_url=False, include_context=False)
    first = faults[0]
    if _is_no_json(error):
        return _reread_line(str(first["input"]))
    if first["type"] == "model_type":
        return _error(INVALID_REQUEST, _NOT_ONE, None)
    # The arm for errors misses its `error` in all that is no response, and shows the whole.
    whole = [cast(Mapping[str, object], fault["input"]) for fault in faults if _no_error_in(fault)]
    if not whole or "result" in whole[0] or _is_notification(whole[0]):
        return None
    wrong = dict.fromkeys(f["loc"][1] for f in faults if f["loc"][0] == JSONRPCRequest.__name__)
    told = "; ".join(_WANTED[str(name)] for name in wrong)
    return _error(INVALID_REQUEST, told, as_request_id(whole[0].get("id")))


def refused(notification: JSONRPCNotification) -> Refused | None:
    """The answer to a request whose id is no id: the SDK takes it for a notification."""
    if notification.method.startswith(_NOTIFIES):
        return None
    return _error(INVALID_REQUEST, _WANTED["id"], None)


def id_in(line: str) -> RequestId | None:
    """The id of the request that a broken line was to be, if it can be told."""
    depth = 0
    for token in _TOKEN.finditer(line[:SEARCHED]):
        if token[0][0] in "{[":
            depth += len(token[0])
        elif token[0][0] in "}]":
            depth -= len(token[0])
        elif depth == 1 and token[0] == '"id"' and (found := _ID.match(line, token.end())):
            return cast(RequestId, json.loads(found[1]))
    return None


def _reread_line(line: str) -> JSONRPCMessage | Refused | None:
    try:
        mended = json.dumps(encodable(json.loads(line)))  # it takes half a pair, pydantic does not
        return jsonrpc_message_adapter.validate_json(mended, by_name=False)
    except ValidationError as error:
        if not _is_no_json(error):
            return reread(error)
    except (ValueError, RecursionError):
        pass
    return _error(PARSE_ERROR, _NOT_JSON, id_in(line))


def _is_no_json(error: ValidationError) -> bool:
    return error.errors(include_url=False, include_context=False)[0]["type"] == "json_invalid"


def _no_error_in(fault: ErrorDetails) -> bool:
    return fault["loc"] == (JSONRPCError.__name__, "error") and fault["type"] == "missing"


def _is_notification(message: Mapping[str, object]) -> bool:
    return "id" not in message and str(message.get("method")).startswith(_NOTIFIES)


def _error(code: int, message: str, request_id: RequestId | None) -> Refused:
    error = ErrorData(code=code, message=message)
    return Refused(JSONRPCError(jsonrpc="2.0", id=request_id, error=error))
