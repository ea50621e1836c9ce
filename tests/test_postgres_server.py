"""The PostgreSQL that other tests use, by itself."""

from tests.postgres_server import APPLICATION_ROLE, asked, with_query


def test_a_test_has_a_schema_of_its_own(postgres_schema: str) -> None:
    asked(postgres_schema, "CREATE TABLE t(n int)", "INSERT INTO t VALUES(1)")
    ((path,),) = asked(postgres_schema, "SELECT current_schema()")
    assert path.startswith("test_")
    as_application = with_query(postgres_schema, user=APPLICATION_ROLE)
    ((role, bypasses),) = asked(
        as_application, "SELECT rolname, rolbypassrls FROM pg_roles WHERE rolname = current_user"
    )
    assert (role, bypasses) == (APPLICATION_ROLE, False)
