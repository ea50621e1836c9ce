"""One process for each call: what the next process of a client takes for its own."""

from dataclasses import replace
from datetime import timedelta

import pytest

from reflection_mcp.tools.errors import NotFound
from reflection_mcp.tools.feedback.record_feedback import FeedbackRequest, record_feedback
from reflection_mcp.tools.ports import Caller, Services
from reflection_mcp.tools.reflect.reflect import reflect
from tests.requirements import requirement
from tests.tools.stage import Stage, reflect_request

pytestmark = pytest.mark.anyio

WRONG = FeedbackRequest(feedback="negative")
SUM = "What is 12 x 12?"


def process(
    stage: Stage, number: int, *, client: str = "mcp", user: str = "user-1", project: str = "shop"
) -> Services:
    """The services of the process that a library starts for one call."""
    caller = Caller(conversation_id=f"conv-{number}", client=client, user=user, alone=True)
    return replace(stage.services(project=project), caller=caller)


async def judged(services: Services, answer: str = "12 x 12 = 145") -> str:
    result = await reflect(services, reflect_request(SUM, answer))
    assert result.attempt_id is not None
    return result.attempt_id


@requirement("hosts:process-per-call")
async def test_feedback_without_an_id_is_on_the_last_answer_of_this_client(stage: Stage) -> None:
    await judged(process(stage, 1))
    last = await judged(process(stage, 2), "12 x 12 = 146")
    heard = await record_feedback(process(stage, 3), WRONG)
    assert heard.answer is not None
    assert (heard.answer.id, heard.is_earlier) == (last, True)


async def test_an_answer_of_the_process_itself_comes_first(stage: Stage) -> None:
    here = process(stage, 1)
    own = await judged(here)
    await judged(process(stage, 2), "12 x 12 = 146")
    heard = await record_feedback(here, WRONG)
    assert heard.answer is not None
    assert (heard.answer.id, heard.is_earlier) == (own, False)


@pytest.mark.parametrize(
    "other",
    [
        {"client": "another"},
        {"user": "user-2"},
        {"user": ""},  # over HTTP nobody knows whose home a request comes from
        {"project": "elsewhere"},
    ],
)
async def test_another_client_user_or_project_has_given_no_answer(
    stage: Stage, other: dict[str, str]
) -> None:
    await judged(process(stage, 1, **({"user": ""} if other == {"user": ""} else {})))
    with pytest.raises(NotFound, match="nothing was judged"):
        await record_feedback(process(stage, 2, **other), WRONG)


async def test_an_answer_of_more_than_an_hour_ago_is_none_of_now(stage: Stage) -> None:
    await judged(process(stage, 1))
    stage.at += timedelta(minutes=61)
    with pytest.raises(NotFound, match="nothing was judged"):
        await record_feedback(process(stage, 2), WRONG)


async def test_a_store_that_several_people_may_share_tells_nobody_apart(stage: Stage) -> None:
    await judged(process(stage, 1))
    with pytest.raises(NotFound, match="nothing was judged"):
        services = process(stage, 2)
        shared = replace(services, caller=replace(services.caller, alone=False))
        await record_feedback(shared, WRONG)


@requirement("hosts:process-per-call")
async def test_a_revision_by_the_next_process_is_one(stage: Stage) -> None:
    await judged(process(stage, 1))
    revised = await reflect(process(stage, 2), reflect_request(SUM, "12 x 12 = 144"))
    assert revised.iteration == 1
    again = await reflect(process(stage, 3), reflect_request(SUM, "12 x 12 = 144"))
    assert again.attempt_id == revised.attempt_id


async def test_a_conversation_that_is_named_is_itself(stage: Stage) -> None:
    await judged(process(stage, 1))
    named = reflect_request(SUM, "12 x 12 = 144", conversation_id="mine")
    assert (await reflect(process(stage, 2), named)).iteration == 0
