"""Tokens of an OAuth 2.1 issuer: this server only checks them, and issues none.

Rules: a token counts if the issuer that is set signed it, for this server, and it holds now. How it
may be signed is fixed here, whatever the token says. Keys are fetched in a thread, kept for five
minutes, and fetched again for a key that is not known at most once a minute; where they cannot be
fetched nobody is told that the token is wrong.
"""

import asyncio
import json
import re
import time
from collections.abc import Callable, Iterator, Mapping
from hashlib import blake2b
from typing import Any
from urllib.parse import urlsplit
from urllib.request import urlopen

import jwt

from reflection_mcp.server.access.principal import (
    ROLES,
    Grant,
    KeysUnavailable,
    Principal,
    Role,
    grant,
)
from reflection_mcp.server.project import project_name
from reflection_mcp.server.settings.settings import Settings
from reflection_mcp.tools.errors import InvalidInput

ALGORITHMS = ("RS256", "ES256", "EdDSA")
REQUIRED = ("exp", "iss", "aud", "sub")
"""What a token has to say (RFC 9068). `nbf` counts where it is there: most issuers leave it out."""

LEEWAY = 30.0
"""Seconds by which the clocks of issuer and server may differ."""

KEEP, AGAIN, PAUSE = 300.0, 60.0, 5.0
"""Seconds: how long keys are kept, the least between two fetches for keys that are not known, and
the least after a fetch that failed."""

FETCH = 5.0
"""Seconds that one fetch may take."""

_MADE = re.compile(r"-[0-9a-f]{16}$")


class OAuthVerifier:
    """Accepts the tokens of the issuer that is set; `resource` is the URL of MCP, by which clients
    know us, and which tokens are for unless the settings say otherwise."""

    def __init__(self, settings: Settings, keys: "Keys", resource: str) -> None:
        self._settings = settings
        self._keys = keys
        self._resource = resource

    async def verify_token(self, token: str) -> Grant | None:
        """The principal of a token, or None.

        Raises:
            KeysUnavailable: nobody can tell now.
        """
        settings = self._settings
        try:
            named = jwt.get_unverified_header(token).get("kid")
            key = await self._keys.key(named) if isinstance(named, str) else None
            if key is None:
                return None
            claims: dict[str, Any] = jwt.decode(
                token,
                key,
                algorithms=ALGORITHMS,
                audience=settings.oauth_audience or self._resource,
                issuer=settings.oauth_issuer,
                leeway=LEEWAY,
                options={"require": list(REQUIRED)},
            )
        except (jwt.PyJWTError, ValueError):
            return None
        principal = principal_in(claims, settings)
        if principal is None:
            return None
        return grant(
            principal,
            client=str(claims.get("client_id") or claims.get("azp") or ""),
            scopes=tuple(_words(claims.get("scope") or claims.get("scp"))),
            resource=self._resource,
            claims={"iss": settings.oauth_issuer},
        )


def principal_in(claims: Mapping[str, Any], settings: Settings) -> Principal | None:
    """The principal of a token that counts; None where a claim that decides has no use."""
    in_tenant, in_role = settings.oauth_tenant_claim, settings.oauth_role_claim
    tenant: object = claims.get(in_tenant) if in_tenant else settings.tenant
    role = _role(claims.get(in_role)) if in_role else "writer"
    if not isinstance(tenant, str) or not tenant or role is None:
        return None
    return Principal(name=name_of(str(claims["sub"])), tenant=name_of(tenant), role=role)


def name_of(text: str) -> str:
    """A name in the alphabet of tenants; other texts get other names.

    What is in it already stays as it is, unless it looks like a name that is made here.
    """
    try:
        if project_name(text) == text and not _MADE.search(text):
            return text
    except InvalidInput:
        pass
    digest = blake2b(text.encode(errors="replace"), digest_size=8).hexdigest()
    plain = re.sub(r"[^a-z0-9]+", "-", text[:40].lower()).strip("-")
    return f"{plain or 'id'}-{digest}"


def _role(claim: object) -> Role | None:
    """The highest role that a claim names, as `writer` or, in a scope, as `memory:writer`."""
    named = {re.split(r"[:/.]", word)[-1] for word in _words(claim)}
    return next((role for role in reversed(ROLES) if role in named), None)


def _words(claim: object) -> Iterator[str]:
    """The words of a claim, which is a text with spaces or a list."""
    if isinstance(claim, str):
        yield from claim.split()
    elif isinstance(claim, list):
        items: list[object] = [*claim]
        yield from (item for item in items if isinstance(item, str))


# ------------------------------------------------------------------------- keys


class Keys:
    """The issuer's public keys.

    Args:
        fetch: fetches them, by their ids; runs in a thread.
        clock: seconds that never go back.
    """

    def __init__(
        self,
        fetch: Callable[[], Mapping[str, jwt.PyJWK]],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._fetch = fetch
        self._clock = clock
        self._keys: Mapping[str, jwt.PyJWK] = {}
        self._good_until = self._again_at = self._retry_at = float("-inf")
        self._one_at_a_time = asyncio.Lock()

    async def key(self, named: str) -> jwt.PyJWK | None:
        """The key of this id; None if the issuer has none.

        Raises:
            KeysUnavailable: the keys cannot be fetched.
        """
        if self._lacks(named):
            async with self._one_at_a_time:
                if self._lacks(named):  # nobody else has fetched it meanwhile
                    await self._renew()
        return self._keys.get(named)

    def _lacks(self, named: str) -> bool:
        now = self._clock()
        return now >= self._good_until or (named not in self._keys and now >= self._again_at)

    async def _renew(self) -> None:
        now = self._clock()
        is_good = now < self._good_until
        if now < self._retry_at:
            if is_good:
                return
            raise KeysUnavailable
        try:
            self._keys = await asyncio.to_thread(self._fetch)
        except (jwt.PyJWTError, OSError, ValueError):
            self._retry_at = self._clock() + PAUSE
            if is_good:
                return
            raise KeysUnavailable from None
        if is_good:  # so it was for a key that was not known
            self._again_at = now + AGAIN
        self._good_until = now + KEEP


def fetcher(issuer: str, jwks_url: str = "") -> Callable[[], Mapping[str, jwt.PyJWK]]:
    """What fetches the keys of an issuer, from where its metadata says unless a URL is given."""

    def fetch() -> Mapping[str, jwt.PyJWK]:
        url = jwks_url or discovered(issuer)
        found = jwt.PyJWKClient(url, cache_jwk_set=False, timeout=FETCH).get_signing_keys()
        return {key.key_id: key for key in found if key.key_id}

    return fetch


def discovered(issuer: str) -> str:
    """Where an issuer keeps its keys, by OpenID Connect Discovery or RFC 8414.

    Raises:
        ValueError: it does not say.
    """
    own, parts = issuer.rstrip("/"), urlsplit(issuer)
    site = f"{parts.scheme}://{parts.netloc}/.well-known"
    for url in (
        f"{own}/.well-known/openid-configuration",
        f"{site}/oauth-authorization-server{urlsplit(own).path}",
    ):
        try:
            with urlopen(url, timeout=FETCH) as reply:
                metadata: dict[str, object] = json.load(reply)
            keys = str(metadata["jwks_uri"])
            if metadata["issuer"] == issuer and keys.startswith(f"{parts.scheme}://"):
                return keys
        except (OSError, ValueError, LookupError, TypeError):
            continue
    raise ValueError("the issuer does not publish where its keys are")
