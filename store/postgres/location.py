"""The URL of a database: how it is parsed, shown without its password, and connected to."""

from importlib import import_module
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from reflection_mcp.store.errors import StoreUnavailable
from reflection_mcp.store.postgres.connections import Connection


def shown(url: str) -> str:
    """The location without the password, and without all else that may be one."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2], query=""))


async def connect(location: str, *, cached: bool = False, **settings: str) -> Connection:
    """Connect to a database.

    Args:
        location: a URL as PostgreSQL's own library understands it.
        cached: keep prepared statements; not behind a pooler.
        settings: of the session, sent while connecting.

    Raises:
        StoreUnavailable: the driver is not installed, or the location is not understood.
        OSError, asyncpg.PostgresError: see `errors.named`.
    """
    try:
        driver = import_module("asyncpg")
    except ImportError as error:
        raise StoreUnavailable(
            "a store in PostgreSQL needs asyncpg", "pip install 'reflection-mcp[postgres]'"
        ) from error
    try:
        made: Connection = await driver.connect(
            location,
            statement_cache_size=256 if cached else 0,
            max_cached_statement_lifetime=0,
            server_settings=settings or None,
        )
    except (driver.InterfaceError, ValueError) as error:
        raise StoreUnavailable(
            "the location of the store is not valid",
            "pass postgresql://USER@HOST/DATABASE",
        ) from error
    return made


def without_pooler(location: str) -> tuple[str, bool]:
    """The location as the driver wants it, and whether a pooler of transactions stands between.

    Raises:
        StoreUnavailable: another kind of pooler is named.
    """
    parts = urlsplit(location)
    query = parse_qsl(parts.query, keep_blank_values=True)
    pooler = dict(query).get("pooler", "")
    if pooler not in ("", "transaction"):
        raise StoreUnavailable("the pooler is not known", "leave it out, or say pooler=transaction")
    rest = urlencode([(name, value) for name, value in query if name != "pooler"])
    return urlunsplit(parts._replace(query=rest)), pooler == "transaction"
