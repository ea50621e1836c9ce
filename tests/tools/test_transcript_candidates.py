"""Fixes that a transcript proposes: pairs and rewordings, each once, and never a lesson."""

from dataclasses import replace

import pytest

from reflection_mcp.tools.feedback.record_feedback import FeedbackRequest, record_feedback
from reflection_mcp.tools.learning.episode import Event
from reflection_mcp.tools.learning.fix_candidates import MOST_CANDIDATES, steps_of
from reflection_mcp.tools.learning.transcript import CHANGED
from reflection_mcp.tools.recall.before_action import KnownMistake, NotOffered, known_mistake
from reflection_mcp.tools.recall.transcript_candidates import Proposed, TranscriptPairs, propose
from reflection_mcp.tools.reflect.reflect import reflect
from tests.tools.stage import NOON, Stage, reflect_request

pytestmark = pytest.mark.anyio

ERROR = "ModuleNotFoundError: No module named 'yaml'"


def did(command: str, error: str = "", tool: str = "Bash") -> Event:
    return Event(type="tool_call", tool=tool, content=command, error=error, id=command, at=NOON)


async def proposed(stage: Stage, *events: Event) -> Proposed:
    services = stage.services()
    found = TranscriptPairs(services)
    for event in events:
        found.add([event])
    return await propose(services, found)


FIXED = (did("python app.py", ERROR), did("pip install pyyaml"), did("python app.py "))


async def test_a_failure_and_what_mended_it_is_a_candidate_once_and_no_lesson(
    stage: Stage,
) -> None:
    first = await proposed(stage, did("ls"), *FIXED)
    assert (first.steps, first.failures, first.known) == (4, 1, 0)
    (row,) = first.candidates
    assert steps_of(row) == ("Bash: pip install pyyaml",)
    assert row.retired
    again = await proposed(stage, *FIXED)
    assert (again.candidates, again.known) == ([], 1)
    assert await stage.store.reflections(stage.services().scope) == []


@pytest.mark.parametrize("changed", [True, False])
async def test_an_edit_is_proposed_only_with_what_it_changed(stage: Stage, changed: bool) -> None:
    told = "app.py: import yml -> import yaml" if changed else "app.py"
    edit = replace(did(told, tool="Edit"), metadata={CHANGED: True} if changed else {})
    found = await proposed(stage, did("python app.py", ERROR), edit, did("python app.py"))
    assert [steps_of(row) for row in found.candidates] == ([(f"Edit: {told}",)] if changed else [])


async def test_a_command_that_works_in_other_words_is_a_candidate(stage: Stage) -> None:
    found = await proposed(stage, did("npm run tset", "Missing script: tset"), did("npm run test"))
    assert [steps_of(row) for row in found.candidates] == [("Bash: npm run test",)]


async def test_what_was_reworded_is_a_known_mistake_once_it_is_confirmed(stage: Stage) -> None:
    error = "npm error Missing script: tset"
    found = await proposed(stage, did("npm run tset", error), did("npm run test"), *FIXED)
    assert len(found.candidates) == 2
    untaught = await known_mistake(stage.services(), "npm run tset")
    assert untaught == NotOffered(failed=1, printed="Missing script: tset")
    for row in found.candidates:
        said = FeedbackRequest(feedback="positive", id=row.id)
        await record_feedback(stage.services(), said)
    known = await known_mistake(stage.services(), "cd web && npm run tset")
    assert isinstance(known, KnownMistake)
    assert "npm run test" in known.advice.lesson
    assert await known_mistake(stage.services(), "npm run test") is None
    assert not isinstance(await known_mistake(stage.services(), "python app.py"), KnownMistake)


@pytest.mark.parametrize(
    "events",
    [
        [did("npm run tset", "Missing script: tset"), did("cargo build")],
        [did("npm run tset", "Missing script: tset"), did("npm run test | tail")],
        [did("npm run tset", "Missing script: tset"), did("npm run test", "no")],
        [did("npm run tset", "Missing script: tset"), did("npm run", tool="Edit")],
        [did("cat a b", "cat: b: No such file or directory"), did("cat a c")],
        [did("npm 'run test", "unexpected EOF"), did("npm run test")],
        [did("npm run test", "Exit code 1"), did("npm run  build"), did("npm run test")],
        [did("npm run test", "no module")],
        [did(" ", "no module"), did("make")],
        [did("make deps", "no rule"), did("make deps --verbose")],
    ],
    ids=[
        *("another command", "behind a pipe", "fails, too", "no command", "only reads"),
        *("only a shell reads it", "no cause", "the end", "no step"),
        "only prints more",
    ],
)
async def test_what_proves_nothing_proposes_nothing(stage: Stage, events: list[Event]) -> None:
    assert (await proposed(stage, *events)).candidates == []


async def test_an_error_that_has_a_lesson_needs_no_candidate(stage: Stage) -> None:
    request = reflect_request(
        "run it", "done", error=ERROR, outcome="success", lesson="yaml comes from PyYAML."
    )
    await reflect(stage.services(), request)
    found = await proposed(stage, *FIXED)
    assert (found.candidates, found.known) == ([], 1)


async def test_of_one_error_no_more_candidates_are_stored_than_are_shown(stage: Stage) -> None:
    found = [
        await proposed(
            stage,
            FIXED[0],
            did(f"pip install number{number}"),
            replace(FIXED[-1], id=f"toolu_{number}"),
        )
        for number in range(MOST_CANDIDATES + 1)
    ]
    assert [len(each.candidates) for each in found] == [1] * MOST_CANDIDATES + [0]
    assert found[-1].known == 1


async def test_a_long_session_is_read_with_bounded_memory(stage: Stage) -> None:
    steps = [did(f"make target-{number}") for number in range(300)]
    found = await proposed(stage, did("make all", "make: *** No rule"), *steps)
    assert (found.steps, found.candidates[1:]) == (301, [])
