"""What stands beside an error, and when it is the error itself."""

import pytest

from reflection_mcp.tools.identity.cleaning.clean import clean
from reflection_mcp.tools.identity.cleaning.dumps import without_dumps
from reflection_mcp.tools.identity.cleaning.prefixes import without_prefixes
from reflection_mcp.tools.identity.verdicts.verdict import Verdict, verdict_of
from reflection_mcp.tools.identity.verdicts.warnings import without_warnings
from reflection_mcp.tools.identity.verdicts.worse import tells_one
from reflection_mcp.tools.identity.verdicts.wrappers import without_wrappers
from tests.bench.identity_index import ShippedIndex

ERROR = "cannot open the ledger"
FRAMES = 'Traceback (most recent call last):\n  File "/srv/run.py", line 3, in call\n    go()\n'
CHECKED = (
    FRAMES + "subprocess.CalledProcessError: Command '['make', 'docs']' "
    "returned non-zero exit status 2."
)
DIRECT = "\n\nThe above exception was the direct cause of the following exception:\n\n"


def verdict(text: str) -> Verdict:
    return verdict_of(clean(text))


def beside_error(text: str) -> list[str]:
    """What is left of the lines of a text where an error is told below them."""
    return [line for line in without_warnings([*text.split("\n"), ERROR]) if line != ERROR]


@pytest.mark.parametrize(
    "text",
    [
        "a.c:4:7: warning: unused variable 'k'\n    4 |   int k;\n      |       ^",
        "a.c: In function 'pad':\na.c:4:7: warning: unused variable 'k'",
        "a.c:4:7: warning: unused result\na.c:2:1: note: declared here",
        "A.java:3: warning: stop() has been deprecated\n    worker.stop();\n          ^",
        "warning: unused import\n --> src/a.rs:1:5\n  |\n1 | use x;\n  |     ^\n  = note: default",
        "/srv/cut.py:12: FutureWarning: the default changes\n  cut(3)",
        "/srv/cut.py:12: UserWarning: the default is unset.\nIt will change.\n\n  warnings.warn(X)",
        "(node:31) UserWarning: slow\n    at tick (/srv/a.js:3:9)",
        "CMake Warning at CMakeLists.txt:3 (message):\n  no doxygen\n\n  docs are left out",
    ],
)
def test_a_warning_goes_with_the_source_shown_under_it(text: str) -> None:
    assert beside_error(text) == []


def test_what_follows_a_warning_stays() -> None:
    assert beside_error("a.py:1: UserWarning: x\nTraceback (most recent call last):") == [
        "Traceback (most recent call last):"
    ]
    frame = '  File "/srv/a.py", line 3, in f'
    assert beside_error(f"a.py:1: UserWarning: x\n{frame}") == [frame]
    assert beside_error("a.py:1: UserWarning: x") == []
    function = "a.c: In function 'pad':"
    error = "a.c:9:3: error: unknown type name 'size'"
    assert beside_error(f"{function}\na.c:4:7: warning: unused\n{error}") == [function, error]


def test_a_warning_takes_its_place_and_its_notes_along() -> None:
    found = verdict(
        "a.c: In function 'pad':\na.c:4:7: warning: unused 'k'\nboot.c:9:3: error: no type 'size'"
    )
    assert found.lines == ["boot.c:9:3: error: no type 'size'"]
    assert (found.location, found.context) == (None, ())


@pytest.mark.parametrize(
    "text",
    [
        "a.c:4:7: warning: unused variable 'k'",
        "a.c:4:7: warning: unused variable 'k'\ncc1: all warnings being treated as errors",
        "a.c:4:7: warning: unused variable 'k'\nmake: *** [all] Error 1",
        "3:5  warning  'k' is never used  no-unused-vars\nESLint found too many warnings (max: 0)",
        "WARNING: cannot reach one\nERROR: build failed",
        "WARNING: cannot reach one\nmain: exited with code 3",
        "WARNING: cannot find icon\n0 failed, 3 passed",
        "warning: cannot find icon\nno errors found",
    ],
)
def test_a_warning_stays_where_nothing_worse_is_told(text: str) -> None:
    assert without_warnings(text.split("\n")) == text.split("\n")


def test_a_warning_of_an_interpreter_is_not_why_make_gave_up() -> None:
    gave_up = "make: *** [Makefile:3: docs] Error 2"
    assert verdict(f"/srv/cut.py:12: UserWarning: it will change\n{gave_up}").lines == [gave_up]


def test_a_record_is_a_warning_though_its_head_was_taken_off() -> None:
    record = "2026-01-02 03:04:05 {} [core] {}".format
    warned, failed = record("WARNING", "slow shard failed over"), record("ERROR", ERROR)
    assert verdict("\n".join([warned] * 3_000 + [failed])).lines == [ERROR]
    assert verdict(f"{warned}\n{record('INFO', 'bye')}").lines == ["slow shard failed over", "bye"]
    assert verdict(warned).lines == ["slow shard failed over"]
    named = record("WARNING", "SQL Error: 0, SQLState: 23505")
    told = ["SQL Error: 0, SQLState: 23505", ERROR]
    assert verdict(f"{named}\n{failed}").lines == told
    assert verdict(f"{named}\n{warned}\n{failed}").lines == told


@pytest.mark.parametrize(
    "record",
    ['{"level": "warn", "msg": "retry failed"}', 'level=warning msg="retry failed"'],
)
def test_a_record_may_say_in_a_field_that_it_is_a_warning(record: str) -> None:
    failed = record.replace("warning", "error").replace("warn", "error")
    failed = failed.replace("retry failed", ERROR)
    assert verdict(f"{record}\n{failed}").lines == [ERROR]
    assert verdict(f"{record}\nbye").lines[0] == "retry failed"


def test_json_behind_the_head_of_a_warning_is_opened() -> None:
    lines = ['2026-01-02 03:04:05 WARN {"msg": "x"}', "2026-01-02 03:04:05 WARN", "x"]
    assert without_prefixes(lines)[0] == '{"msg": "x"}'


@pytest.mark.parametrize(
    ("line", "tells"),
    [
        (ERROR, True),
        ("KeyError: 'rate'", True),
        ("app.StepError: step failed", True),
        ('Exception in thread "main" java.lang.StackOverflowError', True),
        ("build finished with 0 errors", False),
        ("errors: 0", False),
        ("main: exited with code 3", False),
        ("ERROR: job failed", False),
        ("  stderr: null,", False),
        ("hint: cannot be undone", False),
        ("all is well", False),
    ],
)
def test_a_line_tells_of_a_failure_or_only_of_an_end(line: str, tells: bool) -> None:
    assert tells_one([line]) is tells


def test_a_checked_command_is_left_out_where_its_own_words_are_there() -> None:
    raised = DIRECT + FRAMES + "StepBroke: step docs broke\n"
    found = verdict(f"{ERROR}\n{CHECKED}{raised}\nbye")
    assert found.lines[0] == ERROR
    assert found.location is None
    assert found.context == (
        "subprocess.CalledProcessError: Command '['make', 'docs']' "
        "returned non-zero exit status 2.",
    )
    bare = CHECKED.rpartition("\n")[2]
    assert without_wrappers([ERROR, bare]) == ([ERROR], (bare,))


@pytest.mark.parametrize(
    "text",
    [
        CHECKED,
        CHECKED + DIRECT + FRAMES + "StepBroke: step docs broke",
        f"{ERROR}\n{CHECKED}\n\nDuring handling of the above exception, another occurred:\n\n"
        f"{FRAMES}KeyError: 'rate'",
        f"{ERROR}\n{FRAMES}KeyError: 'rate'\n\n"
        f"During handling of the above exception, another exception occurred:\n\n{CHECKED}",
        f"{ERROR}\n{CHECKED}{DIRECT}",
        f"{CHECKED}\nit was caught: <class 'subprocess.CalledProcessError'> failed",
    ],
)
def test_a_checked_command_stays_where_more_or_nothing_else_is_told(text: str) -> None:
    lines = text.split("\n")
    assert without_wrappers(lines) is None


CALLED = (
    "Error: Command failed: bash run.sh\n{}    at genericNodeError (node:internal/errors:984:15)\n"
    "    at execSync (node:child_process:890:11)\n    at build (/srv/ci.js:5:3) {{\n"
    "  status: {},\n  signal: null,\n  stderr: null\n}}"
)


def test_a_command_of_node_is_left_out_with_the_frames_of_who_called_it() -> None:
    found = verdict(CALLED.format(f"{ERROR}\n", 1))
    assert found.lines[0] == ERROR
    assert found.location is None
    assert found.context[:1] == ("Error: Command failed: bash run.sh",)
    own = f"RangeError: {ERROR}\n    at cut (/srv/cut.js:3:9)\n\n"
    assert verdict(CALLED.format(own, 1)).location == "cut.js:cut"


def test_a_command_of_node_that_said_nothing_is_told_with_its_code() -> None:
    for code in ("3", "'SIGKILL'"):
        assert f"ended with exit code {code}" in verdict(CALLED.format("", code)).context
    frames = ["    at run (node:child_process:9:1)", "cannot do it"]
    assert without_wrappers(["x Command failed", *frames]) is None


DUMP = (
    "Command failed: bash run.sh\n{{\n  code: 2,\n  signal: null,\n  stdout: {},\n  stderr: {}\n}}"
)


def spelled(stdout: str, stderr: str, around: str = "") -> str:
    return without_dumps(around + DUMP.format(stdout, stderr), lambda text: text)


def test_what_a_process_printed_is_read_out_of_the_object_of_node() -> None:
    head = "Command failed: bash run.sh\n"
    assert spelled("''", "'cannot open\\n' +\n    \"it's \\x41\\u0042\\\\ gone\\n\"") == (
        f"{head}\ncannot open\nit's AB\\ gone\n"
    )
    assert spelled("'cannot open'", "''") == f"{head}\ncannot open"
    assert spelled("''", "'cannot open\\n'", "cannot open\n") == f"cannot open\n{head}"


@pytest.mark.parametrize(
    "text",
    [
        DUMP.format("null", "''"),
        "{\n  signal: null,\n  stderr: 'x'",
        "{\n  stderr: 'x',\n  about: 'a signal: of smoke'\n}",
        "signal: SIGKILL {\nstderr: 'x'",
        "stderr: 'x' {",
        "signal: stderr: {",
        "1 | fn port() -> u16 {\n  |  --- here\n  signal: null,\n  stderr: 'x'\n}",
    ],
)
def test_an_object_without_words_of_a_process_stays(text: str) -> None:
    assert without_dumps(text, lambda said: said) == text


def test_the_tag_of_a_program_goes_where_a_runner_reports_its_end_by_the_tag() -> None:
    ended = "[api] node a.js exited with code 1"
    lines = ["all up", "[api]   cannot open", "[db] up", "bye", ended]
    assert without_prefixes(list(lines)) == ["all up", "  cannot open", "[db] up", "bye", ended]
    assert without_prefixes(lines[:4]) == lines[:4]
    level = ["all up", "[WARN] cannot open", "[WARN] main exited with code 1", "bye"]
    assert without_prefixes(list(level)) == level


def test_the_place_is_that_of_the_exception_that_was_chosen() -> None:
    inner = FRAMES.replace("run.py", "cut.py").replace("call", "trim") + "KeyError: 'rate'"
    outer = FRAMES + "JobStuck: job 7 did not end"
    assert verdict(inner + DIRECT + outer).location == "cut.py:trim"
    assert verdict(inner + DIRECT + FRAMES + "KeyError: 'rate'").location == "run.py:call"
    copied = f'pool._RemoteTraceback: \n"""\n{inner}\n"""{DIRECT}{FRAMES}KeyError: \'rate\''
    assert verdict(copied).location == "cut.py:trim"
    assert verdict(f"KeyError: 'rate'\n{FRAMES}").location == "run.py:call"


def test_a_warning_that_was_raised_is_the_error() -> None:
    assert verdict(f"{FRAMES}DeprecationWarning: use ttl").lines == ["DeprecationWarning: use ttl"]


def test_a_file_in_a_list_of_files_is_no_place() -> None:
    assert verdict("cannot open it\nstored:\nrun.js\nthree files").location is None
    assert verdict("/srv/run.js\n  it is broken here: error").location == "run.js:"


def test_sentences_that_are_as_long_as_one_another_are_not_joined() -> None:
    lines = [f"The mirror {name} is asked for what is missing in the store of it." for name in "ab"]
    assert clean("\n".join([*lines, "cannot go on"])) == [*lines, "cannot go on"]


def test_what_make_gave_up_is_noted_beside_warnings_only() -> None:
    warned, gave_up = (
        "a.c:4:7: warning: unused variable 'k'",
        "make: *** [Makefile:3: docs] Error 2",
    )
    beside = verdict(f"{warned}\n{gave_up}")
    assert (beside.lines, beside.context) == ([warned], (gave_up,))
    assert verdict(f"{ERROR}\n{gave_up}").context == ()
    alone = verdict(gave_up)
    assert (alone.lines, alone.context) == ([gave_up], ())


def test_of_many_objects_only_the_first_are_opened() -> None:
    text = "\n".join(DUMP.format("''", f"'cannot open {at}'") for at in range(12))
    assert without_dumps(text, lambda said: said).count("signal: ") == 4


SAID = "price list is empty for shop"


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        (f"{SAID}\n{CHECKED}", (f"above the end: {SAID}",)),
        (CHECKED, ()),
        (f"{SAID}\nmake: *** [Makefile:4: all] Error 2", (f"above the end: {SAID}",)),
        (f"{SAID}\nOSError: disk full\nexited with code 1", ("exited with code 1",)),
    ],
    ids=["above a traceback", "nothing above", "above what make says", "a cause is told"],
)
def test_what_stands_above_an_end_is_noted_where_no_cause_is_told(
    text: str, notes: tuple[str, ...]
) -> None:
    assert verdict(text).context == notes


def test_two_ends_below_different_words_are_two_errors() -> None:
    index = ShippedIndex()
    index.add("stored", f"{SAID}\n{CHECKED}")
    assert index.query(f"{SAID}\n{CHECKED}")[0] == "stored"
    assert index.query(f"rate table is stale for tax\n{CHECKED}")[0] is None
    assert index.query(CHECKED)[0] == "stored"
