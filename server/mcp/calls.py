"""A call of a tool: who asks, the use case that answers, and its result in both views."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from mcp.server.mcpserver import Context
from mcp_types import CallToolResult, InputRequiredResult

from reflection_mcp.server.application import TRIES, Application
from reflection_mcp.server.mcp.arguments import changed_input
from reflection_mcp.server.mcp.client import caller_of, without_session
from reflection_mcp.server.mcp.results import NOTES, AnswerView, ReflectView, Result
from reflection_mcp.tools.ports import Services

if TYPE_CHECKING:
    from reflection_mcp.server.models.drive import Driven

EVENT_ID = "reflection-mcp/event_id"
"""Key of a request's `_meta`: the same value on a repeated call makes it count once. Programs that
retry set it; a model never sees it, so it costs no tokens in the definitions."""


async def run(
    application: Application,
    ctx: Context[Application, Any],
    project: str,
    work: Callable[[Services], Awaitable[Result]],
    *,
    detailed: bool = False,
    tries: int = TRIES,
) -> CallToolResult:
    """Run a use case and wrap its result in both views; the server tells failures in one line."""
    caller = caller_of(application, ctx, project)
    services = await application.services(caller, project.strip() or None, tries=tries)
    return _viewed(application, ctx, await work(services), detailed=detailed)


ASKED_IN_VAIN = ("copilot-cli",)
"""How the names of clients begin that declare sampling and then wait for a person who is not there.
From protocol 2026-07-28 on that loses the whole call, so they are asked only if told so."""


async def run_with_models(
    application: Application,
    ctx: Context[Any, Any],
    project: str,
    work: "Callable[[Driven], Awaitable[ReflectView | AnswerView]]",
    *,
    detailed: bool = False,
    named: bool = False,
) -> CallToolResult | InputRequiredResult:
    """As `run`, for a use case that may ask a model: ours with a key, then the client's own.

    `named` says that the caller named its conversation.
    """
    from reflection_mcp.server.models.drive import drive

    settings = application.settings
    caller = caller_of(application, ctx, project)
    wished = settings.evaluator == "auto" and not caller.client.casefold().startswith(ASKED_IN_VAIN)
    sampling = settings.evaluator == "sampling" or wished
    services = await application.services(caller, project.strip() or None)
    wall = settings.judge_timeout_s
    result = await drive(ctx, services, work, sampling=sampling, wall=wall)
    if isinstance(result, InputRequiredResult):
        return result
    if caller.origin and not named:
        result = result.model_copy(update={"notes": [*result.notes, without_session(caller)]})
    return _viewed(application, ctx, result, detailed=detailed)


def _viewed(
    application: Application, ctx: Context[Any, Any], result: Result, *, detailed: bool
) -> CallToolResult:
    settings = application.settings
    given: dict[str, object] = (ctx.request_context.params or {}).get("arguments") or {}
    if lines := changed_input(given):
        place = NOTES if NOTES in type(result).model_fields else "changes"
        result = result.model_copy(update={place: [*getattr(result, place), *lines]})
    cap = settings.response_chars_detailed if detailed else settings.response_chars
    return result.both_views(cap)


def event_id(ctx: Context[Application, Any]) -> str:
    """What a program that retries put into `_meta` to be counted once; empty for most callers."""
    meta = ctx.request_context.meta
    value = meta.get(EVENT_ID) if meta else None
    return value if isinstance(value, str) else ""
