import pytest

from reflection_mcp.store.records import Outcome
from reflection_mcp.tools.judging.evidence import RUNNERS, Runner, check_evidence


def told(text: str) -> list[str]:
    return [one.status for one in check_evidence(text=text)]


@pytest.mark.parametrize("runner", RUNNERS, ids=lambda runner: runner.name)
def test_a_summary_is_read_and_prose_like_it_is_not(runner: Runner) -> None:
    (one,) = check_evidence(text=f"some log\n{runner.example}\n")
    assert runner.name in one.why
    assert told(runner.counter_example) == []


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("===== 3 passed in 0.12s =====", "ok"),
        ("1 failed, 3 passed in 0.12s", "wrong"),
        ("==== 2 errors in 1.50s ====", "wrong"),
        ("\x1b[31m=== 1 failed in 0.1s ===\x1b[0m", "wrong"),
        ("1 failed in 0.1s\nagain\n4 passed in 0.1s", "ok"),
        ("Tests:       5 passed, 5 total", "ok"),
        (" Tests  1 failed | 3 passed (4)", "wrong"),
        ("--- FAIL: TestAdd (0.00s)", "wrong"),
        ("ok  \texample.com/a\t0.02s", "ok"),
        ("test result: ok. 4 passed; 0 failed; 0 ignored", "ok"),
        ("Ran 5 tests in 0.001s\n\nOK", "ok"),
        ("Ran 5 tests in 0.001s\n\nFAILED (failures=1)", "wrong"),
        ("  4 passing (12ms)", "ok"),
        ("Tests run: 5, Failures: 0, Errors: 0", "ok"),
        ("BUILD SUCCESSFUL in 2s", "ok"),
        ("OK (5 tests, 9 assertions)", "ok"),
        ("Tests: 5, Assertions: 9, Failures: 1.", "wrong"),
        ("Passed!  - Failed:     0, Passed:     5", "ok"),
        ("100% tests passed, 0 tests failed out of 3", "ok"),
        ("[  PASSED  ] 5 tests.", "ok"),
        ("Executed 5 tests, with 0 failures (0 unexpected)", "ok"),
        ("5 tests, 0 failures", "ok"),
        ("# pass 3", "ok"),
        ("2 failed, 40 passed", "wrong"),
        ("40 passed, 2 warnings", "ok"),
        ("cc -c a.c\nexit code: 2", "wrong"),
        ("exit status 2\n", "wrong"),
        ("Process exited with code 3", "wrong"),
        ("make[1]: *** [Makefile:12: all] Error 2", "wrong"),
        ("make: *** [all] Error 2\n\n", "wrong"),
    ],
)
def test_reports_of_the_common_runners(text: str, status: str) -> None:
    assert told(text) == [status]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "exit code: 0",
        "exit code: 2\ntrying again",
        "2 failed, 40 passed the exam",
        "an exit code of 2 is bad",
        "all good",
        "Ran 0 tests in 0.000s\n\nOK",
        "OK",
        "# pass 0",
    ],
)
def test_a_log_that_proves_nothing_says_nothing(text: str) -> None:
    assert told(text) == []


def test_a_log_that_ends_in_an_uncaught_error_is_a_failure() -> None:
    text = 'Traceback (most recent call last):\n  File "a.py", line 1\nValueError: bad\n'
    (one,) = check_evidence(text=text)
    assert (one.status, one.stated) == ("wrong", "ValueError: bad")
    assert told("starting\npanic: no such file\n\ngoroutine 1\n") == ["wrong"]
    assert told("thread 'main' panicked at src/main.rs:2:5\nnote: run again\n") == ["wrong"]


def test_a_log_that_goes_on_after_an_error_has_survived_it() -> None:
    text = "Traceback (most recent call last):\n  x\nValueError: bad\nretrying\nretrying\ndone\n"
    assert told(text) == []


@pytest.mark.parametrize(
    ("outcome", "status", "severity"),
    [
        ("success", "ok", "hard"),
        ("partial", "wrong", "hint"),
        ("failure", "wrong", "hard"),
        ("timeout", "wrong", "hard"),
        ("error", "wrong", "hard"),
    ],
)
def test_an_outcome_is_taken_at_its_word(outcome: Outcome, status: str, severity: str) -> None:
    (one,) = check_evidence(outcome)
    assert (one.status, one.severity, one.kind) == (status, severity, "evidence:outcome")


def test_an_exit_code_other_than_zero_is_a_failure_and_is_explained() -> None:
    (good,) = check_evidence(exit_code=0)
    (bad,) = check_evidence(exit_code=1)
    (killed,) = check_evidence(exit_code=137)
    assert (good.status, bad.status) == ("ok", "wrong")
    assert "memory" in killed.why


def test_a_line_that_is_too_long_is_no_summary() -> None:
    assert told("1 failed, 3 passed in 0.12s" + " " * 3 + "x" * 500) == []
