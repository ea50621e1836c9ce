"""Runs a loop with the models there are; without a model it waits for the caller.

Rules of this module: a role or judge that fails is a reply like any other, never an exception to
the caller; the deadline ends the loop with the best so far, also in the middle of a reply;
cancellation passes through. What is asked and what it cost is told as it happens.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import anyio

from reflection_mcp.store.records import Check
from reflection_mcp.tools.answer.draft import Critique, Point
from reflection_mcp.tools.answer.report import answering, stage
from reflection_mcp.tools.answer.request import AnswerRequest
from reflection_mcp.tools.answer.state import Ask, Assess, LoopState
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.dispute import disputed, unknown
from reflection_mcp.tools.judging.judge import PATIENCE, stands_in
from reflection_mcp.tools.judging.scoring import hard_findings, self_report
from reflection_mcp.tools.ports import Services
from reflection_mcp.tools.reflect.assess import assess, findings, source_of_scores
from reflection_mcp.tools.reflect.request import is_look_up
from reflection_mcp.tools.roles.model_request import ask_in_turn, failure_of
from reflection_mcp.tools.roles.prompts import Prompts
from reflection_mcp.tools.roles.role import BEST_GRADE
from reflection_mcp.tools.usage import total

OnProgress = Callable[[float, float, str], Awaitable[None]]
"""Called with the progress: steps done, steps at most, and what is going on."""

Elapsed = Callable[[], float]
"""Seconds since the work began."""


async def ignore_progress(done: float, most: float, message: str) -> None:
    """Ignore the progress."""


class LoopRunner:
    """One run of a loop: who is asked, who is told, and how much time is left.

    After it `mode` names the model that was asked last, `plain` says that no judge was asked about
    a look-up, and `undisputed` names what the caller disputes and is no finding.
    """

    def __init__(
        self,
        services: Services,
        asked: AnswerRequest,
        loop_id: str,
        *,
        prompts: Prompts | None = None,
        on_progress: OnProgress = ignore_progress,
        elapsed: Elapsed | None = None,
    ) -> None:
        """Set up a run.

        Args:
            services: its models are asked in their order, its clock and its `emit` are used.
            asked: the request; its scores are of the first answer judged here.
            loop_id: the name of the loop in what is emitted.
            prompts: other prompts than the packaged ones.
            on_progress: called with the progress.
            elapsed: seconds since the work began; by default since now, by the services's clock.
        """
        self.mode = "dialogue"
        self.undisputed: tuple[str, ...] = ()
        self.plain = False
        self._services = services
        self._asked = asked
        self._loop_id = loop_id
        self._own = self_report(asked.confidence, asked.relevance, asked.completeness)
        self._prompts = prompts
        self._on_progress = on_progress
        self._elapsed = elapsed or _since(services)
        self._done = 0

    async def run(self, state: LoopState) -> tuple[LoopState, Ask | None]:
        """Go on until the loop is done, or until only the caller can do what is asked."""
        while (step := state.step()) is not None:
            if isinstance(step, Ask) and not self._services.models:
                return state, step
            name = "checking" if isinstance(step, Assess) else step.role
            with self._services.stage("loop step", step=name, attempt=step.attempt + 1):
                if isinstance(step, Assess):
                    state = await self._assess(state, step)
                else:
                    state = await self._ask(state, step)
        if state.drafts:
            most = _most(state)
            await self._on_progress(most, most, answering(state))
        return state, None

    async def _assess(self, state: LoopState, step: Assess) -> LoopState:
        await self._tell(state, f"checking {step.attempt + 1}/{state.plan.attempts}")
        self._emit("loop_step", {"step": "checking", "attempt": step.attempt + 1})
        case = Case(
            question=state.question,
            answer=step.answer,
            context=state.context,
            only_context=self._asked.closed_world,
        )
        found = await findings(self._services, case, emit=self._emit)
        before = [c for d in state.drafts if d.evaluation for c in d.evaluation.checks]
        checks = disputed(found, self._asked.disputed, before)
        self.undisputed = unknown(checks, self._asked.disputed)
        self.plain = _is_plain(state, step, checks)
        evaluation = await assess(
            self._services,
            case,
            checks,
            emit=self._emit,
            own=self._own,
            prompts=self._prompts,
            retry_below=state.plan.retry_below,
            patience=0 if self.plain else min(PATIENCE, self._left(state)),
        )
        self._own = None  # said of this draft, not of a revision
        source = source_of_scores(evaluation)
        if source not in ("caller", "checks"):
            self.mode = source
        state = state.assessed(evaluation, total(one.usage for one in evaluation.sources_tried))
        judged = state.drafts[-1]
        self._emit(
            "loop_step",
            {
                "step": "checked",
                "attempt": step.attempt + 1,
                "flaws": judged.flaws.count,
                "quality": judged.quality,
                "stop": state.stop.rule if state.stop else "",
                "ms": judged.usage.ms,
                "cost_usd": judged.usage.cost_usd,
            },
        )
        return state

    async def _ask(self, state: LoopState, step: Ask) -> LoopState:
        """Let the first model that can play a role; time that is up ends the loop."""
        left = self._left(state)
        if left > 0:
            await self._tell(state, stage(state, step))
            self._emit("loop_step", {"step": f"{step.role}_asked", "attempt": step.attempt + 1})
            with anyio.move_on_after(left):
                return await self._reply(state, step)
        return state.out_of_time()

    async def _reply(self, state: LoopState, step: Ask) -> LoopState:
        asked = await ask_in_turn(
            self._services.models, step.role, step.input, prompts=self._prompts
        )
        failed = [one for one in asked if one.value is None]
        for one in failed:
            self._emit("model_failed", failure_of(one.model, one.reason, one.usage.ms))
        last, usage = asked[-1], total(one.usage for one in asked)
        if last.value is None:
            reasons = ", ".join(f"{one.model} {one.reason}" for one in failed)
            return state.role_failed(step.role, reasons, usage)
        self.mode = last.model
        if step.role != "critic":
            return state.written(last.value, usage)
        points = tuple(
            Point(problem=one.why, quote=one.quote, fix=one.fix)
            for one in last.value.problems
            if stands_in(one.quote, step.input.answer)
        )
        critique = Critique(severity=last.value.severity / BEST_GRADE, points=points)
        return state.criticised(critique, usage)

    def _left(self, state: LoopState) -> float:
        return state.plan.deadline - self._elapsed()

    async def _tell(self, state: LoopState, message: str) -> None:
        await self._on_progress(self._done, _most(state), message)
        self._done += 1

    def _emit(self, event: str, facts: dict[str, Any]) -> None:
        self._services.emit(event, {"loop": self._loop_id, **facts})


def _most(state: LoopState) -> int:
    """The steps at most: to write or revise, check and criticise each attempt; and the last one."""
    return 3 * state.plan.attempts + 1


def _is_plain(state: LoopState, step: Assess, checks: Sequence[Check]) -> bool:
    """Whether this only looks one fact up and nothing proves it wrong: then no judge is asked."""
    reflects = state.plan.always or state.drafts or state.context or hard_findings(checks)
    return not reflects and is_look_up(state.question, step.answer)


def _since(services: Services) -> Elapsed:
    began = services.clock()
    return lambda: (services.clock() - began).total_seconds()
