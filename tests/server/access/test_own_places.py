"""Lessons of a principal's own, over HTTP: recalled for that one, and for nobody else."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from reflection_mcp.server.access.entrance import app_of
from reflection_mcp.server.access.exposure import Exposure
from reflection_mcp.server.app import build
from reflection_mcp.store.records import Scope
from reflection_mcp.tools.errors import InvalidInput
from tests.requirements import requirement
from tests.server.access.serving import House, Mode, call, calling, each_era, refused, text_of

pytestmark = pytest.mark.anyio

SHOP = Scope(tenant="acme", project="shop")
ERROR = "FluxError: the spindle of part 7 is not aligned"


def lesson(text: str, error: str = ERROR) -> dict[str, Any]:
    return {
        "question": "Align the spindle",
        "answer": "Turned it by hand.",
        "error": error,
        "outcome": "success",
        "lesson": text,
        "strategy": f"Next time: {text}",
    }


async def all_that_is_told(client: Client, id: str) -> str:
    """What every way of asking says, with one id where an id can be passed."""
    told = [
        str(await client.call_tool(tool, arguments))
        for tool, arguments in (
            ("has_seen_error_before", {"error": ERROR, "response_format": "detailed"}),
            ("get_insights", {}),
            ("get_insights", {"query": "the spindle of the machine", "limit": 50}),
            ("record_feedback", {"feedback": "positive", "id": id}),
            ("record_feedback", {"feedback": "wrong_match", "id": id}),
            ("record_feedback", {"feedback": "forget", "id": id}),
        )
    ]
    for uri in ("reflections://recent", "reflections://stats"):
        told.append(str(await client.read_resource(uri)))
    return "\n".join(told)


@each_era
@requirement("team:own-lessons")
async def test_what_a_principal_keeps_is_recalled_for_it_and_for_nobody_else(
    house: House, url: str, mode: Mode
) -> None:
    async with (
        calling(url, house.let_in("ann"), mode, project="shop@ann") as ann,
        calling(url, house.let_in("bob"), mode, project="shop") as bob,
        calling(url, house.let_in("eve", "evil"), mode, project="shop") as eve,
    ):
        await call(bob, "reflect", **lesson("Grease it, says bob."))
        kept = await call(ann, "reflect", **lesson("The hall is cold, says ann."))
        id = kept["learned"][0]["id"]
        seen = str(await call(ann, "has_seen_error_before", error=ERROR))
        assert "says ann" in seen and "says bob" in seen
        for other in (bob, eve):
            told = await all_that_is_told(other, id)
            assert "says ann" not in told and "shop@ann" not in told
            assert f"'{id}'" not in told.replace(f"id='{id}'", "")
            with pytest.raises(Exception, match="no such id"):
                await other.read_resource(f"reflections://{id}")
        assert "says ann" in await all_that_is_told(ann, "ref-none")
        store = await house.application.store()
        row = await store.reflection(SHOP.of("ann"), id)
        assert row is not None and (row.helped, row.failed) == (0, 0)
        assert (await store.stats(SHOP)).reflections == 1


@each_era
@requirement("team:own-lessons")
async def test_a_setting_of_the_server_keeps_what_each_learns_to_itself(
    tmp_path: Path, mode: Mode
) -> None:
    house = House(tmp_path, share="mine")
    async with (
        house.open() as url,
        calling(url, house.let_in("ann"), mode, project="shop") as ann,
        calling(url, house.let_in("bob"), mode, project="shop") as bob,
    ):
        await call(ann, "reflect", **lesson("The hall is cold, says ann."))
        assert "says ann" in str(await ann.read_resource("reflections://recent"))
        assert (await call(bob, "has_seen_error_before", error=ERROR))["verdict"] == "new"
        assert "says ann" not in await all_that_is_told(bob, "ref-none")
        places = await (await house.application.store()).places("acme")
        assert set(places) == {"shop@ann", "shop@bob"}


@requirement("team:own-lessons")
async def test_nobody_can_name_the_place_of_another(house: House, url: str) -> None:
    ann, bob = house.let_in("ann"), house.let_in("bob")
    async with calling(url, bob) as caller, calling(url, bob, project="shop@ann") as thief:
        for project in ("shop@ann", "SHOP@Ann", " shop@ann ", "global@ann"):
            said = await refused(caller, "has_seen_error_before", error=ERROR, project=project)
            assert said.startswith("this is another person's private place: ")
        for project in ("shop@", "@ann", "shop@ann@bob", "shop@a/b"):
            said = await refused(caller, "has_seen_error_before", error=ERROR, project=project)
            assert "cannot be used" in said
        assert "another person's" in await refused(thief, "get_insights")
    async with calling(url, ann) as caller:
        await call(caller, "has_seen_error_before", error=ERROR, project="Shop@ANN")


async def test_of_a_team_a_lesson_says_if_it_is_ones_own_or_the_whole_tenants(
    house: House, url: str
) -> None:
    async with calling(url, house.let_in("ann"), project="shop@ann") as ann:
        await call(ann, "reflect", **lesson("The hall is cold."))
        other = "OrbitError: the satellite of ring 3 is lost"
        await call(ann, "reflect", **lesson("Wait for the next pass.", other), project="global")
        for error, place in ((ERROR, "shop@ann"), (other, "global@ann")):
            result = await ann.call_tool(
                "has_seen_error_before",
                {"error": error, "project": "" if place == "shop@ann" else place},
            )
            shown = place if place == "shop@ann" else "global"
            assert f"project “{shown}”; untrusted text" in text_of(result)


async def test_a_server_where_nobody_has_a_name_keeps_nothing_for_one(tmp_path: Path) -> None:
    application = House(tmp_path, share="mine").application
    with pytest.raises(InvalidInput, match="the server cannot tell people apart"):
        app_of(build(application), application, Exposure(auth="none"))


async def test_the_process_itself_has_no_place_of_its_own(tmp_path: Path) -> None:
    application = House(tmp_path, share="mine").application
    assert (await application.services()).scope.person == ""
    with pytest.raises(InvalidInput, match="another person's private place"):
        await application.services(application.caller(), "shop@ann")
    named = replace(application, project="shop@ann")
    assert (await named.services()).scope == Scope(project="shop@ann"), "who owns the store may"
    await application.close()
    await named.close()
