"""A model on the loopback that plays a script, for hosts that speak to Anthropic's API.

It keeps what every request held, so that a test can say what the model was shown.
"""

import json
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Call:
    """A step of the script: the tool whose name ends like this, with these arguments."""

    tool: str
    args: dict[str, Any]


@dataclass
class ScriptedModel:
    """The script, and the requests that arrived."""

    script: Sequence[Call]
    requests: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    port: int = 0

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.port}"

    def shown(self) -> str:
        """All that the model was shown, as one text."""
        return json.dumps(self.requests, ensure_ascii=False)

    def answer(self, request: dict[str, Any]) -> str:
        """The stream of events for one request."""
        self.requests.append(request)
        names = [tool["name"] for tool in request.get("tools", []) if "name" in tool]
        done = sum(
            block.get("type") == "tool_use"
            for message in request.get("messages", [])
            if message["role"] == "assistant" and isinstance(message["content"], list)
            for block in message["content"]
        )
        if not names or done >= len(self.script):
            return _stream({"type": "text", "text": ""}, {"type": "text_delta", "text": "done"})
        call = self.script[done]
        name = next((name for name in names if name.endswith(call.tool)), call.tool)
        block: dict[str, Any] = {
            "type": "tool_use",
            "id": f"toolu_{done}",
            "name": name,
            "input": {},
        }
        partial = {"type": "input_json_delta", "partial_json": json.dumps(call.args)}
        return _stream(block, partial)


@contextmanager
def serving(script: Sequence[Call]) -> Generator[ScriptedModel]:
    """The model, listening for as long as the block lasts."""
    model = ScriptedModel(script)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
            if "count_tokens" in self.path:
                return self._send("application/json", '{"input_tokens": 1}')
            if "/messages" in self.path:
                return self._send("text/event-stream", model.answer(body))
            return self._send("application/json", "{}")

        def do_GET(self) -> None:
            self._send("application/json", '{"data": []}')

        def _send(self, kind: str, text: str) -> None:
            content = text.encode("utf-8")
            self.send_response(200)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing: a test reads the requests."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listener:
        model.port = listener.server_address[1]
        threading.Thread(target=listener.serve_forever, daemon=True).start()
        yield model
        listener.shutdown()


def _stream(block: dict[str, Any], delta: dict[str, Any]) -> str:
    stop = "tool_use" if block["type"] == "tool_use" else "end_turn"
    usage = {"input_tokens": 1, "output_tokens": 1}
    message: dict[str, Any] = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "scripted",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {
            "type": "message_delta",
            "delta": {"stop_reason": stop, "stop_sequence": None},
            "usage": {"output_tokens": 1},
        },
        {"type": "message_stop"},
    ]
    return "".join(f"event: {e['type']}\ndata: {json.dumps(e)}\n\n" for e in events)
