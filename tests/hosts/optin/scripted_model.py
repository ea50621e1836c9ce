"""A model on the loopback that plays a script, for hosts of three model makers.

It speaks as much of Anthropic's Messages, OpenAI's Responses and chat completions, and Google's
generateContent as those hosts need, and keeps what every request held, so that a test can say what
the model was shown.
"""

import json
import threading
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Json = dict[str, Any]
END = "done"
USAGE = {"input_tokens": 1, "output_tokens": 1}


@dataclass(frozen=True)
class Call:
    """A step of the script: the tool whose name ends like this, with these arguments."""

    tool: str
    args: Json


@dataclass
class ScriptedModel:
    """The script, and the requests that arrived."""

    script: Sequence[Call]
    requests: list[Json] = field(default_factory=list[Json])
    arrived: list[float] = field(default_factory=list[float])
    port: int = 0

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.port}"

    def shown(self) -> str:
        """All that the model was shown, as one text."""
        return json.dumps(self.requests, ensure_ascii=False)

    def answer(self, path: str, request: Json) -> str | None:
        """The stream of events for one request, or the JSON of an answer that is none; None for a
        request that is not for a model."""
        for part, answer in _MAKERS.items():
            if part in path and "count_tokens" not in path:
                self.requests.append(request)
                self.arrived.append(time.monotonic())
                return answer(self, request)
        return None

    def step(self, done: int, tools: Sequence[str]) -> tuple[str, Json] | None:
        """The next call as the host names the tool, None when the script or the tools are over."""
        if not tools or done >= len(self.script):
            return None
        call = self.script[done]
        return next((name for name in tools if name.endswith(call.tool)), call.tool), call.args


@contextmanager
def serving(script: Sequence[Call]) -> Generator[ScriptedModel]:
    """The model, listening for as long as the block lasts."""
    model = ScriptedModel(script)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
            answer = model.answer(self.path, body) or '{"input_tokens": 1}'
            whole = answer.startswith("{")
            self._send("application/json" if whole else "text/event-stream", answer)

        def do_GET(self) -> None:
            self._send("application/json", '{"data": [], "models": []}')

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


def _events(events: Sequence[Json]) -> str:
    return "".join(f"event: {e['type']}\ndata: {json.dumps(e)}\n\n" for e in events)


def _anthropic(model: ScriptedModel, request: Json) -> str:
    names = [tool["name"] for tool in request.get("tools", []) if "name" in tool]
    done = sum(
        block.get("type") == "tool_use"
        for message in request.get("messages", [])
        if message["role"] == "assistant" and isinstance(message["content"], list)
        for block in message["content"]
    )
    step = model.step(done, names)
    block: Json = {"type": "text", "text": ""}
    delta: Json = {"type": "text_delta", "text": END}
    if step is not None:
        block = {"type": "tool_use", "id": f"toolu_{done}", "name": step[0], "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(step[1])}
    stop = {"stop_reason": "tool_use" if step else "end_turn", "stop_sequence": None}
    message: Json = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "scripted",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": USAGE,
    }
    return _events(
        [
            {"type": "message_start", "message": message},
            {"type": "content_block_start", "index": 0, "content_block": block},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": stop, "usage": {"output_tokens": 1}},
            {"type": "message_stop"},
        ]
    )


def _openai(model: ScriptedModel, request: Json) -> str:
    """Codex keeps tools of servers in groups, which it shows only after a search for tools."""
    calls = ("function_call", "tool_search_call")
    done = sum(item.get("type") in calls for item in request.get("input", []))
    step = model.step(done, ["tool_search"])
    item: Json = {
        "type": "message",
        "role": "assistant",
        "id": "m1",
        "content": [{"type": "output_text", "text": END}],
    }
    if step is not None and step[0] == "tool_search":
        item = {
            "type": "tool_search_call",
            "id": f"ts{done}",
            "call_id": f"c{done}",
            "execution": "client",
            "status": "completed",
            "arguments": step[1],
        }
    elif step is not None:
        group, _, name = step[0].rpartition("/")
        item = {
            "type": "function_call",
            "id": f"fc{done}",
            "call_id": f"c{done}",
            "name": name,
            "namespace": group,
            "arguments": json.dumps(step[1]),
        }
    usage = {**USAGE, "input_tokens_details": None, "output_tokens_details": None}
    response = {"id": "r1", "output": [item], "usage": {**usage, "total_tokens": 2}}
    return _events(
        [
            {"type": "response.created", "response": {"id": "r1"}},
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": response},
        ]
    )


def _google(model: ScriptedModel, request: Json) -> str:
    parts = [part for turn in request.get("contents", []) for part in turn.get("parts", [])]
    names = [
        declared["name"]
        for tool in request.get("tools", [])
        for declared in tool.get("functionDeclarations", [])
    ]
    step = model.step(sum("functionCall" in part for part in parts), names)
    part: Json = {"text": END}
    if step is not None:
        part = {"functionCall": {"name": step[0], "args": step[1]}}
    content = {"role": "model", "parts": [part]}
    count = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
    candidate = {"content": content, "finishReason": "STOP", "index": 0}
    return f"data: {json.dumps({'candidates': [candidate], 'usageMetadata': count})}\n\n"


def _chat(model: ScriptedModel, request: Json) -> str:
    names = [tool["function"]["name"] for tool in request.get("tools", [])]
    done = sum(len(message.get("tool_calls") or ()) for message in request["messages"])
    step = model.step(done, names)
    message: Json = {"role": "assistant", "content": END}
    if step is not None:
        called = {"name": step[0], "arguments": json.dumps(step[1])}
        calls = [{"id": f"call_{done}", "type": "function", "index": 0, "function": called}]
        message = {"role": "assistant", "content": None, "tool_calls": calls}
    about: Json = {"id": "c1", "created": 1, "model": "scripted"}
    usage = {"usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}}
    choice: Json = {"index": 0, "finish_reason": "tool_calls" if step else "stop"}
    if not request.get("stream"):
        choices = [{**choice, "message": message}]
        return json.dumps({**about, **usage, "object": "chat.completion", "choices": choices})
    about["object"] = "chat.completion.chunk"
    begun = {**choice, "delta": message, "finish_reason": None}
    chunks: list[Json] = [begun, {**choice, "delta": {}}]
    said: list[Json] = [{**about, "choices": [each]} for each in chunks]
    said.append({**about, **usage, "choices": []})
    return "".join(f"data: {json.dumps(each)}\n\n" for each in said) + "data: [DONE]\n\n"


_MAKERS: Mapping[str, Callable[[ScriptedModel, Json], str]] = {
    "/messages": _anthropic,
    "/responses": _openai,
    "/chat/completions": _chat,
    "enerateContent": _google,  # generateContent and streamGenerateContent
}
