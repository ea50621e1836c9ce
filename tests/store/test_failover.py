"""A PostgreSQL server that dies, and a standby that takes its place."""

import pytest

from tests.bench.failover import failover
from tests.postgres_server import NoPostgres
from tests.requirements import requirement


@pytest.mark.slow
@requirement("store:failover")
def test_a_standby_that_is_promoted_has_all_that_was_acknowledged() -> None:
    try:
        done = failover(writers=4, writes=80)
    except NoPostgres as reason:
        pytest.skip(str(reason))
    assert (done.acknowledged, done.lost) == (80, 0)
    assert done.errors <= 1, "writers go on after one named error"
