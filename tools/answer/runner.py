"""Drives a loop on whatever can be asked; where nobody can be asked, it waits for the caller.

Rules of this module: a role or judge that fails is a reply like any other, never an exception to
the caller; the deadline ends the loop with the best so far, also in the middle of a reply;
cancellation passes through. What is asked and what it cost is told as it happens.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import anyio

from reflection_mcp.store.records import Check
from reflection_mcp.tools.answer.draft import Critique, Point
from reflection_mcp.tools.answer.report import stage
from reflection_mcp.tools.answer.state import (
    Ask,
    Assess,
    Assessed,
    Criticised,
    Done,
    LoopState,
    OutOfTime,
    Reply,
    RoleFailed,
    Written,
)
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.dispute import disputed, unknown
from reflection_mcp.tools.judging.judge import PATIENCE, stands_in
from reflection_mcp.tools.judging.scoring import Opinion, hard_findings
from reflection_mcp.tools.ports import Services
from reflection_mcp.tools.reflect.assess import assess, findings, source_of_scores
from reflection_mcp.tools.reflect.skip_rules import is_look_up
from reflection_mcp.tools.roles.inputs import CriticInput
from reflection_mcp.tools.roles.model_request import Asked, ask, failure_of
from reflection_mcp.tools.roles.prompts import Prompts
from reflection_mcp.tools.roles.role import Role, answerer, critic, reviser
from reflection_mcp.tools.usage import NO_USAGE, Usage, total

OnProgress = Callable[[float, float, str], Awaitable[None]]
"""Called with the progress: steps done, steps at most, and what is going on."""

Elapsed = Callable[[], float]
"""Seconds since the work began."""

BEST_GRADE = 4


async def ignore_progress(done: float, most: float, message: str) -> None:
    """Ignore the progress."""


class LoopRunner:
    """One run of a loop: who is asked, who is told, and how much time is left."""

    def __init__(
        self,
        services: Services,
        loop_id: str,
        *,
        own: Opinion | None = None,
        prompts: Prompts | None = None,
        on_progress: OnProgress = ignore_progress,
        elapsed: Elapsed | None = None,
        closed_world: bool | None = None,
        reasons: Mapping[str, str] | None = None,
    ) -> None:
        """Set up a run.

        Args:
            services: its models are asked in their order, its clock and its `emit` are used.
            loop_id: the name of the loop in what is emitted.
            own: the caller's own scores for the first answer judged here.
            prompts: other prompts than the packaged ones.
            on_progress: called with the progress.
            elapsed: seconds since the work began; by default since now, by the services's clock.
            closed_world: whether an answer may hold only its context; None asks the question.
            reasons: why findings are none, as the caller says, by their ids or quotes.
        """
        self.mode = "dialogue"
        self._services = services
        self._loop_id = loop_id
        self._own = own
        self._prompts = prompts
        self._on_progress = on_progress
        self._elapsed = elapsed or _since(services)
        self._closed_world = closed_world
        self._reasons = reasons or {}
        self.undisputed: tuple[str, ...] = ()
        self.plain = False
        self._done = 0

    async def run(self, state: LoopState) -> tuple[LoopState, Ask | None]:
        """Go on until the loop is done, or until only the caller can do what is asked."""
        while True:
            step = state.step()
            if isinstance(step, Done):
                return state, None
            if isinstance(step, Assess):
                with self._services.stage("loop step", step="checking", attempt=step.attempt + 1):
                    state = await self._assess(state, step)
            elif self._services.models:
                with self._services.stage("loop step", step=step.role, attempt=step.attempt + 1):
                    state = state.feed(await self._ask(state, step))
            else:
                return state, step

    # ----------------------------------------------------------------- judging

    async def _assess(self, state: LoopState, step: Assess) -> LoopState:
        await self._tell(state, f"checking {step.attempt + 1}/{state.plan.attempts}")
        self._emit("loop_step", step="checking", attempt=step.attempt + 1)
        case = Case(
            question=state.question,
            answer=step.answer,
            context=state.context,
            only_context=self._closed_world,
        )
        found = await findings(self._services, case, emit=self._emit_facts)
        before = [c for d in state.drafts if d.evaluation for c in d.evaluation.checks]
        checks = disputed(found, self._reasons, before)
        self.undisputed = unknown(checks, self._reasons)
        self.plain = _is_plain(state, step, checks)
        evaluation = await assess(
            self._services,
            case,
            checks,
            emit=self._emit_facts,
            own=self._own,
            prompts=self._prompts,
            retry_below=state.plan.retry_below,
            patience=0 if self.plain else min(PATIENCE, self._left(state)),
        )
        self._own = None  # said of this draft, not of a revision
        source = source_of_scores(evaluation)
        if source not in ("caller", "checks"):
            self.mode = source
        tried = evaluation.sources_tried
        state = state.feed(Assessed(evaluation=evaluation, usage=total(one.usage for one in tried)))
        judged = state.drafts[-1]
        self._emit(
            "loop_step",
            step="checked",
            attempt=step.attempt + 1,
            flaws=judged.flaws.count,
            quality=judged.quality,
            stop=state.stop.rule if state.stop else "",
            ms=judged.usage.ms,
            cost_usd=judged.usage.cost_usd,
        )
        return state

    # ----------------------------------------------------------------- asking

    async def _ask(self, state: LoopState, step: Ask) -> Reply:
        left = self._left(state)
        if left <= 0:
            return OutOfTime()
        await self._tell(state, stage(state, step))
        self._emit("loop_step", step=f"{step.role}_asked", attempt=step.attempt + 1)
        with anyio.move_on_after(left):
            return await self._play(step)
        return OutOfTime()

    async def _play(self, step: Ask) -> Reply:
        """Let the first model that can play a role."""
        if isinstance(step.input, CriticInput):
            criticism, usage, reason = await self._first(step, critic())
            if criticism is None:
                return RoleFailed(role=step.role, reason=reason, usage=usage)
            answer = step.input.answer
            points = tuple(
                Point(problem=one.why, quote=one.quote, fix=one.fix)
                for one in criticism.problems
                if stands_in(one.quote, answer)
            )
            severity = criticism.severity / BEST_GRADE
            return Criticised(critique=Critique(severity=severity, points=points), usage=usage)
        writer: Role[Any, str] = reviser() if step.role == "reviser" else answerer()
        text, usage, reason = await self._first(step, writer)
        if text is None:
            return RoleFailed(role=step.role, reason=reason, usage=usage)
        return Written(text=text, usage=usage)

    async def _first(self, step: Ask, role: Role[Any, Any]) -> tuple[Any, Usage, str]:
        usage, reasons = NO_USAGE, list[str]()
        for model in self._services.models:
            asked: Asked[Any] = await ask(model, role, step.input, prompts=self._prompts)
            usage += asked.usage
            if asked.value is not None:
                self.mode = asked.model
                return asked.value, usage, ""
            self._emit("model_failed", **failure_of(asked.model, asked.reason, asked.usage.ms))
            reasons.append(f"{asked.model} {asked.reason}")
        return None, usage, ", ".join(reasons)

    # ----------------------------------------------------------------- telling

    def _left(self, state: LoopState) -> float:
        return state.plan.deadline - self._elapsed()

    async def _tell(self, state: LoopState, message: str) -> None:
        most = 3 * state.plan.attempts  # write or revise, check, criticise
        await self._on_progress(self._done, most, message)
        self._done += 1

    def _emit(self, event: str, **facts: Any) -> None:
        self._emit_facts(event, facts)

    def _emit_facts(self, event: str, facts: dict[str, Any]) -> None:
        self._services.emit(event, {"loop": self._loop_id, **facts})


def _is_plain(state: LoopState, step: Assess, checks: Sequence[Check]) -> bool:
    """Whether this only looks one fact up and nothing proves it wrong: then no judge is asked."""
    reflects = state.plan.always or state.drafts or state.context or hard_findings(checks)
    return not reflects and is_look_up(state.question, step.answer)


def _since(services: Services) -> Elapsed:
    began = services.clock()
    return lambda: (services.clock() - began).total_seconds()
