"""The port of its own on which a server says how it is: `/healthz`, `/readyz`, `/metrics`.

Rule: it listens on a loopback address unless another one is asked for, since nobody has to prove
who they are there; and it tells nothing that was stored. `/healthz` says that the process answers,
`/readyz` that it can do its work: the store opens, has the right tables, and answers in time.
"""

import asyncio

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from reflection_mcp.server.access.metrics import Metrics
from reflection_mcp.server.application import Application
from reflection_mcp.server.worker import Worker
from reflection_mcp.store.errors import StoreError

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

    async def told(_: Request) -> Response:
        return Response(metrics.text(), media_type=metrics.content_type)

    answers = (("/healthz", healthz), ("/readyz", readyz), ("/metrics", told))
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
