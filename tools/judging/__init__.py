"""Checks of an answer: the faults that a program can prove.

A checker, not a judge: it can prove some things wrong, it never says that an answer is correct.
Finding nothing is "not checked", because on real model answers no finding means almost nothing
(ProcessBench-GSM8K: 50 % of the unflagged answers are right, against 48 % of all).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.budget import FINDING
from reflection_mcp.tools.judging.case import Case

if TYPE_CHECKING:
    from reflection_mcp.tools.judging.run import Run

FAMILIES: Mapping[str, str] = {
    "evidence": "evidence.evidence_check",
    "artefacts": "artefacts.artefact_check",
    "code_names": "execution.undefined_names",
    "arithmetic": "maths.arithmetic",
    "percentages": "maths.percentages",
    "equations": "maths.equations",
    "placeholder": "completeness.placeholder",
    "truncation": "completeness.truncation",
    "requested_form": "completeness.requested_form",
    "syntax": "syntax.syntax_check",
    "grounding": "grounding.grounding_check",
}
"""The module of this package that holds `check` for each family, in the order of telling."""

NEEDS: Mapping[str, Callable[[Case], bool]] = {
    "code_names": lambda case: bool(case.blocks),
    "percentages": lambda case: "%" in case.prose or "percent" in case.prose,
    "equations": lambda case: "=" in case.prose,
    "grounding": lambda case: bool(case.context.strip() and case.answer.strip()),
}
"""The cases that a family can say anything about. For others it is not even loaded: a note of what
was fixed needs no solver of equations."""

LENGTH = "length"
"""The kind of the finding that not everything was looked at."""

OnFault = Callable[[str, Exception], None]
"""Called with the family and its exception; the family's place is then taken by one `unchecked`."""


def check_answer(
    question: str | None,
    answer: str,
    context: str | None = "",
    *,
    closed_world: bool | None = None,
    on_fault: OnFault | None = None,
    evidence: "tuple[Run, ...]" = (),
    project: frozenset[str] | None = None,
) -> Sequence[Check]:
    """Run every family of checks on one answer.

    Args:
        question: what was asked; may be empty or None.
        answer: the text to check; offsets of the findings point into it.
        context: what the answer may rest on; without it nothing is said about grounding.
        closed_world: whether what the context lacks is a fault; None leaves that to the question.
        on_fault: called when a family fails, which is a bug in it; without it the bug is raised.
        evidence: the runs of tools that came with the work, the newest last.
        project: the paths of the project's own files; None when they may not be looked at.

    Returns:
        Findings in the order of the families, then of their place in the answer.
    """
    case = Case(
        question=question or "",
        answer=answer,
        context=context or "",
        only_context=closed_world,
        evidence=evidence,
        project=project,
    )
    found: list[Check] = []
    for family, place in FAMILIES.items():
        try:
            if family not in NEEDS or NEEDS[family](case):
                found.extend(case.budget.afford(_check_of(place)(case), lambda _: FINDING))
        except Exception as fault:
            if on_fault is None:
                raise
            on_fault(family, fault)
            found.append(
                Check(kind=family, status="unchecked", why="this check failed and was left out")
            )
    if case.budget.is_short:
        why = "Answer and context are too long to be checked whole."
        found.append(Check(kind=LENGTH, status="unchecked", why=why))
    return found


@cache
def _check_of(place: str) -> Callable[[Case], Iterable[Check]]:
    # Imported on first use: the families compile many expressions, and start-up is measured.
    check: Callable[[Case], Iterable[Check]] = import_module(f"{__name__}.{place}").check
    return check
