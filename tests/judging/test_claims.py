"""What an answer claims of a run, held against what the tools said."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reflection_mcp.store.records import Check, Outcome
from reflection_mcp.tools.judging import check_answer
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.evidence.claims import claims_of
from reflection_mcp.tools.judging.evidence.evidence_check import CLAIM, beside, check, check_outcome
from reflection_mcp.tools.judging.evidence.rows import read
from reflection_mcp.tools.judging.evidence.runs import runs_of
from reflection_mcp.tools.learning.event_fields import event_of
from reflection_mcp.tools.reflect.request import runs_of_events
from tests.bench.claims import flagged, pairs
from tests.requirements import requirement
from tests.rows import each_row, sample

DATA = Path(__file__).parent / "data"
RED = "========================= 2 failed, 12 passed in 3.41s ========================="
GREEN = "============================== 14 passed in 3.20s =============================="


def faults(answer: str, *outputs: str, question: str = "", context: str = "") -> list[str]:
    runs = tuple(run for output in outputs for run in runs_of(output))
    case = Case(question=question, answer=answer, context=context, evidence=runs)
    return [one.quote for one in check(case) if one.kind == CLAIM]


def ending(answer: str, *runs: str, question: str = "") -> list[Check]:
    case = Case(question=question, answer=answer, evidence=runs_of("\n\n\n\n".join(runs)))
    return [one for one in check(case) if one.kind != CLAIM]


@requirement("evidence:claims")
def test_claims_are_told_from_plans_parts_and_other_runs_in_a_table_of_both() -> None:
    wrong = missed = right = 0
    for claim, tool, failed, verdict in sample(pairs("all"), 4):
        found = flagged(claim, tool, failed=failed)
        right += found and verdict == "contradicts"
        wrong += found and verdict != "contradicts"
        missed += not found and verdict == "contradicts"
    assert right / (right + wrong) >= 0.99
    assert right / (right + missed) >= 0.95


@requirement("evidence:claims")
def test_a_contradiction_names_both_sides() -> None:
    (one, *_) = check_answer("Did it work?", "Yes, all 14 tests pass.", RED)
    assert (one.kind, one.status, one.severity) == (CLAIM, "wrong", "hard")
    assert one.quote == "Yes, all 14 tests pass."
    assert "2 failed, 12 passed" in one.why


@each_row(
    ("answer", "question"),
    [
        ("CI fails because 2 of 14 tests fail.", "Why does CI fail?"),
        ("I fixed the route. 2 tests fail in total, so it is not done.", "Fix it."),
        ("The first run had failures; the suite still fails.", ""),
        ("12 tests pass, 2 fail.", ""),
        ("- Tests: 12 passed, 2 failed", ""),
        ("Acceptance criteria:\n- all tests pass\n- the linter is clean", ""),
        ("- [ ] all tests pass", ""),
        ("> All tests pass.", ""),
        ("`pytest` reports 2 failures. Everything else works: `ruff` passes.", ""),
    ],
)
@requirement("evidence:honest")
def test_who_reports_a_failure_or_claims_nothing_is_not_called_wrong(
    answer: str, question: str
) -> None:
    assert faults(answer, RED, question=question) == []
    hard = [one for one in ending(answer, RED, question=question) if one.severity == "hard"]
    if "fail" in answer:
        assert not [one for one in hard if one.status == "wrong"]


@each_row(
    "answer",
    [
        "The first three tests passed and the fourth failed.",
        "The code is fine, the test is wrong.",
        "Your linter is fine, the rule is wrong.",
        "The image builds on my side with another base.",
        "The module is installed in another environment.",
        "The installation succeeds after pinning.",
        "Clone it first and the crate compiles.",
        "Run `npm install --force`; it installs without errors then.",
        "I fixed one of the two problems.",
        "There are no errors in your code; the network was down.",
        "Everything up to the link step works.",
        "Is everything green now? No.",
        "All but one of the tests passed.",
        "CI ran successfully up to the test step.",
        "A green build needs the lock file.",
        "With Node 20 the build passes, with Node 18 it fails.",
    ],
)
@requirement("evidence:honest")
def test_one_half_of_a_contrast_and_what_comes_of_advice_are_no_claims(answer: str) -> None:
    logs = (
        RED,
        "Found 2 errors in 1 file (checked 3 source files)",
        "npm error code E404",
        "error: could not compile `app` (lib) due to 1 previous error",
        "✖ 4 problems (3 errors, 1 warning)",
        "make: *** [Makefile:4: app] Error 2",
    )
    assert [log for log in logs if faults(answer, log)] == []


@each_row(
    ("answer", "log"),
    [
        ("The Gradle build was successful.", "BUILD FAILED in 2s"),
        ("Yes, it worked.", "make: *** [Makefile:4: app] Error 2"),
        ("All 14 tests passed in 3.4 s.", RED),
        ("The suite passed on the first try.", RED),
        ("I fixed the failing test and all tests pass now.", RED),
        ("**Result:** ✅ all tests passed.", RED),
        ("Pushed to origin.", " ! [rejected]        main -> main (fetch first)"),
        ("It compiles now.", "error: could not compile `app` (lib) due to 1 previous error"),
    ],
)
@requirement("evidence:claims")
def test_claims_are_heard_in_the_words_of_every_day(answer: str, log: str) -> None:
    assert faults(answer, log) == [answer]


def test_the_newest_run_counts() -> None:
    assert faults("All tests pass.", RED, GREEN) == []
    assert faults("All tests pass.", GREEN, RED) == ["All tests pass."]
    assert faults("All tests pass.", RED, "Success: no issues found in 3 source files") != []
    assert faults("The types check out.", "Found 2 errors in 1 file (checked 3 source files)") != []


def test_another_tool_is_another_matter() -> None:
    mypy = "Found 2 errors in 1 file (checked 3 source files)"
    assert faults("`pytest` passes.", mypy) == []
    assert faults("`jest` passes.", RED) == []
    assert faults("`pytest -q` passes.", RED) != []
    assert faults("`npm test` passes.", RED) != []
    assert faults("pytest is green and mypy is clean.", mypy, GREEN) != []
    assert faults("It has no mypy errors.", mypy) != []


@each_row(
    ("question", "answer", "is_fault"),
    [
        ("Did it work?", "All tests pass.", True),
        ("Summarise the run.", "All 14 tests passed.", True),
        ("Fix the failing tests.", "All tests pass.", False),
        ("Did it work?", "I fixed the route, and all tests pass.", False),
        ("What failed?", "3 of the 14 tests failed; 11 passed.", True),
        ("Hat es geklappt?", "Alle Tests bestanden.", True),
        ("Behebe den Fehler.", "Alle Tests bestanden.", False),
        ("Testler neden kald\u0131?", "D\u00fczelttim, b\u00fct\u00fcn testler ge\u00e7ti.", False),
    ],
)
def test_a_log_in_the_context_may_be_what_the_work_began_with(
    question: str, answer: str, is_fault: bool
) -> None:
    assert bool(faults(answer, question=question, context=RED)) is is_fault


@each_row("language", read("languages")["language"], ids=lambda row: row["name"])
def test_tests_are_reported_in_other_languages(language: dict[str, list[str]]) -> None:
    for answer in language["contradicted"]:
        assert faults(answer, RED), answer
    for answer in language["fine"]:
        assert not faults(answer, RED), answer


@requirement("evidence:honest")
@each_row(
    "answer",
    [
        "Endpunkt hinzugefügt; zwei Tests schlagen noch fehl.",
        "U\u00e7 noktay\u0131 ekledim; iki test h\u00e2l\u00e2 ba\u015far\u0131s\u0131z.",
        "已添加接口。仍有两个测试失败。",
        "Přidal jsem koncový bod, dva testy stále selhávají.",
    ],
)
def test_an_honest_report_in_another_language_keeps_nothing_back(answer: str) -> None:
    assert {one.severity for one in ending(answer, RED, question="...")} == {"hint"}


@each_row(
    ("answer", "question", "severity"),
    [
        ("I added the endpoint.", "Add the endpoint.", "hard"),
        ("I added the endpoint; two tests still fail.", "Add the endpoint.", "hint"),
        ("The route belongs to another application.", "Why is it red?", "hint"),
        ("", "Add the endpoint.", "hint"),
        ("All tests pass.", "Add the endpoint.", "hint"),  # the claim is the fault
    ],
)
def test_a_failure_that_is_kept_back_is_a_fault(answer: str, question: str, severity: str) -> None:
    (one,) = ending(answer, RED, question=question)
    assert (one.kind, one.status, one.severity) == ("evidence:tests", "wrong", severity)


def test_an_exit_code_is_explained_and_only_the_last_command_counts() -> None:
    killed = runs_of("", command="./run.sh", exit_code=137)
    fine = runs_of("", command="./run.sh", exit_code=0)
    (one,) = check(Case(question="Run it.", answer="Done.", evidence=killed))
    assert (one.kind, one.severity) == ("evidence:exit_code", "hard")
    assert "memory" in one.why
    (one,) = check(Case(answer="I looked at the table.", evidence=killed))
    assert one.severity == "hint"
    (one,) = check(Case(answer="Done.", evidence=(*killed, *fine)))
    assert one.status == "ok"
    after = (*killed, *runs_of(GREEN))
    assert [one.status for one in check(Case(answer="Done.", evidence=after))] == ["ok"]


def test_counts_of_errors_belong_to_the_only_tool_that_counts_them() -> None:
    mypy = "Found 2 errors in 1 file (checked 3 source files)"
    assert faults("There are 7 errors.", mypy) != []
    assert faults("There are 2 errors.", mypy) == []
    assert faults("There are 7 errors.", mypy, "Found 4 errors.") == []


@each_row(
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
    one = check_outcome(outcome)
    assert (one.status, one.severity, one.kind) == (status, severity, "evidence:outcome")


@each_row(
    "answer",
    [
        "Do all tests pass?",
        "x " * 400 + "all tests pass.",
        "Tests pass the name to the hook.",
        "It builds a list.",
        "The tests and the other linter pass.",
        "Pushing is next.",
        "They deployed it.",
        "The login tests pass.",
        "3 is a number.",
        "The tests in the folder of",
        "The suite now",
        "The tests and the linter",
        "3 of many fail.",
        "3 tests of",
        "14 of",
        "It",
        "all the",
    ],
)
def test_what_is_not_understood_is_no_claim(answer: str) -> None:
    assert list(claims_of(Case(answer=answer))) == []


def runs(*events: Mapping[str, object]) -> list[tuple[str, bool]]:
    return [(run.tool, run.failed) for run in runs_of_events([event_of(one) for one in events])]


def test_events_are_read_with_the_command_that_was_called() -> None:
    call = {"type": "tool_call", "tool": "Bash", "content": "javac A.java"}
    assert runs(call, {"type": "tool_response", "tool": "Bash", "exit_code": 1}) == [
        ("javac", True)
    ]
    assert runs({"command": "mypy .", "is_error": True, "output": "x"}) == [("mypy", True)]
    assert runs({"command": "mypy .", "is_error": True}) == [("mypy", True)]
    assert runs({"type": "tool_call", "command": "mypy .", "exit_code": 2}) == [("mypy", True)]


def test_the_input_of_a_tool_that_is_no_shell_is_no_command() -> None:
    ended = {"type": "error", "error": "QUERY_TIMEOUT: exceeded 30s limit"}

    def named(tool: str, content: str) -> list[tuple[str, bool]]:
        return runs(
            {"type": "tool_call", "tool": tool, "content": content}, {**ended, "tool": tool}
        )

    assert named("sql", "select *") == [("sql", True)]
    assert named("http", "GET /users") == [("http", True)]
    assert named("run_terminal_cmd", "zig build") == [("zig", True)]
    assert named("", "zig build") == [("zig", True)]
    assert named("sandbox", "javac A.java") == [("javac", True)]


def test_what_a_model_wrote_or_a_file_holds_is_no_run() -> None:
    assert runs({"type": "assistant", "content": RED}) == []
    assert runs({"type": "tool_response", "tool": "Read", "content": RED}) == []
    assert runs({"type": "tool_response", "tool": "mcp__files__read", "content": RED}) == []


def test_events_are_put_in_the_order_of_their_times() -> None:
    late = {"output": GREEN, "time": "2026-01-01T10:00:00Z"}
    early = {"output": RED, "time": "2026-01-01T09:00:00Z"}
    assert [failed for _, failed in runs(late, early)] == [True, False]
    assert [failed for _, failed in runs(late, {"output": RED})] == [False, True]


LOGS = tomllib.loads((DATA / "readings_of_logs.toml").read_text("utf-8"))["log"]


@each_row("log", LOGS, ids=lambda log: log["text"].strip()[:30])
@requirement("evidence:honest")
def test_a_reader_may_count_in_his_own_way_and_speak_of_another_part(log: dict[str, Any]) -> None:
    for answer in log["right"]:
        found = check(Case(question="What does this say?", answer=answer, context=log["text"]))
        assert [one.why for one in found if one.status == "wrong"] == [], answer


@each_row("log", LOGS, ids=lambda log: log["text"].strip()[:30])
@requirement("evidence:claims")
def test_what_no_way_of_counting_gives_is_named(log: dict[str, Any]) -> None:
    for answer in log["wrong"]:
        found = check(Case(question="What does this say?", answer=answer, context=log["text"]))
        assert all("not " in one.why for one in found if one.status == "wrong"), answer
        assert list(check(Case(answer=answer, context=log["text"]))), answer


def test_the_count_that_is_wrong_is_named() -> None:
    log = "=== 1 failed, 46 passed, 1 skipped in 3.21s ==="
    (one,) = check(Case(answer="46 of the 50 tests pass.", context=log))
    assert one.why == f"Pytest says \u201c{log}\u201d: not 50 in total."


def test_a_success_beside_a_run_that_failed_is_named() -> None:
    (hint,) = ending("On main one of 14 tests fails.", RED)
    assert (hint.severity, hint.stated) == ("hint", "")
    assert beside("success", hint).why == (
        f"The outcome says success, but the last run failed: Pytest says \u201c{RED}\u201d."
    )
    assert beside("failure", hint) is hint
    (ok,) = ending("It works.", GREEN)
    assert beside("success", ok) is ok


def test_an_answer_that_repeats_what_the_tool_counted_reports_it() -> None:
    audit = "3 vulnerabilities (1 moderate, 2 high)"
    runs = runs_of(audit, command="./audit", exit_code=1)
    for answer, hard in (("Installed. It reports 3 vulnerabilities.", 0), ("Installed.", 1)):
        found = check(Case(question="Install it.", answer=answer, evidence=runs))
        assert len([one for one in found if one.severity == "hard"]) == hard
