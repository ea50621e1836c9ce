"""The calls of hooks, answered from the store alone: a host that only runs hooks never loads the
SDK.

The rule: `hook_text` says the same to a hook whoever asks it. What is read here is a call as the
hooks of the plugin make it; one with anything else in it is left to the SDK, which validates it.
"""

import os
import threading
from collections.abc import Callable

from reflection_mcp.server.front.replies import META, json_of, result_line
from reflection_mcp.server.front.shape import Json, cast
from reflection_mcp.server.mcp.hook_constants import PROMPT, SILENCE
from reflection_mcp.server.transport.descriptors import Writer
from reflection_mcp.server.transport.patience import LOOK_EVERY

TYPE_CHECKING = False  # importing `typing` takes a tenth of what a list is waited for
if TYPE_CHECKING:
    from concurrent.futures import Future
    from typing import Any

    from reflection_mcp.server.front.loader import Loader

TOOL = "reflect"
LONGEST = {"question": 20_000, "answer": 200_000, "conversation_id": 200, "project": 64}
"""The arguments of a hook beside its events, with their bounds; `parameters` has the same."""
MOST_EVENTS = 200
LATER = 2.0
"""Seconds after the lists, or the first answer, until what later hooks need is prepared: until then
the host needs the processor for its first request, and no command has failed yet."""


class HookCall:
    """A call of a hook: its events, each with the name of its hook, and whose they are."""

    def __init__(self, events: list[Json], conversation_id: str, project: str) -> None:
        self.events = events
        self.conversation_id = conversation_id
        self.project = project

    @property
    def is_prompt(self) -> bool:
        """Whether it asks for a briefing, which has nothing to say before anything was stored."""
        return any(event["hook"] == PROMPT for event in self.events)


def hook_call(params: Json) -> HookCall | None:
    """The call of a hook that these parameters of `tools/call` are, or None."""
    arguments = params.get("arguments")
    if params.keys() - {"name", "arguments", META} or params.get("name") != TOOL:
        return None
    if not isinstance(arguments, dict):
        return None
    given = cast(Json, arguments)
    if not {"question", "answer", "events"} <= given.keys() <= {*LONGEST, "events"}:
        return None
    for name, longest in LONGEST.items():
        if not _is_text(given.get(name, ""), longest):
            return None
    if not _are_of_hooks(given["events"]):
        return None
    return HookCall(given["events"], given.get("conversation_id", ""), given.get("project", ""))


def _is_text(value: object, longest: int) -> bool:
    return isinstance(value, str) and len(value) <= longest


def _are_of_hooks(events: object) -> bool:
    if not isinstance(events, list):
        return False
    told = cast(list[object], events)
    return 0 < len(told) <= MOST_EVENTS and all(
        isinstance(event, dict) and _is_name(cast(Json, event).get("hook")) for event in told
    )


def _is_name(hook: object) -> bool:
    return isinstance(hook, str) and bool(hook)


class HookCalls:
    """The calls of hooks on one connection.

    Args:
        loader: gives the application, and the worker in which calls compute.
        store: the file of the store, or its location where it is none.
        writer: where answers go.
        stamp: what is added to every result of the connection's era.
        wake: told of every call that has its answer.
    """

    def __init__(
        self,
        loader: "Loader",
        store: str,
        writer: Writer,
        stamp: Callable[[], Json],
        wake: Callable[[], object],
    ) -> None:
        self._loader = loader
        self._store = store
        self._writer = writer
        self._stamp = stamp
        self._wake = wake
        self._one_at_a_time = threading.Lock()
        self._open: dict[int | str, Future[None]] = {}
        self._has_answered = False
        self._later: threading.Timer | None = None

    def start(self, request_id: int | str, params: Json, client: str) -> bool:
        """Begin to answer a call of a tool, unless it is none of a hook."""
        call = hook_call(params)
        if call is None or request_id in self._open:
            return False
        if call.is_prompt and self._has_no_store():
            self._writer.write(result_line(request_id, json_of(self._said(SILENCE))))
            return True
        with self._one_at_a_time:  # it is in the table before it can be answered
            submit = self._loader.worker.submit
            self._open[request_id] = submit(self._answer, request_id, call, client)
        return True

    def cancel(self, request_id: object) -> bool:
        """Give a call up, and return whether there was one."""
        if not isinstance(request_id, int | str):
            return False
        with self._one_at_a_time:
            running = self._open.pop(request_id, None)
        if running is None:
            return False
        running.cancel()
        return True

    def open_calls(self) -> "list[int | str]":
        """The calls that are not answered yet."""
        return list(self._open)

    def warm(self) -> None:
        """Prepare for the first call, in a thread: at once where that has something to search."""
        if not self._has_no_store():
            self._loader.worker.submit(self._loader.prepare_hooks)
            return
        self._later = threading.Timer(LATER, self._prepare_the_rest)
        self._later.daemon = True
        self._later.start()

    def close(self, is_late: Callable[[], bool]) -> None:
        """Close the store, unless that is late."""
        if self._later:
            self._later.cancel()
        closing = self._loader.close()
        if closing is None:
            return
        from concurrent.futures import wait

        while not closing.done() and not is_late():
            wait([closing], LOOK_EVERY)

    def _has_no_store(self) -> bool:
        """Whether nothing was ever stored here, as `Application.has_no_store` has it."""
        is_file = os.path.isabs(self._store)
        return is_file and not self._loader.has_begun and not os.path.exists(self._store)

    async def _answer(self, request_id: int | str, call: HookCall, client: str) -> None:
        result = await self._result(call, client)
        with self._one_at_a_time:
            if request_id not in self._open:  # given up
                return
            self._writer.write(result_line(request_id, json_of(result)))
            del self._open[request_id]
        self._wake()
        if not self._has_answered:
            self._has_answered = True
            import asyncio

            asyncio.get_running_loop().call_later(LATER, self._prepare_the_rest)

    def _prepare_the_rest(self) -> None:
        self._loader.worker.submit(self._loader.prepare_later_hooks)

    async def _result(self, call: HookCall, client: str) -> Json:
        try:
            text = await self._text(call, client)
        except Exception as failure:
            return {**_failed(failure), **self._stamp()}
        return self._said(text)

    def _said(self, text: str) -> Json:
        said = {"summary": "", "mode": "hook", "retry": False}
        return {**_result(text, is_error=False), "structuredContent": said, **self._stamp()}

    async def _text(self, call: HookCall, client: str) -> str:
        application = self._loader.application()
        from reflection_mcp.server.mcp.hook_text import hook_text
        from reflection_mcp.tools.learning.event_fields import event_of

        caller = application.caller(client[:80])
        told = [(event["hook"], event_of(_fields(event))) for event in call.events]
        return await hook_text(application, caller, call.project, call.conversation_id, told)


def _fields(event: Json) -> "dict[str, Any]":
    return {name: value for name, value in event.items() if name != "hook"}


def _failed(failure: Exception) -> Json:
    """The result that says as much of a failure as a caller may know."""
    from reflection_mcp.server.transport.failures import foreseen, told, unforeseen

    known = foreseen(failure)
    if known is None:
        import logging

        logger = logging.getLogger(__name__)
        logger.error("Tool %r raised an unexpected exception", TOOL, exc_info=failure)
    text = told(known) if known else unforeseen(TOOL)
    return _result(text, is_error=True)


def _result(text: str, *, is_error: bool) -> Json:
    return {"content": [{"text": text, "type": "text"}], "isError": is_error}
