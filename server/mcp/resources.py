"""Read-only views of the memory: `reflections://recent`, `reflections://{id}`, `reflections://stats`.

For people who browse in their host. Everything here is stored text, cleaned for showing and marked
as data; a detail view is the only place that shows a text which tries to give instructions, with
its mark.
"""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, cast

from mcp.server.mcpserver.exceptions import ResourceNotFoundError
from mcp_types import (
    Completion,
    CompletionArgument,
    CompletionContext,
    PromptReference,
    ResourceTemplateReference,
)

from reflection_mcp.server.application import Application
from reflection_mcp.server.mcp.client import reader
from reflection_mcp.server.mcp.parts import STORED_TEXT
from reflection_mcp.server.mcp.visitor import reading
from reflection_mcp.server.transport.protocol import ReflectionServer
from reflection_mcp.server.wording import in_json
from reflection_mcp.store.contract import Store
from reflection_mcp.store.errors import StoreError
from reflection_mcp.store.person import another_than
from reflection_mcp.store.records import Attempt, Reflection, Scope

RECENT = 20
COMPLETIONS = 100  # the protocol's own limit


def register(server: ReflectionServer[Application], application: Application) -> None:
    """Add the resources and the completion of their ids."""

    @server.resource(
        "reflections://recent",
        name="recent",
        title="Recent reflections",
        description="The newest lessons and strategies of this project.",
        mime_type="application/json",
    )
    async def recent() -> str:
        store, scope = await _readable(application)
        rows = await store.reflections(scope, limit=RECENT)
        told = [brief(row) | _by(row) for row in rows]
        return _as_json({"trust": STORED_TEXT, "reflections": told})

    @server.resource(
        "reflections://stats",
        name="stats",
        title="Statistics",
        description="How much is stored, how often advice was given and how often it worked.",
        mime_type="application/json",
    )
    async def stats() -> str:
        from reflection_mcp.tools.learning.row_state import count_hidden  # seldom

        store, scope = await _readable(application)
        stats = await store.stats(scope)
        return _as_json(asdict(stats) | await count_hidden(store, scope, stats))

    @server.resource(
        "reflections://{id}",
        name="reflection",
        title="One reflection or attempt",
        description="Everything that is known about one id.",
        mime_type="application/json",
    )
    async def one(id: str) -> str:
        store, scope = await _readable(application)
        found = await store.reflection(scope, id) or await store.attempt(scope, id)
        if found is None:
            raise ResourceNotFoundError("no such id: reflections://recent lists the newest ids")
        return _as_json({"trust": STORED_TEXT, **detail(found), **_by(found)})

    async def complete(
        ref: PromptReference | ResourceTemplateReference,
        argument: CompletionArgument,
        context: CompletionContext | None,
    ) -> Completion | None:
        if not isinstance(ref, ResourceTemplateReference) or argument.name != "id":
            return None
        try:
            rows = await server.worker.run(_some, application)
        except StoreError:
            return Completion(values=[])  # a host asks at every key stroke; the read will say why
        fitting = [row.id for row in rows if row.id.startswith(argument.value)]
        return Completion(values=fitting, total=len(fitting), has_more=False)

    completion: Any = server.completion  # mcp 2.3 gives it no types
    completion()(complete)


async def _some(application: Application) -> Sequence[Reflection]:
    store, scope = await _readable(application)
    return await store.reflections(scope, limit=COMPLETIONS)


async def _readable(application: Application) -> tuple[Store, Scope]:
    services = await application.services(reader(application))
    return services.store, services.scope


def brief(row: Reflection) -> dict[str, Any]:
    """A reflection in a list; the text of a marked one is left to the detail view."""
    from reflection_mcp.tools.advice import LESSON_LENGTH
    from reflection_mcp.tools.untrusted.dangers import mark

    text = "[marked: tries to give instructions]" if row.suspicious else row.lesson
    said = {
        "id": row.id,
        "kind": row.kind,
        "lesson": text[:LESSON_LENGTH],
        "error_type": row.error_type,
        "occurrences": row.occurrences,
        "last_seen": row.last_seen,
        "tags": row.tags,
        "project": row.scope.project,
    }
    if warning := mark(row.lesson, row.strategy):
        said["mark"] = warning
    return {name: _shown(value) for name, value in said.items()}


def _by(found: Reflection | Attempt) -> dict[str, str]:
    """Who said it, if it is another person of a team than the one who reads."""
    name = another_than(reading(), found.source)
    return {"by": _shown(name)} if name else {}


def detail(found: Reflection | Attempt) -> dict[str, Any]:
    """All fields of a record, its texts cleaned for showing."""
    from reflection_mcp.store.archive import body_of
    from reflection_mcp.tools.untrusted.dangers import mark

    said = {name: _shown(value) for name, value in body_of(found).items()}
    warning = mark(found.lesson, found.strategy) if isinstance(found, Reflection) else ""
    return said | ({"mark": warning} if warning else {})


def _shown(value: Any) -> Any:
    from reflection_mcp.tools.untrusted import presentable

    if isinstance(value, str):
        return presentable(value, 4_000)
    if isinstance(value, dict):
        return {name: _shown(part) for name, part in cast("dict[str, Any]", value).items()}
    if isinstance(value, list | tuple):
        return [_shown(part) for part in cast("list[Any]", value)]
    return value


def _as_json(value: Any) -> str:
    """JSON for people: indented, times as ISO 8601."""
    from reflection_mcp.tools.untrusted import as_json

    return as_json(value, indent=1, default=in_json)
