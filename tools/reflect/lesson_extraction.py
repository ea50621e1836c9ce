"""Asks a model what an episode teaches, and keeps what the episode supports.

Rules of this module:

- Whatever a model does, the result is a lesson or a named reason why there is none; without one the
  record is what rules derive, and the caller is asked.
- A lesson counts only with words of the episode that show it, copied truly. What tries to give
  instructions is marked where it is stored, like everybody's.
- A model is asked once for an episode: not when the caller brings a lesson, not when the error is
  known with one, and not when it has just failed as the judge.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from reflection_mcp.store.records import Lesson
from reflection_mcp.tools.intake import head_and_tail, says_something
from reflection_mcp.tools.judging.judge import LONGEST as LOOKED_FOR
from reflection_mcp.tools.judging.judge import PATIENCE, stands_in
from reflection_mcp.tools.judging.scoring import Tried
from reflection_mcp.tools.learning.episode import failing_text, in_lines
from reflection_mcp.tools.learning.platitude import is_platitude
from reflection_mcp.tools.ports import Limits, Model
from reflection_mcp.tools.reflect.request import ReflectRequest
from reflection_mcp.tools.roles.inputs import RoleInput
from reflection_mcp.tools.roles.model_request import Asked, Seconds, ask_in_turn
from reflection_mcp.tools.roles.prompts import Prompts
from reflection_mcp.tools.roles.role import BEST_GRADE

if TYPE_CHECKING:
    from reflection_mcp.tools.roles.replies import ReflectorReply

TOLD = 4_000  # characters of an error or of the work done that a model is shown
LONGEST = 1_000  # characters of a lesson or strategy; a longer one is an essay
SHORTEST_QUOTE = 8  # characters; a shorter one stands in any text
MOST_TAGS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractedLesson:
    """What a model says of an episode; shares are 0 to 1, `quote` stands in the episode.

    `told_by` is the model with its prompt, empty when none was asked or had a lesson.
    """

    lesson: Lesson = field(default_factory=Lesson)
    quote: str = ""
    trigger: str = ""
    category: str = ""
    tags: tuple[str, ...] = ()
    importance: float | None = None
    confidence: float | None = None
    told_by: str = ""

    def added_to(self, request: ReflectRequest) -> ReflectRequest:
        """The work with this lesson, and what else the caller did not say."""
        lesson = replace(
            request.lesson,
            text=self.lesson.text,
            strategy=request.lesson.strategy or self.lesson.strategy,
            situations=request.lesson.situations or self.lesson.situations,
        )
        return replace(request, lesson=lesson)


async def extract_lesson(
    models: Sequence[Model],
    request: ReflectRequest,
    limits: Limits,
    *,
    findings: Sequence[str] = (),
    lessons: Sequence[str] = (),
    prompts: Prompts | None = None,
    patience: float = PATIENCE,
    seconds: Seconds = time.monotonic,
) -> tuple[ExtractedLesson, tuple[Tried, ...]]:
    """Ask models in their order until one gives a lesson that the episode shows.

    Args:
        models: who is asked; none gives no lesson.
        request: the episode, taken in.
        limits: how much of each part is kept.
        findings: what is wrong with it, told as facts.
        lessons: what is known already and need not be said again.
        prompts: other prompts than the packaged ones.
        patience: seconds for all models together, beside those of the judge.
        seconds: a clock, for telling how long it took.

    Returns:
        The lesson, else an empty one, and how each model fared, as `NAME reflector`. Reasons of a
        failure are those of the judge, and `not_reusable`, `no_lesson`, `too_long`, `unquoted`.
    """
    given = RoleInput(
        question=request.question,
        events=_material(request),
        outcome=request.outcome or "",
        findings=tuple(findings),
        lessons=tuple(lessons),
    )
    asked = await ask_in_turn(
        models,
        "reflector_success" if went_well(request) else "reflector_failure",
        given,
        prompts=prompts,
        patience=patience,
        seconds=seconds,
        fault=lambda said: _fault(said, given.events),
    )
    found = asked and asked[-1].value is not None
    return _lesson_from(asked[-1], limits) if found else ExtractedLesson(), tuple(
        Tried(
            name=f"{one.model} reflector",
            ok=one.value is not None,
            reason=one.reason,
            usage=one.usage,
        )
        for one in asked
    )


def went_well(request: ReflectRequest) -> bool:
    """Whether an episode is one to learn a success from."""
    return request.outcome == "success" or not (request.outcome or request.error)


def _material(request: ReflectRequest) -> tuple[str, ...]:
    """What happened, in order, as the model reads it."""
    lines = list(in_lines(request.events))
    if request.error and request.error != failing_text(request.events):
        lines.append(f"error: {head_and_tail(request.error, TOLD)}")
    if request.answer.strip():
        lines.append(f"work done, as told: {head_and_tail(request.answer, TOLD)}")
    return tuple(lines)


def _fault(said: "ReflectorReply", events: Sequence[str]) -> str:
    """Why what was said is no lesson, or an empty text."""
    if not said.reusable:
        return "not_reusable"
    if max(len(said.lesson), len(said.strategy)) > LONGEST:
        return "too_long"
    if not says_something(said.lesson) or is_platitude(said.lesson):
        return "no_lesson"
    quote = said.evidence_quote.strip()
    shown = len(quote) >= SHORTEST_QUOTE and any(stands_in(quote, event) for event in events)
    return "" if shown else "unquoted"


def _lesson_from(asked: Asked, limits: Limits) -> ExtractedLesson:
    said: ReflectorReply = asked.value
    return ExtractedLesson(
        lesson=Lesson(
            text=said.lesson.strip(),
            strategy=said.strategy.strip(),
            situations=_in_lines(said.situations, limits.phrasing, limits.phrasings),
        ),
        quote=said.evidence_quote.strip()[:LOOKED_FOR],  # no more of it was held to the episode
        trigger=said.trigger.strip()[:200],
        category="" if said.category in ("none", "unknown") else said.category,
        tags=_in_lines([tag.casefold() for tag in said.tags], limits.tag, MOST_TAGS),
        importance=said.importance / BEST_GRADE,
        confidence=said.confidence / BEST_GRADE,
        told_by=f"{asked.model}, {asked.version}",
    )


def _in_lines(texts: Sequence[str], length: int, most: int) -> tuple[str, ...]:
    """Texts as lines of a length, without empty ones and repeats, and no more than so many."""
    lines = (" ".join(text.split())[:length].strip() for text in texts)
    return tuple(dict.fromkeys(line for line in lines if line))[:most]
