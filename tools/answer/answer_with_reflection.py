"""Answer, check, revise the failing steps, check again; give back the best attempt.

With a model the whole loop runs inside the call. Without one the caller is the model: the call
returns what has to be redone and a token, and the caller comes back with both. The loop itself is a
value (`reflection_mcp.tools.answer`); this module drives it and keeps its attempts.

Nothing is written before the loop has come to a halt, so that the call can be run again from its
start with the replies that a model has already given.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from reflection_mcp.store.contract import Writes
from reflection_mcp.store.errors import StoreError
from reflection_mcp.store.records import Attempt, Check
from reflection_mcp.tools import intake
from reflection_mcp.tools.answer.draft import Draft, best
from reflection_mcp.tools.answer.report import (
    Turn,
    all_cleared,
    history,
    in_hand,
    redo,
    what_next,
    where_the_best_is,
)
from reflection_mcp.tools.answer.request import AnswerRequest, cleaned, plan_of
from reflection_mcp.tools.answer.revision_lesson import learn_from_loop
from reflection_mcp.tools.answer.runner import Elapsed, LoopRunner, OnProgress, ignore_progress
from reflection_mcp.tools.answer.state import Ask, LoopState
from reflection_mcp.tools.answer.stop_rules import MILD, Stop
from reflection_mcp.tools.answer.token import loop_id_from, read_token, write_token
from reflection_mcp.tools.errors import InvalidInput
from reflection_mcp.tools.judging.scoring import Evaluation
from reflection_mcp.tools.ports import Services
from reflection_mcp.tools.reflect.assess import attempt_of
from reflection_mcp.tools.reflect.history import said
from reflection_mcp.tools.reflect.persist import SavedReflection
from reflection_mcp.tools.reflect.request import is_greeting
from reflection_mcp.tools.roles.prompts import Prompts
from reflection_mcp.tools.untrusted import presentable, quoted
from reflection_mcp.tools.usage import total

PLAIN = "a plain look-up: no judge was asked; `always` asks one"
NAME_SHOWN = 40  # characters of the name of a finding that is none
RECALLED = 30  # attempts of a conversation that are looked through for those of a loop


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerResult:
    """The best attempt, or what has to be done for a better one.

    attempt_id: names the best attempt, for feedback; None when it is not kept.
    status: `done`, or `revise` when the caller has to come back with a new draft and `loop`.
    answer: the text of the best attempt; None when only the caller has it, see `answer_is`.
    attempt: the number of the best attempt, from 1.
    redo_of: the number of the attempt that `evaluation` and `redo` speak of, from 1: of the draft
        just judged while the caller has to revise it, else of the best as far as it is known.
    redo: its steps that are proven wrong.
    lost: why the attempts are not kept, empty when they are.
    learned: what was kept of it as a lesson.
    cleared: proven faults that a revision removed; `before` had them, and the attempt kept has not.
    """

    status: Literal["done", "revise"]
    answer: str | None
    answer_is: str
    attempt: int
    attempts: int
    redo_of: int
    evaluation: Evaluation
    stop: Stop | None
    why: str
    redo: tuple[str, ...] = ()
    next: str = ""
    loop: str = ""
    history: tuple[Turn, ...] = ()
    cleared: tuple[Check, ...] = ()
    lessons: tuple[str, ...] = ()
    mode: str = "dialogue"
    attempt_id: str | None = None
    lost: str = ""
    learned: tuple[SavedReflection, ...] = ()
    notes: tuple[str, ...] = ()


async def answer_with_reflection(
    services: Services,
    request: AnswerRequest,
    *,
    on_progress: OnProgress = ignore_progress,
    prompts: Prompts | None = None,
    elapsed: Elapsed | None = None,
) -> AnswerResult:
    """Run the loop as far as it goes: to its end with a model, else to the caller's next move.

    Args:
        services: its models are asked in their order; without any the caller is the model.
        request: what is asked.
        on_progress: called with the progress: steps done, steps at most, and what is going on.
        prompts: other prompts than the packaged ones.
        elapsed: seconds since the work began, for the deadline; by default read from the clock.

    Raises:
        InvalidInput: an argument cannot be used, the token is not one for this question, or there
            is no draft and no model to write one.
    """
    if not request.loop and is_greeting(request.question):
        return _skipped(services, request)
    asked = cleaned(services, request)
    state, loop_id, earlier = await _begun(services, asked)
    services.emit("loop_started", {"loop": loop_id, "attempts": state.plan.attempts})
    runner = LoopRunner(
        services, asked, loop_id, prompts=prompts, on_progress=on_progress, elapsed=elapsed
    )
    known = len(state.drafts)
    state, waiting = await runner.run(state)
    if not state.drafts:
        why = state.stop.why if state.stop else "no model"
        raise InvalidInput(f"no draft, and {why}", "write your best answer and pass it as `draft`")
    attempt_ids, trouble = await _keep(services, asked, state, loop_id, known)
    services.emit("loop_finished", _facts(state, loop_id))
    result = _result(asked, state, waiting, loop_id, trouble, runner.mode)
    notes = [PLAIN] if runner.plain and services.models else []
    if runner.undisputed:
        names = ", ".join(quoted(presentable(name, NAME_SHOWN)) for name in runner.undisputed)
        notes.append(f"`disputed` names ids that no finding of this draft has: {names}")
    learned: tuple[SavedReflection, ...] = ()
    if waiting is None and trouble is None:
        learned, more = await learn_from_loop(services, state, loop_id, result.cleared)
        notes += more
    return replace(
        result,
        attempt_id=_id_of(best(state.drafts), known, attempt_ids, earlier),
        learned=learned,
        notes=(*result.notes, *notes),
    )


# --------------------------------------------------------------------------- the beginning


def _skipped(services: Services, request: AnswerRequest) -> AnswerResult:
    """The draft as it is: no model is asked about a greeting."""
    draft = intake.text("draft", request.draft or "", services.limits.answer)
    return AnswerResult(
        status="done",
        answer=draft,
        answer_is="",
        attempt=1 if draft else 0,
        attempts=1 if draft else 0,
        redo_of=0,
        evaluation=Evaluation(),
        stop=None,
        why="a greeting: nothing to reflect on",
        mode="skipped",
    )


Earlier = Mapping[str, Attempt]
"""What the store still has of the attempts of a loop, by their digest."""


async def _begun(services: Services, asked: AnswerRequest) -> tuple[LoopState, str, Earlier]:
    planned = plan_of(asked)
    state = LoopState(
        plan=planned,
        question=asked.question,
        context=asked.context,
        lessons=asked.lessons,
        candidate=asked.draft,
    )
    if not asked.loop:
        return state, loop_id_from(services.ids("loop")), {}
    carried = read_token(asked.secret, asked.loop, asked.question, asked.context)
    # Only what is told rests on these (what was cleared, the history); no decision does.
    earlier = await _recalled(services, asked, carried.loop_id)
    drafts = tuple(_with_findings(one, earlier.get(one.digest)) for one in carried.drafts)
    planned = replace(planned, retries=carried.retries, always=carried.always)
    return replace(state, plan=planned, drafts=drafts), carried.loop_id, earlier


async def _recalled(services: Services, asked: AnswerRequest, loop_id: str) -> Earlier:
    try:
        attempts = await services.store.attempts(
            services.scope, conversation_id=asked.conversation_id, limit=RECALLED
        )
    except StoreError:
        return {}  # the same trouble is told when the new attempt is to be kept
    return {a.answer_hash: a for a in attempts if a.metadata.get("loop") == loop_id}


def _with_findings(one: Draft, attempt: Attempt | None) -> Draft:
    if attempt is None:
        return one
    return replace(
        one,
        evaluation=Evaluation(
            confidence=attempt.confidence,
            relevance=attempt.relevance,
            completeness=attempt.completeness,
            quality=attempt.judged_quality,
            checks=attempt.checks,
        ),
    )


# --------------------------------------------------------------------------- storing


async def _keep(
    services: Services, asked: AnswerRequest, state: LoopState, loop_id: str, known: int
) -> tuple[tuple[str, ...], StoreError | None]:
    """Store the attempts that are new in this call, all or none, and say what was in the way."""
    store = services.store
    made = [_attempt(services, asked, state, one, loop_id) for one in state.drafts[known:]]

    def keep(writes: Writes) -> tuple[str, ...]:
        return tuple(
            writes.add_attempt(one, event_id=f"{loop_id}:{one.iteration}:{one.answer_hash}").id
            for one in made
        )

    try:
        return await store.transaction(services.scope, keep), None
    except StoreError as trouble:
        services.emit("loop_not_stored", {"loop": loop_id, "reason": type(trouble).__name__})
        return (), trouble


def _attempt(
    services: Services, asked: AnswerRequest, state: LoopState, one: Draft, loop_id: str
) -> Attempt:
    evaluation = one.evaluation or Evaluation()
    severe = one.critique is not None and one.critique.severity > MILD  # loop:memory-out
    points = one.critique.points if one.critique and severe else ()
    attempt = attempt_of(
        services,
        evaluation,
        id=services.ids("att"),
        conversation_id=asked.conversation_id,
        question=asked.question,
        answer_hash=one.digest,
        iteration=one.iteration,
    )
    return replace(
        attempt,
        retry=state.stop is None or one is not state.drafts[-1],
        issues=(*attempt.issues, *(p.problem for p in points)),
        improvements=(*attempt.improvements, *(p.fix for p in points)),
        metadata={
            "reported": evaluation.reported,
            "loop": loop_id,
            "answer_chars": len(one.text or ""),
            **asdict(one.usage),
        },
    )


# --------------------------------------------------------------------------- the result


def _result(
    asked: AnswerRequest,
    state: LoopState,
    waiting: Ask | None,
    loop_id: str,
    trouble: StoreError | None,
    mode: str,
) -> AnswerResult:
    kept, shown, turns = best(state.drafts), in_hand(state), history(state)
    goes_on = waiting is not None or (state.stop is not None and state.stop.outcome == "error")
    goes_on = goes_on and len(state.drafts) < state.plan.attempts
    return AnswerResult(
        status="done" if waiting is None else "revise",
        answer=kept.text,
        answer_is=where_the_best_is(state),
        attempt=kept.iteration + 1,
        attempts=len(state.drafts),
        redo_of=shown.iteration + 1,
        evaluation=shown.evaluation or Evaluation(),
        stop=state.stop,
        why=state.stop.why if state.stop else turns[-1].then,
        redo=redo(state),
        next=what_next(state, waiting) if waiting else "",
        loop=write_token(asked.secret, loop_id, state) if goes_on else "",
        history=turns,
        cleared=all_cleared(state),
        lessons=state.lessons,
        mode=mode,
        lost=trouble.message if trouble else "",
        notes=(f"nothing was stored: {said(trouble)}",) if trouble else (),
    )


def _id_of(kept: Draft, known: int, made: tuple[str, ...], earlier: Earlier) -> str | None:
    """The id of an attempt: one of this call, or one that the store still has."""
    if kept.iteration >= known:
        return made[kept.iteration - known] if made else None
    before = earlier.get(kept.digest)
    return before.id if before else None


def _facts(state: LoopState, loop_id: str) -> dict[str, Any]:
    usage = total(one.usage for one in state.drafts)
    return {
        "loop": loop_id,
        "attempts": len(state.drafts),
        "stop": state.stop.rule if state.stop else "waiting",
        "flaws": best(state.drafts).flaws.count,
        **asdict(usage),
    }
