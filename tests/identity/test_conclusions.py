"""What a program concludes of a command that ended badly, and when that is the error itself."""

import pytest

from reflection_mcp.tools.identity.cleaning.clean import clean
from reflection_mcp.tools.identity.verdicts.conclusions import without_conclusions
from reflection_mcp.tools.identity.verdicts.endings import only_ended
from reflection_mcp.tools.identity.verdicts.verdict import Verdict, verdict_of
from tests.bench.identity_index import ShippedIndex

ERROR = "cannot open the ledger"
PYTHON = 'Traceback (most recent call last):\n  File "/srv/run.py", line 3, in call\n    go()\n'
JAVA = "\n\tat com.acme.Steps.run(Steps.java:41)\n\tat com.acme.Main.main(Main.java:9)"
GO = "\n\ngoroutine 1 [running]:\nmain.must(...)\n\t/srv/steps.go:17\nmain.main()\n\t/srv/a.go:9"
ENDED = (
    f"{PYTHON}DeployFailed: step docs failed with exit code 2",
    f"{PYTHON}ChildProcessError: 2",
    f"panic: run docs: exit status 2{GO}",
    f'Exception in thread "main" java.io.IOException: docs exited with code 2{JAVA}',
    f"java.lang.IllegalStateException: step 'docs' failed{JAVA}\n"
    f"Caused by: java.io.IOException: process exited with code 2{JAVA}",
    "thread 'main' panicked at build.rs:29:9:\n'make docs' failed: exit status: 2",
    "deploy.rb:14:in 'run!': command './docs.sh' exited with 2 (RuntimeError)",
    "Expected process to exit with [0], but received '2'",
    "UnexpectedExit: Encountered a bad command exit code!",
)


def verdict(text: str) -> Verdict:
    return verdict_of(clean(text))


@pytest.mark.parametrize("ended", ENDED)
def test_a_conclusion_goes_with_its_frames_where_the_command_said_why(ended: str) -> None:
    found = verdict(f"starting\n{ERROR}\n{ended}")
    assert found.lines == [ERROR]
    assert found.location is None


@pytest.mark.parametrize("ended", ENDED)
def test_a_conclusion_is_the_message_where_nothing_else_is_told(ended: str) -> None:
    lines = clean(ended)
    assert without_conclusions(lines) is None
    assert verdict(f"starting\n{ended}").lines != []


def test_the_conclusion_stays_as_a_note() -> None:
    found = verdict(f"{ERROR}\npanic: run docs: exit status 2{GO}")
    assert found.context == ("panic: run docs: exit status 2",)


def test_what_the_command_printed_is_read_out_of_the_conclusion() -> None:
    ended = "Error running command 'make docs': exit status 2. Output: "
    assert verdict(f"starting\n{ended}{ERROR}").lines[0] == ERROR
    assert verdict(f"{ERROR}\n{ended}(see above)").lines == [ERROR]


def test_the_traceback_of_the_command_stays_where_what_awaited_it_is_indented_alike() -> None:
    told = f"  {PYTHON.replace(chr(10), chr(10) + '  ')}KeyError: 'rate'"
    panicked = "  thread 'main' panicked at build.rs:2:9:\n  'python a.py' failed: exit status: 1"
    found = verdict(f"error: failed\n{told}\n{panicked}")
    assert [line.strip() for line in found.lines] == ["KeyError: 'rate'"]
    assert found.location == "run.py:call"


def test_only_the_conclusion_goes_out_of_a_chain_that_ends_in_something_else() -> None:
    chain = "\n\nDuring handling of the above exception, another exception occurred:\n\n"
    found = verdict(f"{PYTHON}ChildProcessError: 2{chain}{PYTHON}KeyError: 'rate'")
    assert found.lines == ["KeyError: 'rate'"]


@pytest.mark.parametrize(
    "line",
    [
        "Request failed with status code 201",
        "AssertionError: main() returned 1",
        "E   RuntimeError: make returned 1",
        "cannot open the ledger: exit status 2",
        "mysql failed with error code 13",
        "the query returned 2 rows",
        "GET https://a.example/cart returned 204",
        "upgrade from 2 to 3 failed",
        "the exit code is not known",
    ],
)
def test_a_line_that_says_more_than_an_end_is_no_conclusion(line: str) -> None:
    assert not only_ended(line)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("panic: run docs: exit status 2", "panic: run docs: exit status 3"),
        (f"panic: run docs: exit status 2{GO}", f"panic: run sbom: exit status 2{GO}"),
        ("ChildProcessError: 1", "ChildProcessError: 2"),
        ("gave up: web entered FATAL state", "gave up: api entered FATAL state"),
        ("Internal Server Error: /cart", "Bad Request: /cart"),
        ('at=error code=H10 desc="App crashed"', 'at=error code=H12 desc="Request timeout"'),
        (
            "[ 50%] Built target a\nsh: protoc: not found",
            "[ 50%] Built target a\nsh: flatc: not found",
        ),
        ("Error: it broke\n  status: 404,", "Error: it broke\n  status: 500,"),
        (
            'Error: bad value\n\n  on main.tf line 1, in resource "aws_instance" "a":',
            'Error: bad value\n\n  on main.tf line 1, in resource "aws_vpc" "a":',
        ),
    ],
)
def test_two_ends_of_which_nothing_else_is_told_stay_two(one: str, other: str) -> None:
    index = ShippedIndex()
    index.add("one", one)
    assert index.query(one)[0] == "one"
    assert index.query(other)[0] is None


@pytest.mark.parametrize(
    "record",
    [
        "Marking task as FAILED. dag_id=nightly, task_id=load",
        "Moving job to FailedJobRegistry (work-horse terminated)",
        "Task run 'load-0' - Finished in state Failed('Task run encountered an exception.')",
        "gmake: *** Waiting for unfinished jobs....",
        "Internal Server Error: /cart/",
    ],
)
def test_what_a_queue_or_a_build_notes_for_itself_stands_aside(record: str) -> None:
    assert verdict(f"{record}\n{ERROR}\n{record}").lines == [ERROR]
    assert verdict(record).lines == [record]


def test_a_script_alone_on_a_line_is_no_place() -> None:
    assert verdict(f"./docs.sh\n{ERROR}").location is None
    assert verdict("/srv/run.js\n  it is broken here: error").location == "run.js:"
