"""Five criteria, and who may speak to them."""

from reflection_mcp.store.records import NOT_CHECKED, Basis, Score
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.evidence.evidence_check import check
from reflection_mcp.tools.judging.evidence.runs import runs_of
from reflection_mcp.tools.judging.scoring import Evaluation
from reflection_mcp.tools.learning.criteria import CRITERIA, criteria
from reflection_mcp.tools.learning.episode import Event
from tests.learning.test_actions import bad, call, good
from tests.requirements import requirement
from tests.rows import each_row

FAILED_RUN = "==== 1 failed, 3 passed in 0.12s ===="


def scored(*events: Event, exit_code: int | None = None, text: str = "") -> dict[str, Score]:
    runs = runs_of(text, exit_code=exit_code)
    found = tuple(check(Case(answer="It is red.", evidence=runs)))
    return dict(criteria(events, Evaluation(checks=found)))


@requirement("trace:criteria")
def test_without_a_machine_signal_none_of_the_five_is_checked() -> None:
    assert tuple(scored()) == CRITERIA
    assert set(scored().values()) == {NOT_CHECKED}


@requirement("trace:criteria")
def test_no_machine_speaks_to_helpfulness_and_safety() -> None:
    found = scored(call("run"), good(), call("run"), bad(), exit_code=0)
    assert found["helpfulness"] == found["safety"] == NOT_CHECKED


@each_row(
    ("exit_code", "text", "value", "source"),
    [
        (0, "", 1.0, "exit code 0"),
        (2, "", 0.0, "The last run failed: The output says “exit code 2”."),
        (0, FAILED_RUN, 0.0, f"The last run failed: Pytest says “{FAILED_RUN}”."),
    ],
)
def test_correctness_is_what_tests_and_exit_code_say(
    exit_code: int, text: str, value: float, source: str
) -> None:
    found = scored(exit_code=exit_code, text=text)["correctness"]
    assert found == Score(value=value, basis="measured", source=source)


def test_completeness_is_the_share_of_actions_that_ended_well() -> None:
    found = scored(call("a"), bad(), call("b"), bad(), call("a"), good(), call("c"))
    assert found["completeness"].value == 0.5
    assert found["completeness"].source == "1 of 2 actions ended well"


@each_row(("basis", "value"), [("judged", 0.75), ("measured", 0.75), ("self_reported", 0.0)])
def test_a_reply_says_one_thing_of_completeness(basis: Basis, value: float) -> None:
    judged = Score(value=0.75, basis=basis, source="anthropic")
    found = criteria([call("a"), bad()], Evaluation(completeness=judged))["completeness"]
    assert found.value == value


def test_efficiency_falls_with_failures_and_repeats() -> None:
    found = scored(call("a"), bad(), call("a"), good(), call("a"), good(), call("b"), good())
    assert found["efficiency"].value == 0.5
    assert found["efficiency"].source == "4 calls, 1 failed, 1 repeated"
    assert scored(call("a"), good())["efficiency"] == NOT_CHECKED


def test_responses_without_calls_count_if_they_say_how_they_ended() -> None:
    def ran(exit_code: int | None) -> Event:
        metadata = {} if exit_code is None else {"exit_code": exit_code}
        return Event(type="tool_response", tool="pytest", content="1 test", metadata=metadata)

    found = scored(ran(1), ran(0))
    assert found["completeness"].source == "1 of 1 actions ended well"
    assert found["efficiency"].source == "2 calls, 1 failed, 0 repeated"
    assert scored(ran(None), ran(None))["completeness"] == NOT_CHECKED


def test_what_no_machine_measures_is_as_a_judge_graded_it() -> None:
    def graded(value: float) -> Score:
        return Score(value=value, basis="judged", source="anthropic")

    said = {
        "correctness": graded(0.5), "helpfulness": graded(0.75), "safety": graded(1.0),
        "efficiency": graded(0.25),
    }  # fmt: skip
    evaluation = Evaluation(criteria=said)
    assert criteria([], evaluation) == {**said, "completeness": NOT_CHECKED}
    measured = criteria([call("a"), good(), call("b"), good()], evaluation)
    assert (measured["efficiency"].basis, measured["efficiency"].value) == ("measured", 1.0)
