"""The login of a team's dashboard: a person pastes a token once.

Rules of this module: the token stays in the memory of the server and never goes back to a browser,
which gets a cookie that means nothing elsewhere. The token is checked again with every request, so
that one that was revoked or has expired opens nothing any more. What one guest does is counted as
that guest's: nobody can use up the logins or the requests of the others.
"""

import math
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp

from reflection_mcp.server.dashboard.door import (
    TurnedAway,
    check_origin,
    form_of,
    form_with,
    guarded,
    signed,
)

COOKIE = "reflection-dashboard"
MOST_SESSIONS = 20
"""Browsers in which one guest is logged in, the latest ones."""


class Guest(Protocol):
    """The person that a token stands for."""

    @property
    def name(self) -> str:
        """Its name."""
        ...


class _Session(NamedTuple):
    """A browser with a token, and whose it is."""

    token: str
    guest: str


@dataclass(kw_only=True)
class LoginDoor:
    """The door; `origins` are those of our own pages, `check` says whom a token stands for.

    `page` shows the form in which a token is pasted, with a line that says what was wrong. `wait`
    gives the seconds until a guest may ask again, and counts a request if that is now.
    """

    origins: tuple[str, ...]
    check: Callable[[str], Awaitable[Guest | None]]
    page: Callable[[Request, str], Response]
    wait: Callable[[str], float]
    _key: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    _sessions: dict[str, _Session] = field(default_factory=dict[str, _Session])

    def guarding(self, pages: ASGIApp) -> ASGIApp:
        """Return the pages behind this door."""
        return guarded(pages, self._admitted)

    async def _admitted(self, request: Request) -> Response | None:
        """Let a request pass with its guest and form, or return what answers it here."""
        root: str = request.scope.get("root_path", "")
        path = request.url.path.removeprefix(root)
        name = request.cookies.get(COOKIE, "")
        session = self._sessions.get(name)
        acts = request.method not in ("GET", "HEAD")
        if acts:
            check_origin(request.headers, self.origins)
        if path == "/login":
            return await self._logged_in(request, root) if acts else self.page(request, "")
        if path.startswith("/static/") and not acts:
            return None
        guest = await self.check(session.token) if session else None
        if session is None or guest is None:
            self._sessions.pop(name, None)
            if acts:
                raise TurnedAway(401, "log in again; nothing was changed")
            return RedirectResponse(f"{root}/login", 303)
        self._count(guest)
        request.state.guest = guest
        request.state.token = signed(self._key, f"form {name}")
        if acts:
            request.state.form = await form_with(request, request.state.token)
        if path == "/logout" and acts:
            del self._sessions[name]
            return RedirectResponse(f"{root}/login", 303)
        return None

    async def _logged_in(self, request: Request, root: str) -> Response:
        """Exchange a token for a cookie."""
        token = (await form_of(request)).get("access", [""])[0].strip()
        guest = await self.check(token) if token else None
        if guest is None:
            # Not counted: one could lock the others out, and a token is too long to guess.
            answer = self.page(request, "This token is wrong or has expired.")
            answer.status_code = 401
            return answer
        self._count(guest)
        name = secrets.token_urlsafe(32)
        self._sessions[name] = _Session(token, guest.name)
        own = [each for each, session in self._sessions.items() if session.guest == guest.name]
        for each in own[:-MOST_SESSIONS]:
            del self._sessions[each]
        moved = RedirectResponse(f"{root}/", 303)
        moved.set_cookie(
            COOKIE,
            name,
            path=f"{root}/",
            httponly=True,
            samesite="strict",
            secure=request.url.scheme == "https" or self.origins[0].startswith("https:"),
        )
        return moved

    def _count(self, guest: Guest) -> None:
        """Count a request of a guest, or refuse it."""
        if seconds := self.wait(guest.name):
            refused = TurnedAway(429, "too many requests; wait, then try again")
            refused.answer.headers["retry-after"] = str(math.ceil(seconds))
            raise refused
