"""Asks a model what it thinks of an answer, and keeps the part that can be verified.

Rules of this module:

- Whatever a model does, the result is an opinion or a named reason why there is none.
- An issue counts only if its quote stands in the answer, a claim's evidence only if it stands in
  the context, a missing part only if it stands in the question.
- The model is not asked whether to retry, and its scores are a start that findings only lower
  (`scoring.evaluate`): talking a judge round changes nothing that a machine has proven.
"""

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.scoring import Issue, Opinion, Tried, hard_findings
from reflection_mcp.tools.ports import Model
from reflection_mcp.tools.roles.excerpt import LONGEST as LONGEST_CONTEXT
from reflection_mcp.tools.roles.inputs import RoleInput
from reflection_mcp.tools.roles.model_request import Asked, Seconds, ask_in_turn
from reflection_mcp.tools.roles.prompts import Prompts
from reflection_mcp.tools.roles.role import BEST_GRADE

if TYPE_CHECKING:
    from reflection_mcp.tools.roles.replies import JudgedClaim, Judgement, Objection

PATIENCE = 25.0  # seconds for all judges together; hosts give a tool little more than twice that
LIKENESS = 95.0  # of 100, for a quote that is not exact
SHORTEST = 12  # characters; a shorter quote has to be exact, or anything would do
LONGEST = 1_000  # characters of a quote that are looked for


async def judge(
    models: Sequence[Model],
    case: Case,
    checks: Sequence[Check],
    *,
    events: Sequence[str] = (),
    prompts: Prompts | None = None,
    patience: float = PATIENCE,
    seconds: Seconds = time.monotonic,
) -> tuple[Opinion | None, tuple[Tried, ...]]:
    """Ask models in their order until one gives an opinion.

    Args:
        models: who is asked; none gives no opinion.
        case: the answer, with its question and context.
        checks: findings of the checks, given to the judge as facts.
        events: what happened, in lines, when work was done.
        prompts: other prompts than the packaged ones.
        patience: seconds for all models together.
        seconds: a clock, for telling how long it took.

    Returns:
        The opinion, or None, and how each model fared. Reasons of a failure are those of the model
        (`bad_key`, `timeout`, `rate_limit`, ...), `malformed`, `score_out_of_range`; a model that
        answered may have a reason too, which is then a reservation.
    """
    given = RoleInput(
        question=case.question,
        context=case.context,
        answer=case.answer,
        findings=_facts(checks),
        events=tuple(events),
    )
    asked = await ask_in_turn(
        models, "evaluator", given, prompts=prompts, patience=patience, seconds=seconds
    )
    tried = tuple(
        Tried(name=one.model, ok=one.value is not None, reason=one.reason, usage=one.usage)
        for one in asked
    )
    if not tried or not tried[-1].ok:
        return None, tried
    opinion, unquoted = _opinion(asked[-1].value, case, asked[-1])
    if not events:
        opinion = replace(opinion, criteria={})  # there was no work to grade
    return opinion, (*tried[:-1], replace(tried[-1], reason=_reservations(unquoted, case)))


def stands_in(quote: str, text: str) -> bool:
    """Return True if a quote is in a text, white space aside and with a slip or two in a long
    one."""
    folded, whole = " ".join(quote[:LONGEST].split()), " ".join(text.split())
    if not folded or folded in whole:
        return bool(folded)
    if len(folded) < SHORTEST or len(folded) > len(whole):
        return False
    from rapidfuzz import fuzz  # 28 ms, needed only for a quote that is not exact

    return fuzz.partial_ratio(folded, whole, score_cutoff=LIKENESS) >= LIKENESS


def _facts(checks: Sequence[Check]) -> tuple[str, ...]:
    return tuple(
        f"{flaw.kind}: “{flaw.quote or flaw.stated}” {flaw.why}".strip()
        for flaw in hard_findings(checks)
    )


def _opinion(verdict: "Judgement", case: Case, asked: Asked) -> tuple[Opinion, int]:
    """The opinion, and how many issues were left out because they quote nothing."""
    issues = [_issue(one) for one in verdict.issues if stands_in(one.quote, case.answer)]
    unquoted = len(verdict.issues) - len(issues)
    issues += [_contradiction(claim) for claim in verdict.claims if _holds(claim, case)]
    issues += [
        Issue(kind="missing_part", text=f"not answered: “{part}”", improvement=f"answer “{part}”")
        for part in verdict.missing_parts
        if stands_in(part, case.question)
    ]
    opinion = Opinion(
        source=asked.model,
        basis="judged",
        confidence=_share(verdict.correctness),
        relevance=_share(verdict.relevance),
        completeness=_share(verdict.completeness),
        issues=tuple(issues),
        criteria=_criteria(verdict),
        prompt_version=asked.version,
    )
    return opinion, unquoted


def _reservations(unquoted: int, case: Case) -> str:
    said = [f"unquoted: {unquoted} issues left out"] if unquoted else []
    if len(case.context) > LONGEST_CONTEXT:
        said.append("the context was cut down to the passages that fit")
    return "; ".join(said)


def _criteria(verdict: "Judgement") -> dict[str, float]:
    """The grades of work that was done, those that were given."""
    grades = {
        "correctness": verdict.correctness,
        "helpfulness": verdict.helpfulness,
        "safety": verdict.safety,
        "efficiency": verdict.efficiency,
    }
    return {name: grade / BEST_GRADE for name, grade in grades.items() if grade is not None}


def _share(grade: int | None) -> float | None:
    return None if grade is None else grade / BEST_GRADE


def _issue(one: "Objection") -> Issue:
    return Issue(kind=one.kind, text=one.why, quote=one.quote, improvement=one.fix)


def _holds(claim: "JudgedClaim", case: Case) -> bool:
    """A claim that the context contradicts, with both sides quoted truly."""
    return (
        claim.verdict == "contradicted"
        and stands_in(claim.quote, case.answer)
        and stands_in(claim.evidence_quote, case.context)
    )


def _contradiction(claim: "JudgedClaim") -> Issue:
    said = f"the context says “{claim.evidence_quote}”"
    return Issue(kind="contradicted", text=said, quote=claim.quote, improvement=said)
