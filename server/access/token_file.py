"""The tokens that a server accepts: a TOML file of digests, read again whenever it changes.

Rules: a token is 256 random bits, so its plain SHA-256 is enough, and looking that up gives nothing
away by the time it takes. A token is printed once and kept nowhere. A file that others may read, or
that cannot be read, lets nobody in.
"""

import hashlib
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from reflection_mcp.server.access.principal import ROLES, Grant, Principal, Role, grant
from reflection_mcp.server.project import project_name
from reflection_mcp.server.settings.places import data_folder
from reflection_mcp.server.settings.private_file import (
    kept_private,
    locked,
    read_private,
    write_private,
)
from reflection_mcp.server.settings.settings import Settings
from reflection_mcp.tools.errors import InvalidInput
from reflection_mcp.tools.ports import Clock, Emit

FILE_NAME, LOCAL_NAME = "tokens.toml", "http.token"
LOCAL = "local"
"""The principal of the token that a server makes for the programs of its own user."""

_HEAD = (
    "# Written by `reflection-mcp tokens`. Holds digests; a token is shown once, when it is made.\n"
)
_DIGEST = re.compile(r"[0-9a-f]{64}")


def token_path(settings: Settings) -> Path:
    """Where the tokens are kept: where the setting says, else beside the store."""
    return settings.tokens or beside_store(settings) / FILE_NAME


def beside_store(settings: Settings) -> Path:
    """The folder of the store; for one that is no file, the user's data folder."""
    folder = Path(settings.store).parent
    return folder if folder.is_absolute() else data_folder()


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenRow:
    """One token: whose it is, its digest in 64 hex digits, and when it ends, if ever."""

    principal: Principal
    digest: str
    expires: datetime | None = None

    def expired(self, now: datetime) -> bool:
        """Whether it is over."""
        return self.expires is not None and self.expires <= now

    def grant(self) -> Grant:
        """The token in the form that the SDK expects."""
        expires = self.expires and int(self.expires.timestamp())
        return grant(self.principal, expires_at=expires)


class TokenFile:
    """The file at a path, which need not exist."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def rows(self) -> Sequence[TokenRow]:
        """Its tokens, in their order.

        Raises:
            InvalidInput: others may read it, or it does not say what it has to.
        """
        text = read_private(self.path)
        import tomllib

        try:
            found: object = tomllib.loads(text).get("token", [])
            rows = [_row(each) for each in cast("list[dict[str, Any]]", found)]
        except (ValueError, TypeError, KeyError, AttributeError, InvalidInput) as fault:
            raise InvalidInput(
                f"the token file {self.path} cannot be used: {_what(fault)}",
                "correct it, or create it again with `reflection-mcp tokens add`",
            ) from None
        if len({row.principal.name for row in rows}) < len(rows):
            raise InvalidInput(
                f"the token file {self.path} has two tokens with the same name",
                "rename one of them",
            )
        return rows

    def add(self, principal: Principal, expires: datetime | None) -> str:
        """A new token, which is kept nowhere.

        Raises:
            InvalidInput: the name is taken, or the file cannot be used.
        """
        token = new_token()
        with locked(self.path):
            rows = self.rows()
            if any(row.principal.name == principal.name for row in rows):
                raise InvalidInput(
                    f"there is already a token named {principal.name}",
                    "revoke it first, or choose another name",
                )
            row = TokenRow(principal=principal, digest=digest_of(token), expires=expires)
            self._write([*rows, row])
        return token

    def revoke(self, name: str) -> None:
        """Take a token away; a server that runs refuses it from its next request on.

        Raises:
            InvalidInput: there is none of this name, or the file cannot be used.
        """
        with locked(self.path):
            rows = self.rows()
            left = [row for row in rows if row.principal.name != name]
            if len(left) == len(rows):
                names = ", ".join(row.principal.name for row in rows) or "none"
                raise InvalidInput(
                    f"there is no token with that name in {self.path}", f"has {names}"
                )
            self._write(left)

    def _write(self, rows: Sequence[TokenRow]) -> None:
        write_private(self.path, _HEAD + "".join(map(_toml, rows)))


class FileVerifier:
    """Accepts the tokens of a file as it is at that moment, and those of `more` besides."""

    def __init__(
        self, file: TokenFile, clock: Clock, emit: Emit, more: Sequence[TokenRow] = ()
    ) -> None:
        self._file = file
        self._clock = clock
        self._emit = emit
        self._more = more
        self._seen: tuple[int, ...] | None = ()
        self._rows: Mapping[str, tuple[TokenRow, Grant]] = {}

    async def verify_token(self, token: str) -> Grant | None:
        """The principal of a token, or None."""
        row, granted = self._current().get(digest_of(token), (None, None))
        return None if row is None or row.expired(self._clock()) else granted

    def _current(self) -> Mapping[str, tuple[TokenRow, Grant]]:
        seen = _seen(self._file.path)
        if seen != self._seen:
            try:
                rows = self._file.rows()
            except InvalidInput as fault:
                rows = ()
                self._emit("tokens_unavailable", {"reason": type(fault).__name__})
            self._seen = seen
            self._rows = {row.digest: (row, row.grant()) for row in (*rows, *self._more)}
        return self._rows


# ------------------------------------------------------------------------- tokens


def new_token() -> str:
    """`rmt_` and 43 characters: 256 random bits."""
    return f"rmt_{secrets.token_urlsafe(32)}"


def digest_of(token: str) -> str:
    """64 hex digits."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


def local_row(settings: Settings) -> tuple[Path, TokenRow]:
    """The token for the programs of the server's own user, and the file it can be read from.

    Raises:
        InvalidInput: others may read that file.
    """
    path = beside_store(settings) / LOCAL_NAME
    token = kept_private(path, new_token)
    principal = Principal(name=LOCAL, tenant=settings.tenant, role="admin")
    return path, TokenRow(principal=principal, digest=digest_of(token))


# ------------------------------------------------------------------------- rows


def _row(given: Mapping[str, Any]) -> TokenRow:
    name, tenant, digest = given["name"], given["tenant"], given["digest"]
    role, expires = given.get("role", "writer"), given.get("expires")
    if role not in ROLES:
        raise ValueError(f"a role is one of {', '.join(ROLES)}")
    if not _DIGEST.fullmatch(digest):
        raise ValueError("a digest is 64 hex digits")
    if not isinstance(expires, datetime | None):
        raise ValueError("a token expires at a time, such as 2026-12-31T00:00:00Z")
    if expires is not None and expires.tzinfo is None:
        expires = expires.replace(tzinfo=UTC)
    principal = principal_named(name, tenant, role)
    return TokenRow(principal=principal, digest=digest, expires=expires)


def principal_named(name: str, tenant: str, role: Role) -> Principal:
    """A principal with names as they are stored.

    Raises:
        InvalidInput: a name cannot be used.
    """
    return Principal(name=project_name(name), tenant=project_name(tenant), role=role)


def _toml(row: TokenRow) -> str:
    """A table; no value of ours has a character that would have to be escaped."""
    who = row.principal
    ends = f"expires = {row.expires.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}\n" if row.expires else ""
    return (
        f'\n[[token]]\nname = "{who.name}"\ntenant = "{who.tenant}"\n'
        f'digest = "{row.digest}"\nrole = "{who.role}"\n{ends}'
    )


def _what(fault: Exception) -> str:
    """A fault in words that repeat nothing of the file but names."""
    if isinstance(fault, InvalidInput):
        return fault.message
    return f"{fault.args[0]} is missing" if isinstance(fault, KeyError) else str(fault)


def _seen(path: Path) -> tuple[int, ...] | None:
    """What tells that a file is as it was; None where there is none."""
    try:
        state = path.stat()
    except OSError:
        return None
    return state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns
