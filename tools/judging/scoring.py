"""From findings and opinions to scores: caps, never averages.

The rules (docs/decisions/004 says why no score of its own can raise an answer):

- A judge's scores are the start; without a judge the caller's own, shrunk towards the middle;
  without either, none.
- A hard finding lowers a score to its cap. Nothing raises one but outcomes and people.
- Quality is the mean of the scores that exist. Nothing unchecked passes for checked.
- A retry is asked for by a hard finding that the last attempt did not have, or by quality below
  one half together with an issue that quotes the answer. Never by a self-score.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from reflection_mcp.store.records import NOT_CHECKED, Basis, Check, Score
from reflection_mcp.tools.judging.finding import of_form, remedy
from reflection_mcp.tools.usage import NO_USAGE, Usage

Dimension = Literal["confidence", "relevance", "completeness"]
DIMENSIONS: tuple[Dimension, ...] = ("confidence", "relevance", "completeness")

RETRY_BELOW = 0.5  # seed rule loop:retry-below-half
GOOD_ENOUGH = 0.7  # seed rule loop:good-enough


@dataclass(frozen=True, slots=True, kw_only=True)
class Cap:
    """A hard finding whose kind starts with `kind` lowers `dimension` to at most `at_most`."""

    kind: str
    dimension: Dimension
    at_most: float


CAPS: tuple[Cap, ...] = (
    Cap(kind="evidence", dimension="confidence", at_most=0.2),
    Cap(kind="arithmetic", dimension="confidence", at_most=0.3),
    Cap(kind="percent", dimension="confidence", at_most=0.3),
    Cap(kind="equation", dimension="confidence", at_most=0.3),
    Cap(kind="artefact", dimension="confidence", at_most=0.4),
    Cap(kind="execution", dimension="confidence", at_most=0.3),
    Cap(kind="grounding", dimension="confidence", at_most=0.4),
    Cap(kind="syntax", dimension="confidence", at_most=0.3),
    Cap(kind="syntax", dimension="completeness", at_most=0.3),
    Cap(kind="completeness:placeholder", dimension="completeness", at_most=0.1),
    Cap(kind="completeness:deferral", dimension="completeness", at_most=0.1),
    # What was asked for in another form was not what was asked for.
    Cap(kind="completeness:format", dimension="relevance", at_most=0.5),
    Cap(kind="completeness", dimension="completeness", at_most=0.5),
)
"""The first row that fits a kind and a dimension counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Issue:
    """Something wrong, with the words of the answer that show it (empty when it is the whole)."""

    kind: str
    text: str
    quote: str = ""
    improvement: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinion:
    """Scores by somebody who read the answer: a judging model, or the caller about itself.

    Each score is 0..1 or None. Issues are only those whose quote stands in the answer.
    """

    source: str
    basis: Basis
    confidence: float | None = None
    relevance: float | None = None
    completeness: float | None = None
    issues: tuple[Issue, ...] = ()
    criteria: Mapping[str, float] = field(default_factory=dict[str, float])
    """Grades of work that was done, 0 to 1, by name."""
    prompt_version: str = ""
    reported: float | None = None
    """The mean of the scores as they were given, where these are not them any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """One source of scores that was asked, and how that went."""

    name: str
    ok: bool
    reason: str = ""
    usage: Usage = NO_USAGE


@dataclass(frozen=True, slots=True, kw_only=True)
class Covered:
    """The numbers of statements of one kind that were found ok, wrong, or could not be checked."""

    ok: int = 0
    wrong: int = 0
    unchecked: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """All that is known about one answer, and what each part rests on."""

    confidence: Score = NOT_CHECKED
    relevance: Score = NOT_CHECKED
    completeness: Score = NOT_CHECKED
    quality: float | None = None
    checks: tuple[Check, ...] = ()
    issues: tuple[Issue, ...] = ()
    improvements: tuple[str, ...] = ()
    retry: bool = False
    retry_reason: str = ""
    coverage: Mapping[str, Covered] = field(default_factory=dict[str, Covered])
    sources_tried: tuple[Tried, ...] = ()
    prompt_version: str = ""
    reported: float | None = None
    """The mean of the scores that the judge gave, before any finding lowered them."""
    criteria: Mapping[str, Score] = field(default_factory=dict[str, Score])
    """Grades that a judge gave the work that was done, by name."""

    @property
    def flaws(self) -> tuple[Check, ...]:
        """The proven faults of the answer; how the work ended is no fault of its words."""
        return faults(self.checks)

    @property
    def reported_failure(self) -> bool:
        """True if the caller says that the work did not succeed."""
        return any(check.kind == REPORTED and check.status == "wrong" for check in self.checks)


def hard_findings(checks: Iterable[Check]) -> tuple[Check, ...]:
    """The findings that may lower a score: proven wrong, not a mere hint, and not disputed."""
    return tuple(
        check
        for check in checks
        if check.status == "wrong" and check.severity == "hard" and not check.disputed
    )


REPORTED = "evidence:outcome"
"""The check for the caller's own report of the outcome: it caps a score, and nothing in it can be
corrected."""


def faults(checks: Iterable[Check]) -> tuple[Check, ...]:
    """The hard findings that can be put right."""
    return tuple(flaw for flaw in hard_findings(checks) if flaw.kind != REPORTED)


def same_finding(one: Check, other: Check) -> bool:
    """Return True if two attempts have the same fault: the kind and what was stated and
    expected."""
    mine = (one.kind, one.stated, one.expected, one.quote.strip())
    theirs = (other.kind, other.stated, other.expected, other.quote.strip())
    return mine == theirs


def self_report(
    confidence: float | None,
    relevance: float | None,
    completeness: float | None,
    approved: float = 0.5,
) -> Opinion | None:
    """The caller's own scores as an opinion: recorded, shrunk, never believed.

    Verbal confidence says almost nothing about being right (AUROC 0.52 in the literature), so each
    score is moved half of the way to `approved`: the share of its answers that people called good,
    or 0.5 if that is not known.
    """
    given = (confidence, relevance, completeness)
    if all(value is None for value in given):
        return None
    shrunk = tuple(None if value is None else round((approved + value) / 2, 4) for value in given)
    return Opinion(
        source="caller",
        basis="self_reported",
        confidence=shrunk[0],
        relevance=shrunk[1],
        completeness=shrunk[2],
        reported=_mean(given),
    )


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return round(sum(known) / len(known), 4) if known else None


def evaluate(
    checks: Sequence[Check],
    opinion: Opinion | None = None,
    *,
    previous: Sequence[Check] = (),
    sources_tried: Sequence[Tried] = (),
    retry_below: float = RETRY_BELOW,
) -> Evaluation:
    """Fuse findings and an opinion into scores, and decide on a retry.

    Args:
        checks: all findings about this answer.
        opinion: the first judge that answered, or the caller about itself, or None.
        previous: findings of the attempt before; a finding that was there is not new.
        sources_tried: how each judge fared, carried through to the result.
        retry_below: the quality under which a quoted issue asks for a retry.
    """
    flaws = hard_findings(checks)
    scores = {dimension: _score(dimension, flaws, checks, opinion) for dimension in DIMENSIONS}
    known = [score.value for score in scores.values() if score.value is not None]
    quality = round(sum(known) / len(known), 4) if known else None
    mendable = faults(checks)
    issues = (*(_as_issue(flaw) for flaw in mendable), *(opinion.issues if opinion else ()))
    reason = _retry_reason(mendable, previous, quality, opinion, retry_below)
    return Evaluation(
        confidence=scores["confidence"],
        relevance=scores["relevance"],
        completeness=scores["completeness"],
        quality=quality,
        checks=tuple(checks),
        issues=issues,
        improvements=tuple(dict.fromkeys(i.improvement for i in issues if i.improvement)),
        retry=bool(reason),
        retry_reason=reason,
        coverage=_coverage(checks),
        sources_tried=tuple(sources_tried),
        prompt_version=opinion.prompt_version if opinion else "",
        reported=_reported(opinion),
        criteria=_graded(opinion),
    )


def _graded(opinion: Opinion | None) -> dict[str, Score]:
    given = opinion.criteria.items() if opinion else ()
    source = opinion.source if opinion else ""
    return {name: Score(value=grade, basis="judged", source=source) for name, grade in given}


def _reported(opinion: Opinion | None) -> float | None:
    if opinion is None or opinion.reported is not None:
        return opinion.reported if opinion else None
    return _mean((opinion.confidence, opinion.relevance, opinion.completeness))


def _score(
    dimension: Dimension,
    flaws: Sequence[Check],
    checks: Sequence[Check],
    opinion: Opinion | None,
) -> Score:
    value: float | None = getattr(opinion, dimension) if opinion else None
    score = (
        NOT_CHECKED
        if opinion is None or value is None
        else Score(value=value, basis=opinion.basis, source=opinion.source)
    )
    if dimension == "confidence" and not flaws:
        score = _raised(score, checks)
    for flaw in flaws:
        limit = _limit(flaw, dimension)
        if limit is not None and (score.value is None or score.value > limit):
            score = Score(value=limit, basis="measured", source=flaw.kind)
    return score


def _limit(flaw: Check, dimension: Dimension) -> float | None:
    if flaw.kind == "completeness:count" and dimension == "completeness":
        return _share(flaw)
    fitting = (c.at_most for c in CAPS if c.dimension == dimension and flaw.kind.startswith(c.kind))
    return next(fitting, None)


def _share(flaw: Check) -> float:
    """k of n things asked for are there, so completeness is at most k/n (else one half)."""
    if flaw.stated.isdecimal() and flaw.expected.isdecimal():
        there, asked = int(flaw.stated), int(flaw.expected)
        if there < asked:
            return round(there / asked, 4)
    return 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """Good news that raises confidence to `at_least`, when nothing is proven wrong."""

    kind: str
    at_least: float
    basis: Basis


PROOFS: tuple[Proof, ...] = (
    # 0.8 and not 1: tests are written by people and cover what they cover.
    Proof(kind="evidence:tests", at_least=0.8, basis="measured"),
    Proof(kind="evidence:exit_code", at_least=0.8, basis="measured"),
    # The caller's word that the work succeeded, which is more than a feeling and less than a test.
    Proof(kind="evidence:outcome", at_least=0.7, basis="self_reported"),
)


def _raised(score: Score, checks: Sequence[Check]) -> Score:
    for proof in PROOFS:
        seen = any(check.kind == proof.kind and check.status == "ok" for check in checks)
        if seen and (score.value is None or score.value < proof.at_least):
            return Score(value=proof.at_least, basis=proof.basis, source="evidence")
    return score


def _as_issue(flaw: Check) -> Issue:
    says, why = flaw.quote or flaw.stated, flaw.why.rstrip(".")
    text = says if says and not of_form(flaw) else why
    if why and why != text:
        text = f"{text} {why}" if text.endswith((".", "!", "?", "…")) else f"{text}: {why}"
    where = f"at “{_short(flaw.quote)}”: " if flaw.quote else ""
    return Issue(kind=flaw.kind, text=text, quote=flaw.quote, improvement=f"{where}{remedy(flaw)}")


def _short(quote: str, limit: int = 80) -> str:
    flat = " ".join(quote.split())
    return flat if len(flat) <= limit else f"{flat[: limit - 1]}…"


def _retry_reason(
    flaws: Sequence[Check],
    previous: Sequence[Check],
    quality: float | None,
    opinion: Opinion | None,
    retry_below: float,
) -> str:
    before = faults(previous)
    new = [flaw for flaw in flaws if not any(same_finding(flaw, old) for old in before)]
    if new:
        count = "one proven fault" if len(new) == 1 else f"{len(new)} proven faults"
        return f"{count} that the attempt before did not have" if before else count
    quoted = opinion is not None and any(issue.quote for issue in opinion.issues)
    judged = opinion is not None and opinion.basis == "judged"
    if judged and quoted and quality is not None and quality < retry_below:
        return f"quality {quality:.2f} is below {retry_below}, with an issue quoted from the answer"
    return ""


def _coverage(checks: Iterable[Check]) -> dict[str, Covered]:
    counts: dict[str, dict[str, int]] = {}
    for check in checks:
        if check.status == "wrong" and (check.severity == "hint" or check.disputed):
            continue  # it proves nothing, so nothing was found wrong by it
        family = check.kind.split(":", 1)[0]
        of_family = counts.setdefault(family, {"ok": 0, "wrong": 0, "unchecked": 0})
        if check.kind == "grounding":
            continue  # a context was given, and no statement could be compared with it
        of_family[check.status] += 1
    return {family: Covered(**of_family) for family, of_family in counts.items()}
