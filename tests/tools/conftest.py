"""A stage for every test of a use case."""

import pytest

from tests.tools.stage import Stage


@pytest.fixture
def stage() -> Stage:
    return Stage()
