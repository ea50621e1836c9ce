"""A server in a process of its own, and people with good tokens who mean harm.

ann and bob write in one tenant, rea reads there, eve is the admin of another. Each of them knows
every id, name and token of a loop that ann was ever given.
"""

import base64
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import anyio.lowlevel
import httpx2
import pytest
from mcp import Client
from mcp_types import CreateMessageResult

from reflection_mcp.server.access import app, limits
from reflection_mcp.server.access.principal import Role
from reflection_mcp.server.access.token_file import TokenFile, principal_named
from reflection_mcp.server.dashboard import login
from reflection_mcp.server.mcp.calls import EVENT_ID
from reflection_mcp.server.mcp.visitor import Visitor, visitor
from reflection_mcp.server.transport import sessions
from tests.requirements import requirement
from tests.server.access.issuer import Issuer, issuing
from tests.server.access.serving import House, Mode, call, calling, each_era, refused, text_of
from tests.server.access.test_app import JSON, OLDER, a_call
from tests.server.access.test_listener import served
from tests.server.test_judges import theirs

pytestmark = [pytest.mark.anyio, pytest.mark.costly]

ERROR = "FluxError: the spindle of part 7 is not aligned"
TAUGHT = {
    "question": "Align the spindle",
    "answer": "Turned it by hand.",
    "error": ERROR,
    "outcome": "success",
    "lesson": "The spindle drifts when the hall is cold.",
    "strategy": "Heat the hall before the spindle is aligned.",
}
HELLO = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": OLDER,
        "capabilities": {},
        "clientInfo": {"name": "editor", "version": "1"},
    },
}
ASKED = {"question": "What is 2 + 2?", "draft": "2 + 2 = 5."}
KINDS = ("positive", "negative", "wrong_match", "forget")
PEOPLE: tuple[tuple[str, str, Role], ...] = (
    ("ann", "acme", "writer"),
    ("bob", "acme", "writer"),
    ("rea", "acme", "reader"),
    ("eve", "rival", "admin"),
)


@dataclass(kw_only=True)
class Server:
    """Where it listens, its file of tokens, and what ann was given."""

    url: str
    file: TokenFile
    tokens: dict[str, str]
    ids: dict[str, str]
    loop: str = ""

    @property
    def pages(self) -> str:
        return self.url.removesuffix("/mcp") + "/dashboard"

    def admitted(self, name: str, role: Role = "writer") -> str:
        """The token of somebody new."""
        return self.file.add(principal_named(name, "acme", role), None)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("team")
    file = TokenFile(folder / "tokens.toml")
    tokens = {
        name: file.add(principal_named(name, tenant, role), None) for name, tenant, role in PEOPLE
    }
    free = {"REFLECTION_REQUESTS_PER_SECOND": "0"}
    with served(folder, "--auth", "tokens", "--dashboard", settings=free) as (_, url):
        one = Server(url=url, file=file, tokens=tokens, ids={})

        async def fill() -> None:
            async with calling(url, tokens["ann"]) as ann:
                taught = await call(ann, "reflect", **TAUGHT)
                seen = await call(ann, "has_seen_error_before", error=ERROR)
                judged = await call(ann, "answer_with_reflection", **ASKED, conversation_id="sum")
                one.ids |= {
                    "attempt": taught["attempt_id"],
                    "lesson": taught["learned"][0]["id"],
                    "strategy": taught["learned"][1]["id"],
                    "look-up": seen["lookup_id"],
                    "draft": judged["attempt_id"],
                }
            one.loop = judged["loop"]

        anyio.run(fill)
        yield one


async def known_to_ann(server: Server) -> str:
    """All that ann can read of what is hers."""
    async with calling(server.url, server.tokens["ann"]) as ann:
        names = ("recent", "stats", *(server.ids[each] for each in ("attempt", "lesson", "draft")))
        return str([await ann.read_resource(f"reflections://{name}") for name in names])


# --------------------------------------------------------------------- others' records


@each_era
@requirement("access:tenant-of-token")
async def test_another_tenant_reaches_nothing_whose_id_it_knows(server: Server, mode: Mode) -> None:
    before = await known_to_ann(server)
    async with calling(server.url, server.tokens["eve"], mode) as eve:
        for name, id in server.ids.items():
            for kind in KINDS:
                said = await refused(eve, "record_feedback", feedback=kind, id=id)
                assert "has this id" in said, (name, kind)
            with pytest.raises(Exception, match="no such id"):
                await eve.read_resource(f"reflections://{id}")
        for conversation in ("sum", "ann/sum", "rival\0ann/sum"):
            said = await refused(
                eve, "record_feedback", feedback="negative", conversation_id=conversation
            )
            assert "nothing was judged" in said
        again = {**ASKED, "draft": "2 + 2 = 6.", "loop": server.loop}
        assert "loop token" in await refused(eve, "answer_with_reflection", **again)
        stray = {"query": "spindle", "tenant": "acme"}
        assert "tenant" in await refused(eve, "get_insights", **stray)
        for project in ("acme/global", "acme\0global", "../acme"):
            said = await refused(eve, "get_insights", query="spindle", project=project)
            assert "spindle drifts" not in said
        assert (await call(eve, "has_seen_error_before", error=ERROR))["verdict"] == "new"
    assert await known_to_ann(server) == before


@each_era
@requirement("access:own-answers")
async def test_a_colleague_cannot_judge_continue_or_take_over_what_is_anothers(
    server: Server, mode: Mode
) -> None:
    before = await known_to_ann(server)
    async with calling(server.url, server.tokens["bob"], mode) as bob:
        for name in ("attempt", "draft"):
            for kind in KINDS:
                said = await refused(bob, "record_feedback", feedback=kind, id=server.ids[name])
                assert said.startswith("this is the answer of another caller: ")
        again = {**ASKED, "draft": "2 + 2 = 6.", "loop": server.loop}
        said = await refused(bob, "answer_with_reflection", **again)
        assert "altered or made elsewhere" in said
        assert "nothing was judged" in await refused(bob, "record_feedback", feedback="negative")
    assert await known_to_ann(server) == before


@requirement("access:own-answers")
async def test_the_event_of_one_principal_is_not_that_of_another(server: Server) -> None:
    ids: list[str] = []
    meta: Any = {EVENT_ID: "run-1"}
    for name in ("bob", "ann", "ann"):
        async with calling(server.url, server.tokens[name], name=f"job of {name}") as client:
            told = await client.call_tool(
                "reflect",
                {"question": "Count", "answer": f"1 + 1 = 2, says {name}."},
                meta=meta,
            )
            assert not told.is_error, text_of(told)
            assert told.structured_content is not None
            ids.append(told.structured_content["attempt_id"])
    assert ids[0] != ids[1] == ids[2]


# --------------------------------------------------------------------- readers


@each_era
@requirement("access:reader")
async def test_a_reader_changes_nothing_by_a_tool_or_a_page(server: Server, mode: Mode) -> None:
    before = await known_to_ann(server)
    async with calling(server.url, server.tokens["rea"], mode) as rea:
        for tool, arguments in (
            ("reflect", TAUGHT),
            ("answer_with_reflection", {**ASKED, "loop": server.loop}),
            ("record_feedback", {"feedback": "forget", "id": server.ids["lesson"]}),
        ):
            assert (await refused(rea, tool, **arguments)).startswith("insufficient_scope")
    own = {"origin": server.url.removesuffix("/mcp"), "sec-fetch-site": "same-origin"}
    async with httpx2.AsyncClient(headers=own, timeout=60) as browser:
        form = {"access": server.tokens["rea"]}
        assert (await browser.post(f"{server.pages}/login", data=form)).status_code == 303
        page = (await browser.get(f"{server.pages}/review")).text
        found = re.search(r'name="token" value="(\w+)"', page)
        assert found
        lesson = server.ids["lesson"]
        fields = {"token": found[1], "project": "global", "kind": "negative", "typed": lesson,
                  "lesson": "x", "id": lesson, "action": "reject"}  # fmt: skip
        for path in (
            *(f"errors/{lesson}/{act}" for act in ("verdict", "edit", "retire", "forget")),
            "review",
            f"review/{lesson}/reject",
            "unresolved/sig1:0/lesson",
            "undo/x",
        ):
            answer = await browser.post(f"{server.pages}/{path}", data=fields)
            assert answer.status_code == 403, path
            assert "you may only read" in answer.text
    assert await known_to_ann(server) == before


@each_era
@requirement("access:reader")
async def test_a_reader_is_told_no_step_that_it_may_not_take(server: Server, mode: Mode) -> None:
    async with calling(server.url, server.tokens["rea"], mode) as rea:
        for error, step in ((ERROR, "try it"), ("FileNotFoundError: no such jig", "")):
            found = await call(rea, "has_seen_error_before", error=error)
            assert (found.get("next", ""), found.get("lookup_id", "")) == (step, "")
        found = await call(rea, "has_seen_error_before", error=ERROR, response_format="detailed")
        assert found["next"] == "try it"
        assert found["lookup_id"].startswith("look-")


# --------------------------------------------------------------------- tokens that are over


@each_era
@requirement("access:no-token")
async def test_a_token_that_is_over_ends_a_session_that_is_open(server: Server, mode: Mode) -> None:
    for how in ("revoked", "expired"):
        name = f"{how}-{mode}"
        token = server.admitted(name)
        async with calling(server.url, token, mode) as client:
            await call(client, "reflect", **TAUGHT)
            if how == "revoked":
                server.file.revoke(name)
            else:
                _expire(server.file.path, name)
            for tool, arguments in (("get_insights", {}), ("reflect", TAUGHT)):
                with pytest.raises(Exception, match="returned an error"):
                    await client.call_tool(tool, arguments)
            with pytest.raises(Exception, match="returned an error"):
                await client.read_resource("reflections://recent")


def _expire(path: Path, name: str) -> None:
    text = path.read_text()
    row = f'name = "{name}"'
    assert row in text
    path.write_text(text.replace(row, f"{row}\nexpires = 2020-01-01T00:00:00Z"))


# --------------------------------------------------------------------- using things up


@each_era
@requirement("access:hardened")
async def test_a_body_of_small_objects_is_given_up_before_it_is_read(
    server: Server, mode: Mode
) -> None:
    asked = a_call(mode, "get_insights", tags="HERE")
    own = {"authorization": f"Bearer {server.tokens['rea']}"}
    async with httpx2.AsyncClient(headers=own, timeout=60) as client:
        for inside, status in (("{}," * 1_300_000, 400), ('"é",', 200), ("[" * 2_000_000, 400)):
            body = asked["content"].replace('"HERE"', f"[{inside}{{}}]")
            answer = await client.post(server.url, **asked | {"content": body})
            assert answer.status_code == (status if mode == "auto" else 400)
            assert "Parse error" in answer.text or len(body) < 10_000
        text = json.dumps("one\n" * 900_000)
        body = (
            asked["content"].replace('"tags"', f'"query": {text}, "tags"').replace('"HERE"', "[]")
        )
        answer = await client.post(server.url, **asked | {"content": body})
        assert "Parse error" not in answer.text, "a long text is no structure"


@requirement("access:hardened")
async def test_one_principal_cannot_use_up_the_sessions_of_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "MOST", 3)
    house = House(tmp_path)
    async with house.open() as url, httpx2.AsyncClient() as client:
        eve, ann = (
            {**JSON, "authorization": f"Bearer {house.let_in(name)}"} for name in ("eve", "ann")
        )
        begun = [await client.post(url, json=HELLO, headers=eve) for _ in range(5)]
        assert [each.status_code for each in begun] == [200, 200, 200, 503, 503]
        assert (await client.post(url, json=HELLO, headers=ann)).status_code == 200
        ended = eve | {"mcp-session-id": begun[0].headers["mcp-session-id"]}
        assert (await client.delete(url, headers=ended)).status_code == 200
        assert (await client.post(url, json=HELLO, headers=eve)).status_code == 200


@requirement("access:hardened")
async def test_one_principal_cannot_hold_all_connections(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "MOST_OPEN", 2)
    house = House(tmp_path)
    async with house.open() as url, httpx2.AsyncClient(timeout=60) as client:
        eve, bob = (
            {**JSON, "authorization": f"Bearer {house.let_in(name)}"} for name in ("eve", "bob")
        )
        begun = [await client.post(url, json=HELLO, headers=eve) for _ in range(2)]
        first, second = (eve | {"mcp-session-id": each.headers["mcp-session-id"]} for each in begun)
        async with client.stream("GET", url, headers=first) as stream:
            assert stream.status_code == 200
            async with client.stream("GET", url, headers=second):
                full = await client.post(url, json=HELLO, headers=eve)
                assert (full.status_code, full.headers["retry-after"]) == (429, "1")
                assert (await client.post(url, json=HELLO, headers=bob)).status_code == 200
        with anyio.fail_after(60):
            while (await client.post(url, json=HELLO, headers=eve)).status_code == 429:
                await anyio.lowlevel.checkpoint()  # until the server has noticed the end


@requirement("access:hardened")
async def test_of_one_principal_only_some_calls_are_answered_at_once(tmp_path: Path) -> None:
    house, asked, go = House(tmp_path), list[str](), anyio.Event()

    async def slow(context: Any, params: Any) -> CreateMessageResult:
        asked.append(params.messages[0].role)
        await go.wait()
        return await theirs(context, params)

    async with (
        house.open() as url,
        calling(url, house.let_in("eve"), "legacy", model=slow) as eve,
        calling(url, house.let_in("bob")) as bob,
        anyio.create_task_group() as tasks,
    ):
        for number in range(limits.AT_ONCE + 3):
            long = {"question": f"Explain number {number}", "answer": "It is one of them, as told."}
            tasks.start_soon(eve.call_tool, "reflect", long)
        with anyio.fail_after(60):
            while len(asked) < limits.AT_ONCE:
                await anyio.lowlevel.checkpoint()
        await call(bob, "reflect", question="Count", answer="1 + 1 = 2.")
        await call(eve, "get_insights")
        assert len(asked) == limits.AT_ONCE
        go.set()
    assert len(asked) == limits.AT_ONCE + 3


@pytest.mark.anyio
async def test_look_ups_do_not_wait_for_what_a_judge_is_asked() -> None:
    line, heard = limits.Turns(), list[str]()
    go = anyio.Event()

    async def calls(tool: str) -> None:
        async with line.turn(tool):
            heard.append(tool)
            await go.wait()

    token = visitor.set(Visitor(principal="ann"))
    try:
        async with anyio.create_task_group() as tasks:
            for tool in ("reflect", "get_insights"):
                for _ in range(limits.AT_ONCE + 1):
                    tasks.start_soon(calls, tool)
            await anyio.wait_all_tasks_blocked()
            assert [heard.count(tool) for tool in ("reflect", "get_insights")] == [4, 4]
            go.set()
    finally:
        visitor.reset(token)
    assert len(heard) == 10


@pytest.mark.slow
@requirement("dashboard:team")
async def test_one_guest_that_logs_in_a_thousand_times_logs_nobody_else_out(
    server: Server,
) -> None:
    own = {"origin": server.url.removesuffix("/mcp"), "sec-fetch-site": "same-origin"}
    async with httpx2.AsyncClient(headers=own, timeout=60) as browser:
        await browser.post(f"{server.pages}/login", data={"access": server.tokens["ann"]})
        ann = dict(browser.cookies)
        first: dict[str, str] = {}
        for number in range(1_001):
            browser.cookies.clear()
            form = {"access": server.tokens["rea"]}
            answer = await browser.post(f"{server.pages}/login", data=form)
            assert answer.status_code == 303
            if number == 1_000 - login.MOST_SESSIONS:
                first = dict(browser.cookies)
        for cookies, status in ((dict(browser.cookies), 200), (ann, 200), (first, 303)):
            browser.cookies.clear()
            browser.cookies.update(cookies)
            assert (await browser.get(f"{server.pages}/")).status_code == status


@pytest.mark.slow
@requirement("dashboard:team")
async def test_pages_and_tools_are_counted_together_for_each_principal(tmp_path: Path) -> None:
    file = TokenFile(tmp_path / "tokens.toml")
    tokens = {who: file.add(principal_named(who, "acme", "reader"), None) for who in ("rea", "bob")}
    slow = {"REFLECTION_REQUESTS_PER_SECOND": "0.01", "REFLECTION_REQUEST_BURST": "4"}
    with served(tmp_path, "--auth", "tokens", "--dashboard", settings=slow) as (_, url):
        base = url.removesuffix("/mcp")
        own = {"origin": base, "sec-fetch-site": "same-origin"}
        async with httpx2.AsyncClient(headers=own, timeout=60) as browser:
            form = {"access": tokens["rea"]}
            told = [(await browser.post(f"{base}/dashboard/login", data=form)).status_code]
            told += [(await browser.get(f"{base}/dashboard/")).status_code for _ in range(3)]
            slowed = await browser.get(f"{base}/dashboard/")
            assert (told, slowed.status_code) == ([303, 200, 200, 200], 429)
            assert 90 < int(slowed.headers["retry-after"]) <= 100
            assert (await browser.post(f"{base}/dashboard/login", data=form)).status_code == 429
            asked = a_call("auto")
            asked["headers"] |= {"authorization": f"Bearer {tokens['rea']}"}
            assert (await browser.post(url, **asked)).status_code == 429
            asked["headers"] |= {"authorization": f"Bearer {tokens['bob']}"}
            assert (await browser.post(url, **asked)).status_code == 200


# --------------------------------------------------------------------- tokens of an issuer


@pytest.fixture(scope="module")
def issuer() -> Iterator[Issuer]:
    with issuing() as one:
        yield one


@pytest.fixture(scope="module")
def resource(issuer: Issuer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    settings = {
        "REFLECTION_OAUTH_ISSUER": issuer.url,
        "REFLECTION_OAUTH_JWKS_URL": f"{issuer.url}/jwks",
        "REFLECTION_OAUTH_TENANT_CLAIM": "org",
    }
    folder = tmp_path_factory.mktemp("oauth")
    with served(folder, "--auth", "oauth", settings=settings) as (_, url):
        yield url


@each_era
@requirement("access:no-token")
async def test_a_token_of_the_issuer_that_is_not_for_this_server_calls_nothing(
    issuer: Issuer, resource: str, mode: Mode
) -> None:
    good = issuer.token(aud=resource, org="acme")
    head, body, signature = good.split(".")

    def encoded(value: object) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()

    claims = json.loads(base64.urlsafe_b64decode(body + "=="))
    with issuing() as stranger:
        foreign = stranger.token(iss=issuer.url, aud=resource, org="acme")
        elsewhere = stranger.token(aud=resource, org="acme")
    wrong = {
        "audience": issuer.token(aud="https://other.example/mcp", org="acme"),
        "audience of the site": issuer.token(aud=resource.removesuffix("/mcp"), org="acme"),
        "no audience": issuer.token(aud=None, org="acme"),
        "issuer": issuer.token(aud=resource, org="acme", iss="https://other.example"),
        "another issuer's": elsewhere,
        "signed by another": foreign,
        "unsigned": f"{encoded({'alg': 'none', 'typ': 'JWT', 'kid': 'first'})}.{body}.",
        "no signature": f"{head}.{body}.",
        "another tenant's claims": f"{head}.{encoded(claims | {'org': 'rival'})}.{signature}",
        "no tenant": issuer.token(aud=resource),
        "expired": issuer.token(aud=resource, org="acme", exp=1_600_000_000),
    }
    async with httpx2.AsyncClient(timeout=60) as client:
        for what, token in wrong.items():
            asked = a_call(mode)
            asked["headers"] |= {"authorization": f"Bearer {token}"}
            assert (await client.post(resource, **asked)).status_code == 401, what
    async with calling(resource, good, mode) as ann:
        await call(ann, "reflect", **TAUGHT)
        assert await _lessons(ann) == 1
    async with calling(resource, issuer.token(aud=resource, org="rival"), mode) as eve:
        assert await _lessons(eve) == 0


async def _lessons(client: Client) -> int:
    return len((await call(client, "get_insights", query="the spindle drifts")).get("lessons", ()))
