"""Calls that compute in a thread of their own."""

import asyncio
import threading
from collections.abc import AsyncGenerator
from contextvars import ContextVar

import anyio
import pytest
from anyio.lowlevel import checkpoint

from reflection_mcp.server.worker import Worker, at_home

pytestmark = pytest.mark.anyio
SAID: ContextVar[str] = ContextVar("said", default="nothing")


async def nothing() -> None:
    """Have nothing left to do."""


@pytest.fixture
async def worker() -> AsyncGenerator[Worker]:
    made = Worker()
    yield made
    await made.close(nothing)


async def where(count: int = 1) -> tuple[str, str, int]:
    """The thread in which this runs, and what it was given."""
    await checkpoint()
    return threading.current_thread().name, SAID.get(), count


async def test_work_runs_in_the_worker_s_thread_with_the_variables_of_the_caller(
    worker: Worker,
) -> None:
    SAID.set("hello")
    assert await worker.run(where, count=3) == ("worker", "hello", 3)


async def test_what_the_worker_is_asked_from_inside_it_does_in_place(worker: Worker) -> None:
    async def nested() -> object:
        return asyncio.current_task() is await worker.run(current)

    async def current() -> object:
        return asyncio.current_task()

    assert await worker.run(nested)


async def test_an_error_is_raised_where_the_work_is_waited_for(worker: Worker) -> None:
    async def fail() -> None:
        raise ZeroDivisionError("ours")

    with pytest.raises(ZeroDivisionError, match="ours"):
        await worker.run(fail)


async def test_what_belongs_to_the_wire_goes_back_to_its_loop(worker: Worker) -> None:
    async def asked() -> tuple[str, str, int]:
        return await at_home(where, 2)

    main = threading.current_thread().name
    assert await worker.run(asked) == (main, "nothing", 2)
    assert (await at_home(where))[0] == main, "outside a call it is at home already"


async def test_a_wait_that_is_given_up_ends_the_work(worker: Worker) -> None:
    begun, ended = threading.Event(), threading.Event()

    async def endless() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
            raise ValueError("nobody hears this")

    with anyio.fail_after(60):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(worker.run, endless)
            await asyncio.to_thread(begun.wait, 60)
            tasks.cancel_scope.cancel()
        assert await asyncio.to_thread(ended.wait, 60)


async def test_closing_ends_what_runs_before_the_last_thing_is_done() -> None:
    worker, steps = Worker(), list[str]()
    begun = threading.Event()

    async def endless() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            steps.append("ended")

    async def last() -> None:
        steps.append(f"last, in {threading.current_thread().name}")

    with anyio.fail_after(60):
        waiting = asyncio.create_task(worker.run(endless))
        await asyncio.to_thread(begun.wait, 60)
        await worker.close(last)
        with pytest.raises(asyncio.CancelledError):
            await waiting
    assert steps == ["ended", "last, in worker"]
    assert (await worker.run(where))[0] == "worker", "what is closed begins anew"
    await worker.close(nothing)


async def test_work_that_outlives_the_loop_of_its_caller_harms_nothing(worker: Worker) -> None:
    begun, go_on, over = threading.Event(), threading.Event(), threading.Event()

    async def stubborn() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.to_thread(go_on.wait, 60)
            over.set()

    async def caller() -> None:
        task = asyncio.create_task(worker.run(stubborn))
        await asyncio.to_thread(begun.wait, 60)
        task.cancel()

    await asyncio.to_thread(asyncio.run, caller())
    go_on.set()
    assert await asyncio.to_thread(over.wait, 60)
    assert (await worker.run(where))[0] == "worker"
