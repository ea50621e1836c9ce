"""Every test of this folder runs on every backend."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from reflection_mcp.store.contract import Store
from reflection_mcp.store.open import open_store
from tests.new_store import placed
from tests.postgres_server import APPLICATION_ROLE, with_query


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(
    params=[
        pytest.param("memory", marks=pytest.mark.slow),
        "sqlite",
        pytest.param("postgres", marks=pytest.mark.slow),
        "postgres-application",
    ]
)
def location(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a new store of each backend is; PostgreSQL as the owner of the tables and as a role
    that is held by row level security."""
    if request.param == "memory":
        return "memory:"
    if request.param == "sqlite":
        return placed(tmp_path / "kept" / "store.db")
    url = str(request.getfixturevalue("postgres_store"))
    return url if request.param == "postgres" else with_query(url, user=APPLICATION_ROLE)


@pytest.fixture
async def store(location: str) -> AsyncIterator[Store]:
    opened = await open_store(location)
    yield opened
    await opened.close()
