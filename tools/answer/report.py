"""The report of a loop: what to do now, what happened, and where the best attempt is.

Rule of this module: everything said here follows from the state; nothing is decided here.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from reflection_mcp.store.records import Check
from reflection_mcp.tools.answer.draft import Draft, best, opening
from reflection_mcp.tools.answer.fault_location import step_name
from reflection_mcp.tools.answer.state import Ask, LoopState, cleared
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.roles.inputs import approach
from reflection_mcp.tools.usage import Usage

DISPUTE = "If a finding is not a fault, pass its id and your reason in `disputed` instead."
CALL_AGAIN = (
    "Then call answer_with_reflection again with the same question and context, the new text as "
    "`draft`, and this result's `loop`."
)
READ_AS_CRITIC = (
    "Nothing could be proven wrong, which does not mean that it is right. Read the draft as its "
    "critic: solve the key point again without looking at it, and compare. If something has to "
    "change, change only that."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One attempt in the history; `attempt` counts from 1.

    `faults` are located lines, as far as they are still known; `fault_count` is always known.
    `objections` are what a judge or critic said of it. `severity` is the critic's, None when there
    was no critic. `then` says why the loop went on or
    ended there.
    """

    attempt: int
    opening: str
    fault_count: int
    faults: tuple[str, ...]
    objections: tuple[str, ...]
    quality: float | None
    severity: float | None
    then: str
    usage: Usage


def history(state: LoopState) -> tuple[Turn, ...]:
    """Every attempt in order, readable."""
    return tuple(_turn(state, number) for number in range(len(state.drafts)))


def what_next(state: LoopState, step: Ask) -> str:
    """What the caller is asked to do when it is the model."""
    if step.role == "critic":
        return f"{READ_AS_CRITIC} {CALL_AGAIN} If nothing has to change, you are done."
    last, how = state.drafts[-1], approach(step.attempt)
    where = (
        f"Redo only the listed steps of the draft you just passed (attempt {last.iteration + 1})."
    )
    return f"{where} {how} {DISPUTE} {CALL_AGAIN}"


def in_hand(state: LoopState) -> Draft:
    """The attempt to work on: the last while it is being revised, else the best.

    What is to be redone and what was found have to speak of the same text: offsets of one draft
    say nothing about another. Of a best attempt whose findings are lost nothing can be said, so
    the last one stands in.
    """
    kept = best(state.drafts)
    return kept if state.stop and kept.evaluation else state.drafts[-1]


def redo(state: LoopState) -> tuple[str, ...]:
    """What is proven wrong in the attempt in hand."""
    return in_hand(state).faults


def where_the_best_is(state: LoopState) -> str:
    """A name for the best attempt when its text is not at hand; empty when it is."""
    kept = best(state.drafts)
    return "" if kept.text is not None else f"your draft of attempt {kept.iteration + 1}"


def all_cleared(state: LoopState) -> tuple[Check, ...]:
    """Proven faults that a revision removed and that the best attempt does not have."""
    kept = best(state.drafts)
    left = {(flaw.kind, flaw.stated) for flaw in _flaws(kept)}
    gone = [
        flaw
        for before, after in zip(state.drafts, state.drafts[1:], strict=False)
        for flaw in cleared(before.evaluation, after.evaluation)
    ]
    return tuple(flaw for flaw in dict.fromkeys(gone) if (flaw.kind, flaw.stated) not in left)


def stage(state: LoopState, step: Ask) -> str:
    """What is going on, for a progress notification."""
    if step.role == "answerer":
        return "writing a first answer"
    if step.role == "critic":
        return f"criticising {step.attempt + 1}/{state.plan.attempts}"
    last = state.drafts[-1]
    flaws = _flaws(last)
    counts = {"fault": len(flaws), "objection": len(last.objections)}
    said = [f"{n} {noun}{'s' if n > 1 else ''}" for noun, n in counts.items() if n]
    said += [] if last.quality is None else [f"quality {last.quality:.2f}"]
    found = f": {', '.join(said)}" if said else ""
    if flaws and last.text is not None:
        name = step_name(Case(answer=last.text), flaws[0].start).removesuffix(": ")
        if name:
            return f"revising {name}{found}"
    return f"revising {step.attempt + 1}/{state.plan.attempts}{found}"


def answering(state: LoopState) -> str:
    """The last progress notification: which attempt is returned."""
    return f"answering with attempt {best(state.drafts).iteration + 1}"


def _turn(state: LoopState, number: int) -> Turn:
    one = state.drafts[number]
    return Turn(
        attempt=number + 1,
        opening=opening(one.text or ""),
        fault_count=one.flaws.count,
        faults=one.faults,
        objections=tuple(_objections(one)),
        quality=one.quality,
        severity=one.critique.severity if one.critique else None,
        then=_then(state, number),
        usage=one.usage,
    )


def _objections(one: Draft) -> Iterator[str]:
    for said in one.objections:
        yield f"{said.problem.rstrip('.')}; {said.fix}" if said.fix else said.problem


def _then(state: LoopState, number: int) -> str:
    one, is_last = state.drafts[number], number == len(state.drafts) - 1
    if is_last and state.stop:
        return f"stopped: {state.stop.why}"
    if one.flaws.count:
        faults = "one proven fault" if one.flaws.count == 1 else f"{one.flaws.count} proven faults"
        return f"retry: {faults}"
    if one.critique:
        return f"retry: the critic's severity is {one.critique.severity:.2f}"
    if state.plan.always or one.quality is None:
        return "retry: a reflection was asked for"
    return f"retry: a quality of {one.quality:.2f} is not above {state.plan.good_enough}"


def _flaws(one: Draft) -> tuple[Check, ...]:
    return one.evaluation.flaws if one.evaluation else ()
