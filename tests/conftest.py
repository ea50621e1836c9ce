"""What every test may use, and what holds for all of them."""

import gc
import os
import sys
import tempfile
from collections.abc import Generator, Iterable

import pytest
from hypothesis import HealthCheck, settings

from tests.postgres_server import postgres, postgres_schema, postgres_store, postgres_tables

__all__ = ["postgres", "postgres_schema", "postgres_store", "postgres_tables"]

# How long an example takes, or takes to be made up, says something of the machine only. The same
# examples each time: a test that fails now and then is of no use to whoever changed something else.
settings.register_profile(
    "quick",
    max_examples=25,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("thorough", settings.get_profile("quick"), max_examples=100)
settings.load_profile("quick")


# Without bytecode each of the two hundred processes that tests start compiles the program again.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


@pytest.hookimpl(wrapper=True)
def pytest_runtestloop() -> Generator[None, object, object]:
    """What is kept between two starts of a server is not kept in the folder of the user."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        try:
            return (yield)
        finally:
            if "tests.forked" in sys.modules:
                from tests.forked import stop

                stop()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collecting makes little garbage and much that stays: the collector need not look for it.

    What stays is frozen, so that no collection during a test goes through all of it again.
    """
    gc.disable()
    try:
        collected = yield
        if "mcp.server.mcpserver.tools.base" in sys.modules:
            from tests.made_once import make_once

            make_once()
        return collected
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What shares something costly comes first: a worker that is idle takes from the end.

    So one worker runs all such tests, and makes once what they share: a PostgreSQL, too.
    """
    items.sort(key=lambda item: not (item.get_closest_marker("costly") or asks_for_postgres(item)))


def asks_for_postgres(item: pytest.Item) -> bool:
    names: Iterable[str] = vars(item).get("fixturenames", ())
    return "[postgres" in item.name or any("postgres" in name for name in names)


@pytest.fixture
def anyio_backend() -> str:
    """The server runs on asyncio, and so do its tests."""
    return "asyncio"
