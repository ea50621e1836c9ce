"""The loop itself: answer, judge, criticise, revise, judge again; sans I/O.

Rules of this module:

- The state is a value. `step()` says what is needed, and a method for each reply returns the next
  state; none reads a clock, reaches a model or changes anything.
- It always ends: every attempt either stops the loop or uses up one of a bounded number, and
  between two attempts a critic and a reviser are asked once each.
- What it decides on is proven faults, what a judge or a test says, and quotes that stand in the
  answer. It never acts on what an author says of his own work.
- A proven fault is told to the reviser as it is: no critic could say it better. The critic is asked
  when there is none and a reflection is wanted all the same.
"""

from dataclasses import dataclass, replace
from typing import Literal

from reflection_mcp.store.records import Check
from reflection_mcp.tools.answer.draft import Critique, Draft, draft
from reflection_mcp.tools.answer.plan import Plan
from reflection_mcp.tools.answer.stop_rules import Stop, stop_after_critique, stop_after_judging
from reflection_mcp.tools.judging.scoring import Evaluation, Issue
from reflection_mcp.tools.roles.inputs import LESSONS, RoleInput, approach
from reflection_mcp.tools.usage import NO_USAGE, Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A role has to speak; `attempt` is the number of the attempt it works for, from 0."""

    role: Literal["answerer", "critic", "reviser"]
    input: RoleInput
    attempt: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Assess:
    """An answer has to be checked and judged; `attempt` is its number, from 0."""

    answer: str
    attempt: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopState:
    """Where a loop stands.

    drafts: the attempts that have been judged.
    candidate: the text of the attempt that is to be judged next; `pending` is what it cost.
    stop: why the loop has ended, None while it goes on.
    """

    plan: Plan
    question: str
    context: str = ""
    lessons: tuple[str, ...] = ()
    drafts: tuple[Draft, ...] = ()
    candidate: str | None = None
    pending: Usage = NO_USAGE
    stop: Stop | None = None

    def step(self) -> Ask | Assess | None:
        """What is needed next, None when the loop has ended; the same however often it is asked."""
        number = len(self.drafts)
        if self.stop is not None:
            return None
        if self.candidate is not None:
            return Assess(answer=self.candidate, attempt=number)
        if not self.drafts:
            return Ask(role="answerer", input=self._for_a_role(), attempt=number)
        if self.drafts[-1].critique is None and self.wants_critic:
            return Ask(role="critic", input=self._for_the_critic(), attempt=number - 1)
        return Ask(role="reviser", input=self._for_the_reviser(), attempt=number)

    def written(self, text: str, usage: Usage = NO_USAGE) -> "LoopState":
        """The state after the answerer or the reviser wrote a text."""
        return replace(self, candidate=text, pending=usage)

    def assessed(self, evaluation: Evaluation, usage: Usage = NO_USAGE) -> "LoopState":
        """The state after the candidate has been checked and judged."""
        text, cost = self.candidate or "", self.pending + usage
        drafts = (*self.drafts, draft(text, evaluation, len(self.drafts), cost))
        stop = stop_after_judging(self.plan, drafts)
        return replace(self, drafts=drafts, candidate=None, pending=NO_USAGE, stop=stop)

    def criticised(self, critique: Critique, usage: Usage = NO_USAGE) -> "LoopState":
        """The state after the critic has spoken."""
        *before, last = self._charged(usage)
        drafts = (*before, replace(last, critique=critique))
        return replace(self, drafts=drafts, stop=stop_after_critique(critique))

    def role_failed(self, role: str, reason: str, usage: Usage = NO_USAGE) -> "LoopState":
        """The state after a role gave nothing that can be used (seed rule loop:critic-fails)."""
        why = f"the {role} failed: {reason}"
        stop = Stop(rule=f"{role}_failed", outcome="error", why=why)
        return replace(self, drafts=self._charged(usage), stop=stop)

    def out_of_time(self) -> "LoopState":
        """The state after the deadline has passed; the best so far is what there is."""
        why = f"the deadline of {self.plan.deadline:g} s passed"
        return replace(self, stop=Stop(rule="out_of_time", outcome="deadline", why=why))

    def _charged(self, usage: Usage) -> tuple[Draft, ...]:
        """The attempts, the last one with what was spent on judging it or failing to go on."""
        if not self.drafts:
            return ()
        last = self.drafts[-1]
        return (*self.drafts[:-1], replace(last, usage=last.usage + usage))

    # ----------------------------------------------------------------- what the last attempt needs

    @property
    def wants_critic(self) -> bool:
        """Whether there is nothing to tell the reviser unless a critic finds it."""
        last = self.drafts[-1]
        return not last.flaws.count and not self.quoted_issues

    @property
    def quoted_issues(self) -> tuple[Issue, ...]:
        """What a judge found in the last attempt and could quote."""
        evaluation = self.drafts[-1].evaluation
        if evaluation is None:
            return ()
        said = evaluation.issues[len(evaluation.flaws) :]  # the proven ones come first
        return tuple(issue for issue in said if issue.quote)

    def faults(self) -> tuple[str, ...]:
        """What the reviser has to redo in the last attempt, one located line each."""
        last = self.drafts[-1]
        if last.evaluation is None or last.text is None:
            return ()
        quoted = [f"“{i.quote}”: {_told(i.text, i.improvement)}" for i in self.quoted_issues]
        points = last.critique.points if last.critique else ()
        said = [f"“{p.quote}”: {_told(p.problem, p.fix)}" for p in points]
        return tuple(dict.fromkeys((*last.faults, *quoted, *said)))

    # ----------------------------------------------------------------- what the roles are handed

    def _for_a_role(self) -> RoleInput:
        return RoleInput(
            question=self.question, context=self.context, lessons=self.lessons[:LESSONS]
        )

    def _for_the_critic(self) -> RoleInput:
        last = self.drafts[-1]
        checks = last.evaluation.checks if last.evaluation else ()
        wrong = tuple(f"{c.kind}: {c.why or c.quote}" for c in checks if c.status == "wrong")
        return replace(self._for_a_role(), answer=last.text or "", findings=wrong)

    def _for_the_reviser(self) -> RoleInput:
        return replace(
            self._for_a_role(),
            answer=self.drafts[-1].text or "",
            faults=self.faults(),
            approach=approach(len(self.drafts)),
        )


def cleared(before: Evaluation | None, after: Evaluation | None) -> tuple[Check, ...]:
    """The proven faults that were there before and are gone; none when one side is not known.

    A fault counts as gone when nothing of its kind states the same value any more, and when the
    later attempt has fewer faults at all: an answer that was taken back has cleared nothing, and
    what is disputed is still there.
    """
    if before is None or after is None or len(after.flaws) >= len(before.flaws):
        return ()
    left = {(check.kind, check.stated) for check in after.checks if check.status == "wrong"}
    return tuple(flaw for flaw in before.flaws if (flaw.kind, flaw.stated) not in left)


def _told(problem: str, fix: str) -> str:
    return f"{problem} → {fix}" if fix else problem
