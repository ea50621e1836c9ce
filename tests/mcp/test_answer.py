"""What `answer_with_reflection` gives back when the store does not do its part."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from reflection_mcp.server.app import build
from reflection_mcp.server.application import Application
from reflection_mcp.server.settings.settings import Settings
from reflection_mcp.store.contract import Store
from reflection_mcp.store.errors import StoreBusy
from reflection_mcp.store.records import Observation, RecordResult, Reflection, Scope
from reflection_mcp.store.sqlite.memory import MemoryStore
from reflection_mcp.tools.answer.answer_with_reflection import answer_with_reflection
from reflection_mcp.tools.answer.plan import Plan
from reflection_mcp.tools.answer.request import AnswerRequest
from reflection_mcp.tools.answer.revision_lesson import learn_from_loop
from reflection_mcp.tools.answer.state import LoopState
from tests.answer.attempts import attempts
from tests.mcp.test_endpoints import RIGHT, WRONG, call
from tests.requirements import requirement
from tests.tools.stage import Stage

pytestmark = pytest.mark.anyio

QUESTION = "What do two boxes of 15 pens at 12.99 cost?"


class _Forgetful(MemoryStore):
    """Neither searches nor records, and keeps attempts."""

    async def search(
        self, scope: Scope, words: Sequence[str], *, limit: int = 20
    ) -> Sequence[tuple[Reflection, float]]:
        raise StoreBusy("the store is busy", "try again")

    async def record(self, scope: Scope, observation: Observation) -> RecordResult:
        raise StoreBusy("the store is busy", "try again")


def a_client(tmp_path: Path, store: Store) -> Client:
    async def opener(location: str) -> Store:
        return store

    settings = Settings(store=str(tmp_path / "store.db"))
    return Client(build(Application(settings=settings, project="shop", opener=opener)))


async def loop(client: Client) -> tuple[dict[str, Any], dict[str, Any]]:
    first = await call(client, "answer_with_reflection", question=QUESTION, draft=WRONG)
    second = await call(
        client, "answer_with_reflection", question=QUESTION, draft=RIGHT, loop=first["loop"]
    )
    return first, second


async def test_a_lesson_that_cannot_be_kept_is_said_and_costs_nothing_else(tmp_path: Path) -> None:
    async with a_client(tmp_path, _Forgetful()) as client:
        first, second = await loop(client)
    assert "lessons" not in first
    assert second["status"] == "done"
    assert "what was learned was not kept: the store is busy" in second["notes"][-1]


async def test_a_draft_in_which_nothing_is_found_is_done_at_once(tmp_path: Path) -> None:
    async with a_client(tmp_path, MemoryStore()) as client:
        found = await call(client, "answer_with_reflection", question=QUESTION, draft=RIGHT)
    assert found["status"] == "done"
    assert found["stopped_because"]
    assert "learned" not in found


async def test_who_wants_a_reflection_on_a_right_draft_is_asked_to_be_its_critic(
    tmp_path: Path,
) -> None:
    async with a_client(tmp_path, MemoryStore()) as client:
        found = await call(
            client, "answer_with_reflection", question=QUESTION, draft=RIGHT, always=True
        )
    assert found["status"] == "revise"
    assert found["summary"] == "Not done: read the draft once as its critic."


async def test_the_same_loop_goes_on_in_the_next_process(tmp_path: Path) -> None:
    store = MemoryStore()
    async with a_client(tmp_path, store) as client:
        first = await call(client, "answer_with_reflection", question=QUESTION, draft=WRONG)
    async with a_client(tmp_path, store) as client:
        second = await call(
            client, "answer_with_reflection", question=QUESTION, draft=RIGHT, loop=first["loop"]
        )
    assert (second["status"], second["best_attempt"]) == ("done", 2)


async def test_a_token_of_another_question_is_refused(tmp_path: Path) -> None:
    async with a_client(tmp_path, MemoryStore()) as client:
        first = await call(client, "answer_with_reflection", question=QUESTION, draft=WRONG)
        refused = await client.call_tool(
            "answer_with_reflection",
            {"question": "Something else?", "draft": RIGHT, "loop": first["loop"]},
        )
    assert refused.is_error


async def test_a_loop_that_stops_with_a_fault_left_says_so_and_what_to_do(tmp_path: Path) -> None:
    async with a_client(tmp_path, MemoryStore()) as client:
        found = await call(
            client, "answer_with_reflection", question=QUESTION, draft=WRONG, depth="fast"
        )
    assert found["status"] == "done"
    assert found["summary"].startswith("Stopped after 1 attempt with 1 proven fault left")
    assert found["next"].startswith("take ")


@requirement("loop:max-iterations")
@pytest.mark.parametrize(("depth", "retries"), [(0, False), ("0", False), (1, True), ("9", True)])
async def test_a_depth_may_be_a_number_of_retries(
    tmp_path: Path, depth: object, *, retries: bool
) -> None:
    async with a_client(tmp_path, MemoryStore()) as client:
        asked = {"question": QUESTION, "draft": WRONG, "depth": depth}
        found = await call(client, "answer_with_reflection", **asked)
        refused = await client.call_tool("answer_with_reflection", asked | {"depth": "10"})
    assert found["status"] == ("revise" if retries else "done")
    assert refused.is_error
    assert "a number from 0 to 9" in repr(refused.content)


async def test_work_that_is_told_to_have_failed_is_said_in_the_summary(tmp_path: Path) -> None:
    async with a_client(tmp_path, MemoryStore()) as client:
        found = await call(
            client, "reflect", question=QUESTION, answer="It is done.", outcome="failure"
        )
    assert found["summary"].startswith("The work failed, as reported")


async def test_a_fault_that_is_back_in_the_best_attempt_teaches_nothing() -> None:
    services = Stage().services()
    reached = await answer_with_reflection(
        services, AnswerRequest(question=QUESTION, draft=WRONG, depth="fast", secret=b"k" * 32)
    )
    assert reached.evaluation.flaws
    state = LoopState(plan=Plan(), question=QUESTION, drafts=attempts((WRONG, reached.evaluation)))
    learned = await learn_from_loop(services, state, "loop", reached.evaluation.flaws)
    assert learned == ((), ())


async def test_no_secret_of_a_question_is_kept_with_what_the_loop_taught(tmp_path: Path) -> None:
    store = MemoryStore()
    asked = f"{QUESTION} The token is ghp_{'a1B2' * 9}."
    async with a_client(tmp_path, store) as client:
        first = await call(client, "answer_with_reflection", question=asked, draft=WRONG)
        second = await call(
            client, "answer_with_reflection", question=asked, draft=RIGHT, loop=first["loop"]
        )
        assert second["learned"]
        (row,) = await store.reflections(Scope(project="shop"))
    assert "ghp_" not in row.question


async def test_an_outcome_that_speaks_for_an_answer_is_said_in_the_summary(tmp_path: Path) -> None:
    async with a_client(tmp_path, MemoryStore()) as client:
        found = await call(
            client, "reflect", question="Make it pass", answer="Done.", outcome="success"
        )
    assert found["summary"].startswith("The outcome supports it")


@pytest.mark.parametrize(
    ("question", "answer", "summary"),
    [
        (
            "Describe the sea in exactly two sentences.",
            "The sea is deep and blue. It never rests.",
            "No fault found; no statement could be checked by machine. "
            "The answer may still be wrong.",
        ),
        (
            "What do two boxes cost?",
            "Two boxes cost 2 x 3 = 6.",
            "No fault found in 1 statement that could be checked. The answer may still be wrong.",
        ),
        (
            "Answer as JSON. What is snow?",
            "It is white.",
            "1 proven fault [ID]: The question asks: 'Answer as JSON'; the answer has no JSON: "
            "answer in JSON.",
        ),
        (
            "List three cats.",
            "1. Tom\n2. Tim",
            "1 proven fault [ID]: The question asks: 'List three cats'; the answer has 2 items.",
        ),
    ],
)
async def test_the_summary_says_what_was_checked_and_what_to_do(
    tmp_path: Path, question: str, answer: str, summary: str
) -> None:
    async with a_client(tmp_path, MemoryStore()) as client:
        found = await call(client, "reflect", question=question, answer=answer)
    assert re.sub(r"f-\w{8}", "ID", found["summary"]) == summary


async def test_a_form_that_could_not_be_measured_is_no_statement(tmp_path: Path) -> None:
    async with a_client(tmp_path, MemoryStore()) as client:
        found = await call(
            client, "reflect", question="List three cats.", answer="Tom and Tim and Tam."
        )
    assert "its completeness in part" in found["not_checked"]
    assert "statement" not in found["not_checked"]


async def test_a_greeting_is_not_looped_over_and_the_result_says_so(tmp_path: Path) -> None:
    async with a_client(tmp_path, MemoryStore()) as client:
        found = await call(client, "answer_with_reflection", question="hello", draft="Hi.")
    assert found["summary"].startswith("Not reflected on: ")
    assert (found["status"], found["answer"]) == ("done", "Hi.")
