"""Every test of this folder runs on every backend."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from reflection_mcp.store.contract import Store
from reflection_mcp.store.open import open_store
from tests.new_store import placed


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(params=["memory", "sqlite"])
def location(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a new store of each backend is."""
    return "memory:" if request.param == "memory" else placed(tmp_path / "kept" / "store.db")


@pytest.fixture
async def store(location: str) -> AsyncIterator[Store]:
    opened = await open_store(location)
    yield opened
    await opened.close()
