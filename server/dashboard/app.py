"""The routes of the dashboard: each reads a view and renders it, or acts and leads back.

Rules of this module: a GET changes nothing. A POST is answered by a redirect to the page it came
from, which says in a line what was done. Trouble that was foreseen is a page that says what to do.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote, urlencode

from jinja2 import Environment
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from reflection_mcp.server.dashboard import actions, answers, overview, sample, views
from reflection_mcp.server.dashboard.deeds import ChangedSince, Deed, Deeds
from reflection_mcp.server.dashboard.door import Form
from reflection_mcp.server.dashboard.page_templates import templates
from reflection_mcp.server.dashboard.period import USUAL
from reflection_mcp.server.settings.settings import Settings
from reflection_mcp.store.errors import StoreBusy, StoreError
from reflection_mcp.tools.errors import NotFound, ReflectionError
from reflection_mcp.tools.manual_lesson import LessonDraft
from reflection_mcp.tools.ports import Services

CUT = 4_000  # characters of a text, unless all of it is asked for
FRESH = timedelta(minutes=1)
AWAY = timedelta(minutes=30)
Shown = TypeVar("Shown")
STATIC = "/static"

STATUSES: tuple[tuple[type[Exception], int], ...] = (
    (NotFound, 404), (ReflectionError, 400), (StoreBusy, 409), (StoreError, 503),
)  # fmt: skip

Endpoint = Callable[[Request], Awaitable[Response]]
ACTS: Mapping[str, Callable[..., Awaitable[Deed]]] = {
    "/errors/{name}/verdict": actions.give_verdict,
    "/errors/{name}/edit": actions.edit,
    "/errors/{name}/retire": actions.retire,
    "/errors/{name}/restore": actions.restore,
    "/errors/{name}/forget": actions.forget,
    "/review": actions.settle_several,
    "/review/{name}/{action}": actions.settle,
    "/unresolved/{name}/lesson": actions.write_lesson,
}
"""What a form leads to: it gets the services, the form, and what stands in the path."""


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
        return _root(self.request)

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
    the `last_visit`. A visit ends when the overview was not opened for as long as `AWAY`.
    """

    visitor: Callable[[Request, str | None], Awaitable[tuple[Services, bool]]]
    settings: Settings | None = None
    last_visit: datetime | None = None
    deeds: Deeds = field(default_factory=Deeds)
    _looked: datetime | None = None
    _pages: Environment = field(default_factory=templates)
    _fresh: dict[tuple[object, ...], tuple[datetime, asyncio.Task[Any]]] = field(
        default_factory=dict[tuple[object, ...], tuple[datetime, "asyncio.Task[Any]"]]
    )

    def app(self) -> Starlette:
        """Return the application; whoever serves it puts a door in front."""
        pages = {
            "/": self._overview,
            "/errors": self._errors,
            "/errors/{name}": self._detail,
            "/review": self._review,
            "/unresolved": self._unresolved,
            "/answers": self._answers,
            "/scope": self._scope,
        }
        acts = {**ACTS, "/undo/{name}": self._undo}
        return Starlette(
            routes=[
                *(Route(path, self._page(make), methods=["GET"]) for path, make in pages.items()),
                *(Route(path, self._action(act), methods=["POST"]) for path, act in acts.items()),
                Mount(STATIC, StaticFiles(directory=Path(__file__).parent / "static")),
            ],
            exception_handlers={HTTPException: self._lost},
        )

    # ----------------------------------------------------------------- what every page needs

    def _page(self, make: Callable[[Visit], Awaitable[Response]]) -> Endpoint:
        async def endpoint(request: Request) -> Response:
            return await self._answered(request, make)

        return endpoint

    def _action(self, act: Callable[..., Awaitable[Deed]]) -> Endpoint:
        async def made(visit: Visit) -> Response:
            if not visit.may_act:
                hint = "it was started with --read-only, or you may only read"
                return await self._trouble(visit, 403, "this dashboard changes nothing", hint)
            request = visit.request
            deed = await act(visit.services, request.state.form, **request.path_params)
            with suppress(StoreError):  # what was done is told in any case, and can be undone
                deed = replace(deed, lines=await views.titled(visit.services, deed.lines))
            self._fresh = {}  # a read that is under way goes into the old one
            path, _, asked = visit.here.partition("?")
            if path in (f"{visit.root}/errors/{quote(name, safe='')}" for name in deed.gone):
                path = f"{visit.root}/errors"
            done = f"{asked}&" if asked else ""
            return RedirectResponse(f"{path}?{done}done={self.deeds.add(deed)}", 303)

        return self._page(made)

    async def _answered(
        self, request: Request, make: Callable[[Visit], Awaitable[Response]]
    ) -> Response:
        """Return what is made for this request, or the page that says why it cannot be."""
        form: Form | None = getattr(request.state, "form", None)
        query = request.query_params
        project = query.get("project") if form is None else actions.one(form, "project")
        days = {f"{each}d": each for each in views.PERIODS}.get(query.get("period", ""), USUAL)
        try:
            services, may_act = await self.visitor(request, project or None)
        except ReflectionError as refused:
            return self.bare_page(
                request, "trouble", 400, message=refused.message, hint=refused.hint
            )
        visit = Visit(request=request, services=services, days=days, may_act=may_act)
        try:
            return await make(visit)
        except actions.EditConflict as conflict:
            return await self._detail(visit, 409, conflict.mine)
        except (ReflectionError, StoreError) as trouble:
            status = next(status for kind, status in STATUSES if isinstance(trouble, kind))
            name = request.path_params.get("name", "")
            more = {}
            deed = self.deeds.get(name, services) if isinstance(trouble, ChangedSince) else None
            if deed is not None:
                more = {"about": deed.about, "later": self.deeds.later(services, name)}
            return await self._trouble(visit, status, trouble.message, trouble.hint, **more)

    async def _render(self, visit: Visit, page: str, status: int = 200, **shown: Any) -> Response:
        scope, query = visit.services.scope, visit.request.query_params
        try:
            waiting = await self._once(visit.services, views.waiting)
        except StoreError:  # the page that needs it says so
            waiting = ()
        text = self._pages.get_template(f"{page}.html").render(
            visit=visit,
            root=visit.root,
            link=visit.link,
            page=page,
            project=scope.project,
            token=visit.request.state.token,
            guest=getattr(visit.request.state, "guest", None),
            alone=self.settings is not None,
            done=self.deeds.get(query.get("done", ""), visit.services),
            done_name=query.get("done", ""),
            waiting=waiting,
            **shown,
        )
        return HTMLResponse(text, status)

    async def _trouble(
        self, visit: Visit, status: int, message: str, hint: str, **more: Any
    ) -> Response:
        """Return a page that says what went wrong; `more` may name the lessons that it is `about`,
        and what was done to them `later`, the latest first."""
        return await self._render(visit, "trouble", status, message=message, hint=hint, **more)

    def bare_page(self, request: Request, page: str, status: int = 200, **shown: str) -> Response:
        """Return a page for somebody of whom nothing is known, such as the one to log in on."""
        root = _root(request)
        text = self._pages.get_template(f"{page}.html").render(
            root=root, link=f"{root}{{}}".format, **shown
        )
        return HTMLResponse(text, status)

    async def _lost(self, request: Request, failure: Exception) -> Response:
        """Answer an address that leads nowhere with a page that leads back."""

        async def lost(visit: Visit) -> Response:
            status = failure.status_code if isinstance(failure, HTTPException) else 500
            hint = "the address may be mistyped, or the page was deleted"
            return await self._trouble(visit, status, "there is no page at this address", hint)

        return await self._answered(request, lost)

    async def prepare(self, services: Services) -> None:
        """Read what the first page needs, while the browser starts."""
        with suppress(StoreError):  # the page says so
            await self._once(services, views.waiting)
            await self._once(services, views.open_errors)
            await self._once(services, sample.sample_of, USUAL)
            await self._once(services, answers.answers, USUAL)

    async def _once(
        self, services: Services, make: Callable[..., Coroutine[Any, Any, Shown]], *arguments: int
    ) -> Shown:
        """Return what `make` reads, which needs many rows: read again only after a minute or an
        action. Requests that come while it is read wait for the same read."""
        fresh, now = self._fresh, services.clock()
        key = (make, services.scope, arguments)
        at, read = fresh.get(key, (now, None))
        if read is None or now - at >= FRESH:
            read = asyncio.create_task(make(services, *arguments))
            fresh[key] = (now, read)
        try:
            return await asyncio.shield(read)
        except Exception:
            fresh.pop(key, None)  # whoever comes next tries again
            raise

    async def _sample(self, visit: Visit) -> sample.Sample:
        return await self._once(visit.services, sample.sample_of, visit.days)

    # ----------------------------------------------------------------- pages

    async def _overview(self, visit: Visit) -> Response:
        services, days, now = visit.services, visit.days, visit.services.clock()
        if self._looked is not None and now - self._looked >= AWAY:
            self.last_visit = self._looked
        self._looked, since = now, self.last_visit
        waiting = await self._once(visit.services, views.waiting)
        open_errors = await self._once(visit.services, views.open_errors)
        view = await overview.overview(services, days, await self._sample(visit), waiting)
        return await self._render(
            visit,
            "overview",
            view=view,
            unresolved=sum(not each["written"] for each in open_errors),
            weeks=(await self._once(visit.services, answers.answers, days))["weeks"],
            changes=await overview.changes(services, since) if since else None,
        )

    async def _errors(self, visit: Visit) -> Response:
        query = visit.request.query_params
        chosen = {
            name: value for name in ("q", *sample.FILTERS, "order") if (value := query.get(name))
        }
        asked = {name: query.get(name, "") for name in (*sample.FILTERS, "after")}
        asked["q"] = query.get("q", "")[:400].strip()
        order = query.get("order") or asked["lately"]
        asked["order"] = order if order in views.ORDERS else "" if asked["q"] else "newest"
        sampled = await self._sample(visit)
        found = await views.error_list(visit.services, visit.days, asked, sampled)
        open_errors: Sequence[views.Shown] = ()
        if asked["q"] and not any(asked[name] for name in sample.FILTERS):
            some = await self._once(visit.services, views.open_errors)
            open_errors = views.open_errors_named(some, asked["q"])
        return await self._render(
            visit,
            "errors",
            asked=asked,
            found=found,
            chosen=chosen,
            last_seen=sampled.last_seen,
            open_errors=open_errors,
        )

    async def _detail(
        self, visit: Visit, status: int = 200, mine: LessonDraft | None = None
    ) -> Response:
        name = visit.request.path_params["name"]
        records = (await self._sample(visit)).records
        view = await views.detail(visit.services, name, visit.days, records)
        items = {
            each: item
            for item in await self._once(visit.services, views.waiting)
            for each in item.names
        }
        most = 10**9 if visit.request.query_params.get("all") else CUT
        return await self._render(
            visit,
            "error",
            status,
            view=view,
            item=items.get(name),
            mine=mine,
            most=most,
            recent=self._recent(visit, name),
        )

    async def _review(self, visit: Visit) -> Response:
        own = await views.own_place(visit.services)
        items = await self._once(visit.services, views.waiting)
        return await self._render(visit, "review", items=items, own=own, recent=self._recent(visit))

    def _recent(self, visit: Visit, name: str = "") -> Mapping[str, Deed]:
        """Return what this person can still undo beside what the page says at its top."""
        recent = self.deeds.recent(visit.services, name) if visit.may_act else {}
        recent.pop(visit.request.query_params.get("done", ""), None)
        return recent

    async def _unresolved(self, visit: Visit) -> Response:
        found = await self._once(visit.services, views.open_errors)
        return await self._render(visit, "unresolved", found=found)

    async def _answers(self, visit: Visit) -> Response:
        view = await self._once(visit.services, answers.answers, visit.days)
        return await self._render(visit, "answers", view=view)

    async def _scope(self, visit: Visit) -> Response:
        services = visit.services
        return await self._render(
            visit,
            "scope",
            places=await views.places(services),
            health=await self._once(visit.services, views.health),
            settings=self.settings.report() if self.settings else (),
            tenant=services.scope.tenant,
        )

    async def _undo(self, services: Services, form: Form, name: str) -> Deed:
        return await self.deeds.undo(services, name)


def _root(request: Request) -> str:
    path: str = request.scope.get("root_path", "")
    return path.removesuffix(STATIC)  # under which a file that is not there was asked for


def _safe_path(root: str, path: str) -> str:
    """Return a path of ours to go back to, or the start page: no form leads to another site."""
    inside = path.startswith(f"{root}/") and not path.startswith("//") and path.isprintable()
    if not inside or "\\" in path:
        return f"{root}/"
    return path
