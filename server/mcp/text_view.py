"""The text view of a result: what a model, or a person at a terminal, reads.

Rules: the news first, in one sentence; then only what the next step needs. No fact twice, no score
that nobody gave, nothing that the caller has just sent. A part of a list is one line, whatever a
source wrote into it: a line of its own is the server speaking. What others wrote is a `StoredText`,
which is a quotation as soon as it stands in a line. Programs find the rest in the structured view.
"""

from collections.abc import Iterator
from functools import singledispatch

from reflection_mcp.server.mcp.briefing import said_once
from reflection_mcp.server.mcp.lines import line
from reflection_mcp.server.mcp.results import (
    AnswerView,
    FeedbackView,
    InsightsView,
    ReflectView,
    Result,
    ScoreView,
    SeenView,
)
from reflection_mcp.server.wording import times
from reflection_mcp.tools.untrusted import in_one_line, visible


def text_view(result: Result) -> str:
    """A result as lines of text."""
    return "\n".join(_lines(result))


@singledispatch
def _lines(result: Result) -> Iterator[str]:
    """The lines of a result.

    Raises:
        TypeError: there is no text for this kind of result, which is a bug.
    """
    raise TypeError(f"no text for {type(result).__name__}")


@_lines.register
def _(result: SeenView) -> Iterator[str]:
    yield _line(result.summary)
    for part in (*result.advice, *result.also_said, *result.withheld):
        yield f"- {_line(line(part))}"
    if result.more:
        yield f"{result.more} more that the limit leaves out."
    if result.elsewhere:
        yield f"- {_line(line(result.elsewhere))}"
    for part in (*result.candidates, *result.similar):
        yield f"- {_line(line(part))}"
    for tried in result.tried:
        yield _line(f"- tried without success: {tried!s}")
    yield from _notes(result.notes)
    if result.question:
        yield _line(result.question)
    # Only a look-up that found its error, or that asks, takes a verdict on whether it is the same.
    if result.seen and not result.signature and result.lookup_id not in result.next:
        yield f"If it is another, call record_feedback wrong_match with {result.lookup_id}."
    if result.next:
        yield _line(f"Next: {result.next}.")
    if result.signature:
        yield f"Recorded as look-up {result.lookup_id}, signature {result.signature}."


@_lines.register
def _(result: ReflectView) -> Iterator[str]:
    proven = [each for each in result.findings if each.severity == "hard" and not each.disputed]
    # One fault stands in the summary in full.
    alone = next((each for each in proven if f"[{each.id}]" in result.summary), None)
    yield _line(result.summary)
    for finding in result.findings:
        if finding is not alone:
            yield f"- {_line(line(finding))}"
    for issue in result.issues:
        yield _line(f"- {issue}")
    yield from _judged(result.scores, result.quality)
    beside = {name: each for name, each in result.criteria.items() if name not in result.scores}
    yield from _judged(beside, None, "Work")
    for part in result.learned:
        if (part.marked or not part.new) and part.id not in result.summary:
            yield f"- {_line(line(part))}"
    for step in result.candidate_fix:
        yield _line(f"- step between failure and success: {step}")
    if result.not_checked and not result.learned:
        yield _line(f"Not checked: {result.not_checked}.")
    for question in result.verification_questions:
        yield f"- {_line(line(question))}"
    for asked in result.asked_of_you:
        yield _line(f"- {asked}")
    yield from _failed(result)
    yield from _notes(result.notes)
    if result.next:
        yield _line(f"Next: {result.next}.")
    if result.attempt_id:
        no_lesson = f"; no lesson stored: {result.not_kept}" if result.not_kept else ""
        yield _line(f"Recorded as {result.attempt_id}{no_lesson}.")
    elif result.not_kept:
        yield _line(f"{result.not_kept}.")


@_lines.register
def _(result: AnswerView) -> Iterator[str]:
    yield _line(result.summary)
    for step in result.redo:
        yield _line(f"- redo: {step}")
    proven = [each.id for each in result.findings if each.severity == "hard" and not each.disputed]
    if result.redo and proven:
        yield f"Finding ids, to dispute one: {', '.join(proven)}."
    for finding in result.findings:
        if finding.severity == "hint" or finding.disputed or not result.redo:
            yield f"- {_line(line(finding))}"
    yield from _judged(result.scores, result.quality)
    for part in result.learned:
        yield f"Stored: {_line(line(part))}."
    for lesson in result.lessons:
        yield _line(f"- earlier lesson: {lesson}")
    if result.not_checked and result.status == "done":
        yield _line(f"Not checked: {result.not_checked}.")
    if result.best_attempt < len(result.history):
        for turn in result.history:
            yield f"- {_line(line(turn))}"
    yield from _failed(result)
    yield from _notes(result.notes)
    passed = result.mode == "dialogue" and result.best_attempt == len(result.history)
    if result.answer_is:
        yield _line(f"The best answer is {result.answer_is}.")
    if result.next:
        yield _line(f"Next: {result.next}")
    if result.attempt_id:
        yield f"Recorded as {result.attempt_id}."
    if result.answer and not passed:
        yield f"Answer:\n{result.answer}"
    if result.loop:
        yield f"loop: {result.loop}"


@_lines.register
def _(result: FeedbackView) -> Iterator[str]:
    yield _line(result.summary)
    for change in result.changes:
        yield _line(f"- {change}")
    for part in result.advice:
        yield f"- {_line(line(part))}"
    if result.next:
        yield _line(f"Next: {result.next}.")


@_lines.register
def _(result: InsightsView) -> Iterator[str]:
    rest = said_once(result)
    if result.prompt:
        yield visible(result.prompt)
    else:
        yield _line(result.summary)
    outside = (
        *(part for part in (*rest.strategies, *rest.lessons) if part.lesson or part.evidence),
        *rest.issues,
        *(() if result.prompt else rest.unresolved),
        *rest.withheld,
    )
    for part in outside:
        yield f"- {_line(line(part))}"
    if result.left_out and f"and {result.left_out:,} more" not in result.prompt:
        yield f"{result.left_out:,} more that the limit leaves out."
    if result.trend:
        yield _line(f"Trend: {result.trend}.")
    if result.advice_given:
        helped = f"{result.advice_helped} helped, {result.advice_failed} failed"
        yield f"Advice was shown {times(result.advice_given)}: {helped}."
    for sentence in result.calibration:
        yield _line(sentence)
    yield from _notes(result.notes)


def _judged(
    scores: dict[str, ScoreView], quality: float | None, of: str = "Scores"
) -> Iterator[str]:
    """One line of the scores that a judge gave; those of the caller, and caps of the checks, are no
    news."""
    given = [
        f"{name} {score.value} ({score.basis}{f' by {score.source}' if score.source else ''})"
        for name, score in scores.items()
        if score.value is not None and score.basis == "judged"
    ]
    if given:
        overall = f"; quality {quality}" if quality is not None else ""
        yield _line(f"{of}: {', '.join(given)}{overall}.")


def _failed(result: ReflectView | AnswerView) -> Iterator[str]:
    """What a model cost, and which could not be asked."""
    for part in result.sources_tried:
        yield f"- {_line(line(part))}"


def _notes(notes: list[str]) -> Iterator[str]:
    for note in notes:
        yield _line(f"Note: {note}")


def _line(*parts: str) -> str:
    """The parts as one line without control characters."""
    return visible(in_one_line(" ".join(part for part in parts if part)))
