"""When to stop, one function per rule; each gives the reason as a sentence, or None to go on.

The rules hold for the newest attempt against those before it. Proven faults come first: as long as
a revision removes those it was told of, no score and no likeness of texts ends the loop. A
self-score is not looked at at all (`Draft.quality` never rests on one).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from reflection_mcp.tools.answer.draft import Critique, Draft, changed_share
from reflection_mcp.tools.answer.plan import Plan

Outcome = Literal["converged", "max_iterations", "deadline", "error"]

GAIN = 0.1  # seed rule loop:converge-plateau
MILD = 0.3  # seed rule loop:converge-severity
BARELY = 0.02  # of the text; seed rule loop:converge-small-change leaves the number open


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """Why a loop ended: the rule by name, what kind of end it is, and a sentence."""

    rule: str
    outcome: Outcome
    why: str


Reason = Callable[[Plan, Sequence[Draft]], str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class StopRule:
    """A rule about the newest of the attempts."""

    name: str
    outcome: Outcome
    reason: Reason


def good_enough(plan: Plan, drafts: Sequence[Draft]) -> str | None:
    """No proven fault, and a judge or a test thinks well of it."""
    last = drafts[-1]
    if plan.always or last.flaws.count or last.quality is None:
        return None
    if last.quality <= plan.good_enough:
        return None
    return f"no proven fault, and a quality of {last.quality:.2f} is above {plan.good_enough}"


def nothing_found(plan: Plan, drafts: Sequence[Draft]) -> str | None:
    """Nothing proven wrong and nobody to give a score: there is nothing to work on."""
    last = drafts[-1]
    if plan.always or last.flaws.count or last.quality is not None:
        return None
    return "nothing could be proven wrong, which does not mean that it is right"


def no_retry_asked(plan: Plan, drafts: Sequence[Draft]) -> str | None:
    """No proven fault, and a score that does not ask for a retry."""
    last = drafts[-1]
    if plan.always or last.flaws.count or last.quality is None:
        return None
    if last.quality < plan.retry_below:
        return None
    return f"no proven fault, and a quality of {last.quality:.2f} asks for no retry"


def unchanged(plan: Plan, drafts: Sequence[Draft]) -> str | None:
    """The same answer has been there before."""
    last = drafts[-1]
    same = next((d for d in drafts[:-1] if d.digest[:12] == last.digest[:12]), None)
    return None if same is None else f"the answer is the same as attempt {same.iteration + 1}"


def same_findings(plan: Plan, drafts: Sequence[Draft]) -> str | None:
    """An attempt before had exactly these faults: another one would only roll the dice."""
    last = drafts[-1]
    if not last.flaws.count:
        return None
    same = next((d for d in drafts[:-1] if d.flaws == last.flaws), None)
    return None if same is None else f"the same proven faults as in attempt {same.iteration + 1}"


def barely_changed(plan: Plan, drafts: Sequence[Draft]) -> str | None:
    """The text is nearly the one before, and no fault went away by it."""
    if len(drafts) < 2 or _getting_somewhere(drafts):
        return None
    before, last = drafts[-2].text, drafts[-1].text
    if before is None or last is None:
        return None
    share = changed_share(before, last)
    return f"the revision changed {share:.1%} of the text" if share < BARELY else None


def no_gain(plan: Plan, drafts: Sequence[Draft]) -> str | None:
    """The score has stopped rising, and no fault went away."""
    if len(drafts) < 2 or _getting_somewhere(drafts):
        return None
    before, last = drafts[-2].quality, drafts[-1].quality
    if before is None or last is None or round(last - before, 4) >= GAIN:
        return None
    return f"quality went from {before:.2f} to {last:.2f}, a gain below {GAIN}"


def attempts_used(plan: Plan, drafts: Sequence[Draft]) -> str | None:
    """There may be no further attempt."""
    if len(drafts) < plan.attempts:
        return None
    if plan.attempts == 1:
        return "this depth asks for no retry"
    return f"all {plan.attempts} attempts are used up"


def mild(critique: Critique) -> str | None:
    """What the critic still has to say does not matter much."""
    if critique.severity >= MILD and critique.points:
        return None
    if critique.points:
        return f"the critic's severity of {critique.severity:.2f} is below {MILD}"
    return "the critic had nothing to object to that stands in the answer"


RULES: tuple[StopRule, ...] = (
    StopRule(name="good_enough", outcome="converged", reason=good_enough),
    StopRule(name="nothing_found", outcome="converged", reason=nothing_found),
    StopRule(name="no_retry_asked", outcome="converged", reason=no_retry_asked),
    StopRule(name="unchanged", outcome="converged", reason=unchanged),
    StopRule(name="same_findings", outcome="converged", reason=same_findings),
    StopRule(name="barely_changed", outcome="converged", reason=barely_changed),
    StopRule(name="no_gain", outcome="converged", reason=no_gain),
    StopRule(name="attempts_used", outcome="max_iterations", reason=attempts_used),
)
"""The first rule that gives a reason ends the loop."""


def stop_after_judging(plan: Plan, drafts: Sequence[Draft]) -> Stop | None:
    """Why to stop now that the newest attempt has been judged, or None."""
    for rule in RULES:
        why = rule.reason(plan, drafts)
        if why:
            return Stop(rule=rule.name, outcome=rule.outcome, why=why)
    return None


def stop_after_critique(critique: Critique) -> Stop | None:
    """Why to stop now that the critic has spoken, or None."""
    why = mild(critique)
    return Stop(rule="mild", outcome="converged", why=why) if why else None


def out_of_time(plan: Plan) -> Stop:
    """The deadline has passed; the best so far is what there is."""
    return Stop(
        rule="out_of_time", outcome="deadline", why=f"the deadline of {plan.deadline:g} s passed"
    )


def failed(role: str, reason: str) -> Stop:
    """A role gave nothing that can be used (seed rule loop:critic-fails)."""
    return Stop(rule=f"{role}_failed", outcome="error", why=f"the {role} failed: {reason}")


def _getting_somewhere(drafts: Sequence[Draft]) -> bool:
    """Whether the revision removed faults: some, or all of those it was told of.

    Correcting one step often brings the next fault to light, which is no standstill.
    """
    before, last = drafts[-2].flaws, drafts[-1].flaws
    replaced = bool(before.count) and not set(before.sample) & set(last.sample)
    return last.count < before.count or replaced
