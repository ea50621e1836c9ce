"""The deadline by which a request has to have arrived."""

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

ARRIVAL = 20.0
"""Seconds in which a whole request has to arrive: 4 MiB, the largest, at 1.7 Mbit/s. uvicorn itself
waits for ever for the rest of a header."""


class PunctualProtocol(H11Protocol):
    """uvicorn's protocol, which closes a connection whose request takes too long to arrive."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Expect the first request."""
        super().connection_made(transport)
        self._expect()

    def handle_events(self) -> None:
        """Read on; a request that is complete is waited for no more."""
        super().handle_events()
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._settle()

    def on_response_complete(self) -> None:
        """Expect the next request, which uvicorn itself waits for only until its first byte."""
        self._expect()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Expect nothing more."""
        self._settle()
        super().connection_lost(exc)

    def _expect(self) -> None:
        self._settle()
        self._deadline = self.loop.call_later(ARRIVAL, self.transport.abort)

    def _settle(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
