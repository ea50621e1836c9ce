"""A stage for every test of a use case."""

import pytest

from tests.tools.workshops import Stage


@pytest.fixture
def stage() -> Stage:
    return Stage()
