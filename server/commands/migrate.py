"""`migrate`: creates or upgrades the tables of a store in PostgreSQL."""

import argparse

import anyio

from reflection_mcp.server.settings.flags import settings_of
from reflection_mcp.store.open import is_postgres
from reflection_mcp.store.postgres import schema
from reflection_mcp.tools.errors import InvalidInput


def run(arguments: argparse.Namespace) -> int:
    """Migrate the database that is named, or that of the settings; returns the exit code."""
    location: str = arguments.to or settings_of(arguments).store
    if not is_postgres(location):
        raise InvalidInput(
            "only a store in PostgreSQL is migrated by hand; a file is upgraded when it is opened",
            "pass --to postgresql://OWNER@HOST/DATABASE",
        )

    async def upgraded() -> int:
        return await schema.upgrade(
            location, grant=arguments.grant, distribute=arguments.distribute
        )

    before, now = anyio.run(upgraded), schema.version()
    print(
        f"the tables already have version {now}"
        if before == now
        else f"created the tables, version {now}"
        if not before
        else f"upgraded the tables from version {before} to {now}"
    )
    return 0
