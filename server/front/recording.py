"""Records the snapshot: every answer of the SDK that depends only on the version."""

import logging
import threading
from collections.abc import Sequence
from typing import Any

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCRequest, JSONRPCResponse
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

from reflection_mcp.server.front.replies import HELLO, json_of
from reflection_mcp.server.front.shape import CAPABILITIES, CLIENT, VERSION
from reflection_mcp.server.front.snapshot import Answers, Snapshot, current
from reflection_mcp.server.mcp.one_view import RECORDER
from reflection_mcp.server.transport.protocol import ReflectionServer

LISTS = ("tools/list", "prompts/list", "resources/list", "resources/templates/list")
ANYBODY = {"name": RECORDER, "version": "0"}


def record_beside(server: ReflectionServer[Any], snapshot: Snapshot) -> threading.Thread:
    """Make the snapshot in a thread of its own, which nobody has to wait for."""
    thread = threading.Thread(target=record, args=(server, snapshot), name="snapshot", daemon=True)
    thread.start()
    return thread


def record(server: ReflectionServer[Any], snapshot: Snapshot) -> bool:
    """Make the snapshot, and return whether it was kept; what fails is no news to a user."""
    try:
        return snapshot.write(anyio.run(answers_of, server))
    except Exception:
        logging.getLogger(__name__).debug("no snapshot was made", exc_info=True)
        return False


def record_for_the_next_start() -> bool:
    """Make the snapshot of this installation, unless there is one that holds; returns whether there
    is one now."""
    snapshot = current()
    if snapshot is None or snapshot.read():
        return snapshot is not None
    from reflection_mcp.server.app import build
    from reflection_mcp.server.application import Application
    from reflection_mcp.server.settings.settings import Settings

    nowhere = Application(settings=Settings(store="memory:"), project="snapshot")
    return record(build(nowhere), snapshot)


async def answers_of(server: ReflectionServer[Any]) -> Answers:
    """What a server answers in every version of the protocol."""
    answers: dict[str, dict[str, str]] = {}
    for version in HANDSHAKE_PROTOCOL_VERSIONS:
        lists: list[Request] = [(method, {}) for method in (*LISTS, "ping")]
        answers[version] = await _asked(server, [greeting(version), *lists])
    for version in MODERN_PROTOCOL_VERSIONS:
        meta = {"_meta": {VERSION: version, CLIENT: ANYBODY, CAPABILITIES: {}}}
        methods = ("server/discover", *LISTS, "ping")
        answers[version] = await _asked(server, [(method, meta) for method in methods])
    return answers


Request = tuple[str, dict[str, Any]]


def greeting(version: str) -> Request:
    """The request that opens a connection of the handshake era."""
    return HELLO, {"protocolVersion": version, "capabilities": {}, "clientInfo": ANYBODY}


async def _asked(server: ReflectionServer[Any], requests: Sequence[Request]) -> dict[str, str]:
    """The results by method; what is refused has none."""
    results = await answers_to(server, requests)
    return {
        method: json_of(result)
        for (method, _), result in zip(requests, results, strict=True)
        if result is not None
    }


async def answers_to(
    server: ReflectionServer[Any], requests: Sequence[Request]
) -> list[dict[str, Any] | None]:
    """The result of each request, one after the other; None where there is none."""
    results: list[dict[str, Any] | None] = []
    ask, asked = anyio.create_memory_object_stream[SessionMessage | Exception]()
    answer, answered = anyio.create_memory_object_stream[SessionMessage]()
    async with anyio.create_task_group() as tasks, ask, answered:
        tasks.start_soon(server.converse, asked, answer)
        for each in requests:
            results.append(await _answer(ask, answered, *each))
        ask.close()
    return results


async def _answer(
    ask: MemoryObjectSendStream[SessionMessage | Exception],
    answered: MemoryObjectReceiveStream[SessionMessage],
    method: str,
    params: dict[str, Any],
) -> dict[str, Any] | None:
    request = JSONRPCRequest(jsonrpc="2.0", id=method, method=method, params=params)
    await ask.send(SessionMessage(request))
    while True:
        message = (await answered.receive()).message
        if isinstance(message, JSONRPCResponse):
            return message.result
        if getattr(message, "id", None) == method:
            return None
