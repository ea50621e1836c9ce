"""A script fits exactly."""

import pytest

from reflection_mcp.tools.ports import ModelFailed, Prompt, Reply
from reflection_mcp.tools.usage import Usage
from tests.models.scripted import Line, ScriptedModel

pytestmark = pytest.mark.anyio


def prompt(role: str) -> Prompt:
    return Prompt(role=role, version="1", system="", user="")


async def test_lines_come_in_their_order_as_texts_replies_and_failures() -> None:
    whole = Reply(text="b", usage=Usage(cost_usd=1.0))
    script: list[Line] = [("critic", "a"), ("reviser", whole), ("critic", ModelFailed("timeout"))]
    with ScriptedModel(script, name="m") as model:
        assert (await model.complete(prompt("critic"))) == Reply(text="a", model="m")
        assert (await model.complete(prompt("reviser"))) is whole
        with pytest.raises(ModelFailed, match="timeout"):
            await model.complete(prompt("critic"))
    assert [asked.role for asked in model.prompts] == ["critic", "reviser", "critic"]


async def test_a_prompt_that_the_script_does_not_foresee_is_a_fault() -> None:
    with ScriptedModel([("critic", "a")]) as model:
        with pytest.raises(AssertionError, match="foresees critic here, and reviser is asked"):
            await model.complete(prompt("reviser"))
        with pytest.raises(AssertionError, match="the script has ended, and critic is asked"):
            await model.complete(prompt("critic"))


async def test_a_line_that_nobody_asks_for_is_a_fault() -> None:
    with (
        pytest.raises(AssertionError, match="nobody asked for these lines of the script: critic"),
        ScriptedModel([("critic", "a")]),
    ):
        pass
    with pytest.raises(ZeroDivisionError), ScriptedModel([("critic", "a")]):
        raise ZeroDivisionError
