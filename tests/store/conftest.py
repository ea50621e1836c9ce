"""The SQLite store as a file among other processes, faults and strangers."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from reflection_mcp.store.contract import Store
from reflection_mcp.store.open import open_store
from tests.new_store import placed


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the store of a test is kept."""
    return tmp_path / "kept" / "store.db"


@pytest.fixture
async def store(path: Path) -> AsyncIterator[Store]:
    opened = await open_store(placed(path))
    yield opened
    await opened.close()


@pytest.fixture
async def hasty(path: Path) -> AsyncIterator[Store]:
    """A store that waits for nobody longer than a fifth of a second.

    Its calls are for refusal only: on a busy machine any of them may take longer than that.
    """
    opened = await open_store(placed(path), wait=0.2)
    yield opened
    await opened.close()
