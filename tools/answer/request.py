"""The request of `answer_with_reflection`."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from reflection_mcp.tools import intake
from reflection_mcp.tools.answer.plan import DEADLINE, Plan, retries_of
from reflection_mcp.tools.answer.token import key_of
from reflection_mcp.tools.errors import InvalidInput
from reflection_mcp.tools.judging.scoring import GOOD_ENOUGH, RETRY_BELOW
from reflection_mcp.tools.ports import Services
from reflection_mcp.tools.roles.inputs import LESSONS


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerRequest:
    """What the caller asks.

    `secret` signs the token and must be the same for every process that serves the same callers.
    `loop` is the token of the result before, which comes with a new `draft`. `max_iterations`
    counts attempts in all and says more than `depth`. The three scores are the caller's own for
    this draft: recorded, never acted on. `lessons` are past ones that fit, the best first.
    `disputed` says why findings of the result before are none, by their ids or quotes.
    """

    question: str
    secret: bytes
    context: str = ""
    draft: str | None = None
    depth: str = "balanced"
    max_iterations: int | None = None
    always: bool = False
    loop: str = ""
    conversation_id: str = ""
    confidence: float | None = None
    relevance: float | None = None
    completeness: float | None = None
    lessons: tuple[str, ...] = ()
    closed_world: bool | None = None
    disputed: Mapping[str, str] = field(default_factory=dict[str, str])
    good_enough: float = GOOD_ENOUGH
    retry_below: float = RETRY_BELOW
    deadline: float = DEADLINE


def cleaned(services: Services, request: AnswerRequest) -> AnswerRequest:
    """Return the request with its texts redacted, trimmed and within their limits.

    Raises:
        InvalidInput: an argument cannot be used, or there is no draft and no model to write one.
    """
    limits = services.limits
    text = intake.text
    context = text("context", request.context, limits.context)
    question = text("question", request.question, limits.question, required=True)
    draft = request.draft
    if draft is not None:
        hint = "pass your answer, or leave it out"
        draft = text("draft", draft, limits.answer, required=True, hint=hint)
    elif not services.models:
        missing = "a loop token without a draft" if request.loop else "no draft"
        raise InvalidInput(
            f"{missing}, and no model here to write one",
            "write your best answer first and pass it as `draft`",
        )
    lessons = (text("a lesson", lesson, limits.lesson).strip() for lesson in request.lessons)
    return replace(
        request,
        secret=key_of(request.secret, services.scope, services.caller.principal),
        question=question,
        context=context,
        draft=draft,
        loop=request.loop.strip(),
        conversation_id=intake.conversation(
            request.conversation_id, services.caller.conversation_id
        ),
        confidence=intake.share("confidence", request.confidence),
        relevance=intake.share("relevance", request.relevance),
        completeness=intake.share("completeness", request.completeness),
        lessons=tuple(lesson for lesson in lessons if lesson)[:LESSONS],
        disputed=intake.answers(request.disputed, limits, "disputed findings"),
    )


def plan_of(request: AnswerRequest) -> Plan:
    """Return the plan of the loop that is asked for.

    Raises:
        InvalidInput: an unknown depth, or a number of attempts outside its range.
    """
    return Plan(
        retries=retries_of(request.depth, request.max_iterations),
        always=request.always,
        good_enough=request.good_enough,
        retry_below=request.retry_below,
        deadline=request.deadline,
    )
