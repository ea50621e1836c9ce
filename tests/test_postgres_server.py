"""The PostgreSQL that other tests use, by itself."""

import signal

import pytest

from tests.postgres_server import APPLICATION_ROLE, DURABLE, NoPostgres, asked, running, with_query


def test_a_test_has_a_schema_of_its_own(postgres_schema: str) -> None:
    asked(postgres_schema, "CREATE TABLE t(n int)", "INSERT INTO t VALUES(1)")
    ((path,),) = asked(postgres_schema, "SELECT current_schema()")
    assert path.startswith("test_")
    as_application = with_query(postgres_schema, user=APPLICATION_ROLE)
    ((role, bypasses),) = asked(
        as_application, "SELECT rolname, rolbypassrls FROM pg_roles WHERE rolname = current_user"
    )
    assert (role, bypasses) == (APPLICATION_ROLE, False)


@pytest.mark.slow
def test_a_server_is_crashed_and_comes_back_with_what_was_acknowledged() -> None:
    try:
        with running(DURABLE) as server:
            asked(server.dsn(), "CREATE TABLE t(n int)", "INSERT INTO t VALUES(7)")
            server.stop(signal.SIGQUIT)
            server.start()
            assert [tuple(row) for row in asked(server.dsn(), "SELECT n FROM t")] == [(7,)]
            assert asked(server.dsn(), "SHOW fsync")[0][0] == "on"
            folder = server.folder
    except NoPostgres as reason:
        pytest.skip(str(reason))
    assert not folder.exists()
