"""`dashboard`: serves the pages to this user's browser until it is stopped.

Rules: only this machine reaches it, and on it only who has the address that is printed once. One
process serves a store: a second start prints the address of the first. Beside the store lies a
record that only its owner may read: where it runs, the key of its tickets, and when somebody last
looked.
"""

import argparse
import asyncio
import json
import os
import secrets
import signal
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

from reflection_mcp.server.access.listener import tcp_socket
from reflection_mcp.server.application import LOCKED, Application, application_for
from reflection_mcp.server.commands.place import require_store
from reflection_mcp.server.dashboard.door import TicketDoor, new_ticket, signed
from reflection_mcp.server.settings.flags import settings_of
from reflection_mcp.server.settings.places import here
from reflection_mcp.server.settings.private_file import read_private, write_private
from reflection_mcp.store.errors import StoreError
from reflection_mcp.store.open import file_of, open_store
from reflection_mcp.tools.errors import InvalidInput, ReflectionError
from reflection_mcp.tools.ports import Services

LOOPBACK = ("127.0.0.1", "::1", "localhost")
ANSWERS_WITHIN = 2.0  # seconds that a dashboard which may be running has
GRACE = 2  # seconds that open requests have at the end
KEY_BYTES = 32


@dataclass(frozen=True, slots=True)
class RunRecord:
    """The record of the dashboard of a store; there is none of what is only read, or no file."""

    path: Path | None

    def read(self) -> dict[str, Any]:
        """Return what is recorded; nothing if it cannot be read."""
        try:
            return dict(json.loads(read_private(self.path)) if self.path else {})
        except (InvalidInput, ValueError, TypeError):
            return {}

    def write(self, **facts: object) -> None:
        """Record these facts in place of what was there."""
        if self.path is not None:
            write_private(self.path, json.dumps(facts))


def run(arguments: argparse.Namespace) -> int:
    """Serve until a signal comes, or print where it is served already; returns the exit code.

    Raises:
        InvalidInput: the address is not one of this machine's own, or is taken.
        StoreError: there is no store where one was named.
    """
    if arguments.host not in LOOPBACK:
        raise InvalidInput(
            "the dashboard listens on this machine only",
            "use --host 127.0.0.1; for a team, `serve --http --dashboard` asks everybody to log in",
        )
    settings = replace(settings_of(arguments), enabled=True)
    if arguments.read_only or settings.provenance["store"] != "default":
        require_store(settings)
    file = None if arguments.read_only else file_of(settings.store)
    record = RunRecord(None if file is None else file.with_name(f"{file.name}.dashboard"))
    known = record.read()
    if (port := _running(known)) is not None:
        _announce(arguments, known["host"], port, bytes.fromhex(known["key"]), known["pid"])
        return 0
    listener = _listener(arguments.host, arguments.port)
    key, port = secrets.token_bytes(KEY_BYTES), listener.getsockname()[1]
    application = application_for(settings, here())
    if arguments.read_only:
        application.opener = partial(open_store, read_only=True, locked=LOCKED)
    seen = known.get("seen")
    began = datetime.now(UTC)
    if file is not None:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    facts = {"host": arguments.host, "port": port, "pid": os.getpid(), "key": key.hex()}
    record.write(**facts, seen=began.isoformat())
    server, prepare = _server(
        application,
        TicketDoor(port=port, key=key),
        read_only=arguments.read_only,
        last_visit=datetime.fromisoformat(seen) if seen else None,
    )

    def end(number: int, frame: object) -> None:
        server.should_exit = True

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end)
    _announce(arguments, arguments.host, port, key, os.getpid())
    asyncio.run(_served(server, listener, application, prepare))
    record.write(seen=datetime.now(UTC).isoformat())
    return 0


async def _served(
    server: Any,
    listener: socket.socket,
    application: Application,
    prepare: Callable[[], Coroutine[Any, Any, None]],
) -> None:
    reading = asyncio.create_task(prepare())
    try:
        await server.serve([listener])
    finally:
        reading.cancel()
        with suppress(asyncio.CancelledError, ReflectionError, StoreError):  # a page says so
            await reading
        await application.close()


def _server(
    application: Application,
    door: TicketDoor,
    *,
    read_only: bool,
    last_visit: datetime | None,
) -> tuple[Any, Callable[[], Coroutine[Any, Any, None]]]:
    """Return the server, and a function that reads what its first page needs before it is
    opened."""
    import uvicorn
    from starlette.requests import Request

    from reflection_mcp.server.dashboard.app import Dashboard

    # One conversation whenever it was started: a vote counts once a day, as elsewhere.
    caller = replace(application.caller("dashboard"), conversation_id="dashboard")

    async def visitor(request: Request, project: str | None) -> tuple[Services, bool]:
        return await application.services(caller, project), not read_only

    pages = Dashboard(visitor=visitor, settings=application.settings, last_visit=last_visit)

    async def prepare() -> None:
        await pages.prepare(await application.services(caller, None))

    config = uvicorn.Config(
        door.guarding(pages.app()),
        lifespan="off",
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE,
    )
    return uvicorn.Server(config), prepare


# --------------------------------------------------------------------- where it is


def _listener(host: str, port: int) -> socket.socket:
    try:
        return tcp_socket(host, port)
    except OSError as failure:
        reason = (failure.strerror or "refused by the system").lower()
        raise InvalidInput(
            f"port {port} cannot be used ({reason})", "leave --port out, or pass another"
        ) from failure


def _running(known: dict[str, Any]) -> int | None:
    """The port of the dashboard that is recorded, if it still answers and knows its key."""
    try:
        key, port = bytes.fromhex(known["key"]), int(known["port"])
        asked = secrets.token_hex(16)
        connection = HTTPConnection(known["host"], port, timeout=ANSWERS_WITHIN)
        connection.request("GET", f"/hello?{asked}")
        answer = connection.getresponse().read(100).decode()
        connection.close()
    except (KeyError, TypeError, ValueError, OSError, HTTPException):
        return None
    return port if secrets.compare_digest(answer, signed(key, f"hello {asked}")) else None


def _announce(
    arguments: argparse.Namespace, host: str, port: int, key: bytes, process: int
) -> None:
    """Print the address with a new ticket, and open it."""
    named = f"[{host}]" if ":" in host else host
    url = f"http://{named}:{port}/open?ticket={new_ticket(key, time.time())}"
    line = json.dumps({"url": url, "port": port, "pid": process}) if arguments.json else url
    print(line, flush=True)
    hint = "the address works once, within a minute; run the command again for a new one"
    print(f"reflection-mcp: {hint}", file=sys.stderr)
    if not arguments.no_open:
        # Beside the server, which has to answer what the browser asks.
        threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
