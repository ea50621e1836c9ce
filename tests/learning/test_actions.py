"""What was done until it worked."""

from dataclasses import replace

from reflection_mcp.tools.learning.actions import (
    MOST_STEPS,
    STEP_LENGTH,
    actions,
    candidate_fix,
    fixed_since,
)
from reflection_mcp.tools.learning.episode import Event
from tests.learning.test_issue_summary import LOW
from tests.requirements import requirement
from tests.rows import each_row


def call(content: str, tool: str = "Bash") -> Event:
    return Event(type="tool_call", tool=tool, content=content)


def good(tool: str = "Bash") -> Event:
    return Event(type="tool_response", tool=tool, content="ok")


def bad(tool: str = "Bash") -> Event:
    return Event(type="tool_response", tool=tool, error="KeyError: 'a'")


@requirement("trace:failure")
def test_the_steps_between_a_failure_and_the_same_action_working_are_a_candidate_fix() -> None:
    events = [
        call("pytest tests/a.py"), bad(),
        call("cat setup.cfg"), good(),
        call("pip install pyyaml"), good(),
        call("pytest  -x tests/a.py"), good(),
    ]  # fmt: skip
    assert candidate_fix(events) == ("Bash: cat setup.cfg", "Bash: pip install pyyaml")


@each_row(
    "events",
    [
        [],
        [call("make"), good()],
        [call("make"), bad()],
        [call("make"), bad(), call("make"), good()],
        [call("make test"), bad(), call("ls"), good(), call("make build"), good()],
        [call("make"), bad("Bash"), call("ls"), bad(), call("make"), good()],
        [call("make"), bad(), call("make"), call("make"), good()],
    ],
    ids=[
        "nothing",
        "worked",
        "failed",
        "nothing between",
        "another action",
        "failed between",
        "the same between",
    ],
)
def test_otherwise_there_is_no_candidate(events: list[Event]) -> None:
    assert candidate_fix(events) == ()


def test_steps_of_other_tools_count_and_failed_ones_do_not() -> None:
    events = [
        call("run"), bad(),
        call("a.py", "Edit"), good("Edit"),
        call("b.py", "Edit"), bad("Edit"),
        call("run"), good(),
    ]  # fmt: skip
    assert candidate_fix(events) == ("Edit: a.py",)


def test_the_last_failure_counts_and_long_fixes_keep_their_end() -> None:
    steps = [event for n in range(20) for event in (call(f"step {n} " + "x" * 400), good())]
    events = [call("run"), bad(), call("early"), good(), call("run"), bad(), *steps, call("run")]
    told = candidate_fix([*events, good()])
    assert len(told) == MOST_STEPS
    assert told[-1].startswith("Bash: step 19")
    assert len(told[-1]) == len("Bash: ") + STEP_LENGTH + 1


def test_a_call_whose_result_never_came_is_open() -> None:
    events = [call("a"), call("a"), good(), call("b", ""), Event(type="system")]
    assert [action.worked for action in actions(events)] == [None, True, None]
    assert str(actions(events)[-1]) == "b"


def test_a_call_that_carries_its_own_error_failed() -> None:
    event = Event(type="tool_call", tool="Bash", content="run", error="boom")
    assert actions([event, good()])[0].worked is False


def test_an_error_without_a_tool_ends_the_call_before_it() -> None:
    assert actions([call("run"), Event(type="error", content="boom")])[0].worked is False


# --------------------------------------------------------------------- over attempts

TASK = replace(LOW, question="make it start")


@requirement("trace:success")
def test_what_was_worked_on_since_the_failed_attempt_is_a_candidate() -> None:
    newest_first = [
        replace(LOW, question="pin the version"),
        replace(LOW, question="try again", outcome="error"),
        replace(LOW, question="read the log", outcome="success"),
        replace(TASK, outcome="failure"),
    ]
    assert fixed_since(newest_first, TASK.question) == ("read the log", "pin the version")


def test_without_a_failure_before_there_is_none() -> None:
    other = replace(LOW, question="read the log")
    assert fixed_since([other], TASK.question) == ()
    worked = replace(TASK, outcome="success")
    failed = replace(TASK, outcome="failure")
    assert fixed_since([other, worked, failed], TASK.question) == ()
    unknown = replace(TASK, outcome=None)
    assert fixed_since([unknown, other, failed], TASK.question) == ("read the log",)
