"""The shape of what a model sends back, as pydantic models.

The fields stand in the order in which they are to be written: first solve, then compare, then
score. Scores are 0 to 4 as literals, because a schema sent to a model loses its numeric bounds.
This module is imported when the first reply has to be read.
"""

from typing import Literal

from pydantic import BaseModel, ConfigDict

Grade = Literal[0, 1, 2, 3, 4]


class _Reply(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class JudgedClaim(_Reply):
    """One statement of the answer held against the context."""

    quote: str
    verdict: Literal["supported", "contradicted", "not_in_context", "unknown"]
    evidence_quote: str = ""


class Objection(_Reply):
    """One problem, with the words of the answer that show it."""

    kind: str
    quote: str
    why: str
    fix: str = ""


class Judgement(_Reply):
    """An evaluator's judgement of an answer; the last three grades are for work that was done."""

    own_solution: str
    claims: tuple[JudgedClaim, ...] = ()
    issues: tuple[Objection, ...] = ()
    missing_parts: tuple[str, ...] = ()
    relevance: Grade
    completeness: Grade
    correctness: Grade | None = None
    helpfulness: Grade | None = None
    safety: Grade | None = None
    efficiency: Grade | None = None
    known_unknowns: tuple[str, ...] = ()


class Criticism(_Reply):
    """A critic's judgement of an answer. `severity`: 0 nothing, 4 useless as it is."""

    own_solution: str
    problems: tuple[Objection, ...] = ()
    severity: Grade


Category = Literal[
    "timeout",
    "rate_limit",
    "auth",
    "permission",
    "not_found",
    "validation",
    "network",
    "resource",
    "syntax",
    "dependency",
    "logic",
    "data",
    "none",
    "unknown",
]
"""The categories of the rules (`learning.category`), and `none` for what did not fail."""


class ReflectorReply(_Reply):
    """A reflector's lesson from an episode; `evidence_quote` are words of the events."""

    root_cause: str
    evidence_quote: str
    lesson: str
    strategy: str = ""
    trigger: str = ""
    situations: tuple[str, ...] = ()
    category: Category = "unknown"
    tags: tuple[str, ...] = ()
    importance: Grade
    confidence: Grade
    reusable: bool = True
