"""Who may see a page of the dashboard, and who may act: checked before any page is made.

Rules of this module: whoever was not given a ticket sees nothing. A ticket is signed with a key
that only this user can read, is good once and for a minute, and is exchanged for a cookie that
lives in memory. What changes something has to come from one of our own pages: a browser says so in
`Sec-Fetch-Site` or `Origin`, and the form carries a token. Every answer forbids what no page needs.
"""

import hashlib
import hmac
import secrets
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from time import time
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

TICKET_SECONDS = 60
MOST_SESSIONS = 32
BODY_BYTES = 64 * 1024
MOST_FIELDS = 500
POSTS_A_SECOND = 20
HEADERS = {
    "content-security-policy": "default-src 'none'; style-src 'self'; script-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; "
    "base-uri 'none'",
    "x-content-type-options": "nosniff",
    # With `no-referrer` Chromium 156 sends `Origin: null` even with a form of our own.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
# A cookie with SameSite=Strict is not sent by a redirect that another site's link led to, but it is
# by a page of our own that goes on by itself (seen in Chromium 156).
OPENED = (
    '<!doctype html><html lang="en"><title>Reflection</title><link rel="icon" href="data:,">'
    '<meta http-equiv="refresh" content="0;url=/">'
    '<p>Reading the store. <a href="/">Open the dashboard</a>'
)
NO_SESSION = (
    "This page needs the address that `reflection-mcp dashboard` prints. The address "
    "works once, within a minute. Run the command again for a new one."
)

Form = Mapping[str, list[str]]
Seconds = Callable[[], float]


class TurnedAway(Exception):
    """A request that is not served, with the status and the reason."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.answer = PlainTextResponse(f"{why}\n", status)


# --------------------------------------------------------------------------- tickets


def new_ticket(key: bytes, now: float) -> str:
    """Return a ticket that is good once, until a minute from now (seconds since 1970)."""
    body = f"{int(now) + TICKET_SECONDS}.{secrets.token_urlsafe(16)}"
    return f"{body}.{signed(key, body)}"


def signed(key: bytes, text: str) -> str:
    """Return the proof that whoever wrote this text has the key: 256 bits in hexadecimal."""
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()


# --------------------------------------------------------------------------- the door


class PostRate:
    """How often somebody acts: `POSTS_A_SECOND` at most."""

    def __init__(self) -> None:
        self._posts = deque[float](maxlen=POSTS_A_SECOND)

    def count(self, now: float) -> None:
        """Count an action, or refuse it."""
        if len(self._posts) == POSTS_A_SECOND and now - self._posts[0] < 1:
            raise TurnedAway(429, "too many actions in one second; try again")
        self._posts.append(now)


@dataclass(kw_only=True)
class TicketDoor:
    """The door of a dashboard that one user of this machine has started for themselves.

    `key` signs the tickets; `clock` gives seconds since 1970.
    """

    port: int
    key: bytes
    clock: Seconds = time
    _sessions: dict[str, None] = field(default_factory=dict[str, None])
    _used: dict[str, int] = field(default_factory=dict[str, int])
    _rate: PostRate = field(default_factory=PostRate)

    @property
    def cookie(self) -> str:
        """The name of the cookie: the ports of a machine share their cookies."""
        return f"reflection-{self.port}"

    @property
    def hosts(self) -> tuple[str, ...]:
        """What a browser may call this address; any other name was made to lead here."""
        return tuple(f"{name}:{self.port}" for name in ("127.0.0.1", "[::1]", "localhost"))

    def guarding(self, pages: ASGIApp) -> ASGIApp:
        """Return the pages behind this door."""
        return guarded(pages, self._admitted)

    async def _admitted(self, request: Request) -> Response | None:
        """Let a request pass with its form, or return what answers it here."""
        if request.headers.get("host") not in self.hosts:
            raise TurnedAway(421, "this address is not served under that name")
        path = request.url.path
        if path == "/hello":
            # Only who has the key can answer this, so a second start knows us from a stranger.
            return PlainTextResponse(signed(self.key, f"hello {request.url.query[:80]}"))
        session = request.cookies.get(self.cookie, "")
        if path == "/open":
            return self._opened(request.query_params.get("ticket", ""), session)
        if session not in self._sessions:
            raise TurnedAway(401, NO_SESSION)
        token = signed(self.key, f"form {session}")
        request.state.token = token
        if request.method not in ("GET", "HEAD"):
            self._rate.count(self.clock())
            check_origin(request.headers, tuple(f"http://{host}" for host in self.hosts))
            request.state.form = await form_with(request, token)
        return None

    def _opened(self, ticket: str, session: str) -> Response:
        """Exchange a ticket for a cookie; a browser that has one keeps it, with its open forms."""
        body, _, proof = ticket.rpartition(".")
        until, now = body.partition(".")[0], self.clock()
        good = hmac.compare_digest(proof.encode(), signed(self.key, body).encode())
        if not good or int(until) < now or body in self._used:
            raise TurnedAway(401, NO_SESSION)
        self._used = {each: end for each, end in self._used.items() if end >= now}
        self._used[body] = int(until)
        if session not in self._sessions:
            session = secrets.token_urlsafe(32)
        self._sessions[session] = None
        if len(self._sessions) > MOST_SESSIONS:
            del self._sessions[next(iter(self._sessions))]
        answer = HTMLResponse(OPENED)
        answer.set_cookie(self.cookie, session, path="/", httponly=True, samesite="strict")
        return answer


def guarded(pages: ASGIApp, admit: Callable[[Request], Awaitable[Response | None]]) -> ASGIApp:
    """Return pages that only those requests reach which are admitted; `admit` may answer one."""

    async def answered(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await pages(scope, receive, send)
            return
        try:
            answer = await admit(Request(scope, receive)) or pages
        except TurnedAway as refused:
            answer = refused.answer
        await answer(scope, receive, with_headers(send))

    return answered


def with_headers(send: Send) -> Send:
    """Return a `send` that adds the headers of every answer."""

    async def adding(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
        await send(message)

    return adding


def check_origin(headers: Headers, own: tuple[str, ...]) -> None:
    """Check that a request comes from a page of ours.

    A browser that is too old to send `Sec-Fetch-Site` sends an `Origin` with each form.
    """
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    ours = site == "same-origin" if site is not None else origin in own
    if not ours or origin not in (None, *own):
        raise TurnedAway(403, "this did not come from a page of the dashboard")


async def form_with(request: Request, token: str) -> Form:
    """Return the fields of a form that carries the token."""
    form = await form_of(request)
    if not hmac.compare_digest(form.pop("token", [""])[0].encode(), token.encode()):
        raise TurnedAway(403, "the form belongs to another session; open the page again")
    return form


async def form_of(request: Request) -> dict[str, list[str]]:
    """Return the fields of a form."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > BODY_BYTES:
            raise TurnedAway(413, f"at most {BODY_BYTES:,} bytes are accepted")
    try:
        return parse_qs(
            body.decode(), keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS
        )
    except ValueError:
        raise TurnedAway(400, "the form cannot be read") from None
