"""A team's server, and where it listens."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.server.access.serving import House


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


@pytest.fixture
async def url(house: House) -> AsyncIterator[str]:
    async with house.open() as listening:
        yield listening
