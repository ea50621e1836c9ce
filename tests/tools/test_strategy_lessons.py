"""Strategies as the lessons leave them that they came with."""

from dataclasses import replace

import pytest

from reflection_mcp.store.maintenance import Change
from reflection_mcp.store.records import Reflection
from reflection_mcp.tools.feedback.record_feedback import FeedbackRequest, record_feedback
from reflection_mcp.tools.insights.get_insights import InsightQuery, get_insights
from reflection_mcp.tools.insights.relevant_lessons import fitting_lessons
from reflection_mcp.tools.insights.strategy_lessons import without_refuted
from reflection_mcp.tools.recall.has_seen_error_before import ErrorQuestion, has_seen_error_before
from reflection_mcp.tools.reflect.reflect import reflect
from tests.requirements import requirement
from tests.tools.errors_met import REQUESTS, YAML
from tests.tools.stage import Stage, reflect_request

pytestmark = pytest.mark.anyio

TASK = "Start the frobnicator"
LESSON, STRATEGY = "The frobnicator needs two restarts.", "Restart the frobnicator twice."


async def learned(
    stage: Stage, error: str = YAML, lesson: str = LESSON, strategy: str = STRATEGY
) -> tuple[str, str]:
    """Store a lesson with its strategy, and return their ids."""
    work = reflect_request(
        question=TASK, answer="Done.", error=error, outcome="success",
        lesson=lesson, strategy=strategy,
    )  # fmt: skip
    first, second = (await reflect(stage.services(), work)).kept
    return first.id, second.id


async def refute(stage: Stage, id: str, times: int = 3) -> None:
    for number in range(times):
        said = FeedbackRequest(feedback="negative", id=id)
        await record_feedback(stage.services(conversation=f"c{number}", client=f"c{number}"), said)


async def rows(stage: Stage) -> list[Reflection]:
    return [*await stage.store.reflections(stage.services().scope, limit=50)]


@requirement("trace:dual")
@pytest.mark.parametrize("query", ["", TASK])
async def test_the_strategy_of_a_withheld_lesson_is_withheld_with_it(
    stage: Stage, query: str
) -> None:
    lesson, strategy = await learned(stage)
    await refute(stage, lesson)
    found = await get_insights(stage.services(), InsightQuery(query=query))
    assert (found.lessons, found.strategies) == ((), ())
    assert STRATEGY not in found.prompt
    assert {each.id for each in found.withheld} == {lesson, strategy}
    assert any(f"withheld with {lesson}: it failed 3" in each.reason for each in found.withheld)
    assert await fitting_lessons(stage.services(), TASK) == ()


async def test_a_strategy_without_a_lesson_is_withheld_when_it_says_what_is_withheld(
    stage: Stage,
) -> None:
    lesson, _ = await learned(
        stage, lesson="Restart the frobnicator twice.", strategy="Wait a day."
    )
    alone = reflect_request(question=TASK, answer="Hm.", strategy="restart the frobnicator twice")
    (same,) = (await reflect(stage.services(), alone)).kept
    other = reflect_request(question=TASK, answer="Ah.", strategy="Oil the frobnicator first.")
    (kept,) = (await reflect(stage.services(), other)).kept
    await refute(stage, lesson)
    found = await get_insights(stage.services(), InsightQuery(query=TASK))
    assert same.id in {each.id for each in found.withheld}
    assert [each.id for each in found.strategies] == [kept.id]


async def test_a_strategy_of_two_lessons_stays_with_the_one_that_may_be_offered(
    stage: Stage,
) -> None:
    bad, strategy = await learned(stage)
    await learned(stage, REQUESTS, "The second restart loads the settings.")
    await refute(stage, bad)
    found = await get_insights(stage.services(), InsightQuery(query=TASK))
    assert [each.id for each in found.strategies] == [strategy]
    assert found.strategies[0].track_record == "not tried yet"


async def test_the_strategy_of_a_retired_lesson_is_out_of_sight_like_its_lesson(
    stage: Stage,
) -> None:
    lesson, _ = await learned(stage)
    services = stage.services()
    (before,) = [
        each for each in await services.store.stored(services.scope) if each.reflection.id == lesson
    ]
    after = replace(before, reflection=replace(before.reflection, retired=True))
    await services.store.rewrite(services.scope, [Change(before=before, after=after)])
    found = await get_insights(services, InsightQuery(query=TASK))
    assert (found.lessons, found.strategies, found.withheld) == ((), (), ())


async def test_a_strategy_has_the_votes_of_its_lesson(stage: Stage) -> None:
    lesson, strategy = await learned(stage)
    await refute(stage, lesson, 1)
    both = await rows(stage)
    alone = [row for row in both if row.id == strategy]
    services = stage.services()
    (row,) = (await without_refuted(services.store, services.scope, alone)).rows
    assert (row.helped, row.failed) == (0, 1)
    beside = await without_refuted(services.store, services.scope, both)
    assert [each.id for each in beside.rows] == [lesson]  # it shows the strategy, too


@requirement("trace:dual")
async def test_a_failure_without_a_lesson_counts_against_what_was_shown(stage: Stage) -> None:
    await learned(stage)
    services = stage.services(conversation="later")
    await has_seen_error_before(services, ErrorQuestion(error=YAML))
    again = reflect_request(question=TASK, answer="It still fails.", error=YAML, outcome="failure")
    await reflect(services, again)
    seen = await has_seen_error_before(services, ErrorQuestion(error=YAML))
    assert seen.offer.advice[0].track_record == "failed 1 of 1 times"
    assert seen.next.startswith("it failed here and never helped")
    found = await get_insights(services, InsightQuery(query=TASK))
    assert "not tried yet" not in found.prompt
    assert found.prompt.count(STRATEGY) == 1


@pytest.mark.parametrize(
    ("lesson", "why"),
    [("No.", "fewer than two words"), ("Be more careful next time.", "it would fit")],
)
async def test_a_strategy_is_not_kept_when_its_lesson_is_refused(
    stage: Stage, lesson: str, why: str
) -> None:
    work = reflect_request(
        question=TASK, answer="Done.", error=YAML, outcome="success",
        lesson=lesson, strategy=STRATEGY,
    )  # fmt: skip
    judged = await reflect(stage.services(), work)
    assert judged.kept == ()
    assert await rows(stage) == []
    assert judged.notes[0].startswith("the lesson was not kept: ")
    assert judged.notes[1] == (
        "the strategy was not kept: it came with that lesson; pass it again with a better one"
    )
