"""The replies from the snapshot, for each request and for the protocol version of the client.

The rule: an answer is what the SDK would say, or there is none. So whatever an answer depends on
(the era, the version of the protocol, that the client has said hello) is followed here, too.
"""

import json

from reflection_mcp.server.front.shape import (
    CLIENT,
    VERSION,
    Json,
    granted,
    is_envelope,
    is_greeting,
    is_plain_meta,
    is_wish,
)
from reflection_mcp.server.front.snapshot import Answers
from reflection_mcp.server.mcp.one_view import gets_one, without_promises

LISTEN = "subscriptions/listen"
HELLO = "initialize"
META = "_meta"
NOTHING: Json = {}


class Era:
    """The version of the protocol that a connection speaks, and who speaks it.

    `modern` is None until the first request has decided it.
    """

    def __init__(self, modern: bool | None = None, version: str = "", client: str = "") -> None:
        self.modern = modern
        self.version = version
        self.client = client


class Replies:
    """The answers of a snapshot, for one connection."""

    def __init__(self, answers: Answers, views: str = "auto") -> None:
        self.era = Era()
        self._answers = answers
        self._views = views

    def opens(self, method: str, params: Json) -> bool:
        """Follow a request, and return whether it is one of the era of its connection.

        A request that is not is left to the SDK, and so is everything before the first hello.
        """
        meta = params.get(META, NOTHING)
        if method == HELLO:
            if self.era.modern is not None or not is_greeting(params):
                return False
            version = params["protocolVersion"]
            if HELLO not in self._answers.get(version, NOTHING):
                return False
            self.era = Era(False, version, params["clientInfo"]["name"])
            return True
        if self.era.modern is False:
            return is_plain_meta(meta)
        if not is_envelope(meta) or HELLO in self._answers.get(meta[VERSION], {HELLO: ""}):
            return False
        self.era = Era(True, meta[VERSION], meta[CLIENT]["name"])
        return True

    def to(self, request_id: int | str, method: str, params: Json) -> bytes | None:
        """The line that answers a request of this era, or None where the SDK has to.

        To a subscription it is the line that acknowledges it; the answer comes with its end.
        """
        if method == LISTEN:
            return self._acknowledgement(request_id, params) if self.era.modern else None
        if method != HELLO and params.keys() - {META}:
            return None
        answer = self._answers[self.era.version].get(method)
        if method == "tools/list" and answer and gets_one(self.era.client, self._views):
            answer = without_promises(answer)
        return None if answer is None else result_line(request_id, answer)

    def _acknowledgement(self, request_id: int | str, params: Json) -> bytes | None:
        wished = params.get("notifications")
        if params.keys() - {META, "notifications"} or not is_wish(wished):
            return None
        said = {
            "_meta": {"io.modelcontextprotocol/subscriptionId": request_id},
            "notifications": granted(params["notifications"]),
        }
        method = "notifications/subscriptions/acknowledged"
        return line({"jsonrpc": "2.0", "method": method, "params": said})

    def stamp(self) -> Json:
        """What the SDK adds to every result of this era."""
        if not self.era.modern:
            return {}
        meta = json.loads(self._answers[self.era.version]["server/discover"])[META]
        return {"resultType": "complete", META: meta}


def json_of(value: object) -> str:
    """A value as the SDK writes it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def line(message: Json) -> bytes:
    """A message as a line."""
    return json_of(message).encode() + b"\n"


def result_line(request_id: int | str, result: str) -> bytes:
    """The line of a result that is JSON already."""
    return f'{{"jsonrpc":"2.0","id":{json_of(request_id)},"result":{result}}}\n'.encode()


def error_line(request_id: int | str, code: int, message: str) -> bytes:
    """The line of an error."""
    return line({"jsonrpc": "2.0", "id": request_id, "error": {"code": code, "message": message}})
