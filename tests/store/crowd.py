"""Many processes on one store: `python -m tests.store.crowd TASK PATH WORKERS TIMES`.

A helper of the tests. The processes are forked from one that has imported everything, stand at a
barrier, and then do the task all at once. What they print tells how it went.
"""

import asyncio
import os
import sys
import traceback
from collections.abc import Callable, Coroutine

from reflection_mcp.store.errors import StoreUnavailable
from reflection_mcp.store.open import open_store
from reflection_mcp.store.sqlite import schema as sqlite_schema
from tests.contract.samples import HERE, learned, met

PATIENCE = 60.0
"""Seconds that a write waits for its turn: what is tested is that all get theirs, not how soon."""

Task = Callable[[str, int, int], Coroutine[None, None, None]]


async def open_it(path: str, worker: int, times: int) -> None:
    """Open the store and close it again."""
    await (await open_store(path, wait=PATIENCE)).close()


async def upgrade_it(path: str, worker: int, times: int) -> None:
    """Open the store with a program whose schema is one version ahead."""
    second = ("second", "ALTER TABLE reflection ADD COLUMN mood TEXT")
    sqlite_schema.MIGRATIONS = (*sqlite_schema.MIGRATIONS, second)
    await (await open_store(path, wait=PATIENCE)).close()


async def count(path: str, worker: int, times: int) -> None:
    """Meet the same reflection again and again; print a dot for each acknowledged write."""
    store = await open_store(path, wait=PATIENCE)
    for number in range(times):
        observation = met(learned("lock"), f"e{worker}-{number}", by=f"worker {worker}")
        await store.record(HERE, observation)
        os.write(1, b".")
    await store.close()


async def fork_it(path: str, worker: int, times: int) -> None:
    """Write while a forked child tries to use and to close the same store."""
    store = await open_store(path, wait=PATIENCE)
    for number in range(times):
        await store.record(HERE, met(learned("lock"), f"e{worker}-{number}"))
        child = os.fork()
        if child == 0:
            try:
                await store.stats(HERE)
            except StoreUnavailable:
                await store.close()
                os._exit(0)
            os._exit(1)
        assert os.waitpid(child, 0)[1] == 0
    await store.close()


TASKS: dict[str, Task] = {"open": open_it, "upgrade": upgrade_it, "count": count, "fork": fork_it}


def main(task: str, path: str, workers: int, times: int) -> int:
    """Let the workers do the task; the exit code is the number of those that failed."""
    barrier, gate = os.pipe()
    for worker in range(workers):
        if os.fork() == 0:
            os.close(gate)
            os.read(barrier, 1)
            code = 1
            try:
                asyncio.run(TASKS[task](path, worker, times))
                code = 0
            except BaseException:
                traceback.print_exc()
            finally:
                sys.stderr.flush()
                os._exit(code)
    os.close(gate)
    return sum(os.waitstatus_to_exitcode(os.wait()[1]) != 0 for _ in range(workers))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
