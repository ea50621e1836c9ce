"""What a text tells of the runs of tools."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from reflection_mcp.tools.judging.evidence.rows import read, row_of_command
from reflection_mcp.tools.judging.evidence.runs import LINES, counts_of, runs_of
from reflection_mcp.tools.judging.evidence.template import compiled
from tests.requirements import requirement
from tests.rows import each_row


def ended(text: str) -> list[str]:
    return ["failed" if run.failed else "ok" for run in runs_of(text)]


ROWS = [{"name": name, **row} for name, row in read("tools").items()]


@requirement("evidence:tools")
@each_row("row", ROWS, ids=lambda row: row["name"])
def test_each_tool_is_read_as_it_prints_and_not_in_prose_like_it(row: dict[str, Any]) -> None:
    lines = [(line, False) for line in row.get("saw_good", ())]
    lines += [(line, True) for line in row.get("saw_bad", ())]
    for line, failed in lines:
        text = f"some log\n{line}\nmore\nand more\nand more"
        found = [run.failed for run in runs_of(text) if run.tool == row["name"]]
        assert found == [failed], line
    for line in row.get("unlike", ()):
        assert not runs_of(f"some log\n{line}\nmore\nand more\nand more"), line
    assert row["met"]
    assert row["about"]
    assert lines or not any(row.get(name) for name in ("good", "bad", "counts"))


@each_row("line", read("counts")["examples"])
def test_a_line_of_nothing_but_counts_is_a_summary_whoever_printed_it(line: str) -> None:
    assert len(runs_of(line)) == 1


@each_row("line", read("counts")["unlike"])
def test_prose_with_counts_is_no_summary(line: str) -> None:
    assert not runs_of(line)


@each_row(
    ("text", "end"),
    [
        ("===== 3 passed in 0.12s =====", "ok"),
        ("1 failed, 3 passed in 0.12s", "failed"),
        ("==== 2 errors in 1.50s ====", "failed"),
        ("\x1b[31m=== 1 failed in 0.1s ===\x1b[0m", "failed"),
        ("1 failed in 0.1s\nagain\n\n4 passed in 0.1s\n", "ok"),
        ("Tests:       5 passed, 5 total", "ok"),
        (" Tests  1 failed | 3 passed (4)", "failed"),
        ("--- FAIL: TestAdd (0.00s)", "failed"),
        ("ok  \texample.com/a\t0.02s", "ok"),
        ("test result: ok. 4 passed; 0 failed; 0 ignored", "ok"),
        ("Ran 5 tests in 0.001s\n\nOK", "ok"),
        ("Ran 5 tests in 0.001s\n\nFAILED (failures=1)", "failed"),
        ("  4 passing (12ms)", "ok"),
        ("Tests run: 5, Failures: 0, Errors: 0", "ok"),
        ("BUILD SUCCESSFUL in 2s", "ok"),
        ("OK (5 tests, 9 assertions)", "ok"),
        ("Tests: 5, Assertions: 9, Failures: 1.", "failed"),
        ("Passed!  - Failed:     0, Passed:     5", "ok"),
        ("100% tests passed, 0 tests failed out of 3", "ok"),
        ("[  PASSED  ] 5 tests.", "ok"),
        ("Executed 5 tests, with 0 failures (0 unexpected) in 0.01 (0.01) seconds", "ok"),
        ("5 tests, 0 failures", "ok"),
        ("# pass 3", "ok"),
        ("2 failed, 40 passed", "failed"),
        ("40 passed, 2 warnings", "ok"),
        ("cc -c a.c\nexit code: 2", "failed"),
        ("exit status 2\n", "failed"),
        ("Process exited with code 3", "failed"),
        ("make[1]: *** [Makefile:12: all] Error 2", "failed"),
        ("make: *** [all] Error 2\n\n", "failed"),
    ],
)
def test_reports_of_the_common_runners(text: str, end: str) -> None:
    assert ended(text)[-1:] == [end]


@each_row(
    "text",
    [
        "",
        "exit code: 2\ntrying again",
        "2 failed, 40 passed the exam",
        "an exit code of 2 is bad",
        "all good",
        "Ran 0 tests in 0.000s\n\nOK",
        "# pass 0",
    ],
)
def test_a_log_that_proves_nothing_says_nothing(text: str) -> None:
    assert ended(text) == []


def test_a_log_that_ends_in_an_uncaught_error_is_a_failure() -> None:
    text = 'Traceback (most recent call last):\n  File "a.py", line 1\nValueError: bad\n'
    (one,) = runs_of(text)
    assert (one.failed, one.line) == (True, "ValueError: bad")
    assert ended("starting\npanic: no such file\n\ngoroutine 1\n") == ["failed"]
    assert ended("thread 'main' panicked at src/main.rs:2:5\nnote: run again\n") == ["failed"]


def test_a_log_that_goes_on_after_an_error_has_survived_it() -> None:
    text = "Traceback (most recent call last):\n  x\nValueError: bad\nretrying\nretrying\ndone\n"
    assert ended(text) == []


def test_a_line_that_is_too_long_is_no_summary() -> None:
    assert ended("1 failed, 3 passed in 0.12s" + " " * 3 + "x" * 500) == []


@each_row(
    ("command", "name"),
    [
        ("pytest -q tests", "pytest"),
        ("cd app && uv run pytest -x", "pytest"),
        ("PYTHONPATH=. python -m pytest", "pytest"),
        ("npx tsc --noEmit", "tsc"),
        ("cargo build --release", "cargo build"),
        ("cargo test", "cargo test"),
        ("make && ls", "make"),
        ("ls -l", ""),
        ("", ""),
    ],
)
def test_a_command_line_names_its_tool(command: str, name: str) -> None:
    row = row_of_command(command)
    assert (row.name if row else "") == name


@each_row(
    ("line", "counts"),
    [
        ("1 failed, 3 passed in 0.12s", {"failed": 1, "passed": 3}),
        (
            "Tests run: 5, Failures: 1, Errors: 2, Skipped: 0",
            {"total": 5, "failed": 1, "errors": 2, "skipped": 0},
        ),
        (
            "Test Suites: 1 failed, 7 passed, 8 total",
            {"failed suites": 1, "passed suites": 7, "total suites": 8},
        ),
        ("67% tests passed, 1 tests failed out of 3", {"failed": 1, "total": 3}),
        ("2 examples, 1 failure", {"total": 2, "failed": 1}),
        ("Found 3 errors in 2 files (checked 9 source files)", {"errors": 3}),
    ],
)
def test_counts_are_read_whichever_way_they_are_written(line: str, counts: dict[str, int]) -> None:
    assert counts_of(line) == counts


def test_what_stands_after_a_prompt_is_another_run() -> None:
    red, green = "$ pytest -q\n1 failed, 1 passed in 0.1s", "$ pytest -q\n2 passed in 0.1s"
    log = f"{red}\n{green}\n$ git push\nEverything up-to-date"
    assert [(run.tool, run.failed) for run in runs_of(log)] == [
        ("pytest", True),
        ("pytest", False),
        ("git push", False),
    ]


def test_lines_of_one_run_are_put_together() -> None:
    jest = "Test Suites: 1 failed, 1 passed, 2 total\nTests:       1 passed, 1 total"
    (run,) = runs_of(jest)
    assert run.failed  # a suite that could not be loaded has no test that failed
    (run,) = runs_of("  3 passing (12ms)\n  1 failing\n")
    assert (run.failed, dict(run.counts)) == (True, {"passed": 3, "failed": 1})
    (run,) = runs_of("ok  \ta/b\t0.1s\n--- FAIL: TestX (0.00s)\nFAIL\nFAIL\ta/c\t0.2s\nFAIL")
    assert run.failed


def test_an_exit_code_speaks_where_the_output_does_not() -> None:
    (silent,) = runs_of("", command="javac A.java", exit_code=0)
    assert (silent.about, silent.failed, silent.line) == (("build",), False, "exit code 0")
    (failed,) = runs_of("some words", command="./deploy.sh", exit_code=3)
    assert (failed.about, failed.line) == (("command",), "exit code 3: some words")
    (tests,) = runs_of("1 failed, 1 passed in 0.1s", command="pytest", exit_code=1)
    assert tests.line == "1 failed, 1 passed in 0.1s"
    assert len(runs_of("2 passed in 0.1s", command="pytest", exit_code=0)) == 1
    both = runs_of("2 passed in 0.1s", command="pytest --cov", exit_code=2)
    assert [run.failed for run in both] == [False, True]


def test_a_command_that_says_no_with_its_exit_code_has_not_failed() -> None:
    assert not runs_of("", command="grep -c todo a.py", exit_code=1)
    assert not runs_of("3 vulnerabilities", command="npm audit", exit_code=1)
    assert not runs_of("Plan: 1 to add", command="terraform plan -detailed-exitcode", exit_code=2)
    assert runs_of("", command="", exit_code=1)
    assert runs_of("grep: a.py: No such file", command="grep todo a.py", exit_code=2)


def test_the_script_of_npm_names_the_command() -> None:
    (run,) = runs_of("> w@1.0.0 build\n> tsc -p .\n\nnpm wrote", exit_code=2)
    assert run.tool == "tsc"


def test_what_loggers_put_in_front_of_a_line_is_no_part_of_it() -> None:
    for line in ("#9 1.204 ", "2026-01-02T03:04:05.123Z ", "[INFO] ", "web-1  | ", "  "):
        assert ended(f"{line}2 failed, 3 passed in 1.0s") == ["failed"], line


def test_only_the_end_of_a_long_log_is_read() -> None:
    assert not runs_of("2 failed, 3 passed in 1.0s\n" + "word\n" * (LINES + 1))


def test_a_template_reads_the_whole_line() -> None:
    template = compiled("Found <n> error{s|} in <n> file{s|}")
    assert template.literal == "found"
    assert template.pattern.fullmatch("Found 1 error in 2 files")
    assert not template.pattern.fullmatch("Found 1 error in 2 files or so")


@given(st.text(alphabet="=#[]() .:0123456789failedpssrorFAIL\n$>", max_size=400))
def test_no_text_breaks_the_reading(text: str) -> None:
    for run in runs_of(text):
        assert run.line
        assert run.about
