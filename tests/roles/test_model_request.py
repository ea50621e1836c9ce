"""One model, one role: a reply, once more if it cannot be read, else a reason."""

from itertools import count

import pytest

from reflection_mcp.tools.ports import ModelFailed, Reply
from reflection_mcp.tools.roles.inputs import RoleInput
from reflection_mcp.tools.roles.model_request import LONGEST_REPLY, ask
from reflection_mcp.tools.usage import Usage
from tests.models.scripted import ScriptedModel

pytestmark = pytest.mark.anyio

GIVEN = RoleInput(question="q", answer="a")
FINE = '{"own_solution": "x", "problems": [], "severity": 0}'


async def test_a_reply_comes_with_what_it_cost_and_how_long_it_took() -> None:
    ticks = count(0, 0.25)
    paid = Reply(text="two", model="m", usage=Usage(input_tokens=3, output_tokens=1, cost_usd=0.01))
    with ScriptedModel([("answerer", paid)]) as model:
        asked = await ask(model, "answerer", GIVEN, seconds=lambda: next(ticks))
    assert (asked.value, asked.reason, asked.usage.ms) == ("two", "", 250)
    assert (asked.usage.input_tokens, asked.usage.output_tokens, asked.usage.cost_usd) == (
        3,
        1,
        0.01,
    )
    assert asked.version == "answerer-2"


async def test_what_a_model_says_is_scrubbed_and_redacted() -> None:
    secret = "".join(("gh", "p_", "0Fa1Ke2Te3St4Va5Lu6Eq7Xz8Yw9VuAbCd"))
    with ScriptedModel([("answerer", f"use \ud800{secret}\x00 now")]) as model:
        asked = await ask(model, "answerer", GIVEN)
    assert asked.value is not None
    assert secret not in asked.value
    assert "\x00" not in asked.value
    assert asked.value.encode()


async def test_a_reply_that_cannot_be_read_is_asked_for_once_more() -> None:
    bad = Reply(text='{"severity": 9}', usage=Usage(input_tokens=2, cost_usd=0.5))
    good = Reply(text=FINE, usage=Usage(input_tokens=3, cost_usd=0.5))
    with ScriptedModel([("critic", bad), ("critic", good)]) as model:
        asked = await ask(model, "critic", GIVEN)
    assert asked.value is not None
    assert (asked.usage.input_tokens, asked.usage.cost_usd, asked.reason) == (5, 1.0, "")
    first, again = model.prompts
    assert again.user.startswith(first.user)
    assert "own_solution: Field required" in again.user


async def test_two_replies_that_cannot_be_read_are_malformed() -> None:
    with ScriptedModel([("critic", "no"), ("critic", "still no")]) as model:
        asked = await ask(model, "critic", GIVEN)
    assert (asked.value, asked.reason) == (None, "malformed")


async def test_a_reply_longer_than_any_answer_is_not_read_and_the_model_is_told() -> None:
    with ScriptedModel([("answerer", "x" * (LONGEST_REPLY + 1)), ("answerer", "two")]) as model:
        asked = await ask(model, "answerer", GIVEN)
    assert asked.value == "two"
    assert "longer than 200,000 characters" in model.prompts[1].user


async def test_a_model_that_fails_is_not_asked_again() -> None:
    with ScriptedModel([("critic", ModelFailed("refusal"))]) as model:
        asked = await ask(model, "critic", GIVEN)
    assert (asked.value, asked.reason) == (None, "refusal")


async def test_a_model_that_fails_the_second_time_says_why() -> None:
    with ScriptedModel([("critic", "no"), ("critic", ModelFailed("timeout"))]) as model:
        asked = await ask(model, "critic", GIVEN)
    assert (asked.value, asked.reason) == (None, "timeout")
