"""Attempts and evaluations of one's choosing, for tests of the loop."""

from reflection_mcp.store.records import Basis, Check, Score
from reflection_mcp.tools.answer.draft import Draft, draft
from reflection_mcp.tools.judging.scoring import Evaluation, Issue, Opinion, evaluate


def flaw(stated: str = "38", expected: str = "36", kind: str = "arithmetic") -> Check:
    return Check(
        kind=kind,
        status="wrong",
        quote=f"12*3 = {stated}",
        stated=stated,
        expected=expected,
        why="it does not add up",
    )


def evaluation(
    *flaws: Check,
    quality: float | None = None,
    basis: Basis = "judged",
    issues: tuple[Issue, ...] = (),
) -> Evaluation:
    """What the checks found, and what somebody said of all three scores."""
    opinion = None
    if quality is not None or issues:
        opinion = Opinion(
            source="model",
            basis=basis,
            confidence=quality,
            relevance=quality,
            completeness=quality,
            issues=issues,
        )
    return evaluate(flaws, opinion)


def attempts(*judged: tuple[str, Evaluation]) -> tuple[Draft, ...]:
    return tuple(draft(text, found, number) for number, (text, found) in enumerate(judged))


def scored(value: float, basis: Basis) -> Score:
    return Score(value=value, basis=basis)
