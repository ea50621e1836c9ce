"""The loop itself: answer, judge, criticise, revise, judge again; sans I/O.

Rules of this module:

- The state is a value. `step()` says what is needed and `feed()` returns the next state; neither
  reads a clock, reaches a model or changes anything.
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
from reflection_mcp.tools.answer.draft import Critique, Draft, best, draft
from reflection_mcp.tools.answer.fault_location import all_located
from reflection_mcp.tools.answer.plan import Plan
from reflection_mcp.tools.answer.stop_rules import (
    Stop,
    failed,
    out_of_time,
    stop_after_critique,
    stop_after_judging,
)
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.scoring import Evaluation, Issue
from reflection_mcp.tools.roles.inputs import (
    LESSONS,
    AnswererInput,
    CriticInput,
    ReviserInput,
    approach,
)
from reflection_mcp.tools.usage import NO_USAGE, Usage

# --------------------------------------------------------------------------- what it asks for


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A role has to speak; `attempt` is the number of the attempt it works for, from 0."""

    role: Literal["answerer", "critic", "reviser"]
    input: AnswererInput | CriticInput | ReviserInput
    attempt: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Assess:
    """An answer has to be checked and judged; `attempt` is its number, from 0."""

    answer: str
    attempt: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """The loop has ended. `kept` is the best attempt, None when there never was an answer."""

    kept: Draft | None
    drafts: tuple[Draft, ...]
    stop: Stop


Step = Ask | Assess | Done


# --------------------------------------------------------------------------- what it is fed


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """The answerer or the reviser wrote a text."""

    text: str
    usage: Usage = NO_USAGE


@dataclass(frozen=True, slots=True, kw_only=True)
class Assessed:
    """The answer has been checked and judged."""

    evaluation: Evaluation
    usage: Usage = NO_USAGE


@dataclass(frozen=True, slots=True, kw_only=True)
class Criticised:
    """The critic has spoken; points whose quote is not in the answer have been left out."""

    critique: Critique
    usage: Usage = NO_USAGE


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleFailed:
    """A role gave nothing that can be used; it may have cost something all the same."""

    role: str
    reason: str
    usage: Usage = NO_USAGE


@dataclass(frozen=True, slots=True, kw_only=True)
class OutOfTime:
    """The deadline of the plan has passed."""


Reply = Written | Assessed | Criticised | RoleFailed | OutOfTime


# --------------------------------------------------------------------------- the value


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopState:
    """Where a loop stands. Make one with `begin` or from a token."""

    plan: Plan
    question: str
    context: str = ""
    lessons: tuple[str, ...] = ()
    drafts: tuple[Draft, ...] = ()
    candidate: str | None = None
    pending: Usage = NO_USAGE
    critique: Critique | None = None
    stop: Stop | None = None

    def step(self) -> Step:
        """What is needed next; the same answer however often it is asked."""
        if self.stop is not None:
            kept = best(self.drafts) if self.drafts else None
            return Done(kept=kept, drafts=self.drafts, stop=self.stop)
        number = len(self.drafts)
        if self.candidate is not None:
            return Assess(answer=self.candidate, attempt=number)
        if not self.drafts:
            return Ask(role="answerer", input=self._for_the_answerer(), attempt=number)
        if self.critique is None and self.wants_critic:
            return Ask(role="critic", input=self._for_the_critic(), attempt=number - 1)
        return Ask(role="reviser", input=self._for_the_reviser(), attempt=number)

    def feed(self, reply: Reply) -> "LoopState":
        """The state after a reply to the last step.

        Raises:
            ValueError: the reply is not one to the last step, which is a fault of the driver.
        """
        match reply:
            case OutOfTime():
                return replace(self, stop=out_of_time(self.plan), candidate=None)
            case RoleFailed(role=role, reason=reason, usage=usage):
                return replace(self, drafts=self._charged(usage), stop=failed(role, reason))
            case Written(text=text, usage=usage) if self.candidate is None:
                return replace(self, candidate=text, pending=self.pending + usage, critique=None)
            case Assessed(evaluation=evaluation, usage=usage) if self.candidate is not None:
                return self._judged(self.candidate, evaluation, self.pending + usage)
            case Criticised(critique=critique, usage=usage) if self.drafts:
                *before, last = self._charged(usage)
                return replace(
                    self,
                    drafts=(*before, replace(last, critique=critique)),
                    critique=critique,
                    stop=stop_after_critique(critique),
                )
            case _:
                raise ValueError(f"{type(reply).__name__} does not answer {self.step()}")

    def _charged(self, usage: Usage) -> tuple[Draft, ...]:
        """The attempts, the last one with what was spent on judging it or failing to go on."""
        if not self.drafts:
            return ()
        last = self.drafts[-1]
        return (*self.drafts[:-1], replace(last, usage=last.usage + usage))

    def _judged(self, text: str, evaluation: Evaluation, usage: Usage) -> "LoopState":
        drafts = (*self.drafts, draft(text, evaluation, len(self.drafts), usage))
        stop = stop_after_judging(self.plan, drafts)
        return replace(
            self, drafts=drafts, candidate=None, pending=NO_USAGE, critique=None, stop=stop
        )

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
        evaluation, text = last.evaluation, last.text
        if evaluation is None or text is None:
            return ()
        case = Case(question=self.question, answer=text, context=self.context)
        proven = all_located(case, evaluation.flaws)
        quoted = [f"“{i.quote}”: {_told(i.text, i.improvement)}" for i in self.quoted_issues]
        points = self.critique.points if self.critique else ()
        said = [f"“{p.quote}”: {_told(p.problem, p.fix)}" for p in points]
        return tuple(dict.fromkeys((*proven, *quoted, *said)))

    # ----------------------------------------------------------------- what the roles are handed

    def _for_the_answerer(self) -> AnswererInput:
        return AnswererInput(
            question=self.question, context=self.context, lessons=self.lessons[:LESSONS]
        )

    def _for_the_critic(self) -> CriticInput:
        last = self.drafts[-1]
        checks = last.evaluation.checks if last.evaluation else ()
        return CriticInput(
            question=self.question,
            context=self.context,
            answer=last.text or "",
            findings=tuple(f"{c.kind}: {c.why or c.quote}" for c in checks if c.status == "wrong"),
        )

    def _for_the_reviser(self) -> ReviserInput:
        return ReviserInput(
            question=self.question,
            context=self.context,
            answer=self.drafts[-1].text or "",
            faults=self.faults(),
            lessons=self.lessons[:LESSONS],
            approach=approach(len(self.drafts)),
        )


def begin(
    plan: Plan,
    question: str,
    context: str = "",
    *,
    draft_text: str | None = None,
    lessons: tuple[str, ...] = (),
) -> LoopState:
    """A loop that has done nothing yet; with a draft it begins by judging that."""
    return LoopState(
        plan=plan, question=question, context=context, lessons=lessons, candidate=draft_text
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
