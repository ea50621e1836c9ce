"""Whose a call is: tenant, conversation, author and project follow from the token."""

from pathlib import Path
from typing import Any

import anyio
import pytest

from reflection_mcp.server.access.principal import Principal
from reflection_mcp.store.records import Attempt, Scope
from reflection_mcp.tools.ports import Caller
from tests.requirements import requirement
from tests.server.access.serving import (
    ERAS,
    House,
    Mode,
    call,
    calling,
    each_era,
    refused,
    serving,
    text_of,
)

pytestmark = pytest.mark.anyio

SUM = {"question": "Explain the sum of 2 and 2", "answer": "The sum is 2 + 2 = 5, as known."}
ERROR = "FluxError: the spindle of part 7 is not aligned"
LESSON = {
    "question": "Align the spindle",
    "answer": "Turned it by hand.",
    "error": ERROR,
    "outcome": "success",
    "lesson": "The spindle drifts when the hall is cold.",
}


async def attempt(house: House, id: str, tenant: str = "acme", project: str = "global") -> Attempt:
    store = await house.application.store()
    found = await store.attempt(Scope(tenant=tenant, project=project), id)
    assert found is not None
    return found


@each_era
@requirement("access:own-answers")
async def test_feedback_without_an_id_means_the_callers_own_last_answer_only(
    house: House, url: str, mode: Mode
) -> None:
    ann_token, bob_token = house.let_in("ann"), house.let_in("bob")
    async with calling(url, ann_token, mode) as ann, calling(url, bob_token, mode) as bob:
        mine = (await call(ann, "reflect", **SUM))["attempt_id"]
        before = await attempt(house, mine)
        assert "nothing was judged" in await refused(bob, "record_feedback", feedback="negative")
        his = (await call(bob, "reflect", **SUM))["attempt_id"]
        for client, own, said in ((bob, his, "negative"), (ann, mine, "positive")):
            if mode == "legacy":
                told = await call(client, "record_feedback", feedback=said)
            else:  # two clients with one token could not be told apart
                assert f"pass id {own}" in await refused(client, "record_feedback", feedback=said)
                told = await call(client, "record_feedback", feedback=said, id=own)
            assert own in told["changes"][0]
            if client is bob:
                assert await attempt(house, mine) == before


@requirement("access:own-answers")
async def test_neither_an_id_nor_a_conversation_reaches_the_answer_of_another_principal(
    house: House, url: str
) -> None:
    async with (
        calling(url, house.let_in("ann")) as ann,
        calling(url, house.let_in("bob")) as bob,
    ):
        mine = (await call(ann, "reflect", **SUM, conversation_id="the-sum"))["attempt_id"]
        before = await attempt(house, mine)
        assert before.conversation_id == "ann/the-sum"
        for name in ("the-sum", "ann/the-sum"):
            said = await refused(bob, "record_feedback", feedback="negative", conversation_id=name)
            assert "nothing was judged" in said
        for feedback in ("negative", "forget"):
            said = await refused(bob, "record_feedback", feedback=feedback, id=mine)
            assert said.startswith("this is the answer of another caller: ")
        assert await attempt(house, mine) == before
        for named in ({"conversation_id": "ann/the-sum"}, {"id": mine}):
            assert (await call(ann, "record_feedback", feedback="positive", **named))["summary"]


@each_era
@requirement("access:tenant-of-token")
async def test_a_tenant_is_that_of_the_token_and_sees_no_other(
    house: House, url: str, mode: Mode
) -> None:
    async with (
        calling(url, house.let_in("ann", "acme"), mode) as ann,
        calling(url, house.let_in("eve", "evil"), mode) as eve,
    ):
        kept = await call(ann, "reflect", **LESSON)
        id = kept["learned"][0]["id"]
        assert (await call(eve, "has_seen_error_before", error=ERROR))["verdict"] == "new"
        assert (await call(ann, "has_seen_error_before", error=ERROR))["seen"]
        assert "has this id" in await refused(eve, "record_feedback", feedback="forget", id=id)
        for uri in ("reflections://recent", f"reflections://{id}"):
            assert id in str(await ann.read_resource(uri))
        assert id not in str(await eve.read_resource("reflections://recent"))
        with pytest.raises(Exception, match="no such id"):
            await eve.read_resource(f"reflections://{id}")


@each_era
async def test_who_wrote_a_lesson_is_its_principal_and_client(
    house: House, url: str, mode: Mode
) -> None:
    async with (
        calling(url, house.let_in("ann"), mode) as ann,
        calling(url, house.let_in("bob"), mode) as bob,
        calling(url, house.tokens["bob"], mode) as again,
    ):
        first = await call(ann, "reflect", **LESSON)
        for client in (bob, again):
            kept = await call(client, "reflect", **LESSON | {"answer": f"Did {id(client)}."})
    assert (await attempt(house, first["attempt_id"])).source == "ann/editor"
    assert kept["learned"][0]["sources"] == 2


@requirement("team:people-count")
async def test_the_verdicts_of_all_clients_of_a_person_are_one_persons(
    house: House, url: str
) -> None:
    async with (
        calling(url, house.let_in("ann")) as ann,
        calling(url, house.tokens["ann"], name="other") as other,
        calling(url, house.let_in("bob")) as bob,
    ):
        id = (await call(ann, "reflect", **LESSON))["learned"][0]["id"]
        for number in range(4):
            for client in (other, ann):
                talk = f"{number} of {'ann' if client is ann else 'other'}"
                await call(
                    client, "record_feedback", feedback="positive", id=id, conversation_id=talk
                )
        await call(bob, "record_feedback", feedback="positive", id=id)
    store = await house.application.store()
    scope = Scope(tenant="acme")
    row = await store.reflection(scope, id)
    assert row is not None
    assert row.helped == 5
    votes = await store.votes(scope, target_id=id)
    assert {vote.source for vote in votes} == {"ann", "bob"}


@each_era
@requirement("team:who-said-it")
async def test_who_said_a_lesson_is_told_to_the_others_of_a_team(
    house: House, url: str, mode: Mode
) -> None:
    async with (
        calling(url, house.let_in("ann"), mode) as ann,
        calling(url, house.tokens["ann"], mode, name="other") as other,
        calling(url, house.let_in("bob"), mode) as bob,
    ):
        id = (await call(ann, "reflect", **LESSON))["learned"][0]["id"]
        for client, told in ((ann, False), (other, False), (bob, True)):
            texts = [
                text_of(await client.call_tool("has_seen_error_before", {"error": ERROR})),
                text_of(await client.call_tool("get_insights", {"query": "the spindle drifts"})),
                str(await client.read_resource("reflections://recent")),
                str(await client.read_resource(f"reflections://{id}")),
            ]
            assert all("from “editor”" in text for text in texts[:2])
            assert ["by “ann”" in text for text in texts[:2]] == [told] * 2
            assert ['"by": "ann"' in text for text in texts[2:]] == [told] * 2


async def test_the_conversation_of_a_principal_is_its_clients_work_of_a_day_in_a_project(
    house: House, url: str
) -> None:
    async with (
        calling(url, house.let_in("ann")) as ann,
        calling(url, house.tokens["ann"]) as same,
        calling(url, house.tokens["ann"], name="other") as other,
        calling(url, house.tokens["ann"], project="shop") as shop,
    ):
        seen: dict[str, Any] = {}
        for name, client in {"ann": ann, "same": same, "other": other, "shop": shop}.items():
            judged = await call(client, "reflect", **SUM)
            project = "shop" if name == "shop" else "global"
            seen[name] = await attempt(house, judged["attempt_id"], project=project)
        assert seen["ann"].conversation_id == seen["same"].conversation_id
        last = seen["same"]
        told = await refused(ann, "record_feedback", feedback="negative")
        assert "the last answer may be another client's" in told
        assert f"pass id {last.id} if “" in told
        untouched = await attempt(house, last.id, project="global")
        assert untouched.feedback is None
        said = await call(ann, "record_feedback", feedback="negative", id=last.id)
        assert said["changed"]
    conversations = {name: found.conversation_id for name, found in seen.items()}
    assert len(set(conversations.values())) == 3
    assert all(each.startswith("conv-") for each in conversations.values())


@each_era
@requirement("access:project")
async def test_a_project_is_the_argument_or_the_header_or_global(
    house: House, url: str, mode: Mode
) -> None:
    async with (
        calling(url, house.let_in("ann"), mode) as plain,
        calling(url, house.tokens["ann"], mode, project="Shop") as shop,
        calling(url, house.tokens["ann"], mode, project="../x") as wrong,
    ):
        for client, arguments, project in (
            (plain, {}, "global"),
            (shop, {}, "shop"),
            (shop, {"project": "bank"}, "bank"),
        ):
            judged = await call(client, "reflect", **SUM, **arguments)
            await attempt(house, judged["attempt_id"], project=project)
        assert "name of a project" in await refused(wrong, "get_insights")


@each_era
@requirement("access:reader")
async def test_a_reader_looks_things_up_and_can_do_nothing_else(
    house: House, url: str, mode: Mode
) -> None:
    async with (
        calling(url, house.let_in("ann"), mode) as ann,
        calling(url, house.let_in("rea", role="reader"), mode) as rea,
    ):
        kept = await call(ann, "reflect", **LESSON)
        assert (await call(rea, "has_seen_error_before", error=ERROR))["seen"]
        assert await call(rea, "get_insights", query="spindle")
        assert kept["learned"][0]["id"] in str(await rea.read_resource("reflections://recent"))
        hook = {"hook": "PostToolUse", "type": "error", "content": ERROR}
        for tool, arguments in (
            ("reflect", LESSON),
            ("reflect", {"question": "q", "answer": "a", "events": [hook]}),
            ("answer_with_reflection", {"question": "q", "draft": "d"}),
            ("record_feedback", {"feedback": "forget", "id": kept["learned"][0]["id"]}),
        ):
            said = await refused(rea, tool, **arguments)
            assert (
                said == f"insufficient_scope: {tool} is for writers, and this token is a reader's"
            )


async def test_where_nobody_has_to_prove_anything_a_project_can_be_named_all_the_same(
    house: House,
) -> None:
    async with (
        serving(house.application, None) as url,
        calling(url, "", project="shop") as client,
    ):
        judged = await call(client, "reflect", **SUM)
        await attempt(house, judged["attempt_id"], tenant="default", project="shop")


@requirement("access:tenant-of-token")
async def test_two_tenants_at_once_never_see_each_other(house: House, url: str) -> None:
    people = {
        name: house.let_in(name, f"tenant-{number % 2}") for number, name in enumerate("abcd")
    }
    seen: dict[str, set[str]] = {name: set() for name in people}

    async def work(name: str, mode: Mode) -> None:
        async with calling(url, people[name], mode) as client:
            for number in range(5):
                error = f"FluxError: {name} lost the part {'xyzuv'[number]} of the machine"
                mine = {**LESSON, "error": error, "answer": f"Found it {number}."}
                mine["lesson"] = f"The part {'xyzuv'[number]} of {name} lies under the table."
                await call(client, "reflect", **mine)
                found = await call(client, "get_insights", query="part of the machine", limit=50)
                seen[name] |= {each["lesson"].split(" lies")[0][-1] for each in found["lessons"]}

    async with anyio.create_task_group() as tasks:
        for number, name in enumerate(people):
            tasks.start_soon(work, name, ERAS[number // 2])
    for name, met in seen.items():
        assert met
        assert met <= (set("ac") if name in "ac" else set("bd"))


@requirement("access:tenant-of-token")
async def test_the_loop_of_one_tenant_is_not_continued_by_another(house: House, url: str) -> None:
    asked = {"question": "What is 2 + 2?", "draft": "2 + 2 = 5."}
    async with (
        calling(url, house.let_in("ann", "acme")) as ann,
        calling(url, house.let_in("eve", "evil")) as eve,
    ):
        token = (await call(ann, "answer_with_reflection", **asked))["loop"]
        again = {**asked, "draft": "2 + 2 = 6.", "loop": token}
        assert "loop" in await refused(eve, "answer_with_reflection", **again)
        first = await call(ann, "answer_with_reflection", **again)
        assert len(first["history"]) == 2


async def test_an_event_says_which_principal_it_is_about(tmp_path: Path) -> None:
    heard: list[dict[str, Any]] = []
    house = House(tmp_path)
    house.application.emit = lambda event, facts: heard.append(facts)
    async with house.open() as url, calling(url, house.let_in("ann"), project="shop") as ann:
        await call(ann, "has_seen_error_before", error=ERROR)
    assert heard
    whose = {"tenant": "acme", "project": "shop", "principal": "ann"}
    assert all(whose.items() <= facts.items() for facts in heard)


def test_a_role_may_do_what_those_before_it_may() -> None:
    reader, admin = (Principal(name="a", tenant="t", role=role) for role in ("reader", "admin"))
    assert not reader.may("writer")
    assert admin.may("writer")
    assert admin.may_call("anything")
    assert not reader.may_call("anything")


def test_the_process_itself_owns_no_conversation_by_name() -> None:
    own = Caller(conversation_id="c", client="editor")
    assert own.named(" talk ") == "talk"
    assert own.wrote("anybody:c")
    ann = Caller(conversation_id="c", principal="ann")
    assert ann.named("") == ""
    assert (ann.source, ann.wrote("ann/editor"), ann.wrote("anna/editor")) == (
        "ann/client", True, False,
    )  # fmt: skip
