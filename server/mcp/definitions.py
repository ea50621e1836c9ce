"""The five tools as a client sees them: names, descriptions, arguments; each calls a use case.

The prose is read by models that choose a tool by it: what the tool does, when to call it, what
comes back. Its length is a budget (1,400 tokens for all five), kept by a test. No stored text ever
appears here.
"""

from typing import TYPE_CHECKING, Annotated, Any

from mcp.server.mcpserver import Context
from mcp_types import CallToolResult, InputRequiredResult, ToolAnnotations
from pydantic import Field

from reflection_mcp.server.application import Application
from reflection_mcp.server.mcp.arguments import (
    NO_ANSWERS,
    Answers,
    ClosedWorld,
    Context_,
    Conversation,
    Depth,
    Disputed,
    Events,
    Limit,
    ProjectName,
    Question,
    Raw,
    Rephrased,
    ResponseFormat,
    Self,
    Situations,
    Tags,
)
from reflection_mcp.server.mcp.calls import event_id, run, run_with_models
from reflection_mcp.server.mcp.client import caller_of
from reflection_mcp.server.mcp.insights_app import SHOWN_BY
from reflection_mcp.server.mcp.results import (
    AnswerView,
    FeedbackView,
    InsightsView,
    ReflectView,
    SeenView,
)
from reflection_mcp.server.transport.protocol import ReflectionServer
from reflection_mcp.store.interactions import FeedbackKind
from reflection_mcp.store.records import Lesson, Outcome
from reflection_mcp.tools.ports import Services

if TYPE_CHECKING:
    from reflection_mcp.server.models.drive import Driven

READING = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
LOOKING_UP = READING.model_copy(update={"read_only_hint": False, "idempotent_hint": False})
"""A look-up is logged, and a log in which an error keeps coming back is told by `get_insights`."""
JUDGING = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False
)
ASKING = JUDGING.model_copy(update={"open_world_hint": True})
HEARING = ToolAnnotations(
    read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False
)


def register(server: ReflectionServer[Application], application: Application) -> None:
    """Add the five tools, in the order in which clients list them."""
    _register_recall(server, application)
    _register_reflect(server, application)
    _register_answer(server, application)
    _register_feedback(server, application)
    _register_insights(server, application)


def _register_recall(server: ReflectionServer[Application], application: Application) -> None:
    @server.tool(
        title="Have I seen this error before?",
        annotations=LOOKING_UP,
        meta={
            "anthropic/alwaysLoad": True,
            "anthropic/searchHint": "error failed failure traceback exception retry",
            **SHOWN_BY,
        },
    )
    async def has_seen_error_before(
        ctx: Context[Any, Any],
        error: Raw = "",
        error_type: Annotated[
            str, Field(max_length=200, description="such as KeyError, if the text lacks it")
        ] = "",
        action: Annotated[
            str,
            Field(
                max_length=20_000,
                description="instead of an error: the command or file edit you plan",
            ),
        ] = "",
        limit: Limit = 5,
        project: ProjectName = "",
        response_format: ResponseFormat = "concise",
    ) -> Annotated[CallToolResult, SeenView]:
        """Look up an error as soon as a command, test or tool fails, before you retry. Returns
        `exact` or `same` with its lesson; `similar` for a look-alike, whose fix may not apply; or
        `new`."""
        from reflection_mcp.server.mcp import conversion
        from reflection_mcp.tools.recall import has_seen_error_before as use_case

        async def work(services: Services) -> SeenView:
            if action.strip() and not error.strip():
                from reflection_mcp.tools.recall.before_action import known_mistake

                known = await known_mistake(services, action)
                return conversion.known_mistake(known, detailed=detailed)
            question = use_case.ErrorQuestion(error=error, error_type=error_type, limit=limit)
            found = await use_case.has_seen_error_before(services, question)
            return conversion.seen(found, detailed=detailed)

        detailed = response_format == "detailed"
        return await run(application, ctx, project, work, detailed=detailed, tries=1)


def _register_reflect(server: ReflectionServer[Application], application: Application) -> None:
    @server.tool(
        title="Reflect on an answer or an episode",
        annotations=JUDGING,
    )
    async def reflect(
        ctx: Context[Any, Any],
        question: Question,
        answer: Annotated[
            str,
            Field(max_length=200_000, description="the whole answer, or the work that was done"),
        ],
        context: Context_ = "",
        outcome: Annotated[Outcome | None, Field(description="how the work ended")] = None,
        error: Raw = "",
        lesson: Annotated[
            str,
            Field(
                max_length=2_000,
                description="what happened and why, such as: Dates are compared as text, so the "
                "tests fail outside UTC.",
            ),
        ] = "",
        strategy: Annotated[
            str,
            Field(
                max_length=2_000,
                description="the rule for next time, such as: Run the tests with TZ=UTC.",
            ),
        ] = "",
        situations: Situations = (),
        events: Events = (),
        tags: Tags = (),
        confidence: Self = None,
        relevance: Self = None,
        completeness: Self = None,
        verification_answers: Answers = NO_ANSWERS,
        disputed: Disputed = NO_ANSWERS,
        closed_world: ClosedWorld = None,
        conversation_id: Conversation = "",
        project: ProjectName = "",
    ) -> Annotated[CallToolResult, ReflectView] | InputRequiredResult:
        """Check an answer or a piece of work, and learn from it. Call it once a fix is verified,
        with error, outcome, lesson and strategy, or before you send an answer that may be wrong.
        Returns proven faults, what could not be checked, whether to retry, and what was
        learned."""
        happened = [event.happened() for event in events]
        if events and all(event.hook for event in events):
            from reflection_mcp.server.mcp.hook_text import hook_text

            told = [(event.hook, each) for event, each in zip(events, happened, strict=True)]
            caller = caller_of(application, ctx, project)
            text = await hook_text(application, caller, project, conversation_id, told)
            return ReflectView(summary="", mode="hook", retry=False).both_views(
                application.settings.response_chars, text
            )
        from reflection_mcp.server.mcp import conversion
        from reflection_mcp.tools.reflect import reflect as use_case
        from reflection_mcp.tools.reflect.request import ReflectRequest

        scored = application.settings.evaluator != "embedded"  # which leaves it to the checks alone

        async def work(driven: "Driven") -> ReflectView:
            judged = await use_case.reflect(
                driven.services,
                ReflectRequest(
                    question=question,
                    answer=answer,
                    context=context,
                    confidence=confidence if scored else None,
                    relevance=relevance if scored else None,
                    completeness=completeness if scored else None,
                    lesson=Lesson(
                        text=lesson,
                        strategy=strategy,
                        situations=tuple(situations),
                        outcome=outcome,
                    ),
                    error=error,
                    events=happened,
                    tags=tags,
                    conversation_id=driven.services.caller.named(conversation_id),
                    event_id=driven.services.caller.named(event_id(ctx)),
                    verification_answers=verification_answers,
                    disputed=disputed,
                    closed_world=closed_world,
                ),
                prompts=application.prompts,
                retry_below=application.settings.retry_below,
            )
            return conversion.reflected(judged)

        named = bool(conversation_id.strip())
        return await run_with_models(application, ctx, project, work, named=named)


def _register_answer(server: ReflectionServer[Application], application: Application) -> None:
    @server.tool(
        title="Answer with reflection",
        annotations=ASKING,
    )
    async def answer_with_reflection(
        ctx: Context[Any, Any],
        question: Question,
        context: Context_ = "",
        draft: Annotated[str, Field(max_length=200_000, description="your whole answer")] = "",
        depth: Depth = "balanced",
        always: Annotated[
            bool, Field(description="ask for a critical reading even if no fault is found")
        ] = False,
        loop: Annotated[
            str, Field(max_length=2_000, description="the `loop` token of the last result")
        ] = "",
        disputed: Disputed = NO_ANSWERS,
        closed_world: ClosedWorld = None,
        conversation_id: Conversation = "",
        project: ProjectName = "",
    ) -> Annotated[CallToolResult, AnswerView] | InputRequiredResult:
        """Check a draft, redo only the steps that fail, and get back the best attempt. While
        `status` is `revise`, call again with the corrected draft and the `loop` token."""
        from reflection_mcp.server.mcp import conversion
        from reflection_mcp.tools.answer import answer_with_reflection as use_case
        from reflection_mcp.tools.answer.request import AnswerRequest
        from reflection_mcp.tools.insights.relevant_lessons import fitting_lessons

        settings = application.settings
        retries = str(settings.max_retries) if depth == "balanced" else depth

        async def work(driven: "Driven") -> AnswerView:
            services = driven.services
            lessons: tuple[str, ...] = ()
            if not loop:
                lessons = await driven.once(lambda: fitting_lessons(services, question))
            reached = await use_case.answer_with_reflection(
                services,
                AnswerRequest(
                    question=question,
                    secret=application.secret,
                    context=context,
                    draft=draft or None,
                    depth="balanced" if retries.isdecimal() else retries,
                    max_iterations=int(retries) + 1 if retries.isdecimal() else None,
                    always=always,
                    loop=loop,
                    conversation_id=services.caller.named(conversation_id),
                    disputed=disputed,
                    closed_world=closed_world,
                    lessons=lessons,
                    good_enough=settings.good_enough,
                    retry_below=settings.retry_below,
                    deadline=settings.loop_deadline_s,
                ),
                on_progress=driven.on_progress,
                prompts=application.prompts,
                elapsed=driven.elapsed,
            )
            return conversion.answered(reached)

        named = bool(conversation_id.strip())
        return await run_with_models(application, ctx, project, work, detailed=True, named=named)


def _register_feedback(server: ReflectionServer[Application], application: Application) -> None:
    @server.tool(
        title="Record feedback",
        annotations=HEARING,
    )
    async def record_feedback(
        ctx: Context[Any, Any],
        feedback: Annotated[
            FeedbackKind,
            Field(
                description="wrong_match: a recalled error was a different one; forget: delete it"
            ),
        ],
        id: Annotated[
            str | None,
            Field(
                max_length=64,
                description="an id that a tool returned; without it, the last answer of this "
                "conversation",
            ),
        ] = None,
        conversation_id: Conversation = "",
        comment: Annotated[str, Field(max_length=2_000, description="the user's own words")] = "",
        project: Annotated[
            str, Field(max_length=64, description="the project that `id` is in")
        ] = "",
    ) -> Annotated[CallToolResult, FeedbackView]:
        """Record what the user said about an answer, or whether a recalled lesson worked."""
        from reflection_mcp.server.mcp import conversion
        from reflection_mcp.tools.feedback import record_feedback as use_case

        async def work(services: Services) -> FeedbackView:
            said = use_case.FeedbackRequest(
                feedback=feedback,
                id=id,
                conversation_id=services.caller.named(conversation_id),
                comment=comment,
            )
            return conversion.feedback(await use_case.record_feedback(services, said))

        return await run(application, ctx, project, work)


def _register_insights(server: ReflectionServer[Application], application: Application) -> None:
    @server.tool(
        title="Get insights",
        annotations=READING,
        meta={**SHOWN_BY},
    )
    async def get_insights(
        ctx: Context[Any, Any],
        query: Annotated[
            str, Field(max_length=200_000, description="the task you are about to start")
        ] = "",
        rephrased: Rephrased = (),
        tags: Tags = (),
        min_importance: Annotated[
            float,
            Field(ge=0, le=1, allow_inf_nan=False, description="minimum importance, 0-1"),
        ] = 0.0,
        limit: Limit = 10,
        project: ProjectName = "",
        response_format: ResponseFormat = "concise",
    ) -> Annotated[CallToolResult, InsightsView]:
        """Get what was learned before, when you start a task: recurring issues, strategies, lessons
        that fit the query, and errors that nobody has solved yet."""
        from reflection_mcp.server.mcp import conversion
        from reflection_mcp.tools.insights import get_insights as use_case

        detailed = response_format == "detailed"
        settings = application.settings

        async def work(services: Services) -> InsightsView:
            asked = use_case.InsightQuery(
                query=query,
                rephrased=rephrased,
                tags=tags,
                min_importance=min_importance,
                limit=limit,
                tokens=settings.insight_tokens_detailed if detailed else settings.insight_tokens,
            )
            found = await use_case.get_insights(services, asked)
            return conversion.insights(found, detailed=detailed)

        return await run(application, ctx, project, work, detailed=detailed, tries=1)
