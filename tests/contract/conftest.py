"""Every test of this folder runs on every backend."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from reflection_mcp.store.contract import Store
from reflection_mcp.store.open import open_store
from reflection_mcp.store.postgres.connections import Connection
from reflection_mcp.store.postgres.crowds import Crowds
from reflection_mcp.store.postgres.location import connect
from reflection_mcp.store.postgres.store import PostgresStore
from tests.new_store import placed
from tests.postgres_server import APPLICATION_ROLE, EMPTY, with_query

OWNER = "postgres"


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """One loop for a module, so that connections to PostgreSQL stay open from test to test."""
    return "asyncio"


class Database:
    """A PostgreSQL database, and what is open of it between two tests."""

    def __init__(self, url: str, emptying: Connection) -> None:
        self._url = url
        self._emptying = emptying
        self.opened: dict[str, Store] = {}

    async def store(self, user: str) -> Store:
        """A store without anything in it, on connections that stay open."""
        await self._emptying.execute(EMPTY)
        if user not in self.opened or vars(self.opened[user])["_durable"].closed:
            self.opened[user] = await open_store(with_query(self._url, user=user))
        kept = vars(self.opened[user])
        kept["_durable"].crowds = Crowds()
        return PostgresStore(kept["_durable"], kept["_light"], kept["_url"], kept["_wait"])


@pytest.fixture(scope="module")
async def database(postgres_tables: str) -> AsyncIterator[Database]:
    emptying = await connect(postgres_tables)
    database = Database(postgres_tables, emptying)
    yield database
    for opened in database.opened.values():
        await opened.close()
    await emptying.close()


@pytest.fixture(
    params=[
        pytest.param("memory", marks=pytest.mark.slow),
        "sqlite",
        pytest.param(OWNER, marks=pytest.mark.slow),
        APPLICATION_ROLE,
    ],
    ids=["memory", "sqlite", "postgres", "postgres-application"],
)
def backend(request: pytest.FixtureRequest) -> tuple[str, Database | None]:
    """A backend; PostgreSQL as the owner of the tables and as a role that is held by row level
    security."""
    name = str(request.param)
    return name, request.getfixturevalue("database") if name in (OWNER, APPLICATION_ROLE) else None


@pytest.fixture
async def store(backend: tuple[str, Database | None], tmp_path: Path) -> AsyncIterator[Store]:
    """A new store."""
    name, database = backend
    if database is not None:
        yield await database.store(name)
    else:
        place = "memory:" if name == "memory" else placed(tmp_path / "kept" / "store.db")
        opened = await open_store(place)
        yield opened
        await opened.close()
