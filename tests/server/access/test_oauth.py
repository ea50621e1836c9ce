"""Tokens of an issuer: which count, for whom, and what happens when its keys change."""

import base64
import hmac
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest

from reflection_mcp.server.access import oauth
from reflection_mcp.server.access.entrance import app_of
from reflection_mcp.server.access.exposure import Exposure
from reflection_mcp.server.access.oauth import (
    Keys,
    OAuthVerifier,
    discovered,
    fetcher,
    name_of,
    principal_in,
)
from reflection_mcp.server.access.principal import KeysUnavailable, Principal
from reflection_mcp.server.app import build
from reflection_mcp.server.application import now
from reflection_mcp.server.settings.settings import Settings
from reflection_mcp.tools.errors import InvalidInput
from tests.requirements import requirement
from tests.rows import each_row
from tests.server.access.issuer import Issuer, issuing
from tests.server.access.serving import House, Mode, call, calling, each_era, refused, served_as

pytestmark = pytest.mark.anyio


@pytest.fixture
def issuer() -> Iterator[Issuer]:
    with issuing() as one:
        yield one


class Watch:
    """Seconds that pass when somebody says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def verifier(issuer: Issuer, clock: "Watch | None" = None, **rules: str) -> OAuthVerifier:
    own = {"oauth_issuer": issuer.url, "tenant": "acme"} | rules
    keys = Keys(fetcher(issuer.url, f"{issuer.url}/jwks"), clock or Watch())
    return OAuthVerifier(Settings(**own), keys, "http://mcp")  # type: ignore[arg-type]


@pytest.mark.parametrize("algorithm", oauth.ALGORITHMS)
async def test_a_token_of_the_issuer_for_this_server_stands_for_a_principal(
    issuer: Issuer, algorithm: str
) -> None:
    issuer.make_key("other", algorithm)
    token = issuer.token("other", azp="web", scope="memory offline", nbf=now().timestamp() - 5)
    granted = await verifier(issuer).verify_token(token)
    assert granted is not None
    assert granted.principal == Principal(name="ann", tenant="acme", role="writer")
    assert (granted.client_id, granted.subject) == ("web", "ann")
    assert granted.scopes == ["memory", "offline"]
    assert (granted.resource, granted.token) == ("http://mcp", "")
    assert granted.claims == {"iss": issuer.url}


@requirement("access:no-token")
async def test_a_token_that_does_not_hold_here_and_now_is_refused(issuer: Issuer) -> None:
    checks = verifier(issuer)
    at = now().timestamp()
    wrong: list[dict[str, Any]] = [
        {"exp": at - 60},
        {"nbf": at + 60},
        {"iss": "http://127.0.0.1:1"},
        {"aud": "http://other"},
        {"aud": ["http://other", "http://mcp/"]},
        {"aud": None},
        {"exp": None},
        {"iss": None},
        {"sub": None},
        {"sub": 7},
        {"exp": "soon"},
    ]
    for claims in wrong:
        assert await checks.verify_token(issuer.token(**claims)) is None, claims
    assert await checks.verify_token(issuer.token(aud=["http://other", "http://mcp"]))
    assert await checks.verify_token(issuer.token(exp=at - 10)), "clocks differ a little"


@requirement("access:no-token")
async def test_a_token_that_is_not_signed_by_a_key_of_the_issuer_is_refused(
    issuer: Issuer,
) -> None:
    checks = verifier(issuer)
    good = issuer.token()
    head, body, signature = good.split(".")

    def unsigned(**header: Any) -> str:
        told = base64.urlsafe_b64encode(json.dumps(header).encode()).rstrip(b"=").decode()
        return f"{told}.{body}."

    with_public_key = unsigned(alg="HS256", kid="first")
    public = json.dumps(issuer.pages["/jwks"]).encode()
    mac = hmac.digest(public, with_public_key.removesuffix(".").encode(), "sha256")
    with issuing() as stranger:
        forged = stranger.token(iss=issuer.url)
    issuer.make_key("long", "ES384")
    for token in (
        "",
        "x",
        "a.b.c",
        "\udcff",
        f"{head}.{body}.",
        f"{head}.{body}.{signature[:-4]}AAAA",
        unsigned(alg="none", kid="first"),
        unsigned(alg="none"),
        unsigned(alg="ES256"),
        unsigned(alg="ES256", kid=["first"]),
        with_public_key + base64.urlsafe_b64encode(mac).rstrip(b"=").decode(),
        forged,
        issuer.token("long"),
    ):
        assert await checks.verify_token(token) is None, token
    assert await checks.verify_token(good)


@requirement("access:no-token")
async def test_keys_are_kept_and_a_new_one_is_fetched_at_most_once_a_minute(
    issuer: Issuer,
) -> None:
    watch = Watch()
    checks = verifier(issuer, watch)
    old = issuer.token()
    async with anyio.create_task_group() as tasks:
        for _ in range(8):
            tasks.start_soon(checks.verify_token, old)
    assert issuer.asked == ["/jwks"]
    issuer.make_key("second")
    assert await checks.verify_token(issuer.token("second")), "a rotated key works at once"
    assert len(issuer.asked) == 2
    issuer.make_key("third")
    third = issuer.token("third")
    for _ in range(3):
        assert await checks.verify_token(third) is None
    assert len(issuer.asked) == 2
    watch.now = 60.0
    assert await checks.verify_token(third)
    issuer.publish("third")
    assert await checks.verify_token(old), "until the keys are fetched again"
    watch.now = 361.0
    assert await checks.verify_token(old) is None
    assert len(issuer.asked) == 4


async def test_where_keys_cannot_be_fetched_known_ones_last_and_nobody_is_told_he_is_wrong(
    issuer: Issuer,
) -> None:
    watch = Watch()
    checks = verifier(issuer, watch)
    token = issuer.token()
    issuer.is_down = True
    for _ in range(2):  # the second does not even ask
        with pytest.raises(KeysUnavailable):
            await checks.verify_token(token)
    assert len(issuer.asked) == 1
    issuer.is_down = False
    watch.now = 5.0
    assert await checks.verify_token(token)
    issuer.make_key("second")
    issuer.is_down = True
    for _ in range(2):
        assert await checks.verify_token(issuer.token("second")) is None
    assert await checks.verify_token(token)
    assert len(issuer.asked) == 3


async def test_keys_are_found_where_the_metadata_of_the_issuer_says(issuer: Issuer) -> None:
    told = {"issuer": issuer.url, "jwks_uri": f"{issuer.url}/jwks"}
    issuer.pages["/.well-known/openid-configuration"] = told
    assert set(fetcher(issuer.url)()) == {"first"}
    own = f"{issuer.url}/realms/acme"
    issuer.pages["/.well-known/oauth-authorization-server/realms/acme"] = told | {"issuer": own}
    issuer.pages["/realms/acme/.well-known/openid-configuration"] = ["no metadata"]
    assert discovered(own) == f"{issuer.url}/jwks"
    for page in ({"issuer": "http://other", "jwks_uri": f"{issuer.url}/jwks"},
                 {"issuer": issuer.url, "jwks_uri": "file:///etc/passwd"}, {}):  # fmt: skip
        issuer.pages["/.well-known/openid-configuration"] = page
        with pytest.raises(ValueError, match="does not publish where its keys are"):
            discovered(issuer.url)


ROLES = [
    ("reader", "reader"),
    (["writer", "reader", 7], "writer"),
    ("openid memory:reader memory:admin", "admin"),
    ("https://x.example/writer", "writer"),
    ("boss", None),
    (None, None),
    (7, None),
]


@each_row(("claim", "role"), ROLES)
def test_a_role_is_the_highest_that_its_claim_names(claim: object, role: str | None) -> None:
    settings = Settings(tenant="acme", oauth_role_claim="groups")
    found = principal_in({"sub": "ann", "groups": claim}, settings)
    assert (found and found.role) == role


def test_a_tenant_is_that_of_its_claim_and_nobody_without_one_gets_in() -> None:
    settings = Settings(tenant="acme", oauth_tenant_claim="org")
    found = principal_in({"sub": "ann", "org": "other"}, settings)
    assert found is not None
    assert found.tenant == "other"
    for claim in (None, "", 7, ["acme"]):
        assert principal_in({"sub": "ann", "org": claim}, settings) is None


def test_names_that_differ_stay_different() -> None:
    assert name_of("ann") == "ann"
    given = ["auth0|ann", "auth0-ann", "Acme", "acme", "ACME", "é", "a" * 80, "a" * 81, " ann", ""]
    made = {one: name_of(one) for one in given}
    assert len(set(made.values())) == len(given)
    assert made["auth0|ann"].startswith("auth0-ann-")
    assert made["é"].startswith("id-")
    assert all(len(one) <= 64 for one in made.values())
    assert name_of(made["Acme"]) != made["Acme"], "nobody is called what another one became"


async def test_a_principal_without_its_claim_is_not_let_in(issuer: Issuer) -> None:
    checks = verifier(issuer, oauth_tenant_claim="org")
    assert await checks.verify_token(issuer.token()) is None
    assert await checks.verify_token(issuer.token(org="other"))


async def test_an_issuer_has_to_be_set(issuer: Issuer, tmp_path: Path) -> None:
    application = House(tmp_path).application
    with pytest.raises(InvalidInput, match="needs an issuer"):
        app_of(build(application), application, Exposure(auth="oauth"))
    with pytest.raises(ValueError, match="oauth_issuer"):
        Settings(oauth_issuer="http://i.example")
    other = verifier(issuer, oauth_audience="api://memory")
    assert await other.verify_token(issuer.token()) is None
    assert await other.verify_token(issuer.token(aud="api://memory"))


@each_era
@requirement("access:no-token")
async def test_a_client_gets_in_with_a_token_of_the_issuer_and_is_told_where_to_get_one(
    issuer: Issuer, tmp_path: Path, mode: Mode
) -> None:
    house = House(
        tmp_path,
        oauth_issuer=issuer.url,
        oauth_jwks_url=f"{issuer.url}/jwks",
        oauth_scope="memory",
        oauth_role_claim="groups",
    )
    async with served_as(house.application, Exposure(auth="oauth")) as url:
        site = url.removesuffix("/mcp")
        usual: dict[str, Any] = {"aud": url, "scope": "memory", "groups": "writer"}
        readers: dict[str, Any] = {**usual, "groups": ["reader"]}
        async with calling(url, issuer.token(**usual), mode) as ann:
            await call(ann, "reflect", question="What is 2 + 2?", answer="2 + 2 = 5.")
        async with calling(url, issuer.token(**readers), mode) as rea:
            assert "insufficient_scope" in await refused(
                rea, "record_feedback", feedback="positive"
            )
        async with httpx2.AsyncClient() as client:
            told = await client.get(f"{site}/.well-known/oauth-protected-resource/mcp")
            assert told.json()["resource"] == url
            assert told.json()["authorization_servers"] == [issuer.url]
            assert told.json()["scopes_supported"] == ["memory"]
            nobody = await client.post(url, json={})
            assert nobody.status_code == 401
            metadata = f'resource_metadata="{site}/.well-known/oauth-protected-resource/mcp"'
            assert metadata in nobody.headers["www-authenticate"]
            for claims, status in (
                ({"aud": "http://mcp"}, 401),
                ({"exp": 1}, 401),
                ({"scope": "other"}, 403),
                ({"groups": "boss"}, 401),
            ):
                headers = {"authorization": f"Bearer {issuer.token(**usual | claims)}"}
                answer = await client.post(url, json={}, headers=headers)
                assert answer.status_code == status, claims


async def test_while_the_keys_cannot_be_fetched_a_client_is_asked_to_try_again(
    issuer: Issuer, tmp_path: Path
) -> None:
    house = House(tmp_path, oauth_issuer=issuer.url, oauth_jwks_url=f"{issuer.url}/jwks")
    issuer.is_down = True
    async with (
        served_as(house.application, Exposure(auth="oauth")) as url,
        httpx2.AsyncClient() as client,
    ):
        headers = {"authorization": f"Bearer {issuer.token(aud=url)}"}
        answer = await client.post(url, json={}, headers=headers)
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
    assert answer.json()["error"] == "temporarily_unavailable"
