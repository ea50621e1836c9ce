"""How the process ends: every request that was read is answered, and the store is closed.

| what happens | what is waited for | exit code |
|---|---|---|
| end of input: the host has closed the connection | every request that was read | 0 |
| SIGINT, SIGTERM | the same, within `AT_SIGNAL`; the rest is answered with an error | 130, 143 |
| a second signal, or one before the server listens | nothing | 130, 143 |

128 + number is what a shell reports of a process that a signal ended. A thread of its own watches
over the end, because the event loop itself may be what hangs. It dumps no tracebacks: the
interpreter's own watchdog crashes while modules are imported.

The SDK alone ends for neither signal as it should: SIGTERM kills it with the store open, and after
SIGINT it waits for a line that never comes. Plain signal handlers are used, because they also run
while a coroutine computes, and on Windows.

SDK fault (mcp 2.3.0): SIGTERM ends the process with the store open, and after SIGINT it waits for
another line. Can go when a release closes the lifespan on both.
"""

import asyncio
import os
import signal
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from types import FrameType

import anyio

from reflection_mcp.server.transport.patience import (
    AT_END_OF_INPUT,
    AT_SIGNAL,
    CLOSING,
    LOOK_EVERY,
    Countdown,
    Patience,
)

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Ending:
    """The end of this process: begun once, from wherever, and seen through by the event loop.

    Args:
        kill: ends the process at once with an exit code.

    `deserted` says whether nobody is left who could read an answer: then none is waited for.
    """

    def __init__(self, kill: Callable[[int], object] = os._exit) -> None:
        self.code = 0
        self.deserted: Callable[[], bool] = lambda: False
        self._kill = kill
        self._by_signal = False
        self._loop = asyncio.get_running_loop()
        self._has_begun = anyio.Event()
        self._is_late = anyio.Event()
        self._orders: SimpleQueue[Patience | None] = SimpleQueue()  # `put` may interrupt itself

    def begin(self) -> None:
        """Begin to end, because there is no more input. For any thread; idempotent."""
        if not self._by_signal:
            self.order(AT_END_OF_INPUT)

    def begin_by(self, number: int) -> None:
        """Begin to end, because of a signal."""
        self._by_signal = True
        self.code = 128 + number
        self.order(AT_SIGNAL)

    async def begun(self) -> None:
        """Wait until the end has begun."""
        await self._has_begun.wait()

    async def late(self) -> None:
        """Wait until whatever still runs is no longer to be waited for."""
        await self._is_late.wait()

    @contextmanager
    def on_signals(self) -> Generator[None]:
        """Begin at the first signal, end at once at the second."""

        def handle(number: int, _: FrameType | None) -> None:
            if self._by_signal:
                self._kill(128 + number)
            self.begin_by(number)

        # Started here: in a handler it could wait for a lock that the interrupted code holds.
        threading.Thread(target=self._watch, name="ending", daemon=True).start()
        before = {number: signal.getsignal(number) for number in SIGNALS}
        for number in SIGNALS:
            self._wake_for(number)
            signal.signal(number, handle)
        try:
            yield
        finally:
            self._orders.put(None)
            for number in SIGNALS:
                with suppress(NotImplementedError):  # on Windows `_wake_for` has set no handler
                    self._loop.remove_signal_handler(number)
                signal.signal(number, before[number])

    def _wake_for(self, number: int) -> None:
        # A signal that comes just before the loop goes to sleep, or to another thread, does not
        # interrupt the sleep. asyncio can be woken by a byte in a pipe; it only has to be asked to.
        # Loops on Windows raise, and need no handler: there a signal always interrupts the sleep.
        with suppress(NotImplementedError):
            self._loop.add_signal_handler(number, _nothing)

    def order(self, patience: Patience) -> None:
        """Begin to end, with this patience."""
        self._orders.put(patience)
        self._set(self._has_begun)

    def _set(self, event: anyio.Event) -> None:
        with suppress(RuntimeError):  # the loop is over, and with it what was to be ended
            self._loop.call_soon_threadsafe(event.set)

    def _watch(self) -> None:
        """See the end through: in a thread, until None is ordered."""
        order = self._orders.get()
        late = False
        while order is not None:
            try:
                order = order_within(order, self._orders, self.deserted)
            except Empty:
                if late:
                    self._kill(self.code)
                    return
                late = True
                self._set(self._is_late)
                order = CLOSING


def order_within(
    patience: Patience, orders: "SimpleQueue[Patience | None]", deserted: Callable[[], bool]
) -> Patience | None:
    """The next order.

    Raises:
        Empty: the patience is used up, or deserted, before there is one.
    """
    countdown = Countdown(patience)
    while True:
        try:
            return orders.get(timeout=LOOK_EVERY)
        except Empty:
            if countdown.is_over() or deserted():
                raise


def _nothing() -> None:
    """The work is done by the handler proper, which also runs while the loop does not."""
