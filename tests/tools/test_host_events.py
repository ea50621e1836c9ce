"""What hooks report: each lesson is shown once, counted once, and never against the assistant."""

from collections.abc import Sequence

import pytest

from reflection_mcp.store.records import Reflection
from reflection_mcp.tools.errors import InvalidInput
from reflection_mcp.tools.feedback.record_feedback import FeedbackRequest, record_feedback
from reflection_mcp.tools.learning.episode import Event
from reflection_mcp.tools.recall.host_events import (
    FAILED,
    NO_LESSON,
    UNHEARD,
    WORKED,
    Heard,
    HostEvent,
    hear,
    note_briefing,
)
from reflection_mcp.tools.reflect.reflect import reflect
from tests.tools.stage import Stage, reflect_request

pytestmark = pytest.mark.anyio

ERROR = "Exit code 1\nModuleNotFoundError: No module named 'yaml'"
LESSON = "The package that provides yaml is called PyYAML."


def failed(command: str, error: str = ERROR, tool: str = "Bash") -> HostEvent:
    return HostEvent(FAILED, Event(type="tool_call", tool=tool, content=command, error=error))


def worked(command: str, tool: str = "Bash", **facts: object) -> HostEvent:
    event = Event(type="tool_call", tool=tool, content=command, metadata=dict(facts))
    return HostEvent(WORKED, event)


async def learn(stage: Stage, strategy: str = "", error: str = ERROR, lesson: str = LESSON) -> str:
    """The id of a lesson that somebody else has taught."""
    services = stage.services(conversation="conv-teacher")
    request = reflect_request(
        "install yaml", "done", error=error, outcome="success", lesson=lesson, strategy=strategy
    )
    return (await reflect(services, request)).kept[0].id


async def heard(stage: Stage, *events: HostEvent, talk: str = "talk") -> Heard:
    return await hear(stage.services(), events, talk)


async def row(stage: Stage, lesson: str) -> Reflection:
    found = await stage.store.reflection(stage.services().scope, lesson)
    assert found is not None
    return found


async def shown(stage: Stage, events: Sequence[HostEvent], talk: str = "talk") -> list[str]:
    """What is shown because of each event: `full`, the id that a line names, or nothing."""
    each = [await heard(stage, event, talk=talk) for event in events]
    return [one.again or ("full" if one.seen else "") for one in each]


async def test_ten_equal_failures_show_a_lesson_once_and_one_line_and_count_one_failure(
    stage: Stage,
) -> None:
    lesson = await learn(stage)
    assert await shown(stage, [failed("python app.py")] * 10) == ["full", lesson, *[""] * 8]
    after = await row(stage, lesson)
    assert (after.shown, after.failed, after.helped) == (1, 1, 0)
    assert ("lesson_counted", {"kind": "negative", "by": "hook"}) in stage.heard


async def test_another_conversation_is_shown_the_lesson_again(stage: Stage) -> None:
    lesson = await learn(stage)
    events = [failed("python app.py")] * 2
    assert await shown(stage, events) == ["full", lesson]
    assert await shown(stage, events, talk="after /clear") == ["full", lesson]


async def test_a_command_that_works_after_its_lesson_counts_for_it_and_once(stage: Stage) -> None:
    lesson = await learn(stage)
    fix = [failed("python app.py"), worked("pip install pyyaml"), worked("python app.py")]
    await heard(stage, *fix, *fix[1:], *fix[1:])
    after = await row(stage, lesson)
    assert (after.helped, after.failed) == (1, 0)
    await heard(stage, failed("python app.py"))
    assert ((await row(stage, lesson)).helped, (await row(stage, lesson)).failed) == (1, 0)


async def test_a_command_that_works_as_its_lesson_asks_for_counts_for_it(stage: Stage) -> None:
    lesson = await learn(stage, strategy="Run `uv run python app.py`.")
    await heard(stage, failed("python app.py"), worked("uv run python app.py"))
    assert (await row(stage, lesson)).helped == 1


@pytest.mark.parametrize(
    "event",
    [
        worked("python other.py"),
        worked("python app.py | tail"),
        worked("python app.py", interrupted="true"),
        worked("python app.py", tool="Edit"),
        worked("echo 'unfinished"),
    ],
    ids=["another command", "behind a pipe", "interrupted", "no command", "only a shell reads it"],
)
async def test_a_success_that_proves_nothing_counts_for_nothing(
    stage: Stage, event: HostEvent
) -> None:
    lesson = await learn(stage)
    await heard(stage, failed("python app.py"), event)
    assert (await row(stage, lesson)).helped == 0


async def test_the_retry_of_what_only_a_shell_can_read_has_to_be_equal(stage: Stage) -> None:
    lesson = await learn(stage, strategy="Run `uv run python app.py`.")
    lines = "cd app\npython app.py"
    await heard(stage, failed(lines), worked("uv run python app.py"))
    assert (await row(stage, lesson)).helped == 0


async def test_a_command_whose_error_has_no_lesson_counts_for_no_other(stage: Stage) -> None:
    lesson = await learn(stage)
    other = failed("make", "Exit code 2\nmake: *** No rule to make target 'all'.  Stop.")
    await heard(stage, failed("python app.py"), other, worked("make"))
    assert (await row(stage, lesson)).helped == 0


async def test_what_failed_again_does_not_count_as_help_later(stage: Stage) -> None:
    lesson = await learn(stage)
    again = failed("python app.py")
    await heard(stage, again, again, worked("pip install pyyaml"), worked("python app.py"))
    after = await row(stage, lesson)
    assert (after.helped, after.failed) == (0, 1)


@pytest.mark.parametrize("word", ["positive", "negative"])
async def test_the_word_of_the_assistant_stands(stage: Stage, word: str) -> None:
    lesson = await learn(stage)
    await heard(stage, failed("python app.py"))
    said = FeedbackRequest(feedback="positive" if word == "positive" else "negative", id=lesson)
    await record_feedback(stage.services(), said)
    end = failed("python app.py") if word == "positive" else worked("python app.py")
    await heard(stage, end)
    after = await row(stage, lesson)
    assert (after.helped, after.failed) == ((1, 0) if word == "positive" else (0, 1))


async def test_a_later_word_of_the_assistant_replaces_that_of_the_hook(stage: Stage) -> None:
    lesson = await learn(stage)
    await heard(stage, *[failed("python app.py")] * 2)
    await record_feedback(stage.services(), FeedbackRequest(feedback="positive", id=lesson))
    after = await row(stage, lesson)
    assert (after.helped, after.failed) == (1, 0)


async def test_a_lesson_that_was_called_another_error_is_silent(stage: Stage) -> None:
    lesson = await learn(stage)
    await heard(stage, failed("python app.py"))
    await record_feedback(stage.services(), FeedbackRequest(feedback="wrong_match", id=lesson))
    assert await shown(stage, [failed("python app.py")] * 2) == ["", ""]


async def test_a_candidate_is_shown_once(stage: Stage) -> None:
    fix = [failed("python app.py"), worked("pip install pyyaml"), worked("python app.py")]
    await heard(stage, *fix, talk="before")
    assert await shown(stage, [failed("make run")] * 3) == ["full", "", ""]


async def test_the_lesson_of_a_neighbour_is_shown_once(stage: Stage) -> None:
    trace = 'File "/app/{}.py", line 3, in total\nZeroDivisionError: division by zero'
    head = "Traceback (most recent call last):\n  "
    await learn(stage, error=head + trace.format("cart"), lesson="An empty cart has no mean.")
    event = failed("python report.py", head + trace.format("report"))
    assert await shown(stage, [event] * 3) == ["full", "", ""]


async def test_words_that_replace_a_lesson_are_shown_though_the_old_ones_were(stage: Stage) -> None:
    await learn(stage)
    event = failed("python app.py")
    assert await shown(stage, [event] * 2) == ["full", "ref-2"]
    newer = reflect_request(
        "install yaml", "done", error=ERROR, outcome="failure", lesson="Use the system package."
    )
    await reflect(stage.services(), newer)
    assert await shown(stage, [event] * 3) == ["full", "ref-2", ""]


PIPED = "python app.py 2>&1 | tail -5"


async def test_a_failure_behind_a_pipe_is_shown_once_where_the_host_gives_the_output(
    stage: Stage,
) -> None:
    lesson = await learn(stage)
    assert await shown(stage, [worked(PIPED, output=ERROR)] * 3) == ["full", "", ""]
    assert (await row(stage, lesson)).failed == 0
    assert await shown(stage, [failed("python app.py")]) == [lesson]


@pytest.mark.parametrize(
    "event",
    [
        worked("cat error.log | tail -5", output=ERROR),
        worked("python app.py", output=ERROR),
        worked("error.log", tool="Edit", output=ERROR),
        worked(PIPED, output="3 passed"),
        worked(PIPED, output=" "),
        worked(PIPED),
        worked(PIPED, output=ERROR, interrupted="true"),
    ],
    ids=["reads", "worked", "an edit", "no error", "nothing", "not given", "interrupted"],
)
async def test_the_output_of_a_success_is_no_failure(stage: Stage, event: HostEvent) -> None:
    await learn(stage)
    assert await shown(stage, [event]) == [""]


async def test_the_output_behind_a_pipe_is_no_look_up_when_nothing_is_known(stage: Stage) -> None:
    await heard(stage, worked(PIPED, output=ERROR))
    assert (await stage.store.stats(stage.services().scope)).lookups == 0


async def test_a_conversation_with_too_long_a_name_is_refused(stage: Stage) -> None:
    with pytest.raises(InvalidInput):
        await heard(stage, failed("make"), talk="x" * 300)


async def test_a_briefing_is_noted_even_when_it_shows_no_lesson(stage: Stage) -> None:
    services = stage.services()
    await note_briefing(services, [], "one")
    (showing,) = await stage.store.showings(services.scope, "one")
    assert (showing.kind, showing.subject_id) == ("briefing", NO_LESSON)


async def test_a_failure_that_cannot_be_answered_shows_nothing(stage: Stage) -> None:
    services = stage.services()
    failed = Event(type="tool_call", id="1", tool="Bash", content="make", error="E: no such thing")
    assert await hear(services, [HostEvent(UNHEARD, failed)], "one") == Heard()
    assert await stage.store.showings(services.scope, "one") == []
    assert len(await stage.store.steps(services.scope, "one")) == 1
