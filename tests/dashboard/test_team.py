"""The dashboard on the server of a team: who logs in sees what is theirs, and nothing else."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from reflection_mcp.server.access.entrance import app_of
from reflection_mcp.server.access.exposure import Exposure
from reflection_mcp.server.app import build
from reflection_mcp.store.contract import Store
from reflection_mcp.store.records import Scope
from tests.contract.samples import learned, met
from tests.requirements import requirement
from tests.server.access.serving import House

OWN = "http://127.0.0.1:8931"
OURS = {"sec-fetch-site": "same-origin", "origin": OWN}
ACME, RIVAL = (Scope(tenant=tenant, project="shop") for tenant in ("acme", "rival"))


class Team:
    """A house with a dashboard, and browsers of its people."""

    def __init__(self, folder: Path, exposure: Exposure) -> None:
        self.house = House(folder, tokens=folder / "tokens.toml")
        self.now = datetime(2026, 11, 21, 12, tzinfo=UTC)
        self.house.application.clock = lambda: self.now
        for name, tenant, role in (
            ("ann", "acme", "writer"), ("rob", "acme", "reader"), ("eve", "rival", "admin")
        ):  # fmt: skip
            self.house.let_in(name, tenant, role)
        server = build(self.house.application)
        app = app_of(server, self.house.application, exposure)
        self.http = TestClient(app, base_url=exposure.base_url, follow_redirects=False)

    def log_in(self, name: str, status: int = 303) -> str:
        """Paste a token; what comes back."""
        fields = {"access": self.house.tokens.get(name, name)}
        answer = self.http.post("/dashboard/login", data=fields, headers=OURS)
        assert answer.status_code == status
        return answer.headers.get("set-cookie", "") + answer.text

    def get(self, path: str, status: int = 200) -> str:
        answer = self.http.get(f"/dashboard{path}")
        assert answer.status_code == status, answer.text[:300]
        return answer.headers.get("location", "") + answer.text

    def post(self, path: str, status: int = 303, /, **fields: str) -> str:
        found = re.search(r'name="token" value="(\w+)"', self.get("/"))
        token = {"token": found[1]} if found else {}
        answer = self.http.post(
            f"/dashboard{path}", data=token | {"project": "shop"} | fields, headers=OURS
        )
        assert answer.status_code == status, answer.text[:300]
        return answer.headers.get("location", "") + answer.text

    def failed(self) -> int:
        """How often the lesson of acme failed."""

        async def read() -> int:
            row = await (await self.house.application.store()).reflection(ACME, "ref-ours")
            return row.failed if row else -1

        assert self.http.portal is not None
        return self.http.portal.call(read)


async def lessons(store: Store) -> None:
    for scope, name in ((ACME, "ours"), (RIVAL, "theirs")):
        row = learned(name, scope=scope, lesson=f"This lesson is {name}.")
        await store.record(scope, met(row, name))


@pytest.fixture
def team(tmp_path: Path) -> Iterator[Team]:
    one = Team(tmp_path, Exposure(auth="tokens", dashboard=True))

    async def fill() -> None:
        await lessons(await one.house.application.store())

    with one.http:
        assert one.http.portal is not None
        one.http.portal.call(fill)
        yield one
        one.http.portal.call(one.house.application.close)


@requirement("team:who-said-it")
def test_a_lesson_names_its_person_to_the_others(team: Team) -> None:
    async def said() -> None:
        row = learned("spoken", scope=ACME)
        store = await team.house.application.store()
        await store.record(ACME, met(row, "spoken", by="ann/editor"))

    assert team.http.portal is not None
    team.http.portal.call(said)
    for name, told in (("ann", 0), ("rob", 1)):
        team.log_in(name)
        page = team.get("/errors?project=shop")
        assert "ref-spoken" in page
        assert page.count("<small>by ann</small>") == told
        assert "by ann/editor" in team.get("/errors/ref-spoken?project=shop")


@pytest.fixture
def own(team: Team) -> Team:
    """The team, in which ann and rob keep lessons to themselves."""

    async def kept() -> None:
        store = await team.house.application.store()
        for person in ("ann", "rob"):
            scope = ACME.of(person)
            for name in (person, f"{person}-two"):
                row = learned(name, scope=scope, lesson=f"This lesson is {person}'s own.")
                await store.record(scope, met(row, name, by=f"{person}/editor"))

    assert team.http.portal is not None
    team.http.portal.call(kept)
    return team


@requirement("team:own-lessons")
def test_everybody_sees_what_is_their_own_and_not_that_others_have_anything(own: Team) -> None:
    for name, other in (("ann", "rob"), ("rob", "ann")):
        own.log_in(name)
        scope = own.get("/scope?project=shop")
        assert f"shop@{name}" in scope and f"@{other}" not in scope
        assert f"project=shop%40{name}" in own.get("/review?project=shop")
        pages = ("/", "/errors", "/review", "/unresolved", "/answers", "/scope")
        for project in ("shop", f"shop%40{name}"):
            text = "".join(own.get(f"{page}?project={project}") for page in pages)
            assert f"@{other}" not in text and f"{other}&#39;s own" not in text
        assert f"{name}&#39;s own" in own.get(f"/errors?project=shop%40{name}")
        assert f"{name}&#39;s own" not in own.get("/errors?project=shop")
        own.get(f"/errors/ref-{other}?project=shop", 404)
        for page in pages:
            assert "another person&#39;s private place" in own.get(
                f"{page}?project=shop%40{other}", 400
            )
        own.http.cookies.clear()
    own.log_in("eve")
    assert "@" not in own.get("/scope?project=shop")
    assert "Your own lessons" not in own.get("/review?project=shop")


@requirement("team:shared-by-review")
def test_a_lesson_of_ones_own_is_shared_from_the_review(own: Team) -> None:
    own.log_in("ann")
    page = own.get("/review?project=shop%40ann")
    assert "Only ann sees it" in page
    assert "Share with the project" in page and "Share with the tenant" in page
    assert "Your own lessons" not in page, "they are open"
    back = "/dashboard/review?project=shop%40ann"
    where = own.post("/review/ref-ann/project", project="shop@ann", back=back)
    told = own.get(where.removeprefix("/dashboard"))
    assert "”: shared with the project shop" in told and "Undo" not in told
    several = own.post("/review", project="shop@ann", id="ref-ann-two", action="tenant", back=back)
    assert "1 of 1 done" in own.get(several.removeprefix("/dashboard"))
    own.http.cookies.clear()
    own.log_in("rob")
    for name in ("ref-ann", "ref-ann-two"):
        assert "ann&#39;s own" in own.get(f"/errors/{name}?project=shop")
    assert "Share with" not in own.get("/review?project=shop%40rob"), "he only reads"
    own.post("/review/ref-rob/project", 403, project="shop@rob")


@requirement("team:own-lessons")
def test_a_form_cannot_name_what_is_anothers_own(own: Team) -> None:
    own.log_in("ann")
    for path in ("/review/ref-rob/project", "/errors/ref-rob/forget", "/errors/ref-rob/verdict"):
        assert "another person" in own.post(path, 400, project="shop@rob", kind="positive")
        own.post(path, 404, typed="ref-rob", kind="positive")


@requirement("dashboard:team")
def test_who_is_not_logged_in_is_asked_for_a_token_and_sees_nothing(team: Team) -> None:
    for path in ("/", "/errors?project=shop", "/errors/ref-ours", "/scope", "/nowhere"):
        assert team.get(path, 303) == "/dashboard/login"
    assert 'name="access" type="password"' in team.get("/login")
    assert team.http.get("/dashboard").headers["location"].endswith("/dashboard/")
    assert "--ink" in team.get("/static/dashboard.css")


@requirement("dashboard:team")
def test_a_token_is_pasted_once_and_never_goes_back_to_the_browser(team: Team) -> None:
    cookie = team.log_in("ann")
    assert "httponly; path=/dashboard/; samesite=strict" in cookie.casefold()
    assert team.house.tokens["ann"] not in cookie
    page = team.get("/errors?project=shop")
    assert "This lesson is ours." in page and "Log ann out" in page
    assert team.house.tokens["ann"] not in page


@requirement("dashboard:team")
def test_a_wrong_token_opens_nothing(team: Team) -> None:
    for wrong in ("", "rmt_wrong", "é"):
        assert "wrong or has expired" in team.log_in(wrong, 401)
    team.get("/", 303)


@requirement("dashboard:team")
def test_the_tenant_is_that_of_the_token_whatever_is_asked_for(team: Team) -> None:
    team.log_in("ann")
    for path in ("/errors?project=shop", "/errors?project=shop&tenant=rival", "/scope"):
        assert "theirs" not in team.get(path)
    assert "no lesson with this id" in team.get("/errors/ref-theirs?project=shop", 404)
    team.post("/errors/ref-theirs/retire", 404)
    team.http.cookies.clear()
    team.log_in("eve")
    assert "This lesson is theirs." in team.get("/errors?project=shop")


@requirement("dashboard:team")
def test_what_a_writer_says_is_stored_under_the_name_of_the_token(team: Team) -> None:
    team.log_in("ann")
    back = "/dashboard/errors/ref-ours?project=shop"
    where = team.post("/errors/ref-ours/verdict", kind="negative", back=back)
    assert where.startswith(f"{back}&done=")
    page = team.get(where.removeprefix("/dashboard"))
    assert "helped 0, failed 1" in page
    assert "vote: failed <small>by ann</small>" in page
    assert team.failed() == 1


@requirement("dashboard:team")
def test_a_reader_sees_no_button_and_cannot_act(team: Team) -> None:
    team.log_in("rob")
    page = team.get("/errors/ref-ours?project=shop")
    assert "It failed" not in page
    assert "this dashboard changes nothing" in team.post(
        "/errors/ref-ours/verdict", 403, kind="negative"
    )
    assert team.failed() == 0


@requirement("dashboard:team")
def test_a_token_that_is_revoked_opens_nothing_from_then_on(team: Team) -> None:
    team.log_in("ann")
    team.get("/")
    team.house.file.revoke("ann")
    answer = team.http.post("/dashboard/errors/ref-ours/retire", headers=OURS)
    assert (answer.status_code, team.failed()) == (401, 0)
    assert team.get("/", 303) == "/dashboard/login"


def test_who_logs_out_is_asked_again(team: Team) -> None:
    team.log_in("ann")
    assert team.post("/logout") == "/dashboard/login"
    team.get("/", 303)


@requirement("dashboard:team")
def test_a_form_of_another_site_or_without_the_token_of_the_session_changes_nothing(
    team: Team,
) -> None:
    team.log_in("ann")
    for path in ("login", "logout", "errors/ref-ours/retire"):
        for headers in ({}, {"sec-fetch-site": "cross-site"}, {"origin": "https://evil.example"}):
            answer = team.http.post(f"/dashboard/{path}", headers=headers)
            assert answer.status_code == 403, (path, headers)
    for path in ("logout", "errors/ref-ours/retire"):
        answer = team.http.post(f"/dashboard/{path}", data={"token": "x"}, headers=OURS)
        assert answer.status_code == 403
    team.get("/")


def test_another_name_of_the_host_is_refused(team: Team) -> None:
    answer = team.http.get("/dashboard/login", headers={"host": "evil.example"})
    assert answer.status_code == 421


def test_the_settings_and_the_place_of_the_store_are_not_shown(team: Team) -> None:
    team.log_in("eve")
    page = team.get("/scope")
    assert "Current settings" not in page and "store.db" not in page
    assert "last visit" not in team.get("/")


def test_the_cookie_is_for_https_where_the_server_is(tmp_path: Path) -> None:
    exposure = Exposure(
        auth="tokens", dashboard=True, public_url="https://memory.example.com", behind_proxy=True
    )
    team = Team(tmp_path, exposure)
    headers = {"sec-fetch-site": "same-origin", "origin": "https://memory.example.com"}
    with team.http:
        answer = team.http.post(
            "/dashboard/login", data={"access": team.house.tokens["ann"]}, headers=headers
        )
        assert "secure" in answer.headers["set-cookie"].casefold()


def test_without_the_flag_there_is_no_dashboard(tmp_path: Path) -> None:
    team = Team(tmp_path, Exposure(auth="tokens"))
    with team.http:
        assert team.http.get("/dashboard/").status_code == 404


def test_whoever_has_no_session_cannot_keep_others_from_logging_in(team: Team) -> None:
    for _ in range(100):
        assert team.http.put("/dashboard/", headers=OURS).status_code == 401
    team.log_in("ann")
