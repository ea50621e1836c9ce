"""When a loop stops, and why in a sentence.

The rules hold for the newest attempt against those before it. Proven faults come first: as long as
a revision removes those it was told of, no score and no likeness of texts ends the loop. A
self-score is not looked at at all (`Draft.quality` never rests on one).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from reflection_mcp.tools.answer.draft import Critique, Draft, changed_share
from reflection_mcp.tools.answer.plan import Plan

GAIN = 0.1  # seed rule loop:converge-plateau
MILD = 0.3  # seed rule loop:converge-severity
BARELY = 0.02  # of the text; seed rule loop:converge-small-change leaves the number open


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """Why a loop ended: the rule by name, what kind of end it is, and a sentence."""

    rule: str
    outcome: Literal["converged", "max_iterations", "deadline", "error"]
    why: str


def stop_after_judging(plan: Plan, drafts: Sequence[Draft]) -> Stop | None:
    """Why to stop now that the newest attempt has been judged, or None."""
    last = drafts[-1]
    if not plan.always and not last.flaws.count and (stop := _nothing_to_do(plan, last.quality)):
        return stop
    for before in drafts[:-1]:
        if before.digest == last.digest:
            return _converged(
                "unchanged", f"the answer is the same as attempt {before.iteration + 1}"
            )
    for before in drafts[:-1]:
        if last.flaws.count and before.flaws == last.flaws:  # another one would only roll the dice
            return _converged(
                "same_findings", f"the same proven faults as in attempt {before.iteration + 1}"
            )
    if len(drafts) > 1 and (stop := _standstill(drafts[-2], last)):
        return stop
    if len(drafts) < plan.attempts:
        return None
    used = f"all {plan.attempts} attempts are used up"
    why = "this depth allows no retry" if plan.attempts == 1 else used
    return Stop(rule="attempts_used", outcome="max_iterations", why=why)


def stop_after_critique(critique: Critique) -> Stop | None:
    """Why to stop now that the critic has spoken, or None: what is left does not matter much."""
    if not critique.points:
        return _converged("mild", "the critic objected to nothing that stands in the answer")
    if critique.severity >= MILD:
        return None
    return _converged("mild", f"the critic's severity of {critique.severity:.2f} is below {MILD}")


def _converged(rule: str, why: str) -> Stop:
    return Stop(rule=rule, outcome="converged", why=why)


def _nothing_to_do(plan: Plan, quality: float | None) -> Stop | None:
    """The stop for an attempt without a proven fault, unless its score asks for a retry."""
    if quality is None:  # and nobody to give a score: there is nothing to work on
        why = "nothing could be proven wrong, which does not mean that it is right"
        return _converged("nothing_found", why)
    told = f"no proven fault, and a quality of {quality:.2f}"
    if quality > plan.good_enough:
        return _converged("good_enough", f"{told} is above {plan.good_enough}")
    if quality >= plan.retry_below:
        return _converged("no_retry_asked", f"{told} asks for no retry")
    return None


def _standstill(before: Draft, last: Draft) -> Stop | None:
    """The stop for a revision that removed no fault and changed or gained next to nothing.

    Correcting one step often brings the next fault to light: to have replaced all of those that it
    was told of is no standstill.
    """
    told = set(before.flaws.sample)
    if last.flaws.count < before.flaws.count or (told and not told & set(last.flaws.sample)):
        return None
    if before.text is not None and last.text is not None:
        share = changed_share(before.text, last.text)
        if share < BARELY:
            return _converged("barely_changed", f"the revision changed {share:.1%} of the text")
    if before.quality is None or last.quality is None:
        return None
    if round(last.quality - before.quality, 4) >= GAIN:
        return None
    change = f"quality went from {before.quality:.2f} to {last.quality:.2f}"
    return _converged("no_gain", f"{change}, a gain below {GAIN}")
