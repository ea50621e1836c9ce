"""The separate port for health and metrics: `/healthz`, `/readyz`, `/metrics`.

Rule: it listens on a loopback address unless another one is asked for, since nobody has to prove
who they are there; and it tells nothing that was stored: a label of the metrics is a word of the
program, so that no monitor learns a name, a project or a text. `/healthz` says that the process
answers, `/readyz` that it can do its work: the store opens, has the right tables, and answers in
time. `prometheus_client` is imported only where somebody asked for this port.
"""

import asyncio
from importlib import import_module
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from reflection_mcp.server.application import Application
from reflection_mcp.server.worker import Worker
from reflection_mcp.store.errors import StoreError
from reflection_mcp.tools.errors import InvalidInput

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
"""The limits of the histogram: a look-up takes milliseconds, a loop with a model a minute."""


class Metrics:
    """Counters of one process.

    Raises:
        InvalidInput: `prometheus_client` is not installed.
    """

    def __init__(self) -> None:
        try:
            client = import_module("prometheus_client")
        except ImportError as error:
            raise InvalidInput(
                "--metrics-port needs prometheus-client", "pip install 'reflection-mcp[metrics]'"
            ) from error
        self._registry = client.CollectorRegistry()
        self._client = client
        self.content_type = str(client.CONTENT_TYPE_LATEST)

        def made(kind: Any, name: str, what: str, *labels: str, **more: Any) -> Any:
            return kind(f"reflection_{name}", what, labels, registry=self._registry, **more)

        self._calls = made(client.Counter, "calls", "Calls of tools", "tool", "result")
        self._seconds = made(
            client.Histogram, "call_seconds", "Duration of calls", "tool", buckets=SECONDS
        )
        self._lookups = made(client.Counter, "lookups", "Look-ups by match", "verdict")
        self._events = made(client.Counter, "events", "Events of the log", "event", "outcome")

    def call(self, tool: str, seconds: float, result: str) -> None:
        """Count a call of a tool; `result` is `ok`, `error` or `refused`."""
        self._calls.labels(tool, result).inc()
        self._seconds.labels(tool).observe(seconds)

    def event(self, event: str, facts: dict[str, Any]) -> None:
        """Count an event of the log."""
        self._events.labels(event, str(facts.get("outcome", ""))).inc()
        if event == "error_recalled":
            self._lookups.labels(facts["verdict"]).inc()

    def text(self) -> bytes:
        """All of it, in the text format of Prometheus."""
        return bytes(self._client.generate_latest(self._registry))


READY = 1.0
"""Seconds in which the store has to answer: what asks is a load balancer, which asks again."""


def monitoring_app(application: Application, worker: Worker, metrics: Metrics) -> Starlette:
    """The application of that port. The store is asked by the worker: its connections belong to the
    loop in which it was opened, and so do the calls of tools."""

    async def healthz(_: Request) -> Response:
        return PlainTextResponse("ok\n")

    async def readyz(_: Request) -> Response:
        reason = await worker.run(_not_ready, application)
        return PlainTextResponse(f"{reason or 'ok'}\n", 503 if reason else 200)

    async def exposition(_: Request) -> Response:
        return Response(metrics.text(), media_type=metrics.content_type)

    answers = (("/healthz", healthz), ("/readyz", readyz), ("/metrics", exposition))
    return Starlette(routes=[Route(path, answer) for path, answer in answers])


async def _not_ready(application: Application) -> str:
    """Why the server cannot do its work now, in one line; empty if it can."""
    try:
        async with asyncio.timeout(READY):
            store = await application.store(tries=1)
            problems = (await store.health()).problems
    except TimeoutError:
        return f"the store did not answer within {READY:g} s"
    except StoreError as trouble:
        return trouble.message
    return problems[0] if problems else ""
