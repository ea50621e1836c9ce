"""The same work, whoever is the model, over a real client."""

import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, Literal

import anyio
import pytest
from mcp import Client
from mcp.server.mcpserver import Context, MCPServer
from mcp_types import (
    CallToolResult,
    CreateMessageRequestParams,
    CreateMessageResult,
    ErrorData,
    ImageContent,
    TextContent,
)

from reflection_mcp.server.models.sampling import NAME, SamplingModel, model_of
from reflection_mcp.tools.answer.answer_with_reflection import AnswerResult, answer_with_reflection
from reflection_mcp.tools.answer.runner import OnProgress
from reflection_mcp.tools.ports import ModelFailed, Prompt, Services
from tests.answer.scene import RIGHT, WRONG, Scene, request
from tests.models.scripted import Line, ScriptedModel
from tests.requirements import requirement
from tests.rows import each_row

pytestmark = pytest.mark.anyio

Mode = Literal["auto", "legacy"]

GRADES = {"own_solution": "40", "relevance": 4, "completeness": 4}
BAD, GOOD = json.dumps({**GRADES, "correctness": 1}), json.dumps({**GRADES, "correctness": 4})


class ClientsModel:
    """What the client's model says, in order, and what it was asked."""

    def __init__(self, *said: str | CreateMessageResult | ErrorData) -> None:
        self.asked: list[CreateMessageRequestParams] = []
        self._said = list(said)

    async def __call__(
        self, context: Any, params: CreateMessageRequestParams
    ) -> CreateMessageResult | ErrorData:
        self.asked.append(params)
        said = self._said.pop(0)
        if not isinstance(said, str):
            return said
        return message(said)


def message(text: str, stop: str = "endTurn") -> CreateMessageResult:
    content = TextContent(type="text", text=text)
    return CreateMessageResult(role="assistant", content=content, model="theirs", stop_reason=stop)


Work = Callable[[Services, OnProgress], Awaitable[str]]


def server_for(scene: Scene, work: Work) -> MCPServer[Any]:
    server: MCPServer[Any] = MCPServer("reflection-mcp")

    @server.tool(structured_output=False)
    async def answer(draft: str, ctx: Context[Any, Any]) -> str:
        theirs = model_of(ctx, 24.0)
        services = replace(scene.services, models=(*scene.services.models, *theirs))
        return await work(services, ctx.report_progress)

    return server


@asynccontextmanager
async def connected(
    server: MCPServer[Any], mode: Mode, model: ClientsModel | None
) -> AsyncGenerator[Client]:
    with anyio.fail_after(60):
        async with Client(server, mode=mode, sampling_callback=model) as client:
            yield client


async def called(client: Client, draft: str = WRONG, **more: Any) -> str:
    result = await client.call_tool("answer", {"draft": draft}, **more)
    assert isinstance(result, CallToolResult)
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


def looping(reached: list[AnswerResult], draft: str | None = WRONG, **more: Any) -> Work:
    """Work that runs the whole loop, and keeps its results."""

    async def work(services: Services, on_progress: OnProgress) -> str:
        asked = request(draft, lessons=("Count the loose ones too.",), **more)
        reached.append(await answer_with_reflection(services, asked, on_progress=on_progress))
        return reached[-1].answer or ""

    return work


# --------------------------------------------------------------------------- one loop, three ways


@requirement("loop:critique-revise", "loop:progress")
async def test_the_clients_model_runs_the_whole_loop() -> None:
    scene, reached = Scene(), list[AnswerResult]()
    model = ClientsModel(BAD, RIGHT, GOOD)
    heard: list[tuple[float, float | None, str | None]] = []

    async def listen(done: float, most: float | None, said: str | None) -> None:
        heard.append((done, most, said))

    async with connected(server_for(scene, looping(reached)), "legacy", model) as client:
        assert await called(client, progress_callback=listen) == RIGHT
    (result,) = reached
    assert (result.mode, result.attempt, result.attempts) == ("sampling", 2, 2)
    assert all(one.system_prompt for one in model.asked)
    assert "Count the loose ones too." in _text(model.asked[1])
    said = [message for _, _, message in heard]
    assert said == ["checking 1/3", "revising step 2: 1 fault, quality 0.75", "checking 2/3"]
    assert [done for done, _, _ in heard] == [0, 1, 2]
    told = ["checking", "checked", "reviser_asked", "checking", "checked"]
    assert scene.steps() == told, "no step is told twice"
    assert [event for event, _ in scene.events].count("loop_started") == 1


def _text(params: CreateMessageRequestParams) -> str:
    content = params.messages[0].content
    assert isinstance(content, TextContent)
    return content.text


async def test_a_key_sampling_and_the_dialogue_give_the_same_answer() -> None:
    answers: dict[str, tuple[str | None, int, str]] = {}
    lines: list[Line] = [("evaluator", BAD), ("reviser", RIGHT), ("evaluator", GOOD)]
    with ScriptedModel(lines) as model:
        by_key = await answer_with_reflection(Scene(model).services, request())
    answers["key"] = (by_key.answer, by_key.attempt, by_key.history[0].faults[0])
    reached: list[AnswerResult] = []
    server = server_for(Scene(), looping(reached))
    async with connected(server, "legacy", ClientsModel(BAD, RIGHT, GOOD)) as client:
        await called(client)
    (one,) = reached
    answers["sampling"] = (one.answer, one.attempt, one.history[0].faults[0])
    scene = Scene()
    first = await answer_with_reflection(scene.services, request())
    last = await answer_with_reflection(scene.services, request(RIGHT, loop=first.loop))
    answers["dialogue"] = (last.answer, last.attempt, first.redo[0])
    assert len(set(answers.values())) == 1, answers


async def test_every_attempt_is_kept_once() -> None:
    scene, reached = Scene(), list[AnswerResult]()
    server = server_for(scene, looping(reached))
    async with connected(server, "legacy", ClientsModel(BAD, RIGHT, GOOD)) as client:
        await called(client)
    assert not isinstance(scene.store, Exception)
    kept = await scene.store.attempts(scene.services.scope, conversation_id="talk")
    assert sorted(one.iteration for one in kept) == [0, 1]


@pytest.mark.parametrize(("mode", "offers"), [("auto", False), ("legacy", False), ("auto", True)])
async def test_without_sampling_and_where_it_is_deprecated_the_caller_is_the_model(
    mode: Mode, offers: bool
) -> None:
    reached: list[AnswerResult] = []
    model = ClientsModel() if offers else None
    async with connected(server_for(Scene(), looping(reached)), mode, model) as client:
        assert await called(client) == WRONG
    assert (reached[0].status, reached[0].mode) == ("revise", "dialogue")


async def test_a_model_with_a_key_is_asked_first_and_only_once() -> None:
    lines: list[Line] = [
        ("evaluator", ModelFailed("overloaded")),
        ("reviser", RIGHT),
        ("evaluator", GOOD),
    ]
    with ScriptedModel(lines, name="anthropic") as ours:
        reached: list[AnswerResult] = []
        theirs = ClientsModel(BAD)
        server = server_for(Scene(ours), looping(reached))
        async with connected(server, "legacy", theirs) as client:
            assert await called(client) == RIGHT
    assert reached[0].mode == "anthropic"
    first = reached[0].history[0]
    assert first.quality == pytest.approx((0.25 + 1 + 1) / 3, abs=1e-3)


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (message('{"own', stop="maxTokens"), "truncated"),
        (message(" "), "malformed"),
        (
            CreateMessageResult(
                role="assistant",
                content=ImageContent(type="image", data="", mime_type="image/png"),
                model="m",
            ),
            "malformed",
        ),
    ],
)
async def test_a_reply_of_no_use_is_a_reason(said: CreateMessageResult, reason: str) -> None:
    reached: list[AnswerResult] = []
    server = server_for(Scene(), looping(reached, depth="fast"))
    async with connected(server, "legacy", ClientsModel(said)) as client:
        assert await called(client) == WRONG
    (tried,) = reached[0].evaluation.sources_tried
    assert (tried.name, tried.ok, tried.reason) == (NAME, False, reason)


async def test_a_client_that_declines_leaves_the_checks() -> None:
    refused = ErrorData(code=-1, message="the user said no")
    reached: list[AnswerResult] = []
    server = server_for(Scene(), looping(reached))
    async with connected(server, "legacy", ClientsModel(refused, refused)) as client:
        assert await called(client) == WRONG
    assert reached[0].why == "the reviser failed: sampling declined"
    assert reached[0].evaluation.sources_tried[0].reason == "declined"


async def test_a_cancelled_call_stops() -> None:
    started = anyio.Event()

    async def slow(context: Any, params: CreateMessageRequestParams) -> CreateMessageResult:
        started.set()
        await anyio.sleep_forever()
        raise AssertionError

    scene = Scene()
    with anyio.fail_after(60):
        server = server_for(scene, looping([]))
        async with (
            Client(server, mode="legacy", sampling_callback=slow) as client,
            anyio.create_task_group() as group,
        ):
            group.start_soon(called, client)
            await started.wait()
            group.cancel_scope.cancel()
    assert not isinstance(scene.store, Exception)
    assert await scene.store.attempts(scene.services.scope) == []


PROMPT = Prompt(role="critic", version="1", system="s", user="u")


class Session:
    """A session whose client does not answer, or answers something else."""

    def __init__(self, failure: Exception | None) -> None:
        self._failure = failure

    async def send_request(self, *args: Any, **kwargs: Any) -> CreateMessageResult:
        if self._failure is None:
            await anyio.sleep_forever()
            raise AssertionError
        raise self._failure


def invalid() -> Exception:
    try:
        CreateMessageResult.model_validate({})
    except ValueError as fault:
        return fault
    raise AssertionError


@each_row(("failure", "reason"), [(None, "timeout"), (invalid(), "malformed")])
async def test_a_session_that_does_not_work_is_a_reason(
    failure: Exception | None, reason: str
) -> None:
    session: Any = Session(failure)
    with pytest.raises(ModelFailed, match=reason), anyio.fail_after(60):
        await SamplingModel(session, "1", wall=0.02).complete(PROMPT)
