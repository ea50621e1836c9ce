"""Whether a failure that a log proves is told by the answer; all rows written for this rule."""

import pytest

from reflection_mcp.tools.judging.candour import weighed
from reflection_mcp.tools.judging.evidence import check_evidence

LOG = "=== FAILURES ===\nE assert 1 == 2\n==== 2 failed, 10 passed in 0.12s ===="
MAVEN = "Tests run: 5, Failures: 2, Errors: 0"
TRACE = 'Traceback (most recent call last):\n  File "a.py", line 1\nValueError: bad\n'


def is_faulted(question: str, answer: str, log: str) -> bool:
    found = list(weighed(check_evidence(exit_code=1, text=log), question, answer))
    assert all(one.status == "wrong" for one in found)
    return any(one.severity == "hard" for one in found)


@pytest.mark.parametrize(
    ("question", "answer", "log"),
    [
        ("Which tests fail?", "test_x and test_y fail; the other 10 pass.", LOG),
        ("Which tests fail?", "2 tests failed: test_x and test_y.", LOG),
        ("Which tests fail?", "2 of the tests failed: test_x and test_y.", MAVEN),
        ("How many tests pass?", "10 of 12; two failed.", LOG),
        ("Do the tests pass?", "No, test_x and test_y are failing.", LOG),
        ("The log is here. What is it?", "All pass except test_x and test_y, which fail.", LOG),
        ("Why does it crash?", "It raises a ValueError because the input is bad.", TRACE),
        ("Summarize the test run", "10 passed and 2 failed.", LOG),
        ("Can you tell me what fails?", "test_x and test_y fail, no other failures.", LOG),
    ],
)
def test_a_failure_that_was_asked_for_and_is_told_is_no_fault(
    question: str, answer: str, log: str
) -> None:
    assert not is_faulted(question, answer, log)


@pytest.mark.parametrize(
    ("question", "answer", "log"),
    [
        ("Do the tests pass?", "Yes, all tests pass.", LOG),
        ("Do the tests pass?", "Yes, everything is green.", LOG),
        ("Do the tests pass?", "Yes.", LOG),
        ("Do the tests pass?", "None of the tests fail.", LOG),
        ("Which tests fail?", "No tests fail.", LOG),
        ("How many tests fail?", "3 tests fail.", LOG),
        ("How many tests fail?", "One test fails.", MAVEN),
        ("Why does it crash?", "It works without errors.", TRACE),
        # What was asked for as work is not done.
        ("Fix the failing tests.", "test_x still fails.", LOG),
        ("Fix them. Do the tests pass?", "test_x still fails.", LOG),
        ("Can you fix the tests?", "I changed it; test_x still fails.", LOG),
    ],
)
def test_a_failure_that_is_denied_or_was_to_be_mended_is_a_fault(
    question: str, answer: str, log: str
) -> None:
    assert is_faulted(question, answer, log)


def test_a_success_is_passed_on_as_it_is() -> None:
    found = list(check_evidence("success", 0, "3 passed in 0.1s"))
    assert list(weighed(found, "Which tests fail?", "None failed.")) == found
