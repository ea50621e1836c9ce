"""Claude at the wire: what is sent, what it costs, and a name for everything that goes wrong."""

import json

import anyio
import httpx2
import pytest

from reflection_mcp.server.models.anthropic import DEFAULT_MODEL, AnthropicModel, cost
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.judge import judge
from reflection_mcp.tools.ports import ModelFailed, Prompt
from tests.models.wire import KEY, Wire, failure, message, never
from tests.requirements import requirement
from tests.rows import each_row

pytestmark = [pytest.mark.anyio, pytest.mark.costly]  # the SDK is imported once

PROMPT = Prompt(role="critic", version="critic-1", system="be strict", user="an answer")
VERDICT = json.dumps(
    {"own_solution": "36", "relevance": 4, "completeness": 4, "correctness": 1, "issues": []}
)
CASE = Case(question="12*3?", answer="It is 38.")


async def reason(model: AnthropicModel) -> str:
    with pytest.raises(ModelFailed) as failed:
        await model.complete(PROMPT)
    return failed.value.reason


@requirement("loop:cheap-judge", "loop:cost-known")
async def test_a_reply_comes_from_the_small_model_with_its_cost() -> None:
    wire = Wire(message("fine", cache_read_input_tokens=1000, cache_creation_input_tokens=0))
    reply = await wire.model().complete(PROMPT)
    assert (reply.text, reply.model) == ("fine", DEFAULT_MODEL)
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (1900, 250)
    assert reply.usage.cost_usd == pytest.approx((900 * 0.1 + 1000 * 0.01 + 250 * 0.5) / 1e6)


async def test_a_request_carries_our_key_a_cached_system_prompt_and_low_effort() -> None:
    wire = Wire(message())
    model = wire.model()
    schema = {"type": "object", "properties": {"n": {"type": "integer", "minimum": 1}}}
    await model.complete(Prompt(role="r", version="v", system="s", user="u", schema=schema))
    await model.complete(PROMPT)
    first, second = (json.loads(request.content) for request in wire.requests)
    assert wire.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert first["model"] == DEFAULT_MODEL
    assert first["system"] == [
        {"type": "text", "text": "s", "cache_control": {"type": "ephemeral"}}
    ]
    assert first["messages"] == [{"role": "user", "content": "u"}]
    assert first["output_config"]["effort"] == "low"
    assert first["output_config"]["format"]["type"] == "json_schema"
    assert "minimum" not in first["output_config"]["format"]["schema"]["properties"]["n"]
    assert second["output_config"] == {"effort": "low"}
    assert not {"temperature", "top_p", "top_k"} & (set(first) | set(second))
    await model.close()


@each_row(
    ("answer", "name", "tries"),
    [
        (failure(400), "bad_request", 1),
        (failure(401), "bad_key", 1),
        (failure(403), "forbidden", 1),
        (failure(404), "unknown_model", 1),
        (failure(413), "too_large", 1),
        (failure(429), "rate_limit", 2),
        (failure(500), "server_error", 2),
        (failure(529), "overloaded", 2),
        (httpx2.ReadTimeout("slow"), "timeout", 2),
        (httpx2.ConnectError("no route"), "connection", 2),
        (message('{"relevance": 4, "corr', stop="max_tokens"), "truncated", 1),
        (message("", stop="model_context_window_exceeded"), "truncated", 1),
        (message("I would rather not.", stop="refusal"), "refusal", 1),
        (message("", stop="refusal"), "refusal", 1),
        (message(""), "malformed", 1),
        (httpx2.Response(200, json={"type": "message"}), "malformed", 1),
        (httpx2.Response(200, text="<html>a proxy</html>"), "malformed", 1),
        (httpx2.Response(200, content=b'{"content": ['), "malformed", 1),
    ],
)
async def test_everything_that_goes_wrong_has_a_name(
    answer: httpx2.Response | Exception, name: str, tries: int
) -> None:
    wire = Wire(answer)
    assert await reason(wire.model()) == name
    assert len(wire.requests) == tries


async def test_one_failure_that_passes_is_not_noticed() -> None:
    wire = Wire(failure(529), message("at last"))
    assert (await wire.model().complete(PROMPT)).text == "at last"


async def test_a_server_that_never_answers_is_given_up() -> None:
    client = httpx2.AsyncClient(transport=httpx2.MockTransport(never))
    with anyio.fail_after(60):
        assert await reason(AnthropicModel(KEY, http_client=client, wall=0.05)) == "timeout"


async def test_without_a_key_nothing_is_sent_and_none_is_looked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "found")
    wire = Wire(message())
    assert await reason(AnthropicModel("", http_client=wire.client())) == "no_key"
    await wire.model().complete(PROMPT)
    assert [sent.headers["authorization"] for sent in wire.requests] == [f"Bearer {KEY}"]


async def test_a_key_that_was_refused_is_not_tried_again() -> None:
    wire = Wire(failure(401))
    model = wire.model()
    assert [await reason(model), await reason(model)] == ["bad_key", "bad_key"]
    assert len(wire.requests) == 1


async def test_a_process_makes_so_many_calls_and_no_more() -> None:
    wire = Wire(message())
    model = wire.model(calls=1)
    await model.complete(PROMPT)
    assert await reason(model) == "process_calls_used_up"
    assert len(wire.requests) == 1


async def test_closing_what_was_never_opened_is_fine() -> None:
    await AnthropicModel(KEY).close()


def test_a_model_without_a_price_counts_as_the_dearest() -> None:
    assert cost("claude-haiku-5-5", 1_000_000, 0) == 0.1
    assert cost("claude-haiku-4-5", 1_000_000, 0) == 1.0
    assert cost("claude-sonnet-5-5", 0, 1_000_000) == 10.0
    assert cost("claude-of-tomorrow", 1_000_000, 1_000_000) == 24.0
    assert cost("claude-haiku-5-5", 0, 0, written=1_000_000, read=1_000_000) == 0.135


# --------------------------------------------------------------------------- as a judge


@each_row(
    ("answers", "name"),
    [
        ([failure(401)], "bad_key"),
        ([failure(429)], "rate_limit"),
        ([failure(529)], "overloaded"),
        ([message(VERDICT[:40], stop="max_tokens")], "truncated"),
        ([message("no", stop="refusal")], "refusal"),
        ([message("I think it is fine.")], "malformed"),
        ([message(VERDICT.replace("4", "11"))], "score_out_of_range"),
    ],
)
async def test_a_judge_that_fails_leaves_a_named_reason(
    answers: list[httpx2.Response | Exception], name: str
) -> None:
    opinion, (tried,) = await judge([Wire(*answers).model()], CASE, [])
    assert opinion is None
    assert (tried.name, tried.ok, tried.reason) == ("anthropic", False, name)


async def test_a_judge_that_answers_gives_scores_and_is_paid() -> None:
    opinion, (tried,) = await judge([Wire(message(VERDICT)).model()], CASE, [])
    assert opinion is not None
    assert (opinion.confidence, opinion.relevance, opinion.basis) == (0.25, 1.0, "judged")
    assert tried.ok
    assert tried.usage.cost_usd == pytest.approx(0.000215)


async def test_a_judge_is_put_right_once() -> None:
    wire = Wire(message("{}"), message(VERDICT))
    opinion, (tried,) = await judge([wire.model()], CASE, [])
    assert opinion is not None
    assert tried.usage.output_tokens == 500
