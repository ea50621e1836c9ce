"""What the end of some work leaves in the store, with a judge and without a model."""

import json
from typing import Any

import pytest

from reflection_mcp.store.records import Link, Reflection
from reflection_mcp.tools.insights.get_insights import InsightQuery, get_insights
from reflection_mcp.tools.learning.duplicates import links_to
from reflection_mcp.tools.learning.event_fields import event_of
from reflection_mcp.tools.reflect.reflect import reflect
from tests.models.scripted import ScriptedModel
from tests.requirements import requirement
from tests.tools.stage import Stage, reflect_request

pytestmark = pytest.mark.anyio

GRADES = {
    "own_solution": "x", "relevance": 4, "completeness": 3, "correctness": 2,
    "helpfulness": 3, "safety": 4, "efficiency": 1,
}  # fmt: skip
QUERY = {
    "event_type": "tool_call", "timestamp": "2026-11-21T08:00:00Z", "tool_name": "sql",
    "content": "SELECT * FROM orders JOIN customers USING(id)", "exit_code": 0,
}  # fmt: skip
LOST = {"event_type": "error", "timestamp": "2026-11-21T08:00:30Z", "error": "QUERY_TIMEOUT"}
SLOW = "The JOIN of orders and customers has no index, so it scans everything."


async def row_of(stage: Stage, lesson: str, **more: Any) -> Reflection:
    work = reflect_request("Report the orders", f"stopped: {lesson}", lesson=lesson, **more)
    saved = (await reflect(stage.services(), work)).kept[0]
    row = await stage.store.reflection(stage.services().scope, saved.id)
    assert row is not None
    return row


@requirement("trace:criteria")
async def test_a_judge_is_asked_for_what_no_machine_measures(stage: Stage) -> None:
    work = reflect_request("Report", "Done.", outcome="success", lesson="Index what is joined.")
    with ScriptedModel([("evaluator", json.dumps(GRADES))]) as model:
        judged = await reflect(stage.services(models=[model]), work)
    assert {name: (each.value, each.basis) for name, each in judged.criteria.items()} == {
        "correctness": (0.5, "judged"), "helpfulness": (0.75, "judged"), "safety": (1.0, "judged"),
        "completeness": (0.75, "judged"), "efficiency": (0.25, "judged"),
    }  # fmt: skip
    assert "the work ended in success" in model.prompts[0].user


@requirement("trace:scores")
async def test_category_type_and_tags_need_no_model(stage: Stage) -> None:
    row = await row_of(
        stage, SLOW, outcome="timeout", error="exceeded 30s limit",
        events=[event_of(QUERY), event_of(LOST)],
    )  # fmt: skip
    assert (row.category, row.error_type) == ("timeout", "QUERY_TIMEOUT")
    assert set(row.tags) == {"timeout", "query_timeout", "sql"}


async def test_the_category_of_an_end_is_known_without_an_error(stage: Stage) -> None:
    assert (await row_of(stage, SLOW, outcome="timeout")).category == "timeout"
    assert (await row_of(stage, "Paint it blue.", outcome="failure")).category == "unknown"


@requirement("trace:query")
@pytest.mark.parametrize("query", ["database optimization", "db performance", "database speed"])
async def test_a_query_of_key_words_finds_what_has_them_as_tags(stage: Stage, query: str) -> None:
    await row_of(stage, SLOW, tags=("performance", "database"))
    await row_of(stage, "A poem needs rhymes.", tags=("poetry",))
    found = await get_insights(stage.services(), InsightQuery(query=query))
    assert [each.lesson for each in found.lessons] == [SLOW]


@requirement("trace:later")
async def test_lessons_of_the_same_trouble_are_linked(stage: Stage) -> None:
    trace = 'Traceback (most recent call last):\n  File "/app/{}.py", line 3, in total\n{}'
    event = {"type": "tool_call", "tool": "pytest", "content": "run", "error": "it failed"}
    first = await row_of(
        stage, "An empty cart has no mean.", outcome="failure", events=[event_of(event)],
        error=trace.format("cart", "ZeroDivisionError: division by zero"),
    )  # fmt: skip
    second = await row_of(
        stage, "A cart may be None.", outcome="failure", events=[event_of(event)],
        error=trace.format("cart", "AttributeError: 'NoneType' object has no attribute 'rows'"),
    )  # fmt: skip
    third = await row_of(
        stage, "The rate is never zero.", outcome="failure",
        error=trace.format("rate", "ZeroDivisionError: float division by zero"),
    )  # fmt: skip
    assert set(links_to(second, [first, second, third])) == {
        Link(kind="same_tool", target_id=first.id), Link(kind="same_file", target_id=first.id)
    }  # fmt: skip
    assert Link(kind="same_error_type", target_id=first.id) in links_to(third, [second, first])
