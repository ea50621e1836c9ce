"""The routes of the dashboard: each reads a view and renders it, or acts and leads back.

Rules of this module: a GET changes nothing. A POST is answered by a redirect to the page it came
from, which says in a line what was done. Trouble that was foreseen is a page that says what to do.
"""

import hashlib
import re
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote, urlencode

from anyio import to_thread
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from reflection_mcp.server.dashboard import actions, overview, sample, views
from reflection_mcp.server.dashboard.deeds import Deed, Deeds
from reflection_mcp.server.dashboard.door import Form
from reflection_mcp.server.dashboard.own_places import own_place, places
from reflection_mcp.server.dashboard.period import USUAL
from reflection_mcp.server.settings.settings import Settings
from reflection_mcp.server.wording import counted, times
from reflection_mcp.store.errors import StoreBusy, StoreError
from reflection_mcp.store.person import another_than
from reflection_mcp.tools.errors import NotFound, ReflectionError
from reflection_mcp.tools.learning.review_queue import items_among, rows_to_review
from reflection_mcp.tools.learning.track_record import summary
from reflection_mcp.tools.manual_lesson import LessonDraft, draft_of
from reflection_mcp.tools.ports import Services
from reflection_mcp.tools.untrusted import in_one_line, presentable, visible

HERE = Path(__file__).parent
CUT = 4_000  # characters of a text, unless all of it is asked for
FRESH = timedelta(minutes=1)
STATIC = "/static"

Act = Callable[[Services, str, Form], Awaitable[Deed]]
ACTS: Mapping[str, Act] = {
    "verdict": actions.give_verdict,
    "edit": actions.edit,
    "retire": actions.retire,
    "restore": actions.restore,
    "forget": actions.forget,
}


def _pages() -> Environment:
    pages = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        finalize=_seen_by_a_reader,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters = cast("dict[str, object]", pages.filters)
    filters |= {
        "short": _short,
        "whole": presentable,
        "day": "{:%Y-%m-%d}".format,
        "minute": "{:%Y-%m-%d %H:%M} UTC".format,
        "segment": _segment,
        "summary": summary,
        "times": times,
        "counted": counted,
        "seen": actions.seen,
        "draft": draft_of,
        "masked": _masked,
        "capitalized": _capitalized,
        "unless_read_by": _unless_read_by,
    }
    for module, names in (
        (views, ("PERIODS", "MOST_ATTEMPTS")),
        (sample, ("SAMPLE", "MOST_RANKED")),
        (overview, ("MOST_LOOKUPS",)),
    ):
        pages.globals.update({name: getattr(module, name) for name in names})
    return pages


def _unless_read_by(source: str, reader: str) -> str:
    """Return the person behind a source, unless it is the one who reads."""
    return another_than(reader, source)


def _seen_by_a_reader(value: object) -> object:
    """Return what is put into a page, a text without what only a machine reads."""
    return visible(value) if type(value) is str else value


def _short(text: str, most: int = 140) -> str:
    """Return the beginning of a text in one line."""
    return in_one_line(presentable(text, most))


def _capitalized(text: str) -> str:
    """Return a text as the beginning of a sentence; what follows keeps its letters."""
    return f"{text[:1].upper()}{text[1:]}"


def _segment(text: str) -> str:
    """Return a text as one part of a path."""
    return quote(text, safe="")


def _masked(line: str) -> list[tuple[bool, str]]:
    """Return a line of a pattern in parts, and whether each stands for what differs."""
    return [(part.startswith("<"), part) for part in re.split(r"(<[^<>]{0,40}>)", line) if part]


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """One request: on whose behalf, of which project and days, and whether it may change things."""

    request: Request
    services: Services
    days: int
    may_act: bool

    @property
    def root(self) -> str:
        """The path under which the dashboard is served; empty where it has the address alone."""
        path: str = self.request.scope.get("root_path", "")
        return path.removesuffix(STATIC)  # under which a file that is not there was asked for

    @property
    def here(self) -> str:
        """The path and query to come back to: of this page, or of the one that the form was on."""
        if self.request.method == "POST":
            return _safe_path(self.root, actions.one(self.request.state.form, "back"))
        asked = [
            (name, value)
            for name, value in self.request.query_params.multi_items()
            if name != "done"
        ]
        path = self.request.url.path
        return f"{path}?{urlencode(asked)}" if asked else path

    def link(self, path: str, **changes: object) -> str:
        """Return a link to another page, of the same project and days unless they are changed."""
        asked: dict[str, object] = {
            name: value
            for name in ("project", "period")
            if (value := self.request.query_params.get(name))
        }
        asked = {name: value for name, value in (asked | changes).items() if value}
        return f"{self.root}{path}" + (f"?{urlencode(asked)}" if asked else "")


@dataclass(kw_only=True)
class Dashboard:
    """The pages over one store.

    `visitor` gives the services of whoever asks, for a project or their own, and whether they may
    change anything. Only who is alone with the store sees its `settings`, and what happened since
    the `last_visit`, before this process began.
    """

    visitor: Callable[[Request, str | None], Awaitable[tuple[Services, bool]]]
    settings: Settings | None = None
    last_visit: datetime | None = None
    deeds: Deeds = field(default_factory=Deeds)
    _pages: Environment = field(default_factory=_pages)
    _fresh: dict[tuple[object, ...], tuple[datetime, Any]] = field(
        default_factory=dict[tuple[object, ...], tuple[datetime, Any]]
    )

    def app(self) -> Starlette:
        """Return the application; whoever serves it puts a door in front."""
        return Starlette(
            routes=[
                self._page("/", self._overview),
                self._page("/errors", self._errors),
                self._page("/errors/{name}", self._error),
                self._page("/review", self._review),
                self._page("/unresolved", self._unresolved),
                self._page("/answers", self._answers),
                self._page("/scope", self._scope),
                self._action("/errors/{name}/{act}", self._act),
                self._action("/review", self._settle_several),
                self._action("/review/{name}/{act}", self._settle),
                self._action("/unresolved/{name}/lesson", self._write),
                self._action("/undo/{name}", self._undo),
                Mount(STATIC, StaticFiles(directory=HERE / "static")),
            ],
            exception_handlers={HTTPException: self._lost},
        )

    # ----------------------------------------------------------------- what every page needs

    def _page(self, path: str, make: Callable[[Visit], Awaitable[Response]]) -> Route:
        async def endpoint(request: Request) -> Response:
            asked = request.query_params
            return await self._answered(request, asked.get("project"), asked.get("period"), make)

        return Route(path, endpoint, methods=["GET"])

    def _action(self, path: str, act: Callable[[Visit], Awaitable[Deed]]) -> Route:
        async def made(visit: Visit) -> Response:
            if not visit.may_act:
                hint = "it was started with --read-only, or you may only read"
                return await self._trouble(visit, 403, "this dashboard changes nothing", hint)
            deed = await act(visit)
            self._fresh = {}  # a read that is under way goes into the old one
            back = _safe_path(visit.root, actions.one(visit.request.state.form, "back"))
            mark = "&" if "?" in back else "?"
            return RedirectResponse(f"{back}{mark}done={self.deeds.add(deed)}", 303)

        async def endpoint(request: Request) -> Response:
            project = actions.one(request.state.form, "project")
            return await self._answered(request, project or None, None, made)

        return Route(path, endpoint, methods=["POST"])

    async def _answered(
        self,
        request: Request,
        project: str | None,
        period: str | None,
        make: Callable[[Visit], Awaitable[Response]],
    ) -> Response:
        """Return what is made for this request, or the page that says why it cannot be."""
        days = {f"{each}d": each for each in views.PERIODS}.get(period or "", USUAL)
        try:
            services, may_act = await self.visitor(request, project or None)
        except ReflectionError as refused:
            root = request.scope.get("root_path", "")
            bare = self._pages.get_template("bare.html")
            said = bare.render(root=root, message=refused.message, hint=refused.hint)
            return HTMLResponse(said, 400)
        visit = Visit(request=request, services=services, days=days, may_act=may_act)
        try:
            return await make(visit)
        except actions.EditConflict as conflict:
            return await self._conflict(visit, conflict)
        except NotFound as missing:
            return await self._trouble(visit, 404, missing.message, missing.hint)
        except ReflectionError as refused:
            return await self._trouble(visit, 400, refused.message, refused.hint)
        except StoreBusy as busy:
            return await self._trouble(visit, 409, busy.message, busy.hint)
        except StoreError as trouble:
            return await self._trouble(visit, 503, trouble.message, trouble.hint)

    async def _render(self, visit: Visit, page: str, status: int = 200, **shown: Any) -> Response:
        scope = visit.services.scope
        waiting, behind = await self._waiting(visit)
        done = self.deeds.get(visit.request.query_params.get("done", ""), scope)
        text = self._pages.get_template(f"{page}.html").render(
            visit=visit,
            link=visit.link,
            page=page,
            project=scope.project,
            token=visit.request.state.token,
            guest=getattr(visit.request.state, "guest", None),
            alone=self.settings is not None,
            done=done,
            done_name=visit.request.query_params.get("done", ""),
            waiting=waiting,
            **shown,
        )
        tag = f'"{hashlib.sha256(text.encode()).hexdigest()[:32]}"'
        if status == 200 and visit.request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers={"etag": tag})
        return HTMLResponse(text, status, headers={"etag": tag}, background=behind)

    async def _trouble(self, visit: Visit, status: int, message: str, hint: str) -> Response:
        return await self._render(visit, "trouble", status, message=message, hint=hint)

    def login_page(self, request: Request, wrong: str) -> Response:
        """Return the page on which a token is pasted."""
        root = request.scope.get("root_path", "")
        return HTMLResponse(self._pages.get_template("login.html").render(root=root, wrong=wrong))

    async def _lost(self, request: Request, failure: Exception) -> Response:
        """Answer an address that leads nowhere with a page that leads back."""

        async def lost(visit: Visit) -> Response:
            status = failure.status_code if isinstance(failure, HTTPException) else 500
            hint = "the address may be mistyped, or what it led to has gone"
            return await self._trouble(visit, status, "there is no page at this address", hint)

        return await self._answered(request, None, None, lost)

    async def _once(
        self, name: str, visit: Visit, make: Callable[[], Awaitable[Any]], days: int = 0
    ) -> Any:
        """Return what needs many rows: read again after a minute, and after every action."""
        key, fresh, now = (name, visit.services.scope, days), self._fresh, visit.services.clock()
        at, value = fresh.get(key, (None, None))
        if at is None or now - at >= FRESH:
            value = await make()
            fresh[key] = (now, value)
        return value

    async def _waiting(self, visit: Visit) -> tuple[Any, BackgroundTask | None]:
        """Return what waits for review, and the task to look again behind the answer if what is
        known is old."""
        at, known = self._fresh.get(("waiting", visit.services.scope, 0), (None, ()))
        if at is None:
            with suppress(StoreError):  # the page that needs it says so
                known = await self._inbox(visit)
            return known, None
        old = visit.services.clock() - at >= FRESH
        return known, BackgroundTask(self._look_again, visit) if old else None

    async def _look_again(self, visit: Visit) -> None:
        with suppress(StoreError):
            await self._inbox(visit)

    async def _sample(self, visit: Visit) -> sample.Sample:
        found: sample.Sample = await self._once(
            "sample", visit, lambda: sample.sample_of(visit.services, visit.days), visit.days
        )
        return found

    # ----------------------------------------------------------------- pages

    async def _overview(self, visit: Visit) -> Response:
        services, days = visit.services, visit.days
        open_errors = await self._once("open", visit, lambda: views.open_errors(services))
        answers = await self._once(
            "answers", visit, lambda: views.answers_view(services, days), days
        )
        view = await overview.overview(
            services,
            days,
            await self._sample(visit),
            await self._inbox(visit),
            sum(not each.written for each in open_errors),
            self.last_visit,
        )
        return await self._render(visit, "overview", view=view, answers=answers)

    async def _errors(self, visit: Visit) -> Response:
        asked = visit.request.query_params
        order = asked.get("order", "newest")
        wanted = views.ListQuery(
            days=visit.days,
            words=asked.get("q", "")[:400].strip(),
            lately=asked.get("lately", ""),
            state=asked.get("state", ""),
            error_type=asked.get("type", ""),
            tag=asked.get("tag", ""),
            order=order if order in (*views.STORE_ORDERS, *sample.LATELY) else "newest",
            after=asked.get("after", ""),
        )
        counted_over = await self._sample(visit)
        found = await views.error_list(visit.services, wanted, counted_over)
        chosen = {
            name: value
            for name in ("q", "lately", "state", "type", "tag", "order")
            if (value := asked.get(name))
        }
        return await self._render(
            visit, "errors", asked=wanted, found=found, sample=counted_over, chosen=chosen
        )

    async def _error(self, visit: Visit) -> Response:
        return await self._detail(visit)

    async def _detail(
        self, visit: Visit, status: int = 200, mine: LessonDraft | None = None
    ) -> Response:
        name = visit.request.path_params["name"]
        records = (await self._sample(visit)).records
        view = await views.detail(visit.services, name, visit.days, records)
        items = {each: item for item in await self._inbox(visit) for each in item.names}
        most = 10**9 if visit.request.query_params.get("all") else CUT
        return await self._render(
            visit, "error", status, view=view, item=items.get(name), mine=mine, most=most
        )

    async def _conflict(self, visit: Visit, conflict: actions.EditConflict) -> Response:
        return await self._detail(visit, 409, conflict.mine)

    async def _inbox(self, visit: Visit) -> Any:
        async def found() -> object:
            services = visit.services
            rows = await rows_to_review(services.store, services.scope)
            # Comparing lessons takes a while: it holds up nobody's page.
            return await to_thread.run_sync(items_among, *rows)

        return await self._once("waiting", visit, found)

    async def _review(self, visit: Visit) -> Response:
        own = await own_place(visit.services)
        return await self._render(visit, "review", items=await self._inbox(visit), own=own)

    async def _unresolved(self, visit: Visit) -> Response:
        services = visit.services
        found = await self._once("open", visit, lambda: views.open_errors(services))
        return await self._render(visit, "unresolved", found=found)

    async def _answers(self, visit: Visit) -> Response:
        services, days = visit.services, visit.days
        view = await self._once("answers", visit, lambda: views.answers_view(services, days), days)
        return await self._render(visit, "answers", view=view)

    async def _scope(self, visit: Visit) -> Response:
        services = visit.services
        return await self._render(
            visit,
            "scope",
            places=await places(services),
            health=await self._once("health", visit, services.store.health),
            settings=self.settings.report() if self.settings else (),
            tenant=services.scope.tenant,
        )

    # ----------------------------------------------------------------- actions

    async def _act(self, visit: Visit) -> Deed:
        act = ACTS.get(visit.request.path_params["act"])
        if act is None:
            raise NotFound("there is no such action", "go back to the page")
        return await act(visit.services, visit.request.path_params["name"], self._form(visit))

    async def _settle(self, visit: Visit) -> Deed:
        parameters = visit.request.path_params
        return await actions.settle(visit.services, parameters["name"], parameters["act"])

    async def _settle_several(self, visit: Visit) -> Deed:
        return await actions.settle_several(visit.services, self._form(visit))

    async def _write(self, visit: Visit) -> Deed:
        name = visit.request.path_params["name"]
        return await actions.write_lesson(visit.services, name, self._form(visit))

    async def _undo(self, visit: Visit) -> Deed:
        services = visit.services
        lines = await self.deeds.undo(services, visit.request.path_params["name"])
        return Deed(lines=lines, scope=services.scope, at=services.clock())

    def _form(self, visit: Visit) -> Form:
        form: Form = visit.request.state.form
        return form


def _safe_path(root: str, path: str) -> str:
    """Return a path of ours to go back to, or the start page: no form leads to another site."""
    inside = path.startswith(f"{root}/") and not path.startswith("//") and path.isprintable()
    if not inside or "\\" in path:
        return f"{root}/"
    return path
