"""What every test may use."""

import pytest


@pytest.fixture
def anyio_backend() -> str:
    """The server runs on asyncio, and so do its tests."""
    return "asyncio"
