"""Who is not let in, and what no answer allows: the rules of the door, each tried."""

from datetime import timedelta

from reflection_mcp.server.dashboard.door import (
    BODY_BYTES,
    HEADERS,
    MOST_SESSIONS,
    POSTS_A_SECOND,
    TICKET_SECONDS,
    new_ticket,
    signed,
)
from tests.dashboard.conftest import KEY, NOON, OWN, PORT, Visitor
from tests.requirements import requirement

EVERY_PAGE = ("/", "/errors", "/errors/ref-lock", "/review", "/unresolved", "/answers", "/scope")
ACTIONS = (
    "/errors/ref-lock/verdict", "/errors/ref-lock/edit", "/errors/ref-lock/retire",
    "/errors/ref-lock/restore", "/errors/ref-lock/forget", "/review", "/review/ref-deps/confirm",
    "/review/ref-deps/reject", "/review/ref-always/merge", "/unresolved/sig2:1/lesson", "/undo/x",
)  # fmt: skip
OURS = {"sec-fetch-site": "same-origin", "origin": OWN}


def whole(visitor: Visitor) -> object:
    """Everything that an action could change."""

    async def read() -> object:
        services = await visitor.application.services()
        store, scope = services.store, services.scope
        return (
            await store.stored(scope),
            await store.votes(scope),
            await store.attempts(scope, limit=99),
            await store.lookups(scope, limit=99),
        )

    return visitor.ask(read)


# --------------------------------------------------------------------- tickets and cookies


@requirement("dashboard:closed")
def test_nobody_sees_anything_without_the_cookie(visitor: Visitor) -> None:
    visitor.http.cookies.clear()
    for path in (*EVERY_PAGE, "/static/dashboard.css", "/nowhere"):
        assert "reflection-mcp dashboard" in visitor.get(path, 401)


@requirement("dashboard:closed")
def test_nobody_acts_without_the_cookie(visitor: Visitor) -> None:
    fields, before = {"token": visitor.token(), "kind": "negative"}, whole(visitor)
    visitor.http.cookies.clear()
    answers = [visitor.http.post(path, data=fields, headers=OURS) for path in ACTIONS]
    assert {answer.status_code for answer in answers} == {401}
    assert whole(visitor) == before


@requirement("dashboard:closed")
def test_a_ticket_is_good_once(visitor: Visitor) -> None:
    ticket = new_ticket(KEY, NOON.timestamp())
    visitor.http.cookies.clear()
    visitor.get(f"/open?ticket={ticket}")
    visitor.http.cookies.clear()
    visitor.get(f"/open?ticket={ticket}", 401)
    visitor.get("/", 401)


@requirement("dashboard:closed")
def test_a_ticket_is_good_for_a_minute(visitor: Visitor) -> None:
    visitor.http.cookies.clear()
    first, second = (new_ticket(KEY, NOON.timestamp()) for _ in range(2))
    visitor.clock[0] = NOON + timedelta(seconds=TICKET_SECONDS)
    visitor.get(f"/open?ticket={first}")
    visitor.clock[0] += timedelta(seconds=1)
    visitor.get(f"/open?ticket={second}", 401)


def test_what_was_used_is_forgotten_once_it_is_too_old_anyway(visitor: Visitor) -> None:
    visitor.clock[0] += timedelta(seconds=TICKET_SECONDS + 1)
    visitor.get(f"/open?ticket={new_ticket(KEY, visitor.clock[0].timestamp())}")
    assert len(visitor.door._used) == 1  # pyright: ignore[reportPrivateUsage]


@requirement("dashboard:closed")
def test_what_is_no_ticket_opens_nothing(visitor: Visitor) -> None:
    visitor.http.cookies.clear()
    for query in ("", "ticket=", "ticket=x", "ticket=..", "ticket=%C3%A9.%C3%A9"):
        visitor.get(f"/open?{query}", 401)


@requirement("dashboard:closed")
def test_a_ticket_that_was_signed_with_another_key_opens_nothing(visitor: Visitor) -> None:
    visitor.http.cookies.clear()
    visitor.get(f"/open?ticket={new_ticket(b'x' * 32, NOON.timestamp())}", 401)


@requirement("dashboard:closed")
def test_opening_answers_with_a_page_and_no_redirect_and_sets_a_strict_cookie(
    visitor: Visitor,
) -> None:
    url = f"/open?ticket={new_ticket(KEY, NOON.timestamp())}"
    answer = visitor.http.get(url, follow_redirects=False)
    assert answer.status_code == 200
    assert '<meta http-equiv="refresh" content="0;url=/">' in answer.text
    assert "Reading the store. " in answer.text  # which stands there until the first page has come
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith(f"reflection-{PORT}=")
    told = {part.strip().casefold() for part in cookie.split(";")[1:]}
    assert told == {"httponly", "samesite=strict", "path=/"}


def test_a_browser_that_is_opened_again_keeps_its_cookie_and_its_open_forms(
    visitor: Visitor,
) -> None:
    before = visitor.token()
    visitor.get(f"/open?ticket={new_ticket(KEY, NOON.timestamp())}")
    assert visitor.token() == before


def test_the_cookie_of_another_port_is_no_cookie(visitor: Visitor) -> None:
    own = visitor.http.cookies[visitor.door.cookie]
    visitor.http.cookies.clear()
    visitor.http.cookies.set(f"reflection-{PORT + 1}", own)
    visitor.get("/", 401)


def test_only_so_many_browsers_are_logged_in_and_the_oldest_goes(visitor: Visitor) -> None:
    first = visitor.http.cookies[visitor.door.cookie]
    for _ in range(MOST_SESSIONS):
        visitor.http.cookies.clear()
        visitor.get(f"/open?ticket={new_ticket(KEY, NOON.timestamp())}")
    visitor.get("/")
    visitor.http.cookies.clear()
    visitor.http.cookies.set(visitor.door.cookie, first)
    visitor.get("/", 401)


def test_who_has_the_key_can_tell_this_dashboard_from_a_stranger(visitor: Visitor) -> None:
    visitor.http.cookies.clear()
    assert visitor.get("/hello?abc") == signed(KEY, "hello abc")


# --------------------------------------------------------------------- names of the host


@requirement("dashboard:closed")
def test_it_is_called_by_the_names_of_this_machine(visitor: Visitor) -> None:
    for name in ("127.0.0.1", "localhost", "[::1]"):
        visitor.get("/hello?x", host=f"{name}:{PORT}")


@requirement("dashboard:closed")
def test_any_other_name_was_made_to_lead_here_and_is_refused(visitor: Visitor) -> None:
    for host in ("evil.example", f"evil.example:{PORT}", "127.0.0.1", f"127.0.0.1:{PORT + 1}", ""):
        for path in ("/", "/open", "/hello?x"):
            visitor.get(path, 421, host=host)


# --------------------------------------------------------------------- forged posts


FORGED: tuple[dict[str, str], ...] = (
    {},
    {"sec-fetch-site": "cross-site", "origin": "https://evil.example"},
    {"sec-fetch-site": "same-site", "origin": f"http://127.0.0.1:{PORT + 1}"},
    {"sec-fetch-site": "none"},
    {"sec-fetch-site": "cross-site", "origin": OWN},
    {"sec-fetch-site": "same-origin", "origin": "https://evil.example"},
    {"sec-fetch-site": "same-origin", "origin": "null"},
    {"origin": "https://evil.example"},
    {"origin": "null"},
    {"origin": f"https://127.0.0.1:{PORT}"},
)


@requirement("dashboard:closed")
def test_a_post_that_is_not_from_a_page_of_ours_changes_nothing(visitor: Visitor) -> None:
    before = whole(visitor)
    fields = {"token": visitor.token(), "kind": "negative", "typed": "ref-lock", "id": "ref-deps"}
    for headers in FORGED:
        for path in ACTIONS:
            visitor.clock[0] += timedelta(seconds=1)
            answer = visitor.http.post(path, data=fields, headers=headers)
            assert answer.status_code == 403, (path, headers)
    assert whole(visitor) == before


@requirement("dashboard:closed")
def test_a_form_without_the_token_changes_nothing(visitor: Visitor) -> None:
    before = whole(visitor)
    for given in (None, "", "x", "é", "0" * 64):
        fields = {"kind": "negative", "typed": "ref-lock"}
        fields |= {} if given is None else {"token": given}
        for path in ACTIONS:
            visitor.clock[0] += timedelta(seconds=1)
            answer = visitor.http.post(path, data=fields, headers=OURS)
            assert answer.status_code == 403, (path, given)
    assert whole(visitor) == before


@requirement("dashboard:closed")
def test_the_token_of_another_session_is_refused(visitor: Visitor) -> None:
    other = visitor.token()
    visitor.http.cookies.clear()
    visitor.get(f"/open?ticket={new_ticket(KEY, NOON.timestamp())}")
    answer = visitor.http.post("/errors/ref-lock/retire", data={"token": other}, headers=OURS)
    assert answer.status_code == 403


def test_a_browser_too_old_to_say_where_a_form_is_from_says_its_origin(visitor: Visitor) -> None:
    answer = visitor.http.post(
        "/errors/ref-lock/retire",
        data={"token": visitor.token()},
        headers={"origin": OWN},
        follow_redirects=False,
    )
    assert answer.status_code == 303


@requirement("dashboard:closed")
def test_a_get_changes_nothing(visitor: Visitor) -> None:
    before = whole(visitor)
    for path in (*EVERY_PAGE, *ACTIONS):
        visitor.http.get(f"{path}?kind=negative&typed=ref-lock&token={visitor.token()}")
    assert whole(visitor) == before


def test_no_other_method_is_served(visitor: Visitor) -> None:
    fields = {"token": visitor.token()}
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS"):
        answer = visitor.http.request(method, "/errors", data=fields, headers=OURS)
        assert answer.status_code == 405


# --------------------------------------------------------------------- sizes and rates


def test_a_form_that_is_too_large_is_refused(visitor: Visitor) -> None:
    fields = {"token": visitor.token(), "lesson": "x" * BODY_BYTES}
    answer = visitor.http.post("/errors/ref-lock/edit", data=fields, headers=OURS)
    assert answer.status_code == 413


def test_a_form_that_cannot_be_read_is_refused(visitor: Visitor) -> None:
    for body in (b"token=%ff%fe", b"\xff\xfe=1", b"a=1&" * 600):
        answer = visitor.http.post("/errors/ref-lock/edit", content=body, headers=OURS)
        assert answer.status_code == 400


def test_a_second_has_room_for_so_many_posts(visitor: Visitor) -> None:
    def post() -> int:
        return visitor.http.post("/undo/x", data={"token": "x"}, headers=OURS).status_code

    assert [post() for _ in range(POSTS_A_SECOND + 1)] == [*[403] * POSTS_A_SECOND, 429]
    visitor.clock[0] += timedelta(seconds=1)
    assert post() == 403


# --------------------------------------------------------------------- headers


@requirement("dashboard:closed")
def test_every_answer_forbids_what_no_page_needs(visitor: Visitor) -> None:
    others = ("/open", "/hello?x", "/nowhere", "/static/dashboard.js", "/errors/none")
    for path in (*EVERY_PAGE, *others):
        answer = visitor.http.get(path)
        assert {name: answer.headers[name] for name in HEADERS} == HEADERS
    assert "'unsafe" not in HEADERS["content-security-policy"]


def test_a_refusal_has_the_same_headers(visitor: Visitor) -> None:
    for answer in (
        visitor.http.get("/", headers={"host": "evil.example"}),
        visitor.http.post("/review", headers=OURS),
    ):
        assert answer.headers["content-security-policy"] == HEADERS["content-security-policy"]


def test_a_page_with_the_dashboard_in_a_frame_of_another_site_stays_empty() -> None:
    assert "frame-ancestors 'none'" in HEADERS["content-security-policy"]
