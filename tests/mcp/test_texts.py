"""Results as text: what only some of them have is said in a line of its own."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from reflection_mcp.server.mcp import conversion, summaries
from reflection_mcp.server.mcp.parts import (
    AdviceView,
    Finding,
    LookAlikeView,
    NeighbourView,
    SavedView,
    ScoreView,
    StepView,
)
from reflection_mcp.server.mcp.results import (
    AnswerView,
    FeedbackView,
    InsightsView,
    ReflectView,
    Result,
    SeenView,
)
from reflection_mcp.store.records import Check, Score
from reflection_mcp.tools.judging.scoring import Covered, Evaluation, Issue
from reflection_mcp.tools.reflect.result import ReflectResult
from tests.rows import each_row

ELSEWHERE = NeighbourView(
    here="b.py:g",
    there="a.py:f",
    lesson_of="ref-1",
    lesson="Pin it.",
    source="ann",
    trust="untrusted",
    last_seen=datetime(2026, 11, 21, tzinfo=UTC),
)
FAULT = Finding(id="f-1", kind="arithmetic", severity="hard", why="2 + 2 is 4")
HINT = Finding(id="f-2", kind="names", severity="hint", why="nobody is called so")
KEPT = SavedView(
    id="ref-1", kind="reflection", signature="sig1:0", new=True, occurrences=1, sources=1
)
TURNS = [StepView(attempt=1, fault_count=0), StepView(attempt=2, fault_count=1)]
OBJECTED = StepView(attempt=1, fault_count=0, objections=["It has no unit."])


def seen(**more: Any) -> SeenView:
    return SeenView(verdict="new", seen=False, summary="New.", **more)


def reflected(**more: Any) -> ReflectView:
    return ReflectView(summary="Checked.", mode="lite", retry=False, **more)


def answered(**more: Any) -> AnswerView:
    given: dict[str, Any] = {"status": "done", "best_attempt": 1, "mode": "dialogue", **more}
    return AnswerView(summary="Done.", **given)


CAPPED = ScoreView(value=0.3, basis="measured", source="a fault")
GRADED = ScoreView(value=0.5, basis="judged", source="a model")


@each_row(
    ("result", "lines"),
    [
        (seen(more=2), ["2 more beyond the limit."]),
        (
            SeenView(verdict="same", seen=True, summary="Seen.", lookup_id="look-1"),
            ["If it is a different error, call record_feedback wrong_match with look-1."],
        ),
        (
            seen(elsewhere=ELSEWHERE),
            [
                "- same failure in “a.py:f”, not in “b.py:g”; there it was: “Pin it.” (ref-1, "
                "untrusted text; from “ann”; last seen 2026-11-21)"
            ],
        ),
        (
            seen(similar=[LookAlikeView(id="ref-2", summary="KeyError: 'a'", differences=["a"])]),
            ["- ref-2 “KeyError: 'a'”; it differs in a"],
        ),
        (
            seen(similar=[LookAlikeView(id="ref-2", summary="KeyError: 'a'", differences=[])]),
            ["- ref-2 “KeyError: 'a'”"],
        ),
        (seen(notes=["cut"], next="call reflect"), ["Note: cut", "Next: call reflect."]),
        (seen(lookup_id="look-1"), []),  # nothing was found and nothing is asked
        (seen(lookup_id="look-1", question="Is it? look-1"), ["Is it? look-1"]),
        (
            seen(lookup_id="look-1", signature="sig2:0"),
            ["Recorded as look-up look-1, signature sig2:0."],
        ),
        (reflected(candidate_fix=["mkdir x"]), ["- step between failure and success: “mkdir x”"]),
        (reflected(not_checked="the facts"), ["Not checked: the facts."]),
        (reflected(not_checked="the facts", learned=[KEPT]), []),
        (reflected(findings=[FAULT]), ["- 2 + 2 is 4 [f-1]"]),
        (reflected(issues=["Run this. Now"]), ["- “Run this. Now”"]),
        (
            reflected(scores={"confidence": CAPPED, "relevance": GRADED}, quality=0.4),
            ["Scores: confidence 0.3 (measured), relevance 0.5 (judged by a model); quality 0.4."],
        ),
        (reflected(scores={"confidence": CAPPED}, quality=0.3), []),
        (
            reflected(attempt_id="att-1", not_kept="no words"),
            ["Recorded as attempt att-1; no lesson stored: no words."],
        ),
        (reflected(not_kept="no words"), ["no words."]),
        (answered(not_checked="the facts"), ["Not checked: the facts."]),
        (answered(answer_is="the draft"), ["The best answer is the draft."]),
        (
            answered(redo=["Redo the sum."], findings=[FAULT, HINT], status="revise"),
            [
                "- redo: Redo the sum.",
                "Finding ids, to dispute one: f-1.",
                "- hint: nobody is called so [f-2]",
            ],
        ),
        (answered(learned=[KEPT]), ["Stored: reflection ref-1."]),
        (answered(lessons=["Pin it."]), ["- earlier lesson: “Pin it.”"]),
        (answered(history=TURNS), ["- attempt 1: 0 faults", "- attempt 2: 1 fault"]),
        (answered(history=TURNS, best_attempt=2, answer="4"), []),
        (answered(history=[OBJECTED]), ["- objection: “It has no unit.”"]),
        (answered(history=[OBJECTED], redo=["Name it."], status="revise"), ["- redo: Name it."]),
        (answered(answer="4", attempt_id="att-1"), ["Recorded as attempt att-1.", "Answer:", "4"]),
        (answered(loop="token"), ["loop: token"]),
        (
            FeedbackView(summary="Recorded.", changed=True, changes=["ref-1: helped 1"]),
            ["- ref-1: helped 1"],
        ),
        (
            FeedbackView(
                summary="Recorded.",
                changed=True,
                changes=["ref-1 is this error from now on"],
                advice=[
                    AdviceView(id="ref-1", track_record="new", lesson="Pin it.", trust="untrusted")
                ],
            ),
            ["- ref-1 is this error from now on", "- ref-1 (new): “Pin it.” (untrusted text)"],
        ),
        (
            InsightsView(summary="Nothing.", left_out=1_000, trend="fewer faults"),
            ["1,000 more beyond the limit.", "Trend: fewer faults."],
        ),
        (
            InsightsView(summary="1 lesson.", prompt="- x\n- and 2 more, ...", left_out=2),
            ["- and 2 more, ..."],
        ),
        (
            InsightsView(summary="Nothing.", advice_given=2, calibration=["Well judged."]),
            ["Well judged."],
        ),
    ],
)
def test_after_the_summary_a_result_says_what_it_has(result: Result, lines: list[str]) -> None:
    _, *rest = result.text().splitlines()
    assert rest == lines


def test_what_a_judge_objects_to_is_the_news_where_no_fault_is_proven() -> None:
    said = Evaluation(issues=(Issue(kind="wrong", text="Slow start doubles."),))
    news = summaries.news(ReflectResult(mode="sampling", evaluation=said))
    assert news == "No fault was proven; the judge has 1 objection."


def test_a_disputed_finding_is_not_called_no_finding() -> None:
    said = Check(kind="arithmetic", status="wrong", disputed="with the fee of 10 EUR")
    news = summaries.news(ReflectResult(mode="lite", evaluation=Evaluation(checks=(said,))))
    expected = "1 finding is disputed; no other fault was found. The answer may still be wrong."
    assert news == expected
    two = Evaluation(checks=(said, replace(said, kind="units")))
    assert summaries.news(ReflectResult(mode="lite", evaluation=two)).startswith("2 findings are")


def test_an_answer_that_is_too_long_is_said_not_to_be_checked_whole() -> None:
    long = Evaluation(coverage={"length": Covered(unchecked=1)})
    rest = "the rest, because answer and context are too long"
    assert summaries.not_checked(long) == f"the reasoning, the facts, {rest}"


def test_an_objection_of_a_judge_says_what_should_stand_there_instead() -> None:
    said = (
        Issue(kind="wrong", text="Slow start doubles.", improvement="say that it doubles"),
        Issue(kind="vague", text="It names no unit."),
        Issue(kind="missing_part", text="not answered: “why”", improvement="answer “why”"),
    )
    view = conversion.reflected(ReflectResult(mode="sampling", evaluation=Evaluation(issues=said)))
    assert view.issues == [
        "Slow start doubles; say that it doubles",
        "It names no unit.",
        "not answered: “why”",
    ]


def test_what_a_judge_rates_low_without_a_quotation_is_to_be_gone_about_another_way() -> None:
    judged = Score(value=0.4, basis="judged", source="sampling")
    low = Evaluation(relevance=judged, quality=0.4)
    own = Evaluation(relevance=replace(judged, basis="self_reported"), quality=0.4)
    first, second, third = (
        summaries.next_step(ReflectResult(mode="sampling", evaluation=each))
        for each in (low, own, replace(low, quality=0.5))
    )
    assert "another approach" in first
    assert (second, third) == ("", "")


def test_the_words_of_the_user_are_said_by_the_user() -> None:
    own = ELSEWHERE.model_copy(update={"source": "user:editor:7"})
    assert "untrusted text; said by the user; last seen" in seen(elsewhere=own).text()
