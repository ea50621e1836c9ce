"""One attempt of the loop, and the choice of the best of several.

Rules of this module: two texts are the same answer when they differ in nothing but white space at
the ends of lines; a score that somebody gave to his own work never counts as quality; the best
attempt has the fewest proven faults, then the highest quality, then no words that a critic quoted,
then came first; where nobody gave a score, of those without a fault the last.
"""

import hashlib
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from reflection_mcp.store.records import Check
from reflection_mcp.tools.answer.fault_location import all_located
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.finding import finding_id
from reflection_mcp.tools.judging.judge import stands_in
from reflection_mcp.tools.judging.scoring import DIMENSIONS, Evaluation
from reflection_mcp.tools.usage import NO_USAGE, Usage

OPENING = 60  # characters that let a reader recognise a text
SAMPLE = 3  # digests that a token has room for
UNKNOWN_QUALITY = 0.5  # neither in favour nor against, when attempts are put in order


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One thing a critic objects to; `quote` stands in the answer, or is empty."""

    problem: str
    quote: str = ""
    fix: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Critique:
    """What a critic says of an attempt. `severity` runs from 0 (nothing) to 1 (useless)."""

    severity: float
    points: tuple[Point, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Flaws:
    """The proven faults of an attempt: how many, and the digests of up to three of them.

    The sample is the smallest digests, so that the same faults always give the same sample.
    """

    count: int = 0
    sample: tuple[str, ...] = ()


FLAWLESS = Flaws()


@dataclass(frozen=True, kw_only=True)  # no slots, because of cached_property
class Draft:
    """One judged attempt.

    `text` and `evaluation` are None when the attempt is known from a token only. `quality` rests on
    a judge or a measurement, or is None.
    """

    iteration: int
    digest: str
    flaws: Flaws = FLAWLESS
    quality: float | None = None
    text: str | None = None
    evaluation: Evaluation | None = None
    critique: Critique | None = None
    usage: Usage = NO_USAGE

    @cached_property
    def faults(self) -> tuple[str, ...]:
        """What is proven wrong in it, a line each; the lines name no steps if its text is not
        known."""
        flaws = self.evaluation.flaws if self.evaluation else ()
        return all_located(Case(answer=self.text or ""), flaws)

    @property
    def objections(self) -> tuple[Point, ...]:
        """What a judge and a critic said of it, beside what is proven."""
        judged = self.evaluation.issues[len(self.evaluation.flaws) :] if self.evaluation else ()
        return (
            *(Point(problem=i.text, quote=i.quote, fix=i.improvement) for i in judged),
            *(self.critique.points if self.critique else ()),
        )


def draft(text: str, evaluation: Evaluation, iteration: int, usage: Usage = NO_USAGE) -> Draft:
    """An attempt that has just been judged."""
    return Draft(
        iteration=iteration,
        digest=answer_digest(text),
        flaws=flaws_of(evaluation.flaws),
        quality=evident_quality(evaluation),
        text=text,
        evaluation=evaluation,
        usage=usage,
    )


def best(drafts: Sequence[Draft]) -> Draft:
    """The attempt to keep; `drafts` is not empty."""
    return min(drafts, key=lambda one: _rank(one, drafts))


def _rank(one: Draft, drafts: Sequence[Draft]) -> tuple[int, float, float, int]:
    quality = UNKNOWN_QUALITY if one.quality is None else one.quality
    # Without any score a revision is the better one, if it has no fault: somebody read the first.
    later = one.quality is None and not one.flaws.count
    place = -one.iteration if later else one.iteration
    return (one.flaws.count, -quality, _objected(one, drafts), place)


def _objected(one: Draft, drafts: Sequence[Draft]) -> float:
    """The severity of the worst critique of any attempt that quotes words of this one, else 0."""
    critiques = [each.critique for each in drafts if each.critique]
    return max(
        (
            critique.severity
            for critique in critiques
            if any(stands_in(point.quote, one.text or "") for point in critique.points)
        ),
        default=0.0,
    )


def evident_quality(evaluation: Evaluation) -> float | None:
    """The mean of the scores that a judge or a measurement gave; self-reported ones count not."""
    scores = (getattr(evaluation, dimension) for dimension in DIMENSIONS)
    known = [
        score.value
        for score in scores
        if score.value is not None and score.basis in ("judged", "measured")
    ]
    return round(sum(known) / len(known), 4) if known else None


def answer_digest(text: str) -> str:
    """12 hex digits that name an answer; white space at the ends of lines does not count."""
    lines = unicodedata.normalize("NFC", text).strip().splitlines()
    folded = "\n".join(line.rstrip() for line in lines)
    return hashlib.sha256(folded.encode()).hexdigest()[:12]


def flaws_of(findings: Iterable[Check]) -> Flaws:
    """Count findings and sample their digests."""
    digests = [finding_id(finding).removeprefix("f-") for finding in findings]
    return Flaws(count=len(digests), sample=tuple(sorted(set(digests))[:SAMPLE]))


def opening(text: str) -> str:
    """The first words of a text in one line."""
    flat = " ".join(text[: 4 * OPENING].split())
    return flat if len(flat) <= OPENING else f"{flat[: OPENING - 1]}…"


def changed_share(before: str, after: str) -> float:
    """How much of a text was touched, 0 to 1: all between the first and the last difference.

    An upper bound that takes linear time, which an edit distance does not.
    """
    longest = max(len(before), len(after))
    if not longest:
        return 0.0
    head = _common(before, after)
    tail = _common(before[head:][::-1], after[head:][::-1])
    return (longest - head - tail) / longest


def _common(one: str, other: str) -> int:
    """The length of the longest common beginning."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))
