"""Whose a request is: over HTTP two clients never share a conversation."""

import socket
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Literal

import anyio
import pytest
import uvicorn
from mcp import Client
from mcp_types import Implementation

from reflection_mcp.server.app import build
from reflection_mcp.server.application import Application
from reflection_mcp.store.records import Scope
from tests.mcp.test_endpoints import an_application, call, text_of
from tests.new_store import placed

pytestmark = pytest.mark.anyio

Mode = Literal["legacy", "auto"]
ERAS: tuple[Mode, ...] = ("legacy", "auto")
SUM = {"question": "Explain the sum of 2 and 2", "answer": "The sum is 2 + 2 = 5, as known."}


@pytest.fixture
async def application(tmp_path: Path) -> Application:
    placed(tmp_path / "store.db")
    return an_application(tmp_path)


@pytest.fixture
async def url(application: Application) -> AsyncIterator[str]:
    """Where the server of the application listens: the real transport, on a free port."""
    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    app = build(application).streamable_http_app()
    server = uvicorn.Server(uvicorn.Config(app, log_level="critical", lifespan="on"))
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(server.serve, [listening])
        yield f"http://127.0.0.1:{port}/mcp"
        server.should_exit = True


def named(url: str, mode: Mode) -> Client:
    """A client of the same name and version as every other one."""
    return Client(url, mode=mode, client_info=Implementation(name="editor", version="1"))


async def quality(application: Application, id: str) -> float | None:
    store = (await application.services()).store
    attempt = await store.attempt(Scope(project="shop"), id)
    assert attempt is not None
    return attempt.quality


@pytest.mark.parametrize("mode", ERAS)
async def test_feedback_without_an_id_never_reaches_the_answer_of_another_client(
    application: Application, url: str, mode: Mode
) -> None:
    async with named(url, mode) as ann, named(url, mode) as bob:
        mine = (await call(ann, "reflect", **SUM, confidence=0.9))["attempt_id"]
        before = await quality(application, mine)
        refused = await bob.call_tool("record_feedback", {"feedback": "positive"})
        assert refused.is_error
        assert await quality(application, mine) == before
        told = await call(ann, "record_feedback", feedback="positive", id=mine)
        assert told["changed"]
        assert await quality(application, mine) == 0.7


async def test_a_session_is_a_conversation(application: Application, url: str) -> None:
    async with named(url, "legacy") as ann, named(url, "legacy") as bob:
        first = await call(ann, "reflect", **SUM)
        assert (await call(bob, "reflect", **SUM)).get("iteration", 0) == 0
        again = await call(ann, "reflect", **{**SUM, "answer": "The sum is 2 + 2 = 6, as known."})
        assert again["iteration"] == 1
        told = await call(ann, "record_feedback", feedback="positive")
    opening = "for the last answer of this conversation"
    assert f"{opening}, {again['attempt_id']}, to “Explain the sum" in told["summary"]
    assert "notes" not in first


async def test_without_a_session_a_result_says_how_to_go_on_with_its_conversation(
    url: str,
) -> None:
    async with named(url, "auto") as ann, named(url, "auto") as bob:
        first = await call(ann, "reflect", **SUM)
        assert (await call(bob, "reflect", **SUM)).get("iteration", 0) == 0
        refused = await ann.call_tool("record_feedback", {"feedback": "positive"})
        assert "this connection has no session, so no answer is known to be yours" in text_of(
            refused
        )
        (note,) = [each for each in first["notes"] if "no session" in each]
        conversation = note.partition("conversation_id ")[2].partition(" ")[0]
        more = {"conversation_id": conversation, "answer": "The sum is 2 + 2 = 6, as known."}
        again = await call(ann, "reflect", **{**SUM, **more})
        assert again["iteration"] == 1
        assert not any("no session" in each for each in again.get("notes", ()))
        told = await call(ann, "record_feedback", feedback="positive", conversation_id=conversation)
        assert len(told["changes"]) == 3


async def test_a_loop_without_a_session_is_rated_and_sees_its_earlier_rounds(url: str) -> None:
    asked = {"question": SUM["question"], "conversation_id": "the-sum"}
    async with named(url, "auto") as ann:
        first = await call(
            ann, "answer_with_reflection", **asked, draft="The sum is 2 + 2 = 5, as known."
        )
        assert (first["status"], first["attempt_id"][:4]) == ("revise", "att-")
        assert not any("no session" in each for each in first.get("notes", ()))
        again = await call(
            ann,
            "answer_with_reflection",
            **asked,
            draft="The sum is 2 + 2 = 4, as known.",
            loop=first["loop"],
        )
        assert again["attempt_id"] != first["attempt_id"]
        assert again["history"][0]["faults"]
        told = await call(ann, "record_feedback", feedback="positive", id=again["attempt_id"])
        assert told["changed"]


async def test_calls_without_a_session_are_of_one_source(url: str) -> None:
    lesson = {"outcome": "success", "lesson": "Two and two are four, whatever is known."}
    async with named(url, "auto") as ann:
        for answer in ("It is 4.", "It is four."):
            kept = await call(ann, "reflect", question="q", answer=answer, **lesson)
    assert (kept["learned"][0]["occurrences"], kept["learned"][0]["sources"]) == (2, 1)
