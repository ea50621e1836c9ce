"""What every test may use, and what holds for all of them."""

import pytest
from hypothesis import HealthCheck, settings

# How long an example takes, or takes to be made up, says something of the machine only.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")


@pytest.fixture
def anyio_backend() -> str:
    """The server runs on asyncio, and so do its tests."""
    return "asyncio"
