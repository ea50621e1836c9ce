"""The same work, whoever is the model, over both eras of the protocol and a real client."""

import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

import anyio
import pytest
from mcp import Client
from mcp.server.mcpserver import Context, MCPServer
from mcp.shared.exceptions import MCPError
from mcp_types import (
    CallToolResult,
    ClientCapabilities,
    CreateMessageRequestParams,
    CreateMessageResult,
    ErrorData,
    ImageContent,
    InputRequiredResult,
    SamplingCapability,
    TextContent,
)

from reflection_mcp.server.models.drive import (
    ROUNDS,
    Driven,
    Entry,
    RecordedModel,
    Rounds,
    Transcript,
    digest_of,
    drive,
)
from reflection_mcp.server.models.sampling import NAME, NextRoundModel, SamplingModel, Unanswered
from reflection_mcp.tools.answer.answer_with_reflection import AnswerResult, answer_with_reflection
from reflection_mcp.tools.ports import ModelFailed, Prompt
from tests.answer.scene import QUESTION, RIGHT, WRONG, Scene, request
from tests.models.scripted import Line, ScriptedModel
from tests.requirements import requirement
from tests.rows import each_row

pytestmark = pytest.mark.anyio

Mode = Literal["auto", "legacy"]
both_eras = pytest.mark.parametrize("mode", ["auto", "legacy"])

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


Work = Callable[[Driven], Awaitable[str]]


def server_for(scene: Scene, work: Work, *, sampling: bool = True) -> MCPServer[Any]:
    server: MCPServer[Any] = MCPServer("reflection-mcp")

    @server.tool(structured_output=False)
    async def answer(draft: str, ctx: Context[Any, Any]) -> str | InputRequiredResult:
        return await drive(ctx, scene.services, work, sampling=sampling)

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
    """Work that runs the whole loop, and keeps the results of the rounds that came to an end."""

    async def read() -> list[str]:
        return ["Count the loose ones too."]

    async def work(driven: Driven) -> str:
        lessons = await driven.once(read)
        reached.append(
            await answer_with_reflection(
                driven.services,
                request(draft, lessons=lessons, **more),
                on_progress=driven.on_progress,
                elapsed=driven.elapsed,
            )
        )
        return reached[-1].answer or ""

    return work


# --------------------------------------------------------------------------- one call, one story


async def test_a_call_of_many_rounds_is_one_loop_and_took_as_long_as_its_replies() -> None:
    scene, reached, seen = Scene(tick=1.0), list[AnswerResult](), list[str]()
    finished = looping(reached)

    async def work(driven: Driven) -> str:
        seen.append(driven.services.ids("loop"))
        return await finished(driven)

    async with connected(server_for(scene, work), "auto", ClientsModel(BAD, RIGHT, GOOD)) as client:
        await called(client)
    assert len(seen) == 4, "three questions are four rounds"
    assert len(set(seen)) == 1
    assert len({facts["loop"] for _, facts in scene.events if "loop" in facts}) == 1
    # Each look at the clock is a second, and at least one lies between a question and its reply.
    ended = next(facts for name, facts in scene.events if name == "loop_finished")
    assert ended["ms"] >= 3_000
    (tried,) = reached[0].evaluation.sources_tried
    assert tried.usage.ms >= 1_000


@each_row("reply", [BAD, ModelFailed("overloaded")])
async def test_a_reply_of_an_earlier_round_says_how_long_it_took(reply: str | ModelFailed) -> None:
    scene = Scene(tick=2.0)
    prompt = Prompt(role="evaluator", version="1", system="s", user="u", max_tokens=9)
    transcript = Transcript(began=scene.services.clock().timestamp())
    with ScriptedModel([("evaluator", reply)]) as model:
        for earlier in (0, 2_000):
            own = RecordedModel(model, Rounds(scene.services.clock, transcript))
            try:
                took = (await own.complete(prompt)).usage.ms
            except ModelFailed as failure:
                took = failure.earlier_ms
            assert took == earlier


async def test_an_id_that_no_longer_fits_is_made_anew() -> None:
    scene = Scene()
    transcript = Transcript(began=0.0, ids=["loop-1", "att-2"])
    rounds = Rounds(scene.services.clock, transcript)
    given = [rounds.id_from(lambda prefix: f"{prefix}-new", prefix) for prefix in ("loop", "ref")]
    assert given == ["loop-1", "ref-new"]
    assert transcript.ids == given


# --------------------------------------------------------------------------- one loop, four ways


@requirement("loop:critique-revise", "loop:progress")
@both_eras
async def test_the_clients_model_runs_the_whole_loop(mode: Mode) -> None:
    scene, reached = Scene(), list[AnswerResult]()
    model = ClientsModel(BAD, RIGHT, GOOD)
    heard: list[tuple[float, float | None, str | None]] = []

    async def listen(done: float, most: float | None, said: str | None) -> None:
        heard.append((done, most, said))

    async with connected(server_for(scene, looping(reached)), mode, model) as client:
        assert await called(client, progress_callback=listen) == RIGHT
    (result,) = reached
    assert (result.mode, result.attempt, result.attempts) == ("sampling", 2, 2)
    assert all(one.system_prompt for one in model.asked)
    assert "Count the loose ones too." in _text(model.asked[1])
    said = [message for _, _, message in heard]
    revising = "revising step 2: 1 fault, quality 0.75"
    assert said == ["checking 1/3", revising, "checking 2/3", "answering with attempt 2"]
    assert [done for done, _, _ in heard] == [0, 1, 2, 10]
    told = ["checking", "checked", "reviser_asked", "checking", "checked"]
    assert scene.steps() == told, "no step is told twice"
    assert [event for event, _ in scene.events].count("loop_started") == 1


def _text(params: CreateMessageRequestParams) -> str:
    content = params.messages[0].content
    assert isinstance(content, TextContent)
    return content.text


async def test_a_key_sampling_in_both_eras_and_the_dialogue_give_the_same_answer() -> None:
    answers: dict[str, tuple[str | None, int, str]] = {}
    lines: list[Line] = [("evaluator", BAD), ("reviser", RIGHT), ("evaluator", GOOD)]
    with ScriptedModel(lines) as model:
        by_key = await answer_with_reflection(Scene(model).services, request())
    answers["key"] = (by_key.answer, by_key.attempt, by_key.history[0].faults[0])
    for mode in ("auto", "legacy"):
        reached: list[AnswerResult] = []
        server = server_for(Scene(), looping(reached))
        async with connected(server, mode, ClientsModel(BAD, RIGHT, GOOD)) as client:
            await called(client)
        (one,) = reached
        answers[mode] = (one.answer, one.attempt, one.history[0].faults[0])
    scene = Scene()
    first = await answer_with_reflection(scene.services, request())
    last = await answer_with_reflection(scene.services, request(RIGHT, loop=first.loop))
    answers["dialogue"] = (last.answer, last.attempt, first.redo[0])
    assert len(set(answers.values())) == 1, answers


@both_eras
async def test_every_attempt_is_kept_once_however_many_rounds_there_were(mode: Mode) -> None:
    scene, reached = Scene(), list[AnswerResult]()
    server = server_for(scene, looping(reached))
    async with connected(server, mode, ClientsModel(BAD, RIGHT, GOOD)) as client:
        await called(client)
    assert not isinstance(scene.store, Exception)
    kept = await scene.store.attempts(scene.services.scope, conversation_id="talk")
    assert sorted(one.iteration for one in kept) == [0, 1]


@both_eras
async def test_without_sampling_the_caller_is_the_model(mode: Mode) -> None:
    for model, sampling in ((None, True), (ClientsModel(), False)):
        reached: list[AnswerResult] = []
        server = server_for(Scene(), looping(reached), sampling=sampling)
        async with connected(server, mode, model) as client:
            assert await called(client) == WRONG
        assert (reached[0].status, reached[0].mode) == ("revise", "dialogue")


@both_eras
async def test_a_model_with_a_key_is_asked_first_and_only_once(mode: Mode) -> None:
    lines: list[Line] = [
        ("evaluator", ModelFailed("overloaded")),
        ("reviser", RIGHT),
        ("evaluator", GOOD),
    ]
    with ScriptedModel(lines, name="anthropic") as ours:
        reached: list[AnswerResult] = []
        theirs = ClientsModel(BAD)
        async with connected(server_for(Scene(ours), looping(reached)), mode, theirs) as client:
            assert await called(client) == RIGHT
    assert reached[0].mode == "anthropic"
    first = reached[0].history[0]
    assert first.quality == pytest.approx((0.25 + 1 + 1) / 3, abs=1e-3)


@both_eras
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
async def test_a_reply_of_no_use_is_a_reason(
    mode: Mode, said: CreateMessageResult, reason: str
) -> None:
    reached: list[AnswerResult] = []
    server = server_for(Scene(), looping(reached, depth="fast"))
    async with connected(server, mode, ClientsModel(said)) as client:
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


async def test_in_rounds_a_client_that_declines_ends_the_call_itself() -> None:
    """Nothing of it reaches the server, and nothing was written."""
    scene = Scene()
    refused = ErrorData(code=-1, message="the user said no")
    async with connected(server_for(scene, looping([])), "auto", ClientsModel(refused)) as client:
        with pytest.raises(MCPError, match="the user said no"):
            await called(client)
    assert not isinstance(scene.store, Exception)
    assert await scene.store.attempts(scene.services.scope) == []


@requirement("loop:max-iterations")
async def test_a_client_is_not_asked_more_often_than_it_will_answer() -> None:
    """A judge, and a reviser who finds ever new ways to be wrong: two questions an attempt."""
    said = [json.dumps({**GRADES, "correctness": 0})]
    for number in range(39, 60):
        said += [WRONG.replace("38", str(number)).replace("42", str(number + 4)), said[0]]
    reached: list[AnswerResult] = []
    model = ClientsModel(*said)
    server = server_for(Scene(), looping(reached, max_iterations=10))
    async with connected(server, "auto", model) as client:
        await called(client)
    assert len(model.asked) == ROUNDS
    assert reached[0].stop is not None
    assert reached[0].stop.why == "the reviser failed: sampling rounds_used_up"


async def test_a_cancelled_call_stops() -> None:
    started = anyio.Event()

    async def slow(context: Any, params: CreateMessageRequestParams) -> CreateMessageResult:
        started.set()
        await anyio.sleep_forever()
        raise AssertionError

    scene = Scene()
    for mode in ("auto", "legacy"):
        started = anyio.Event()
        with anyio.fail_after(60):
            async with (
                Client(server_for(scene, looping([])), mode=mode, sampling_callback=slow) as client,
                anyio.create_task_group() as group,
            ):
                group.start_soon(called, client)
                await started.wait()
                group.cancel_scope.cancel()
    assert not isinstance(scene.store, Exception)
    assert await scene.store.attempts(scene.services.scope) == []


# --------------------------------------------------------------------------- rounds by themselves

PROMPT = Prompt(role="critic", version="1", system="s", user="u")
BEGAN = datetime(2026, 1, 1, tzinfo=UTC)


def rounds_with(*entries: Entry, seconds: float = 100.0) -> Rounds:
    transcript = Transcript(began=BEGAN.timestamp(), entries=list(entries))
    return Rounds(lambda: BEGAN + timedelta(seconds=seconds), transcript)


async def test_time_stands_still_while_replaying() -> None:
    rounds = rounds_with(Entry(model="m", digest=digest_of(PROMPT), at=7.0, text="hi"))
    with ScriptedModel([("critic", "now")], name="m") as inner:
        model = RecordedModel(inner, rounds)
        assert (rounds.replaying, rounds.elapsed()) == (True, 7.0)
        assert (await model.complete(PROMPT)).text == "hi"
        assert (rounds.replaying, rounds.elapsed()) == (False, 100.0)
        assert (await model.complete(PROMPT)).text == "now"
    assert rounds.asking(PROMPT).entries[1].at == 100.0


async def test_a_question_that_changed_is_asked_anew_and_so_is_all_after_it() -> None:
    old = Entry(model="m", digest="another", at=1.0, text="old")
    rounds = rounds_with(old, old)
    with ScriptedModel([("critic", "new")], name="m") as inner:
        assert (await RecordedModel(inner, rounds).complete(PROMPT)).text == "new"
    assert [entry.text for entry in rounds.asking(PROMPT).entries] == ["new"]


async def test_a_failure_of_an_earlier_round_is_one_again() -> None:
    failed = Entry(model="m", digest=digest_of(PROMPT), at=1.0, reason="overloaded")
    with ScriptedModel([], name="m") as inner, pytest.raises(ModelFailed, match="overloaded"):
        await RecordedModel(inner, rounds_with(failed)).complete(PROMPT)


async def test_what_was_read_once_is_not_read_again() -> None:
    rounds = rounds_with()

    async def first() -> list[str]:
        return ["a"]

    async def second() -> list[str]:
        raise AssertionError

    assert await rounds.once(first) == ("a",)
    later = Rounds(lambda: BEGAN, rounds.asking(PROMPT))
    assert await later.once(second) == ("a",)


async def test_a_model_without_a_reply_stops_the_work() -> None:
    with pytest.raises(Unanswered) as stopped:
        await NextRoundModel().complete(PROMPT)
    assert stopped.value.prompt is PROMPT


class Request:
    """As much of a request as `drive` looks at."""

    protocol_version = "2026-07-28"
    input_responses = None

    client_capabilities = ClientCapabilities(sampling=SamplingCapability())

    def __init__(self, state: str) -> None:
        self.request_state = state


@each_row("state", ["?", '{"entries": []}', '{"version": 9, "began": 1}'])
async def test_a_state_of_another_version_begins_anew(state: str) -> None:
    async def work(driven: Driven) -> str:
        assert driven.elapsed() < 1
        await driven.services.models[-1].complete(replace(PROMPT, user=QUESTION))
        raise AssertionError

    asked: Any = Request(state)
    result = await drive(asked, Scene().services, work)
    assert isinstance(result, InputRequiredResult)
    assert result.input_requests is not None
    assert result.input_requests["sample"].method == "sampling/createMessage"


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


async def test_a_client_that_comes_back_without_a_reply_is_asked_again() -> None:
    state = rounds_with().asking(PROMPT).model_dump_json()

    async def work(driven: Driven) -> str:
        await driven.services.models[-1].complete(PROMPT)
        raise AssertionError

    asked: Any = Request(state)
    result = await drive(asked, Scene().services, work)
    assert isinstance(result, InputRequiredResult)
    assert result.request_state is not None
    assert Transcript.model_validate_json(result.request_state).entries == []
