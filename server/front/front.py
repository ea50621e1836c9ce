"""The front: reads the client's lines, answers what it can, and hands the rest over in order.

The rule: nothing is lost, nothing is answered twice, and nobody waits for what others need. A line
that the front cannot answer waits for the SDK, which loads in a thread; meanwhile what can be
answered still is. Once the SDK is there it gets the connection: first the requests that opened it,
whose answers the client has already, then all lines that wait, in their order.

The SDK loads as soon as a line waits for it, and else when the client has its lists and is quiet;
for a client whose calls come from hooks it loads with the first call that needs it.
"""

import json
import os
import select
import signal
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import contextmanager
from types import FrameType

from reflection_mcp.server.front.replies import HELLO, LISTEN, NOTHING, Replies, error_line
from reflection_mcp.server.front.shape import Json, cast, is_notification, is_request
from reflection_mcp.server.transport.descriptors import CHUNK, Reader, Writer
from reflection_mcp.server.transport.input_lines import InputLines
from reflection_mcp.server.transport.patience import (
    AT_END_OF_INPUT,
    AT_SIGNAL,
    CLOSING,
    LOOK_EVERY,
    Countdown,
)

TYPE_CHECKING = False  # importing `typing` takes a tenth of what a list is waited for
if TYPE_CHECKING:
    from collections.abc import Generator

    from reflection_mcp.server.front.hook_calls import HookCalls
    from reflection_mcp.server.transport.stdio import Handover

    Serve = Callable[[Handover], int]

LONGEST = 1_000_000
"""Bytes of a line that is read twice, here and by the SDK; a longer one goes there at once."""

QUIET = 0.05
"""Seconds without a line after which a client that has its lists is taken for idle."""

SIGNALS = (signal.SIGINT, signal.SIGTERM)
CLOSED = (-32000, "Connection closed")
"""What the SDK answers to a request that is given up at the end."""

CANCELLED = "notifications/cancelled"


class Front:
    """One connection, from its first line until the SDK takes it or it ends."""

    def __init__(
        self,
        *,
        replies: Replies,
        wire_in: int,
        wire_out: int,
        load: "Callable[[], Serve]",
        is_lazy: Callable[[str], bool],
        rehearse: Callable[[], None],
    ) -> None:
        self.replies = replies
        self._wire_in, self._wire_out = wire_in, wire_out
        self._load = load
        self._is_lazy = is_lazy
        self._rehearse = rehearse
        self._hears, self._wakes = os.pipe()
        os.set_blocking(self._wakes, False)
        self.writer = Writer(wire_out, self.wake)
        self._hooks: HookCalls | None = None
        self._incoming = InputLines()
        self._opening: list[str] = []  # what the SDK has to know although it is answered
        self._answered: list[int | str] = []
        self._waiting: list[str] = []  # for the SDK
        self._has_lists = self._is_warm = False
        self._straight = False  # to the SDK, whatever it is
        self._is_over = False
        self._signal = 0
        self._reason: int | None = None
        self._countdown = Countdown(AT_END_OF_INPUT)
        self._loading: threading.Thread | None = None
        self._loaded: Serve | BaseException | None = None

    def wake(self) -> None:
        """Make the loop look again. For any thread, and for handlers of signals."""
        try:
            os.write(self._wakes, b"!")
        except OSError:  # so many calls wait for a look that one more says nothing
            return

    # ----------------------------------------------------------------- the loop

    def run(self, hooks: "HookCalls | None") -> int:
        """Serve until the connection ends; returns the exit code."""
        self._hooks = hooks
        with self._on_signals():
            wire = select.poll()
            wire.register(self._wire_in, select.POLLIN)
            wire.register(self._hears, select.POLLIN)
            reader = Reader(self._wire_out)
            while not self._ends(reader):
                if isinstance(self._loaded, BaseException):
                    raise self._loaded
                if self._loaded is not None and self._is_settled():
                    return self._hand_over(self._loaded)
                self._wait(wire)
            return self._end()

    def _ends(self, reader: Reader) -> bool:
        """Whether everything is answered after the end has begun, or is no longer waited for."""
        if self.writer.failed:
            return True
        reason = 128 + self._signal if self._signal else 0 if self._is_over else None
        if reason is None:
            return False
        if reason != self._reason:
            self._reason = reason
            self._countdown = Countdown(AT_SIGNAL if self._signal else AT_END_OF_INPUT)
        if self._is_settled() and not self._waiting:
            return True
        return self._countdown.is_over() or reader.is_gone()

    def _is_settled(self) -> bool:
        """Whether everything that was begun here has its answer."""
        return not self._open_calls() and self.writer.is_done

    def _wait(self, wire: "select.poll") -> None:
        is_idle = self._has_lists and not self._is_warm and not self._open_calls()
        ends = self._signal or self._is_over
        timeout = LOOK_EVERY if ends else QUIET if is_idle else None
        ready = dict(wire.poll(None if timeout is None else timeout * 1000))
        if self._hears in ready:
            os.read(self._hears, CHUNK)
        if self._wire_in in ready and not self._signal:
            self._read(wire)
        elif not ready and is_idle:
            self._warm()

    def _read(self, wire: "select.poll") -> None:
        try:
            chunk = os.read(self._wire_in, CHUNK)
        except OSError:  # input that fails has ended
            chunk = b""
        if not chunk:
            self._is_over = True
            wire.unregister(self._wire_in)
        for text in self._incoming.of(chunk) if chunk else self._incoming.last():
            self._take(text)

    # ----------------------------------------------------------------- one line

    def _take(self, text: str) -> None:
        """Answer a line, or let it wait for the SDK."""
        message = self._read_message(text)
        if message is None:
            self._postpone(text)
        elif is_request(message):
            self._take_request(text, message)
        elif is_notification(message) and self.replies.era.modern is not None:
            self._take_notification(text, message)
        else:
            self._postpone(text)

    def _read_message(self, text: str) -> Json | None:
        """The message, or None when the SDK is to read it first."""
        if self._straight or self._loaded is not None or len(text) > LONGEST:
            return None
        try:
            message = json.loads(text)
            if "\\u" in text or "\ufffd" in text:
                json.dumps(message, ensure_ascii=False).encode()  # refuses half a pair
        except (ValueError, RecursionError):
            return None
        return cast(Json, message) if isinstance(message, dict) else None

    def _take_request(self, text: str, message: Json) -> None:
        request_id, method = message["id"], message["method"]
        params: Json = message.get("params", NOTHING)
        if not self.replies.opens(method, params):
            # Before the era is decided the SDK decides it, and we would not know how.
            self._straight = self.replies.era.modern is None
            self._postpone(text)
            return
        answer = self.replies.to(request_id, method, params)
        if answer is not None:
            self.writer.write(answer)
            if method in (HELLO, LISTEN):
                self._opening.append(text)
                self._answered.append(request_id)
            self._has_lists = self._has_lists or method.endswith("/list")
        elif not (method == "tools/call" and self._is_of_hook(request_id, params)):
            self._postpone(text)

    def _is_of_hook(self, request_id: int | str, params: Json) -> bool:
        if self._hooks is None:
            return False
        return self._hooks.start(request_id, params, self.replies.era.client)

    def _take_notification(self, text: str, message: Json) -> None:
        """Follow a notification. The SDK hears of it in its place, but it need not load for it."""
        if message["method"] == CANCELLED:
            target = _target(message)
            if self._hooks and self._hooks.cancel(target):
                return
            left = [line for line in self._waiting if target not in _requests([line])]
            if len(left) < len(self._waiting):
                self._waiting = left
                return
        (self._waiting if self._waiting else self._opening).append(text)

    def _postpone(self, text: str) -> None:
        self._waiting.append(text)
        self._start_loading()

    # ----------------------------------------------------------------- the SDK

    def _warm(self) -> None:
        """Use the time that nobody needs."""
        self._is_warm = True
        if not self._is_lazy(self.replies.era.client):
            self._start_loading()
        elif self._hooks:
            self._hooks.warm()

    def _start_loading(self) -> None:
        if self._loading is None:
            self._loading = threading.Thread(target=self._load_server, name="load", daemon=True)
            self._loading.start()

    def _load_server(self) -> None:
        try:
            self._loaded = self._load()
        except BaseException as failure:
            self._loaded = failure
        self.wake()
        if not self._waiting:
            self._rehearse()

    def _hand_over(self, serve: "Serve") -> int:
        from reflection_mcp.server.transport.stdio import Handover

        taken = Handover(
            wire_in=self._wire_in,
            wire_out=self._wire_out,
            lines=[*self._opening, *self._waiting],
            incoming=self._incoming,
            is_over=self._is_over,
            answered=self._answered,
            signal=lambda: self._signal,
        )
        return serve(taken)

    # ----------------------------------------------------------------- the end

    def _open_calls(self) -> "list[int | str]":
        return self._hooks.open_calls() if self._hooks else []

    def _unanswered(self) -> "list[int | str]":
        """The requests that nobody has given up; a subscription is answered when it ends."""
        streams = [line for line in self._opening if f'"{LISTEN}"' in line]
        given_up = [line for line in self._opening if f'"{CANCELLED}"' in line]
        return _requests([*streams, *given_up, *self._waiting])

    def _end(self) -> int:
        given_up = [each for each in self._open_calls() if self._hooks and self._hooks.cancel(each)]
        for request_id in (*self._unanswered(), *given_up):
            self.writer.write(error_line(request_id, *CLOSED))
        countdown = Countdown(CLOSING)
        if self._hooks:
            self._hooks.close(countdown.is_over)
        while not (self.writer.is_done or self.writer.failed or countdown.is_over()):
            time.sleep(LOOK_EVERY)
        return 128 + self._signal if self._signal else 0

    @contextmanager
    def _on_signals(self) -> "Generator[None]":
        """Begin to end at the first signal, end at once at the second."""

        def handle(number: int, _: FrameType | None) -> None:
            if self._signal:
                os._exit(128 + number)
            self._signal = number
            self.wake()

        before = {number: signal.signal(number, handle) for number in SIGNALS}
        # A signal that another thread receives does not end the poll of this one.
        wakes = signal.set_wakeup_fd(self._wakes, warn_on_full_buffer=False)
        try:
            yield
        finally:
            signal.set_wakeup_fd(wakes)
            for number, handler in before.items():
                signal.signal(number, handler)


def _requests(lines: Iterable[str]) -> list[int | str]:
    """The requests in lines, without those that a later line gives up."""
    found: list[int | str] = []
    for text in lines:
        try:
            message = json.loads(text)
        except (ValueError, RecursionError):
            continue
        if is_request(message):
            found.append(message["id"])
        elif is_notification(message) and message["method"] == CANCELLED:
            given_up = _target(message)
            found = [known for known in found if known != given_up]
    return found


def _target(message: Json) -> object:
    """The request that a cancellation is about."""
    params = message.get("params")
    return cast(Json, params).get("requestId") if isinstance(params, dict) else None
