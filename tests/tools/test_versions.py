"""What `reflect` says of the versions of a lesson, and what every tool shows first."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from reflection_mcp.server.mcp import conversion
from reflection_mcp.server.mcp.hook_text import heard_json
from reflection_mcp.store.records import Outcome
from reflection_mcp.tools.feedback.record_feedback import FeedbackRequest, record_feedback
from reflection_mcp.tools.insights.get_insights import InsightQuery, get_insights
from reflection_mcp.tools.learning.episode import Event
from reflection_mcp.tools.recall.has_seen_error_before import (
    ErrorQuestion,
    SeenBefore,
    has_seen_error_before,
)
from reflection_mcp.tools.recall.host_events import FAILED, HostEvent, hear
from reflection_mcp.tools.reflect.reflect import reflect
from tests.requirements import requirement
from tests.tools.stage import Stage, reflect_request

pytestmark = pytest.mark.anyio

ERROR = "ModuleNotFoundError: No module named 'yaml'"
INSTALL, RULE = "Install pyyaml first; the image lacks it.", "Run pip install pyyaml in the build."
NEVER = "Installing pyyaml does not help; the image is rebuilt on each start."


async def tell(
    stage: Stage,
    lesson: str,
    outcome: Outcome,
    *,
    strategy: str = "",
    conversation: str = "conv-a",
    **more: Any,
) -> str:
    """Report the end of some work; the first sentences of the result."""
    services = stage.services(conversation=conversation)
    request = reflect_request(
        "start the service", lesson or "x", error=ERROR, outcome=outcome, lesson=lesson,
        strategy=strategy, **more,
    )  # fmt: skip
    return conversion.reflected(await reflect(services, request)).summary


async def look(stage: Stage, conversation: str = "conv-a") -> SeenBefore:
    services = stage.services(conversation=conversation)
    return await has_seen_error_before(services, ErrorQuestion(error=ERROR))


async def shown(stage: Stage) -> Sequence[str]:
    """Every lesson and strategy that a newcomer reads, in every tool, the first one first."""
    seen = await look(stage, "conv-reader")
    every = await get_insights(stage.services(), InsightQuery())
    fit = await get_insights(stage.services(), InsightQuery(query="pyyaml in the image"))
    words = [each.lesson for each in seen.offer.advice]
    for found in (every, fit):
        words += [a.lesson for a in (*found.strategies, *found.lessons)]
    return [*words, *(a.strategy for a in seen.offer.advice)]


@requirement("lesson:author")
async def test_of_a_vague_error_the_lesson_of_another_task_stands_beside(stage: Stage) -> None:
    error = "exceeded 30s limit"
    for task, lesson in (
        ("export the sales", "The export builds the whole sheet in memory."),
        ("train the model", "The loader of the data has one worker."),
        ("train the model", "The loader reads over the network."),
    ):
        request = reflect_request(task, "x", error=error, outcome="success", lesson=lesson)
        await reflect(stage.services(), request)
    seen = await has_seen_error_before(stage.services(), ErrorQuestion(error=error))
    assert [a.lesson for a in seen.offer.advice] == ["The export builds the whole sheet in memory."]
    assert [a.lesson for a in seen.offer.also_said] == ["The loader reads over the network."]


@requirement("lesson:one-version")
async def test_the_word_of_now_replaces_the_whole_lesson_and_its_strategy_and_says_so(
    stage: Stage,
) -> None:
    await tell(stage, INSTALL, "success", strategy=RULE)
    assert INSTALL in await shown(stage)
    said = await tell(stage, NEVER, "failure")
    assert said == (
        "Known as ref-2: met once. It replaces your earlier lesson of 2026-11-21. "
        "Retired with the old lesson: str-3."
    )
    assert set(await shown(stage)) == {NEVER, ""}


async def test_work_that_fails_with_a_lesson_that_was_shown_counts_against_it(
    stage: Stage,
) -> None:
    await tell(stage, INSTALL, "success", strategy=RULE)
    await look(stage, "conv-b")
    said = await tell(stage, NEVER, "failure", conversation="conv-b")
    assert said == (
        "Known as ref-2: met twice. It is shown before the lesson from “tester” on 2026-11-21, "
        "which was shown here and counts as failed. Retired with the old lesson: str-3."
    )
    assert set(await shown(stage)) == {NEVER, ""}
    row = await stage.store.reflection(stage.services().scope, "ref-2")
    assert row is not None
    assert {each.lesson.text: each.failed for each in row.wordings} == {INSTALL: 1, NEVER: 0}


async def test_a_failure_without_another_lesson_counts_against_the_one_shown(
    stage: Stage,
) -> None:
    await tell(stage, INSTALL, "success")
    await look(stage, "conv-b")
    said = await tell(stage, "", "timeout", conversation="conv-b")
    assert said == ("Known as ref-2: met twice. Its lesson was shown here and counts as failed.")
    assert (await look(stage)).offer.advice[0].track_record.startswith("failed 1 of 1 times")


@pytest.mark.parametrize(("outcome", "looked"), [("success", True), ("failure", False)])
async def test_another_source_has_a_second_opinion_with_an_id(
    stage: Stage, outcome: Outcome, looked: bool
) -> None:
    await tell(stage, INSTALL, "success", strategy=RULE)
    if looked:
        await look(stage, "conv-b")
    said = await tell(stage, NEVER, outcome, conversation="conv-b")
    seen = await look(stage)
    (other,) = seen.offer.also_said
    assert said == (
        f"Known as ref-2: met twice. Yours is stored as {other.id}; feedback decides which of them "
        "is shown first."
    )
    assert (seen.offer.advice[0].lesson, other.lesson) == (INSTALL, NEVER)
    for conversation in ("conv-c", "conv-d"):
        services = stage.services(conversation=conversation)
        heard = await record_feedback(services, FeedbackRequest(feedback="positive", id=other.id))
    assert heard.lines == ("ref-2: helped 2, failed 0",)
    assert set(await shown(stage)) == {NEVER, ""}


async def test_the_result_says_when_a_second_opinion_is_shown_first(stage: Stage) -> None:
    await tell(stage, INSTALL, "success")
    await tell(stage, NEVER, "success", conversation="conv-b")
    (other,) = (await look(stage)).offer.also_said
    said = FeedbackRequest(feedback="positive", id=other.id)
    heard = await record_feedback(stage.services(), said)
    assert heard.lines == ("ref-2: helped 1, failed 0", f"{other.id} is shown first from now on")


async def test_a_strategy_that_comes_later_belongs_to_the_words_that_are_shown(
    stage: Stage,
) -> None:
    await tell(stage, INSTALL, "success")
    await tell(stage, INSTALL, "success", strategy=RULE, conversation="conv-b")
    advice = (await look(stage)).offer.advice[0]
    assert (advice.lesson, advice.strategy) == (INSTALL, RULE)


REFUTED = [
    tuple(line.split(" | "))
    for line in (Path(__file__).parent / "data" / "refuted.txt").read_text("utf-8").splitlines()
    if not line.startswith("#")
]


@pytest.mark.parametrize("way", ["own word", "after a look-up", "after hooks", "by the user"])
@pytest.mark.parametrize(("error", "old", "rule", "new"), REFUTED)
async def test_a_refuted_lesson_is_shown_nowhere_before_the_word_that_refutes_it(
    stage: Stage, way: str, error: str, old: str, rule: str, new: str
) -> None:
    first = reflect_request(
        "do the task", "done", error=error, outcome="success", lesson=old, strategy=rule
    )
    await reflect(stage.services(), first)
    other = stage.services(conversation="conv-b")
    newer = reflect_request("do it again", "done", error=error, outcome="failure", lesson=new)
    if way == "own word":
        await reflect(stage.services(), newer)
    elif way == "after a look-up":
        await has_seen_error_before(other, ErrorQuestion(error=error))
        await reflect(other, newer)
    elif way == "after hooks":
        for _ in range(2):
            await hear(other, [HostEvent(FAILED, event_of(error))], "talk")
        await reflect(other, newer)
    else:
        seen = await has_seen_error_before(other, ErrorQuestion(error=error))
        said = FeedbackRequest(feedback="negative", id=seen.lookup_id, comment=new)
        await record_feedback(other, said)
    reader = stage.services(conversation="conv-reader")
    seen = await has_seen_error_before(reader, ErrorQuestion(error=error))
    assert [(each.lesson, each.strategy) for each in seen.offer.advice] == [(new, "")]
    assert [each.lesson for each in seen.offer.also_said if each.lesson == old] == []
    heard = await hear(reader, [HostEvent(FAILED, event_of(error))], "talk-2")
    assert rule not in heard_json(heard)
    assert old not in heard_json(heard)
    for query in ("", error, old, rule, new):
        found = await get_insights(reader, InsightQuery(query=query))
        words = [each.lesson for each in (*found.strategies, *found.lessons)]
        assert old not in words
        assert rule not in words
        assert [each.strategy for each in found.lessons if each.strategy] == []


def event_of(error: str) -> Event:
    return Event(type="tool_call", tool="Bash", content="make", error=error)


LOCK = "Run poetry lock after editing pyproject.toml, CI fails on a stale lock file."
LOCK_AGAIN = (
    "CI fails when the lock file is out of date, so run poetry lock after editing pyproject.toml."
)


async def learned(stage: Stage, lesson: str, client: str = "tester", **more: Any) -> str:
    """Report a lesson of work without an error; the first sentences of the result."""
    request = reflect_request("release", "x", outcome="success", lesson=lesson, **more)
    return conversion.reflected(await reflect(stage.services(client=client), request)).summary


@requirement("learning:paraphrases")
@pytest.mark.parametrize("client", ["tester", "another"])
async def test_a_lesson_said_in_other_words_is_the_stored_one(stage: Stage, client: str) -> None:
    await learned(stage, LOCK, strategy="Add it to the hook.")
    request = reflect_request("release", "x", outcome="success", lesson=LOCK_AGAIN)
    judged = await reflect(stage.services(client=client), request)
    assert f"which says “{LOCK}”: met twice." in conversion.reflected(judged).summary
    assert judged.asked_of_caller == (), "the stored lesson has a strategy"
    [row] = await stage.store.reflections(stage.services().scope, kind="reflection")
    assert (row.lesson, row.strategy, row.occurrences) == (LOCK, "Add it to the hook.", 2)
    assert row.situations == (LOCK_AGAIN,)


@pytest.mark.parametrize(
    ("lesson", "strategy"),
    [
        (LOCK_AGAIN.replace("after", "before"), ""),
        (LOCK_AGAIN.replace("CI", "The shop"), ""),
        (LOCK_AGAIN, "Never add it to the hook."),
    ],
)
async def test_what_says_something_else_or_asks_for_something_else_stays_another_lesson(
    stage: Stage, lesson: str, strategy: str
) -> None:
    await learned(stage, LOCK, strategy="Add it to the hook.")
    assert "Lesson stored as" in await learned(stage, lesson, strategy=strategy)


async def test_the_lesson_of_an_error_takes_no_other_in_other_words(stage: Stage) -> None:
    await tell(stage, LOCK, "success")
    assert "Lesson stored as" in await learned(stage, LOCK_AGAIN)
