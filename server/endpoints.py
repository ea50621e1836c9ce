"""The five tools as a client sees them: prose, bounds, annotations; each body is one use case.

The prose is read by models that choose a tool by it: what the tool does, when to call it, what
comes back. Its length is a budget (900 tokens for all five), kept by a test. No stored text ever
appears here.
"""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Literal, TypeVar

from mcp.server.mcpserver import Context
from mcp_types import CallToolResult, ToolAnnotations
from pydantic import BaseModel, Field

from reflection_mcp.server import failures
from reflection_mcp.server.application import Application
from reflection_mcp.server.protocol import ReflectionServer
from reflection_mcp.server.results import (
    AnswerResult,
    FeedbackResult,
    InsightsResult,
    ReflectResult,
    Result,
    SeenResult,
)
from reflection_mcp.server.views import both_views, within
from reflection_mcp.store.errors import StoreError
from reflection_mcp.store.records import FeedbackKind, Outcome
from reflection_mcp.tools.errors import ReflectionError
from reflection_mcp.tools.ports import Workshop

ANY_SIZE = 10_000_000
"""Characters that an error may have on arrival; what is used is its head and tail."""

Format = Literal["concise", "detailed"]
ProjectName = Annotated[
    str, Field(description="project, if not this repository; `global` is seen by all")
]
Conversation = Annotated[str, Field(max_length=200, description="default: this connection")]
Self = Annotated[
    float | None, Field(ge=0, le=1, allow_inf_nan=False, description="your own score, if any")
]


class EventIn(BaseModel):
    """One thing that happened."""

    type: Literal["tool_call", "tool_response", "model_call", "error", "system"] = "tool_response"
    content: str = ""
    tool: str = ""
    error: str = ""
    time: str = ""
    metadata: dict[str, Any] = {}


ResultT = TypeVar("ResultT", bound=Result)


def register(server: ReflectionServer[Application], application: Application) -> None:
    """Add the five tools, in the order in which they are told."""
    _register_recall(server, application)
    _register_reflect(server, application)
    _register_answer(server, application)
    _register_feedback(server, application)
    _register_insights(server, application)


async def run(
    application: Application,
    ctx: Context[Application, Any],
    project: str,
    work: Callable[[Workshop], Awaitable[ResultT]],
    *,
    detailed: bool = False,
) -> CallToolResult:
    """Run a use case, wrap its result in both views, tell anticipated failures in one line."""
    try:
        workshop = await application.workshop(client_name(ctx), project.strip() or None)
        result = await work(workshop)
    except (ReflectionError, StoreError) as failure:
        raise failures.as_tool_error(failure) from failure
    settings = application.settings
    cap = settings.response_chars_detailed if detailed else settings.response_chars
    return both_views(within(result, cap))


def client_name(ctx: Context[Application, Any]) -> str:
    """The name the client gave itself, empty when it gave none."""
    given = ctx.session.client_params
    return given.client_info.name if given else ""


def _register_recall(server: ReflectionServer[Application], application: Application) -> None:
    @server.tool(
        title="Have I seen this error before?",
        annotations=ToolAnnotations(
            read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
        ),
        meta={
            "anthropic/alwaysLoad": True,
            "anthropic/searchHint": "error failed failure traceback exception retry",
        },
    )
    async def has_seen_error_before(
        ctx: Context[Any, Any],
        error: Annotated[
            str, Field(max_length=ANY_SIZE, description="raw text of the error, as printed")
        ],
        error_type: Annotated[
            str, Field(max_length=200, description="exception or code, if the text lacks it")
        ] = "",
        limit: Annotated[int, Field(ge=1, le=50, description="lessons at most")] = 5,
        project: ProjectName = "",
        response_format: Annotated[
            Literal["concise", "detailed", "hook"], Field(description="hook: for Claude Code hooks")
        ] = "concise",
    ) -> Annotated[CallToolResult, SeenResult]:
        """Look an error up in what was learned. Call it at once when a command, test or tool fails,
        before you retry. Returns exact or same with the lessons that worked, similar (another
        error, with what differs) or new."""
        from reflection_mcp.server import presenting
        from reflection_mcp.server.hook_output import hook_text
        from reflection_mcp.tools import has_seen_error_before as use_case

        async def work(workshop: Workshop) -> SeenResult:
            question = use_case.ErrorQuestion(error=error, error_type=error_type, limit=limit)
            return presenting.seen(await use_case.has_seen_error_before(workshop, question))

        detailed = response_format == "detailed"
        if response_format != "hook":
            return await run(application, ctx, project, work, detailed=detailed)
        return await hook_text(application, client_name(ctx), project, work)


def _register_reflect(server: ReflectionServer[Application], application: Application) -> None:
    @server.tool(
        title="Reflect on an answer or an episode",
        annotations=ToolAnnotations(
            read_only_hint=False,
            destructive_hint=False,
            idempotent_hint=False,
            open_world_hint=False,
        ),
    )
    async def reflect(
        ctx: Context[Any, Any],
        question: Annotated[str, Field(max_length=20_000, description="the task or question")],
        answer: Annotated[str, Field(max_length=200_000, description="what was answered or done")],
        context: Annotated[
            str, Field(max_length=200_000, description="sources the answer must rest on")
        ] = "",
        outcome: Annotated[Outcome | None, Field(description="how it ended")] = None,
        error: Annotated[str, Field(max_length=ANY_SIZE, description="raw error text")] = "",
        lesson: Annotated[
            str, Field(max_length=2_000, description="what happened and why, one sentence")
        ] = "",
        strategy: Annotated[
            str, Field(max_length=2_000, description="what to do next time, one sentence")
        ] = "",
        events: Annotated[
            list[EventIn], Field(max_length=200, description="what happened, in order")
        ] = [],  # noqa: B006  pydantic copies it; None would put a union into the schema
        tags: Annotated[list[str], Field(max_length=20, description="words to find it by")] = [],  # noqa: B006
        confidence: Self = None,
        relevance: Self = None,
        completeness: Self = None,
        attempt_id: Annotated[
            str, Field(max_length=64, description="earlier result that this call completes")
        ] = "",
        verification_answers: Annotated[
            dict[str, str], Field(description="question id to your fresh answer")
        ] = {},  # noqa: B006
        conversation_id: Conversation = "",
        project: ProjectName = "",
        event_id: Annotated[
            str, Field(max_length=200, description="same id on a retry: counted once")
        ] = "",
    ) -> Annotated[CallToolResult, ReflectResult]:
        """Judge an answer or a finished piece of work by machine and learn from it. Call it after a
        fix is verified (error, outcome, lesson, strategy) or before you send an answer that can be
        wrong. Returns proven faults with their place, what was not checked, whether to retry, what
        was stored, and what it needs from you."""
        from reflection_mcp.server import presenting
        from reflection_mcp.tools import reflect as use_case
        from reflection_mcp.tools.learning.episode import Event

        async def work(workshop: Workshop) -> ReflectResult:
            happened = [
                Event(
                    type=event.type,
                    content=event.content,
                    tool=event.tool,
                    error=event.error,
                    metadata=event.metadata,
                )
                for event in events
            ]
            judged = await use_case.reflect(
                workshop,
                use_case.Work(
                    question=question,
                    answer=answer,
                    context=context,
                    confidence=confidence,
                    relevance=relevance,
                    completeness=completeness,
                    outcome=outcome,
                    error=error,
                    events=happened,
                    lesson=lesson,
                    strategy=strategy,
                    tags=tags,
                    conversation_id=conversation_id,
                    attempt_id=attempt_id,
                    event_id=event_id,
                    verification_answers=verification_answers,
                ),
            )
            return presenting.reflected(judged)

        return await run(application, ctx, project, work)


def _register_answer(server: ReflectionServer[Application], application: Application) -> None:
    @server.tool(
        title="Answer with reflection",
        annotations=ToolAnnotations(
            read_only_hint=False,
            destructive_hint=False,
            idempotent_hint=False,
            open_world_hint=True,
        ),
    )
    async def answer_with_reflection(
        ctx: Context[Any, Any],
        question: Annotated[str, Field(max_length=20_000, description="what is asked")],
        context: Annotated[
            str, Field(max_length=200_000, description="sources the answer must rest on")
        ] = "",
        draft: Annotated[str, Field(max_length=200_000, description="your current answer")] = "",
        depth: Annotated[
            Literal["none", "fast", "balanced", "deep"], Field(description="0, 0, 2 or 3 retries")
        ] = "balanced",
        always: Annotated[bool, Field(description="revise once even if nothing is found")] = False,
        loop: Annotated[str, Field(max_length=2_000, description="token of the last result")] = "",
        conversation_id: Conversation = "",
        project: ProjectName = "",
    ) -> Annotated[CallToolResult, AnswerResult]:
        """Check a draft, have only its failing steps redone, check again, keep the best. Call it
        with your draft when an answer has steps that can be wrong; while status is revise, call
        again with the new draft and the loop token. Returns what to redo and where, or the best
        answer and why it stopped."""
        from reflection_mcp.server import answering

        async def work(workshop: Workshop) -> AnswerResult:
            return await answering.answer(
                application,
                workshop,
                ctx,
                answering.Asked(
                    question=question,
                    context=context,
                    draft=draft,
                    depth=depth,
                    always=always,
                    loop=loop,
                    conversation_id=conversation_id,
                ),
            )

        return await run(application, ctx, project, work, detailed=True)


def _register_feedback(server: ReflectionServer[Application], application: Application) -> None:
    @server.tool(
        title="Record feedback",
        annotations=ToolAnnotations(
            read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False
        ),
    )
    async def record_feedback(
        ctx: Context[Any, Any],
        feedback: Annotated[
            FeedbackKind,
            Field(description="wrong_match: not the same error; forget: delete it"),
        ],
        id: Annotated[
            str,
            Field(max_length=64, description="attempt, lesson or look-up; default: conversation"),
        ] = "",
        conversation_id: Conversation = "",
        comment: Annotated[str, Field(max_length=2_000, description="what the user said")] = "",
    ) -> Annotated[CallToolResult, FeedbackResult]:
        """Record what the user said, or whether a lesson worked; it outranks every score. Call it
        when the user corrects or praises you, and after you tried a lesson."""
        from reflection_mcp.server import presenting
        from reflection_mcp.tools import record_feedback as use_case

        async def work(workshop: Workshop) -> FeedbackResult:
            said = use_case.Said(
                feedback=feedback, id=id, conversation_id=conversation_id, comment=comment
            )
            return presenting.heard(await use_case.record_feedback(workshop, said))

        return await run(application, ctx, "", work)


def _register_insights(server: ReflectionServer[Application], application: Application) -> None:
    @server.tool(
        title="Get insights",
        annotations=ToolAnnotations(
            read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
        ),
    )
    async def get_insights(
        ctx: Context[Any, Any],
        query: Annotated[str, Field(max_length=4_000, description="the task at hand")] = "",
        tags: Annotated[list[str], Field(max_length=20, description="all of these")] = [],  # noqa: B006
        min_importance: Annotated[
            float, Field(ge=0, le=1, allow_inf_nan=False, description="0 to 1")
        ] = 0.0,
        limit: Annotated[int, Field(ge=1, le=50, description="items at most")] = 10,
        project: ProjectName = "",
        response_format: Annotated[Format, Field(description="how much")] = "concise",
    ) -> Annotated[CallToolResult, InsightsResult]:
        """What earlier work taught: recurring issues, strategies, lessons that fit the query,
        unresolved errors, trend. Call it when you start a task."""
        from reflection_mcp.server import presenting
        from reflection_mcp.tools import get_insights as use_case

        detailed = response_format == "detailed"
        settings = application.settings

        async def work(workshop: Workshop) -> InsightsResult:
            asked = use_case.InsightQuery(
                query=query,
                tags=tags,
                min_importance=min_importance,
                limit=limit,
                tokens=settings.insight_tokens_detailed if detailed else settings.insight_tokens,
            )
            return presenting.insights(await use_case.get_insights(workshop, asked))

        return await run(application, ctx, project, work, detailed=detailed)
