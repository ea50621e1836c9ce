"""From findings and opinions to scores."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reflection_mcp.store.records import Check, Severity, Status
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.completeness import requested_form
from reflection_mcp.tools.judging.scoring import (
    CAPS,
    Cap,
    Evaluation,
    Issue,
    Opinion,
    Tried,
    evaluate,
    same_finding,
    self_report,
)
from tests.requirements import requirement
from tests.rows import each_row


def wrong(kind: str, stated: str = "", expected: str = "") -> Check:
    return Check(
        kind=kind,
        status="wrong",
        quote=f"a {kind}",
        why="it is not so",
        stated=stated,
        expected=expected,
    )


def judged(
    confidence: float | None = 0.9,
    relevance: float | None = 0.9,
    completeness: float | None = 0.9,
    *issues: Issue,
) -> Opinion:
    return Opinion(
        source="judge",
        basis="judged",
        confidence=confidence,
        relevance=relevance,
        completeness=completeness,
        issues=issues,
    )


@requirement("loop:score-three")
def test_quality_is_the_mean_of_the_scores_that_exist() -> None:
    assert evaluate([], judged(0.9, 0.6, 0.6)).quality == pytest.approx(0.7)
    assert evaluate([], judged(0.9, None, 0.5)).quality == pytest.approx(0.7)


def test_without_findings_and_opinions_nothing_is_scored() -> None:
    nothing = evaluate([])
    assert nothing.quality is None
    assert {nothing.confidence.basis, nothing.relevance.basis, nothing.completeness.basis} == {
        "not_checked"
    }
    assert not nothing.retry


@each_row("cap", CAPS, ids=lambda cap: f"{cap.kind}-{cap.dimension}")
def test_a_hard_finding_lowers_its_score_to_the_cap_and_says_who_measured(cap: Cap) -> None:
    evaluation = evaluate([wrong(cap.kind)], judged(1.0, 1.0, 1.0))
    score = getattr(evaluation, cap.dimension)
    assert (score.value, score.basis) == (cap.at_most, "measured")


def test_a_cap_holds_where_nobody_gave_a_score() -> None:
    assert evaluate([wrong("arithmetic")]).confidence.value == 0.3


def test_a_cap_never_raises_a_score() -> None:
    assert evaluate([wrong("arithmetic")], judged(0.1)).confidence.value == 0.1


def test_a_hint_lowers_nothing_and_asks_for_nothing() -> None:
    hint = Check(kind="arithmetic", status="wrong", severity="hint", why="perhaps")
    evaluation = evaluate([hint], judged(0.9))
    assert evaluation.confidence.value == 0.9
    assert not evaluation.retry


def test_of_five_things_asked_for_two_make_the_answer_two_fifths_complete() -> None:
    short = wrong("completeness:count", stated="2", expected="5")
    assert evaluate([short], judged()).completeness.value == pytest.approx(0.4)


@each_row(("stated", "expected"), [("two", "5"), ("7", "5"), ("", "")])
def test_a_count_that_cannot_be_read_halves_completeness(stated: str, expected: str) -> None:
    short = wrong("completeness:count", stated=stated, expected=expected)
    assert evaluate([short], judged()).completeness.value == 0.5


def test_a_passed_test_raises_confidence_and_says_that_it_was_measured() -> None:
    passed = Check(kind="evidence:tests", status="ok", why="12 tests passed")
    score = evaluate([passed], self_report(0.2, None, None)).confidence
    assert (score.value, score.basis, score.source) == (0.8, "measured", "evidence")


def test_a_success_that_is_only_reported_raises_less_and_is_marked_so() -> None:
    told = Check(kind="evidence:outcome", status="ok", stated="success")
    score = evaluate([told]).confidence
    assert (score.value, score.basis) == (0.7, "self_reported")


def test_neither_helps_an_answer_with_a_proven_fault() -> None:
    passed = Check(kind="evidence:tests", status="ok")
    assert evaluate([passed, wrong("arithmetic")]).confidence.value == 0.3


def test_a_better_opinion_is_not_lowered_by_a_passed_test() -> None:
    passed = Check(kind="evidence:tests", status="ok")
    assert evaluate([passed], judged(0.95)).confidence.value == 0.95


@requirement("loop:retry-below-half")
def test_a_judge_that_quotes_an_issue_and_scores_below_one_half_asks_for_a_retry() -> None:
    quoted = Issue(kind="factual", text="Paris is not in Italy", quote="Paris, Italy")
    low = evaluate([], judged(0.3, 0.4, 0.4, quoted))
    assert low.retry
    assert "below 0.5" in low.retry_reason
    assert not evaluate([], judged(0.6, 0.6, 0.6, quoted)).retry


def test_a_low_opinion_without_a_quote_asks_for_nothing() -> None:
    vague = Issue(kind="style", text="could be better")
    assert not evaluate([], judged(0.1, 0.1, 0.1, vague)).retry


def test_a_self_score_alone_never_asks_for_a_retry() -> None:
    assert not evaluate([], self_report(0.0, 0.0, 0.0)).retry


def test_a_self_score_is_shrunk_and_marked() -> None:
    score = evaluate([], self_report(1.0, None, None)).confidence
    assert (score.value, score.basis, score.source) == (0.75, "self_reported", "caller")
    assert self_report(None, None, None) is None


@requirement("loop:issues")
def test_each_proven_fault_becomes_an_issue_and_a_located_improvement() -> None:
    fault = wrong("arithmetic", stated="195.00", expected="194.85")
    evaluation = evaluate([fault], judged(0.9, 0.9, 0.9, Issue(kind="style", text="too long")))
    assert [issue.kind for issue in evaluation.issues] == ["arithmetic", "style"]
    assert evaluation.improvements == (
        "at “a arithmetic”: the sides differ: 194.85 and 195.00; find out which one is wrong",
    )


@each_row(
    ("question", "answer", "improvement"),
    [
        ("Answer in JSON.", "It is nice.", "answer in JSON"),
        (
            "List three cats.",
            "1. Tom\n2. Tim",
            "correct this: The question asks: 'List three cats'; the answer has 2 items",
        ),
    ],
)
def test_whoever_obeys_the_improvement_of_a_form_does_what_was_asked(
    question: str, answer: str, improvement: str
) -> None:
    evaluation = evaluate([*requested_form.check(Case(question, answer))])
    assert evaluation.improvements == (improvement,)
    assert " should be " not in evaluation.issues[0].text


def test_a_fault_of_the_whole_answer_is_told_by_its_reason() -> None:
    bare = Check(kind="completeness:empty", status="wrong", why="the answer is empty")
    evaluation = evaluate([bare])
    assert evaluation.issues[0].text == "the answer is empty"
    assert evaluation.improvements == ("correct this: the answer is empty",)


def test_a_long_quote_is_shortened_in_an_improvement() -> None:
    long = Check(kind="arithmetic", status="wrong", quote="1 + " * 60, expected="60")
    assert "…" in evaluate([long]).improvements[0]


def test_only_a_new_fault_asks_for_another_retry() -> None:
    old = wrong("arithmetic", stated="5")
    new = wrong("percent", stated="7")
    assert evaluate([old]).retry_reason == "one proven fault"
    assert not evaluate([old], previous=[old]).retry
    again = evaluate([old, new], previous=[old])
    assert again.retry_reason == "one proven fault that the attempt before did not have"
    assert evaluate([old, new]).retry_reason == "2 proven faults"


def test_the_same_fault_is_recognised_wherever_it_moved_to() -> None:
    one = Check(kind="arithmetic", status="wrong", stated="5", start=3)
    other = Check(kind="arithmetic", status="wrong", stated="5", start=99)
    assert same_finding(one, other)
    assert not same_finding(one, wrong("arithmetic", stated="6"))


def test_coverage_counts_what_was_and_was_not_checked_by_family() -> None:
    found = [
        Check(kind="completeness:count", status="ok"),
        wrong("completeness:length"),
        Check(kind="arithmetic", status="unchecked"),
    ]
    coverage = evaluate(found).coverage
    assert (coverage["completeness"].ok, coverage["completeness"].wrong) == (1, 1)
    assert coverage["arithmetic"].unchecked == 1


def test_who_was_asked_is_carried_to_the_result() -> None:
    tried = Tried(name="anthropic", ok=False, reason="timeout")
    assert evaluate([], sources_tried=[tried]).sources_tried == (tried,)
    assert Evaluation().flaws == ()


KINDS = st.sampled_from([cap.kind for cap in CAPS])
STATUSES: "st.SearchStrategy[Status]" = st.sampled_from(["ok", "wrong", "unchecked"])
SEVERITIES: "st.SearchStrategy[Severity]" = st.sampled_from(["hard", "hint"])
CHECKS = st.lists(st.builds(Check, kind=KINDS, status=STATUSES, severity=SEVERITIES), max_size=6)
SHARES = st.none() | st.floats(0, 1)


@given(CHECKS, SHARES, SHARES, SHARES)
def test_one_more_fault_never_raises_a_score_and_all_stay_between_zero_and_one(
    checks: list[Check], confidence: float | None, relevance: float | None, whole: float | None
) -> None:
    opinion = judged(confidence, relevance, whole)
    before = evaluate(checks, opinion)
    after = evaluate([*checks, wrong("arithmetic"), wrong("completeness:placeholder")], opinion)
    for dimension in ("confidence", "relevance", "completeness"):
        value, lowered = getattr(before, dimension).value, getattr(after, dimension).value
        assert value is None or 0 <= value <= 1
        assert value is None or lowered <= value


def test_an_outcome_that_is_only_reported_lowers_a_score_and_is_no_fault_to_correct() -> None:
    told = Check(kind="evidence:outcome", status="wrong", stated="failure", expected="success")
    evaluation = evaluate([told], judged())
    assert evaluation.confidence.value == 0.2
    assert evaluation.reported_failure
    assert (evaluation.flaws, evaluation.issues, evaluation.retry) == ((), (), False)


def test_a_hint_is_not_counted_as_something_wrong() -> None:
    hint = Check(kind="completeness:off_topic", status="wrong", severity="hint")
    assert evaluate([hint]).coverage == {}


def test_the_reason_follows_a_whole_sentence_without_a_colon() -> None:
    flaw = Check(
        kind="evidence:claim",
        status="wrong",
        severity="hard",
        start=0,
        end=15,
        quote="All tests pass.",
        why="The run did not succeed.",
    )
    assert evaluate([flaw]).issues[0].text == "All tests pass. The run did not succeed"
