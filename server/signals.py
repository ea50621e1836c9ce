"""How the process ends: within a second, with the store closed, whatever it is doing.

| what happens | exit code |
|---|---|
| end of input: the host has closed the connection | 0 |
| SIGINT, SIGTERM | 130, 143 (128 + number, as a shell reports it) |
| a second signal | the same, at once and without cleaning up |
| the event loop itself hangs | 1, with a traceback of every thread on stderr |

The SDK alone ends for neither signal as it should: SIGTERM kills it with the store open, and after
SIGINT it waits for a line that never comes. Plain signal handlers are used, because they also run
while a coroutine computes, and on Windows.
"""

import asyncio
import faulthandler
import os
import signal
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from types import FrameType

import anyio

SIGNALS = (signal.SIGINT, signal.SIGTERM)

LATE = 0.6
"""Seconds after which the end is no longer waited for: something does not let itself be stopped,
such as a worker thread inside a system call."""

HUNG = 0.9
"""Seconds after which the interpreter's watchdog ends a process whose event loop hangs."""


class Ending:
    """The end of this process: begun once, from wherever, and seen through by the event loop.

    Args:
        kill: ends the process at once with an exit code.
    """

    def __init__(self, kill: Callable[[int], object] = os._exit) -> None:
        self.code = 0
        self._kill = kill
        self._begun = False
        self._by_signal = False
        self._loop = asyncio.get_running_loop()
        self._told = anyio.Event()

    def begin(self, code: int = 0) -> None:
        """Begin to end with this exit code. For any thread and any signal handler; idempotent."""
        if self._begun:
            return
        self._begun = True
        self.code = code
        _watch_for_a_hanging_loop()
        with suppress(RuntimeError):  # the loop is over, and with it what was to be ended
            self._loop.call_soon_threadsafe(self._told.set)

    async def begun(self) -> None:
        """Wait until the end has begun."""
        await self._told.wait()

    def now(self) -> None:
        """End without waiting for whatever still runs."""
        self._kill(self.code)

    @contextmanager
    def on_signals(self) -> Generator[None]:
        """Begin at the first signal, end at once at the second."""

        def handle(number: int, _: FrameType | None) -> None:
            if self._by_signal:
                self._kill(128 + number)
            self._by_signal = True
            self.begin(128 + number)

        before = {number: signal.getsignal(number) for number in SIGNALS}
        for number in SIGNALS:
            self._wake_for(number)
            signal.signal(number, handle)
        try:
            yield
        finally:
            faulthandler.cancel_dump_traceback_later()
            for number in SIGNALS:
                with suppress(NotImplementedError):  # by Windows, where `_wake_for` set none
                    self._loop.remove_signal_handler(number)
                signal.signal(number, before[number])

    def _wake_for(self, number: int) -> None:
        # A signal that comes just before the loop goes to sleep, or to another thread, does not
        # interrupt the sleep. asyncio can be woken by a byte in a pipe; it must only be told to.
        # Loops on Windows have none and need none: there a signal always interrupts the sleep.
        with suppress(NotImplementedError):  # by Windows, see above
            self._loop.add_signal_handler(number, _nothing)


def _nothing() -> None:
    """The work is done by the handler proper, which also runs while the loop does not."""


def _watch_for_a_hanging_loop() -> None:
    # The only watchdog that needs neither the interpreter lock nor the loop. Where stderr is closed
    # there is nowhere to write, so the loop is trusted.
    with suppress(ValueError):
        faulthandler.dump_traceback_later(HUNG, exit=True, file=2)
