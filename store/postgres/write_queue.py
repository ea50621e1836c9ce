"""Writes of one scope that share a statement when they come at the same time.

Rules of this module. One that comes alone is done at once and by itself. While that is under way,
others wait and are then done together: their callers get their results when all of them are
committed. Two groups may be under way, so that one is decoded here while the other is done there.
Who is cancelled while waiting is left out; who waited longer than it would is refused, and nothing
of it was done. If a group fails by what one of it contains, each is done by itself.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from reflection_mcp.store.errors import StoreBusy, StoreError

K = TypeVar("K", bound=Hashable)
W = TypeVar("W")
R = TypeVar("R")

MOST_TOGETHER = 32
"""The most writes of one statement, so that the first does not wait for long."""
UNDER_WAY = 2
"""Groups of one scope at once."""


@dataclass(slots=True)
class _Waiting(Generic[W, R]):
    """A write, the result that its caller waits for, and the time until which it does."""

    write: W
    name: Hashable
    result: "asyncio.Future[R | None]"
    until: float


@dataclass(slots=True)
class _Queue(Generic[W, R]):
    """The writes of one scope that wait, and the number of groups that are under way."""

    waiting: deque[_Waiting[W, R]] = field(default_factory=deque[_Waiting[W, R]])
    under_way: int = 0


class WriteQueue(Generic[K, W, R]):
    """See the module; made for one store.

    Args:
        together: does several writes of a key, each with a name of its own, in one statement;
            returns for each its result, or None for one that has to be done by itself.
    """

    def __init__(self, together: Callable[[K, Sequence[W]], Awaitable[Sequence[R | None]]]) -> None:
        self._together = together
        self._queues: dict[K, _Queue[W, R]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def done(
        self, key: K, write: W, name: Hashable, wait: float, alone: Callable[[], Awaitable[R]]
    ) -> R:
        """Do a write, together with others of its key or `alone`.

        Raises:
            StoreError: of the group; `StoreBusy` if its turn had not come after `wait` seconds.
        """
        queue = self._queues.get(key)
        if queue is None:
            queue = self._queues[key] = _Queue(under_way=1)
            try:
                return await alone()
            finally:
                self._ended(key, queue)
        loop = asyncio.get_running_loop()
        one = _Waiting[W, R](write, name, loop.create_future(), loop.time() + wait)
        queue.waiting.append(one)
        self._begin(key, queue)
        result = await one.result
        return await alone() if result is None else result

    def _begin(self, key: K, queue: _Queue[W, R]) -> None:
        if queue.waiting and queue.under_way < UNDER_WAY:
            queue.under_way += 1
            task = asyncio.create_task(self._run(key, queue))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _ended(self, key: K, queue: _Queue[W, R]) -> None:
        queue.under_way -= 1
        self._begin(key, queue)
        if not queue.under_way:
            del self._queues[key]

    async def _run(self, key: K, queue: _Queue[W, R]) -> None:
        group = _next(queue)
        try:
            results = await self._together(key, [each.write for each in group]) if group else ()
            for each, result in zip(group, results, strict=True):
                _settle(each, result)
        except StoreError as error:
            for each in group:
                _settle(each, error)
        except Exception:  # each by itself tells whose it is
            for each in group:
                _settle(each, None)
        finally:
            for each in group:
                each.result.cancel()  # the loop ends, and nobody waits any more
            self._ended(key, queue)


def _settle(one: _Waiting[W, R], outcome: R | StoreError | None) -> None:
    if one.result.done():
        return
    if isinstance(outcome, StoreError):
        one.result.set_exception(outcome)
    else:
        one.result.set_result(outcome)


def _next(queue: _Queue[W, R]) -> list[_Waiting[W, R]]:
    """The first writes that somebody waits for, no two with the same name; they wait no more."""
    now = asyncio.get_running_loop().time()
    group: dict[Hashable, _Waiting[W, R]] = {}
    later: list[_Waiting[W, R]] = []
    while queue.waiting and len(group) < MOST_TOGETHER:
        one = queue.waiting.popleft()
        if one.until < now:
            _settle(one, StoreBusy("other writes of this process are at work", "try again"))
        elif not one.result.done():
            if one.name in group:
                later.append(one)
            else:
                group[one.name] = one
    queue.waiting.extendleft(reversed(later))
    return [*group.values()]
