"""What really happened: the outcome, the exit code and the test report that came with the work.

Rule of this module: nothing else a caller can send is as strong, so it is read literally. The last
summary of each test runner counts, because a log often holds several runs; a log without a summary
says nothing, except that it ends in an uncaught error. A run in which no test ran proves nothing.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from reflection_mcp.store.records import Check, Outcome
from reflection_mcp.tools.judging.finding import short, whole

OUTCOME, EXIT_CODE, REPORT = "evidence:outcome", "evidence:exit_code", "evidence:tests"
"""The kinds of findings: what the caller says, what the system said, what the tests said."""
LINES = 4_000
"""Lines that are read from the end of a log: summaries stand last."""
LINE_LENGTH = 400
"""Longer lines are data, not summaries; the bound keeps every pattern linear."""


@dataclass(frozen=True, slots=True)
class Runner:
    """How one test runner sums up a run.

    `line` recognises its summary line; `failed` and `passed` find the counts in it. A summary that
    states no count says whether the run failed by `bad`, a pattern on the same line.
    """

    name: str
    line: re.Pattern[str]
    failed: re.Pattern[str]
    passed: re.Pattern[str]
    bad: re.Pattern[str]
    example: str
    counter_example: str


def _runner(
    name: str,
    line: str,
    *,
    failed: str = r"(?!)",
    passed: str = r"(?!)",
    bad: str = r"(?!)",
    example: str,
    counter_example: str,
) -> Runner:
    return Runner(
        name,
        re.compile(line),
        re.compile(failed),
        re.compile(passed),
        re.compile(bad),
        example,
        counter_example,
    )


_FAILED_WORD = r"\b(\d{1,7}) (?:failed|failures?|errors?|failing|broken)\b"
_PASSED_WORD = r"\b(\d{1,7}) (?:passed|passing|tests?|examples?|runs)\b"

RUNNERS = (
    _runner(
        "pytest",
        r"^=* ?\d{1,7} (?:failed|passed|skipped|xfailed|xpassed|errors?|deselected)\b.{0,120} in "
        r"\d[\d.]{0,9}s"
        # Quoted without the time: nothing but counts on the line.
        r"|^=* ?\d{1,7} (?:failed|passed)(?:, \d{1,7} (?:failed|passed|skipped|errors?|xfailed"
        r"|xpassed|deselected|warnings?)){1,5} ?=*$",
        failed=r"\b(\d{1,7}) (?:failed|errors?)\b",
        passed=r"\b(\d{1,7}) (?:passed|xfailed)\b",
        example="==== 1 failed, 3 passed, 2 warnings in 0.12s ====",
        counter_example="4 errors were corrected in 10 days",
    ),
    _runner(
        "jest or vitest",
        r"^\s{0,8}Tests:?\s{1,9}\d{1,7} (?:failed|passed|skipped|todo)\b",
        failed=r"\b(\d{1,7}) failed\b",
        passed=r"\b(\d{1,7}) passed\b",
        example="Tests:       1 failed, 4 passed, 5 total",
        counter_example="Tests are 5 in number",
    ),
    _runner(
        "go test, failing",
        r"^(?:--- FAIL: \S|FAIL(?:\t\S|$)|panic: )",
        bad=r"",
        example="FAIL\texample.com/pkg\t0.012s",
        counter_example="FAILURE is not an option",
    ),
    _runner(
        "go test, passing",
        r"^ok  ?\t?\s?\S{1,200}\s{1,4}(?:\(cached\)|\d[\d.]{0,9}s)",
        passed=r"^(ok)",
        example="ok  \texample.com/pkg\t0.012s",
        counter_example="ok then, see you in 5s",
    ),
    _runner(
        "cargo test",
        r"^test result: (?:ok|FAILED)\. ",
        failed=r"\b(\d{1,7}) failed\b",
        passed=r"\b(\d{1,7}) passed\b",
        bad=r"FAILED",
        example="test result: FAILED. 3 passed; 1 failed; 0 ignored; 0 measured",
        counter_example="test result: see below",
    ),
    _runner(
        "unittest",
        r"^Ran \d{1,7} tests? in \d[\d.]{0,12}s; (?:OK|FAILED)\b",
        failed=r"\b(?:failures|errors|unexpected successes)=(\d{1,7})",
        passed=r"^Ran (\d{1,7})",
        example="Ran 5 tests in 0.001s\n\nFAILED (failures=1, errors=2)",
        counter_example="Ran 5 tests in 0.001s",
    ),
    _runner(
        "mocha, failing",
        r"^\s{1,8}\d{1,7} failing$",
        failed=r"(\d{1,7}) failing",
        example="  1 failing",
        counter_example="2 failing schools were closed",
    ),
    _runner(
        "mocha, passing",
        r"^\s{1,8}\d{1,7} passing \(\d",
        passed=r"(\d{1,7}) passing",
        example="  3 passing (12ms)",
        counter_example="3 passing cars",
    ),
    _runner(
        "junit and maven",
        r"(?:^|\s)Tests run: \d{1,7}, {1,2}Failures: \d{1,7}",
        failed=r"\b(?:Failures|Errors): (\d{1,7})",
        passed=r"\bTests run: (\d{1,7})",
        example="[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 0",
        counter_example="Tests run: daily",
    ),
    _runner(
        "gradle",
        r"^(?:\d{1,7} tests? completed, \d{1,7} failed|BUILD (?:FAILED|SUCCESSFUL)\b)",
        failed=r"\b(\d{1,7}) failed\b",
        passed=r"^BUILD (SUCCESSFUL)",
        bad=r"^BUILD FAILED",
        example="BUILD FAILED in 3s",
        counter_example="BUILD it yourself",
    ),
    _runner(
        "TAP and node --test",
        r"^(?:# |\u2139 )(?:fail|pass) \d{1,7}$",
        failed=r"fail (\d{1,7})",
        passed=r"pass (\d{1,7})",
        example="# fail 1",
        counter_example="# fail early",
    ),
    _runner(
        "rspec, ExUnit, minitest",
        r"^\d{1,7} (?:examples?|tests?|runs|doctests?), (?:\d{1,7} [a-z]{1,12}, ){0,3}"
        r"\d{1,7} failures?\b",
        failed=_FAILED_WORD,
        passed=_PASSED_WORD,
        example="5 examples, 1 failure",
        counter_example="5 examples, 1 of them from last year",
    ),
    _runner(
        "phpunit",
        r"^(?:OK \(\d{1,7} tests?, |Tests: \d{1,7}, Assertions: \d)",
        failed=r"\b(?:Failures|Errors): (\d{1,7})",
        passed=r"(?:^OK \(|^Tests: )(\d{1,7})",
        example="Tests: 5, Assertions: 9, Failures: 1.",
        counter_example="OK (5 testimonies)",
    ),
    _runner(
        "dotnet test",
        r"^(?:Failed|Passed)!\s{1,4}- Failed:\s{1,9}\d",
        failed=r"Failed:\s{1,9}(\d{1,7})",
        passed=r"Passed:\s{1,9}(\d{1,7})",
        example="Failed!  - Failed:     1, Passed:     4, Skipped:     0",
        counter_example="Failed! - try again",
    ),
    _runner(
        "ctest",
        r"^\d{1,3}% tests passed, \d{1,7} tests failed out of \d",
        failed=r"(\d{1,7}) tests failed",
        passed=r"out of (\d{1,7})",
        example="67% tests passed, 1 tests failed out of 3",
        counter_example="67% of the tests passed",
    ),
    _runner(
        "googletest",
        r"^\[  (?:FAILED|PASSED)  \] \d{1,7} tests?",
        failed=r"FAILED  \] (\d{1,7})",
        passed=r"PASSED  \] (\d{1,7})",
        example="[  FAILED  ] 1 test, listed below:",
        counter_example="[ FAILED ] to load",
    ),
    _runner(
        "XCTest",
        r"^\s{0,8}Executed \d{1,7} tests?, with \d",
        failed=r"with (?:\d{1,7} tests? skipped and )?(\d{1,7}) failures?",
        passed=r"Executed (\d{1,7})",
        example="Executed 5 tests, with 1 failure (0 unexpected) in 0.005 seconds",
        counter_example="Executed with care",
    ),
)

_UNCAUGHT = re.compile(
    r"^(?:Traceback \(most recent call last\):|Exception in thread |Uncaught (?:\w{0,40}Error|"
    r"exception)|Unhandled exception|panic: |thread '[^']{0,80}' panicked at )"
)
_VERDICT = re.compile(r"^[A-Za-z_][\w.]{0,120}(?:Error|Exception|Interrupt|Exit|Warning|Failure)\b")

# The shell's own exit codes (POSIX 2.8.2 and signals as 128 + n).
_EXIT_CODES = {
    124: "the command ran out of time",
    126: "the command could not be executed",
    127: "the command was not found",
    130: "the command was interrupted",
    134: "the command aborted",
    137: "the command was killed, often for lack of memory",
    139: "the command crashed (segmentation fault)",
    143: "the command was terminated",
}
_OUTCOMES: dict[Outcome, str] = {
    "failure": "the work failed",
    "error": "the work ended in an error",
    "timeout": "the work ran out of time",
}


def check_evidence(
    outcome: Outcome | None = None, exit_code: int | None = None, text: str = ""
) -> Iterator[Check]:
    """Yield what the outcome, the exit code and the output of tests prove.

    Args:
        outcome: how the work ended, as the caller says.
        exit_code: of the last command; 0 is success.
        text: test output or error text; colours are ignored.
    """
    if outcome is not None:
        yield _outcome(outcome)
    if exit_code is not None:
        yield _exit(exit_code)
    yield from _report(text)


def _outcome(outcome: Outcome) -> Check:
    if outcome == "success":
        return whole(OUTCOME, "ok", "The work was reported as done.", stated=outcome)
    if outcome == "partial":
        why = "Only a part of the work was reported as done."
        return whole(OUTCOME, "wrong", why, severity="hint", stated=outcome, expected="success")
    why = f"The caller reports that {_OUTCOMES[outcome]}."
    return whole(OUTCOME, "wrong", why, stated=outcome, expected="success")


def _exit(code: int) -> Check:
    if code == 0:
        return whole(EXIT_CODE, "ok", "The command ended with exit code 0.", stated="exit code 0")
    meaning = _EXIT_CODES.get(code, "the command failed")
    why = f"Exit code {code}: {meaning}."
    return whole(EXIT_CODE, "wrong", why, stated=f"exit code {code}", expected="exit code 0")


def _report(text: str) -> Iterator[Check]:
    lines = [line for line in _plain(text) if len(line) <= LINE_LENGTH]
    found = False
    for runner in RUNNERS:
        last = next((line for line in reversed(lines) if runner.line.search(line)), None)
        if last is not None:
            found = True
            yield from _summary(runner, last)
    if not found and (ended := _ended_in_error(lines)):
        yield whole(REPORT, "wrong", "The log ends in a failed command.", stated=short(ended))
    elif not found and _uncaught(lines):
        last = next(line for line in reversed(lines) if line.strip())
        yield whole(REPORT, "wrong", "The output ends in an uncaught error.", stated=short(last))


def _plain(text: str) -> list[str]:
    """Return the last lines without colours; unittest's two-part summary as one line."""
    lines: list[str] = []
    ran = ""
    for raw in text.splitlines()[-LINES:]:
        line = _COLOUR.sub("", raw).rstrip()
        if _RAN.match(line):
            ran = line
        elif ran and line:
            line, ran = f"{ran}; {line}", ""
        lines.append(line)
    return lines


_RAN = re.compile(r"Ran \d{1,7} tests? in \d[\d.]{0,12}s$")
_COLOUR = re.compile(r"\x1b\[[\d;]{0,20}m")


def _summary(runner: Runner, line: str) -> Iterator[Check]:
    failed = sum(int(count) for count in runner.failed.findall(line))
    passed = runner.passed.search(line)
    if failed or (runner.bad.pattern != r"(?!)" and runner.bad.search(line)):
        why = f"Tests failed ({runner.name})."
        yield whole(REPORT, "wrong", why, stated=short(line.strip("= ")), expected="no failures")
    elif passed and passed[1] != "0":
        why = f"The tests passed ({runner.name})."
        yield whole(REPORT, "ok", why, stated=short(line.strip("= ")))


_LAST_WORD = re.compile(
    r"^(?:.{0,200}\b(?:exit(?:ed with)? (?:code|status):? ?|exited with |returned )"
    r"(?P<code>\d{1,3})\.?"
    r"|(?:g?make|mingw32-make)(?:\[\d{1,3}\])?: \*\*\* .{1,200} Error (?P<error>\d{1,3}))$",
    re.IGNORECASE,
)


def _ended_in_error(lines: list[str]) -> str:
    """The last line of a log, if it tells of an exit code other than zero."""
    last = next((line for line in reversed(lines) if line.strip()), "")
    told = _LAST_WORD.match(last)
    return last if told and int(told["code"] or told["error"]) else ""


def _uncaught(lines: list[str]) -> bool:
    told = [line for line in lines if line.strip()][-200:]
    if not told or not any(_UNCAUGHT.match(line) for line in told):
        return False
    # A log that goes on after the error has survived it.
    return bool(_VERDICT.match(told[-1])) or any(_UNCAUGHT.match(line) for line in told[-3:])
