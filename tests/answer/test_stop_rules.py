"""Each stop rule says why, and none stops a loop that is getting somewhere."""

from dataclasses import replace

from reflection_mcp.tools.answer.draft import Critique, Point
from reflection_mcp.tools.answer.plan import Plan
from reflection_mcp.tools.answer.stop_rules import stop_after_critique, stop_after_judging
from reflection_mcp.tools.judging.scoring import Evaluation
from tests.answer.attempts import attempts, evaluation, flaw
from tests.requirements import requirement
from tests.rows import each_row

PLAN = Plan()
LONG = "All of this text stays as it is. " * 20


def rule(*judged: tuple[str, Evaluation], plan: Plan = PLAN) -> str:
    stop = stop_after_judging(plan, attempts(*judged))
    return f"{stop.rule}: {stop.why}" if stop else "goes on"


@requirement("loop:good-enough", "loop:early-stop")
@each_row(
    ("judged", "told"),
    [
        (evaluation(quality=0.75), "good_enough: no proven fault, and a quality of 0.75 is above"),
        (evaluation(quality=0.7), "no_retry_asked: no proven fault, and a quality of 0.70 asks"),
        (evaluation(quality=0.5), "no_retry_asked"),
        (evaluation(quality=0.49), "goes on"),
        (evaluation(), "nothing_found: nothing could be proven wrong, which does not mean"),
        (evaluation(quality=0.2, basis="self_reported"), "nothing_found"),
        (evaluation(quality=0.9, basis="self_reported"), "nothing_found"),
        (evaluation(flaw(), quality=1.0), "goes on"),
        (evaluation(flaw()), "goes on"),
    ],
)
def test_a_first_attempt_ends_the_loop_only_when_nothing_asks_for_another(
    judged: Evaluation, told: str
) -> None:
    assert rule(("a", judged)).startswith(told)


@requirement("loop:triggers")
def test_always_goes_on_whatever_was_found() -> None:
    plan = Plan(always=True)
    for judged in (evaluation(quality=0.9), evaluation(quality=0.6), evaluation()):
        assert rule(("a", judged), plan=plan) == "goes on"


def test_the_same_answer_again_ends_the_loop() -> None:
    told = rule(("a", evaluation(flaw())), ("b", evaluation(flaw("1"))), ("a ", evaluation(flaw())))
    assert told == "unchanged: the answer is the same as attempt 1"


def test_the_same_faults_again_end_the_loop() -> None:
    one, other = evaluation(flaw()), evaluation(flaw("40"))
    assert rule(("a", one), ("b", other), ("c", one)) == (
        "same_findings: the same proven faults as in attempt 1"
    )
    assert rule(("a", one), ("b", other)) == "goes on", "the fault that was told is gone"


@requirement("loop:converge-small-change")
def test_a_revision_that_barely_changes_the_text_ends_the_loop() -> None:
    before, after = evaluation(flaw("1")), evaluation(flaw("1"), flaw("2"))
    told = rule((LONG + "1", before), (LONG + "2", after))
    assert told.startswith("barely_changed: the revision changed 0.")


@requirement("loop:converge-plateau")
def test_a_gain_below_a_tenth_ends_the_loop() -> None:
    low = evaluation(quality=0.2)
    assert rule(("a", low), ("b", evaluation(quality=0.29))).startswith(
        "no_gain: quality went from"
    )
    assert rule(("a", low), ("b", evaluation(quality=0.1))).startswith("no_gain")
    assert rule(("a", low), ("b", evaluation(quality=0.3))) == "goes on"
    worse = rule(("a", evaluation(flaw("1"))), ("b", evaluation(flaw("1"), flaw("2"))))
    assert worse == "no_gain: quality went from 0.30 to 0.30, a gain below 0.1"


def test_nothing_ends_a_loop_that_clears_faults_but_its_attempts() -> None:
    two, one = evaluation(flaw(), flaw("40")), evaluation(flaw())
    assert rule((LONG + "1", two), (LONG + "2", one)) == "goes on"
    assert rule(("a", two), ("b", one), plan=Plan(retries=1)) == (
        "attempts_used: all 2 attempts are used up"
    )
    assert rule(("a", two), plan=Plan(retries=0)) == "attempts_used: this depth allows no retry"


def test_what_is_not_known_ends_nothing() -> None:
    worse = evaluation(flaw(kind="odd"), flaw("2", kind="odd"))
    assert rule(("a", evaluation(flaw(kind="odd"))), ("b", worse)) == "goes on"
    drafts = attempts(("a", evaluation(flaw(kind="odd"))), ("b", worse))
    assert stop_after_judging(PLAN, (replace(drafts[0], text=None), drafts[1])) is None


@requirement("loop:converge-severity")
def test_a_mild_critique_ends_the_loop() -> None:
    point = Point(problem="p", quote="q")
    assert stop_after_critique(Critique(severity=0.3, points=(point,))) is None
    mild = stop_after_critique(Critique(severity=0.29, points=(point,)))
    assert mild is not None
    assert mild.why == "the critic's severity of 0.29 is below 0.3"
    unquoted = stop_after_critique(Critique(severity=1.0))
    assert unquoted is not None
    assert "objected to nothing that stands in the answer" in unquoted.why
