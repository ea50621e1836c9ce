"""`reflection-mcp tokens`: who may use a server over HTTP."""

import argparse
import json
import sys
from datetime import UTC, datetime, timedelta

from reflection_mcp.server.access.token_file import TokenFile, TokenRow, principal_named, token_path
from reflection_mcp.server.commands.table import table
from reflection_mcp.server.settings.flags import settings_of
from reflection_mcp.server.wording import to_the_second
from reflection_mcp.tools.errors import InvalidInput

HEADINGS = ("name", "tenant", "role", "expires")


def run(arguments: argparse.Namespace) -> int:
    """Add, list or revoke tokens; returns the exit code.

    Raises:
        InvalidInput: a name is missing, taken or not known, or the file cannot be used.
    """
    settings = settings_of(arguments)
    file = TokenFile(token_path(settings))
    if arguments.action == "list":
        rows = [_body(row, datetime.now(UTC)) for row in file.rows()]
        lines = table(HEADINGS, [[row[name] for name in HEADINGS] for row in rows])
        print(json.dumps(rows) if arguments.json else lines)
        return 0
    if not arguments.name:
        raise InvalidInput("no name", f"pass one: reflection-mcp tokens {arguments.action} NAME")
    who = principal_named(arguments.name, settings.tenant, arguments.role)
    if arguments.action == "revoke":
        file.revoke(who.name)
        print(json.dumps({"revoked": who.name}) if arguments.json else f"revoked: {who.name}")
        return 0
    now = datetime.now(UTC)
    expires = now + timedelta(days=arguments.days) if arguments.days else None
    token = file.add(who, expires)
    body = _body(TokenRow(principal=who, digest="", expires=expires), now)
    print(json.dumps({**body, "token": token}) if arguments.json else token)
    print(
        f"reflection-mcp: {who.role} {who.name} of tenant {who.tenant}; the token is shown only "
        f"now; its digest is in {file.path}",
        file=sys.stderr,
    )
    return 0


def _body(row: TokenRow, now: datetime) -> dict[str, str]:
    ends = to_the_second(row.expires) if row.expires else "never"
    return {
        "name": row.principal.name,
        "tenant": row.principal.tenant,
        "role": row.principal.role,
        "expires": f"{ends}, expired" if row.expired(now) else ends,
    }
