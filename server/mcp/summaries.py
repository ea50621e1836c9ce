"""The first sentences of results: their news, and the next step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from reflection_mcp.server.wording import counted, times
from reflection_mcp.tools.untrusted import presentable

if TYPE_CHECKING:
    # Only their names are needed: see `conversion`.
    from reflection_mcp.tools.answer.answer_with_reflection import AnswerResult
    from reflection_mcp.tools.insights.get_insights import Insights
    from reflection_mcp.tools.judging.scoring import Evaluation
    from reflection_mcp.tools.recall.has_seen_error_before import SeenBefore
    from reflection_mcp.tools.reflect.persist import SavedReflection
    from reflection_mcp.tools.reflect.result import ReflectResult

MAYBE = "The answer may still be wrong."

_OF_FORM = frozenset(("completeness", "syntax"))
"""Families that say how an answer is made: that code parses, or that a text comes to its end."""


def loss_first(why: str, summary: str) -> str:
    """The summary, with what was not kept before everything else."""
    return f"Nothing was stored: {why}. {summary}" if why else summary


def not_checked(evaluation: Evaluation) -> str:
    """What these results say nothing about."""
    judged = any(source.ok and source.name != "caller" for source in evaluation.sources_tried)
    parts = [] if judged else ["the reasoning"]
    facts = evaluation.coverage.get("grounding")
    if facts is None or not (facts.ok or facts.wrong or facts.unchecked):
        parts.append("the facts")
    apart = _OF_FORM | {"length"}
    unread = sum(c.unchecked for f, c in evaluation.coverage.items() if f not in apart)
    if unread:
        parts.append(f"{counted(unread, 'statement')} that could not be read with certainty")
    form = sorted(_OF_FORM & evaluation.coverage.keys())
    parts += [f"its {family} in part" for family in form if evaluation.coverage[family].unchecked]
    if "length" in evaluation.coverage:
        parts.append("the rest, because answer and context are too long")
    return ", ".join(parts)


def news(judged: ReflectResult) -> str:
    """What was stored, which judge failed, and what the checks found, as far as each is news."""
    stored_rows = [row for row in judged.kept if row.kind == "reflection"] or list(judged.kept)
    parts = [judge_failed(judged.evaluation)]
    if judged.evaluation.flaws or not stored_rows:
        parts.append(_of_checks(judged.evaluation))
    parts += [_stored_news(row) for row in stored_rows[:1]]
    return " ".join(part for part in parts if part)


def _stored_news(row: SavedReflection) -> str:
    when = "when this error occurs again" if row.of_error else "when it fits a question"
    if row.marked:
        return f"Lesson stored as {row.id}, but withheld: its text looks like prompt injection."
    if row.created:
        against = (
            f" It contradicts {row.against}, which says “{presentable(row.opposite, 200)}”: "
            "feedback decides which is shown first."
        )
        return f"Lesson stored as {row.id}; it is shown {when}.{against if row.against else ''}"
    says = f", which says “{presentable(row.says, 200)}”" if row.says else ""
    met = f"Known as {row.id}{says}: met {times(row.occurrences)}."
    return " ".join((met, *_version_news(row)))


def _version_news(row: SavedReflection) -> Iterator[str]:
    """Sentences about the lesson that was shown until now."""
    from reflection_mcp.server.mcp.visitor import reading
    from reflection_mcp.tools.advice import told_by

    old = row.replaced
    failed = ", which was shown here and counts as failed" if row.failed else ""
    if old is not None and row.own:
        yield f"It replaces your earlier lesson of {old.at:%Y-%m-%d}{failed}."
    elif old is not None:
        yield f"It is shown before the lesson {told_by(old.source, old.at, reading())}{failed}."
    elif row.failed:
        yield "Its lesson was shown here and counts as failed."
    if row.second:
        yield f"Yours is stored as {row.second}; feedback decides which of them is shown first."
    if row.retired:
        yield f"Retired with the old lesson: {', '.join(row.retired)}."


def judge_failed(evaluation: Evaluation) -> str:
    """A sentence that says which judges were asked in vain and why; empty when one answered."""
    models = [source for source in evaluation.sources_tried if source.name != "caller"]
    if not models or any(source.ok for source in models):
        return ""
    why = ", ".join(f"{source.name}: {source.reason}" for source in models)
    return f"No judge answered ({why}), so only the machine checks were used."


def _of_checks(evaluation: Evaluation) -> str:
    # Only who judges needs it, and who judges has it already.
    from reflection_mcp.tools.judging.finding import difference, finding_id, of_form, told

    flaws = evaluation.flaws
    if len(flaws) > 1:
        return f"{len(flaws)} proven faults."
    if flaws:
        first = flaws[0]
        says = presentable(first.quote or first.stated, 120)
        why = presentable(first.why, 200).rstrip(".")
        if of_form(first):
            what = presentable(told(first), 320)
        elif sides := difference(first):
            what = f"“{says}”: {presentable(sides, 240)}"
        else:
            what = f"“{says}”: {why}" if says else why
        return f"1 proven fault [{finding_id(first)}]: {what.rstrip('.')}."
    if refused := sum(bool(check.disputed) for check in evaluation.checks):
        verb = "is" if refused == 1 else "are"
        return f"{counted(refused, 'finding')} {verb} disputed; no other fault was found. {MAYBE}"
    no_statements = _OF_FORM | {"evidence"}
    checked = sum(c.ok for f, c in evaluation.coverage.items() if f not in no_statements)
    if checked:
        return f"No fault found in {counted(checked, 'statement')} that could be checked. {MAYBE}"
    if evaluation.reported_failure:
        return "The work failed, as reported; no fault was proven in the answer."
    if evaluation.issues:
        return f"No fault was proven; the judge has {counted(len(evaluation.issues), 'objection')}."
    if any(
        check.status == "ok" and check.kind.startswith("evidence") for check in evaluation.checks
    ):
        return "The outcome supports it; nothing else could be checked."
    return f"No fault found; no statement could be checked by machine. {MAYBE}"


def next_step(judged: ReflectResult) -> str:
    """What the caller does next; empty when nothing is left to do."""
    if judged.evaluation.retry:
        correct = "correct it and call reflect with the new answer"
        dispute = "if a finding is not a fault, pass its id and your reason in `disputed`"
        return f"{correct}; {dispute}" if judged.evaluation.flaws else correct
    if judged.evaluation.flaws:
        return (
            "the previous attempt had the same faults: correct them, dispute them with a reason "
            "in `disputed`, or tell the user what is wrong"
        )
    if not judged.kept and _is_rated_low(judged.evaluation):
        return (
            "the judge rates it low and quotes nothing that is wrong: try another approach, and "
            "call reflect with the new answer"
        )
    # The same arguments, and not question and answer alone: without its error a lesson would be
    # kept apart from the error, which then would not bring it.
    if judged.questions:
        return (
            "answer the questions without looking at the answer, and call again with the same "
            "arguments and verification_answers"
        )
    if judged.solved_again:
        return (
            f"did {judged.solved_again} help? Call record_feedback with it: positive if it did, "
            "negative if not"
        )
    if judged.asked_of_caller and judged.attempt_id:
        return "call again with the same arguments and these sentences"
    return ""


def where_it_stands(reached: AnswerResult) -> str:
    """Return whether a loop is done, and which judge failed."""
    failed = judge_failed(reached.evaluation)
    return " ".join(part for part in (failed, _stand(reached)) if part)


def _stand(reached: AnswerResult) -> str:
    if reached.status == "revise":
        if not reached.redo:
            return "Not done: read the draft once as its critic."
        return f"Not done: {counted(len(reached.redo), 'step')} to redo."
    attempts = counted(reached.attempts, "attempt")
    best = f"; attempt {reached.attempt} is the best" if reached.attempts > 1 else ""
    if left := len(reached.evaluation.flaws):
        faults = counted(left, "proven fault")
        return f"Stopped after {attempts} with {faults} left{best}: {reached.why}."
    return f"Done after {attempts}{best}: {reached.why}."


def with_faults_left(reached: AnswerResult) -> str:
    """Return what to do with an answer that still has proven faults."""
    if not reached.evaluation.flaws:
        return ""
    which = reached.answer_is or f"attempt {reached.attempt}"
    return (
        f"take {which}, correct what `redo` lists before you send it, or tell the user what "
        "is wrong"
    )


def _is_rated_low(evaluation: Evaluation) -> bool:
    """Whether a judge gave it less than asks for a retry where it quotes what is wrong."""
    from reflection_mcp.tools.judging.scoring import RETRY_BELOW  # judging only

    scores = (evaluation.confidence, evaluation.relevance, evaluation.completeness)
    judged = any(score.basis == "judged" for score in scores)
    rated = judged and not evaluation.reported_failure
    return rated and evaluation.quality is not None and evaluation.quality < RETRY_BELOW


def recognition(answer: SeenBefore) -> str:
    """A sentence on whether an error was seen before."""
    if answer.seen:
        # What was looked up or failed under a hook and was not reported is not counted.
        often = f" at least {times(answer.occurrences)}" if answer.occurrences > 1 else ""
        when = f", last on {answer.last_seen:%Y-%m-%d}" if answer.last_seen else ""
        return f"Seen{often} before ({answer.verdict}){when}."
    if answer.neighbour:
        return "Not seen here, but the same failure is known in another place."
    if answer.verdict == "similar":
        # Two bare errors ("Segmentation fault") may have the same text, and not the same cause.
        but = "differs" if answer.similar[0].differences else answer.why
        return f"Not recognised: it resembles a known error, but {but}."
    from reflection_mcp.tools.advice import how_often_met

    met = how_often_met(answer.reported, answer.occurred, answer.looked_up)
    if met and answer.since:
        return f"{met} since {answer.since:%Y-%m-%d}; no fix is known.".capitalize()
    return "New: nothing is known about it."


def insight_summary(found: Insights) -> str:
    """A sentence that counts what is known, or says why there is nothing."""
    issue = "recurring issue" if all(each.attempts > 1 for each in found.issues) else "issue"
    parts: Mapping[str, int] = {
        issue: len(found.issues),
        "strategy": len(found.strategies),
        "lesson": len(found.lessons),
        "unresolved error": len(found.unresolved),
    }
    said = [counted(number, noun) for noun, number in parts.items() if number]
    if said and found.left_out:
        said.append(f"and {found.left_out:,} more beyond the limit")
    return f"{', '.join(said)}." if said else f"{found.note[0].upper()}{found.note[1:]}."
