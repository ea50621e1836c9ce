"""Who judges: a key, the client's own model, the caller, or the checks alone."""

import json
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client
from mcp_types import CreateMessageRequestParams, CreateMessageResult, Implementation, TextContent

from reflection_mcp.server.app import build
from reflection_mcp.server.application import Application, models_with_a_key
from reflection_mcp.server.models.anthropic import AnthropicModel
from reflection_mcp.server.settings.options import ApiKey
from reflection_mcp.server.settings.settings import Settings
from tests.mcp.test_endpoints import call
from tests.models.wire import Wire, failure, message
from tests.new_store import placed

pytestmark = [pytest.mark.anyio, pytest.mark.costly]  # the SDK of Anthropic is imported once

QUESTION = "Explain when the tower was finished, and by whom it was built."
ANSWER = "It was finished in 1887 by the company of Gustave Eiffel, who had planned it for years."
VERDICT = json.dumps(
    {
        "own_solution": "1889",
        "issues": [
            {
                "kind": "factual",
                "quote": "finished in 1887",
                "why": "it was finished in 1889",
                "fix": "say 1889",
            },
            {"kind": "factual", "quote": "by aliens", "why": "invented", "fix": "drop it"},
        ],
        "relevance": 2,
        "completeness": 1,
        "correctness": 0,
    }
)


async def theirs(context: Any, params: CreateMessageRequestParams) -> CreateMessageResult:
    """The client's own model, which has one opinion."""
    return CreateMessageResult(
        role="assistant", content=TextContent(type="text", text=VERDICT), model="theirs"
    )


def an_application(tmp_path: Path, **settings: Any) -> Application:
    chosen = Settings(store=placed(tmp_path / "store.db"), **settings)
    return Application(settings=chosen, project="shop", models=models_with_a_key(chosen))


async def judged(client: Client) -> dict[str, Any]:
    return await call(client, "reflect", question=QUESTION, answer=ANSWER, confidence=0.9)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_client_that_offers_sampling_is_the_judge_in_both_eras(
    tmp_path: Path, mode: Any
) -> None:
    server = build(an_application(tmp_path))
    async with Client(server, mode=mode, sampling_callback=theirs) as client:
        result = await judged(client)
    assert result["mode"] == "sampling"
    assert result["scores"]["relevance"]["basis"] == "judged"
    assert [issue for issue in result["issues"] if "1889" in issue]
    assert "aliens" not in repr(result["issues"])
    assert "verification_questions" not in result


@pytest.mark.parametrize(("evaluator", "mode"), [("auto", "caller"), ("sampling", "sampling")])
async def test_a_client_that_declares_sampling_in_vain_is_asked_only_when_told_so(
    tmp_path: Path, evaluator: str, mode: str
) -> None:
    server = build(an_application(tmp_path, evaluator=evaluator, views="both"))
    named = Implementation(name="copilot-cli-agent", version="1")
    async with Client(server, sampling_callback=theirs, client_info=named) as client:
        assert (await judged(client))["mode"] == mode


@pytest.mark.parametrize(("below", "retry"), [(0.5, True), (0.01, False)])
async def test_a_retry_is_asked_for_below_the_quality_that_is_set(
    tmp_path: Path, below: float, retry: bool
) -> None:
    server = build(an_application(tmp_path, evaluator="sampling", retry_below=below))
    async with Client(server, sampling_callback=theirs) as client:
        result = await judged(client)
    assert result["retry"] is retry
    assert 0.01 <= result["quality"] < 0.5


async def test_a_client_that_does_not_answer_in_time_is_no_judge(tmp_path: Path) -> None:
    async def never(context: Any, params: CreateMessageRequestParams) -> CreateMessageResult:
        await anyio.sleep_forever()
        raise AssertionError

    server = build(an_application(tmp_path, judge_timeout_s=0.05))
    with anyio.fail_after(60):
        async with Client(server, mode="legacy", sampling_callback=never) as client:
            result = await judged(client)
    assert result["mode"] == "caller"
    assert (result["sources_tried"][0]["name"], result["sources_tried"][0]["reason"]) == (
        "sampling",
        "timeout",
    )
    first = "No judge answered (sampling: timeout), so only the machine checks were used. "
    assert result["summary"].startswith(first)


@pytest.mark.parametrize("evaluator", ["embedded", "caller", "anthropic"])
async def test_a_client_is_not_asked_when_the_settings_say_so(
    tmp_path: Path, evaluator: str
) -> None:
    server = build(an_application(tmp_path, evaluator=evaluator))
    async with Client(server, sampling_callback=theirs) as client:
        result = await judged(client)
    assert result["mode"] == ("checks" if evaluator == "embedded" else "caller")


async def test_with_a_key_the_paid_judge_comes_first_and_its_cost_is_told(tmp_path: Path) -> None:
    application = an_application(tmp_path)
    wire = Wire(message(VERDICT))
    application.models = (AnthropicModel("fake-key", http_client=wire.client()),)
    async with Client(build(application), sampling_callback=theirs) as client:
        result = await judged(client)
    assert result["mode"] == "anthropic"
    assert result["sources_tried"][0]["cost_usd"] > 0
    assert result["retry"] is True


async def test_a_budget_that_is_spent_stops_the_paid_judge(tmp_path: Path) -> None:
    application = an_application(tmp_path)
    wire = Wire(message(VERDICT))
    model = AnthropicModel("fake-key", budget=0.000001, http_client=wire.client())
    application.models = (model,)
    async with Client(build(application)) as client:
        assert (await judged(client))["mode"] == "anthropic"
        second = await judged(client)
    assert second["mode"] == "caller"
    assert second["sources_tried"][0]["reason"] == "process_budget_spent"
    assert len(wire.requests) == 1


def test_a_key_is_used_only_when_it_was_given_and_the_settings_allow_it() -> None:
    key = ApiKey("fake-key")
    assert models_with_a_key(Settings()) == ()
    assert models_with_a_key(Settings(anthropic_api_key=key, evaluator="sampling")) == ()
    (model,) = models_with_a_key(Settings(anthropic_api_key=key, judge_calls_per_process=3))
    assert isinstance(model, AnthropicModel)
    assert model.calls_left == 3


async def test_prompts_of_a_folder_replace_the_packaged_ones(tmp_path: Path) -> None:
    folder = tmp_path / "prompts"
    folder.mkdir()
    application = an_application(tmp_path, prompts_folder=str(folder))
    assert application.prompts is not None
    assert an_application(tmp_path).prompts is None
    (folder / "evaluator.md").write_text("---\nversion: mine\n---\nJudge $nothing.")
    async with Client(build(an_application(tmp_path, prompts_folder=str(folder)))) as client:
        refused = await client.call_tool("reflect", {"question": QUESTION, "answer": ANSWER})
    assert refused.is_error
    assert "evaluator.md" in repr(refused.content)


EPISODE: dict[str, Any] = {
    "question": "Run the orders",
    "answer": "It stopped.",
    "outcome": "failure",
    "events": [
        {"type": "tool_call", "tool": "bash", "content": "python orders.py"},
        {"type": "tool_response", "tool": "bash", "error": "No module named 'yaml'"},
    ],
}
LESSON = "A package that only the tests list is missing everywhere else."
LEARNED = json.dumps(
    {
        "root_cause": "PyYAML is not installed",
        "evidence_quote": "No module named 'yaml'",
        "lesson": LESSON,
        "strategy": "List every import under the main dependencies.",
        "importance": 4,
        "confidence": 3,
    }
)


def lessons_told(result: dict[str, Any]) -> list[str]:
    return [note for note in result.get("notes", ()) if LESSON in note]


async def test_with_a_key_an_episode_is_reflected_on_and_what_it_took_is_told(
    tmp_path: Path,
) -> None:
    application = an_application(tmp_path)
    wire = Wire(message(VERDICT), message(LEARNED))
    application.models = (AnthropicModel("fake-key", http_client=wire.client()),)
    async with Client(build(application)) as client:
        result = await call(client, "reflect", **EPISODE)
        found = await call(client, "get_insights", query="packages that only the tests list")
    assert [kept["kind"] for kept in result["learned"]] == ["reflection", "strategy"]
    assert lessons_told(result)
    verdict, lesson = result["sources_tried"]
    assert (verdict["name"], lesson["name"]) == ("anthropic", "anthropic reflector")
    assert (lesson["input_tokens"], lesson["output_tokens"]) == (900, 250)
    assert lesson["cost_usd"] > 0
    assert result["mode"] == "anthropic"
    assert found["lessons"][0]["lesson"] == LESSON
    asked = json.loads(wire.requests[1].content)
    assert "evidence_quote" in asked["output_config"]["format"]["schema"]["required"]
    assert "No module named 'yaml'" in asked["messages"][0]["content"]


@pytest.mark.parametrize(
    ("answer", "reason", "requests"),
    [
        (failure(401), "bad_key", 2),
        (failure(429), "rate_limit", 3),  # the SDK tries once more
        (failure(529), "overloaded", 3),
        (httpx2.ConnectError("no route"), "connection", 3),
        (message(LEARNED, stop="max_tokens"), "truncated", 2),
        (message("", stop="refusal"), "refusal", 2),
        (message(""), "malformed", 2),
        (message("I cannot tell."), "malformed", 3),  # asked once more, in words
        (message(LEARNED.replace('"importance": 4', '"importance": 9')), "score_out_of_range", 3),
        (message(LEARNED.replace("No module named", "There is no")), "unquoted", 2),
    ],
)
async def test_whatever_comes_over_the_wire_the_episode_is_kept_and_the_caller_asked(
    tmp_path: Path, answer: httpx2.Response | Exception, reason: str, requests: int
) -> None:
    application = an_application(tmp_path)
    wire = Wire(message(VERDICT), answer)
    application.models = (AnthropicModel("fake-key", http_client=wire.client()),)
    async with Client(build(application)) as client:
        result = await call(client, "reflect", **EPISODE)
    assert (result["sources_tried"][1]["name"], result["sources_tried"][1]["reason"]) == (
        "anthropic reflector",
        reason,
    )
    assert len(wire.requests) == requests
    assert result["attempt_id"]
    assert result["asked_of_you"][0].startswith("lesson")
    assert "learned" not in result


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_client_that_offers_sampling_tells_what_an_episode_teaches(
    tmp_path: Path, mode: Any
) -> None:
    said = iter([VERDICT, LEARNED])

    async def model(context: Any, params: CreateMessageRequestParams) -> CreateMessageResult:
        return CreateMessageResult(
            role="assistant", content=TextContent(type="text", text=next(said)), model="theirs"
        )

    server = build(an_application(tmp_path, evaluator="sampling"))
    async with Client(server, mode=mode, sampling_callback=model) as client:
        result = await call(client, "reflect", **EPISODE)
    assert lessons_told(result)
    assert [source["name"] for source in result["sources_tried"]] == [
        "sampling",
        "sampling reflector",
    ]
    assert result["learned"][0]["occurrences"] == 1


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_the_loop_runs_whole_inside_one_call_when_the_client_offers_sampling(
    tmp_path: Path, mode: Any
) -> None:
    said = iter(
        [
            json.dumps({"own_solution": "389.70", "relevance": 4, "completeness": 4,
                        "correctness": 2}),
            "Two boxes cost 2 x 194.85 = 389.70.",
            json.dumps({"own_solution": "389.70", "relevance": 4, "completeness": 4,
                        "correctness": 4}),
        ]
    )  # fmt: skip

    async def model(context: Any, params: CreateMessageRequestParams) -> CreateMessageResult:
        text = next(said)
        return CreateMessageResult(
            role="assistant", content=TextContent(type="text", text=text), model="theirs"
        )

    told: list[str | None] = []

    async def heard(progress: float, total: float | None, message: str | None) -> None:
        told.append(message)

    server = build(an_application(tmp_path, evaluator="sampling"))
    async with Client(server, mode=mode, sampling_callback=model) as client:
        result = await client.call_tool(
            "answer_with_reflection",
            {
                "question": "What do two boxes at 194.85 cost?",
                "draft": "Two boxes cost 2 x 194.85 = 398.70.",
            },
            progress_callback=heard,
        )
    assert result.structured_content is not None
    assert result.structured_content["status"] == "done", result.structured_content
    assert "389.70" in result.structured_content["answer"]
    assert told
