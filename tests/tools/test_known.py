"""Which stored error a text is, where several have one message, and what is kept of each."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from reflection_mcp.store.open import open_store
from reflection_mcp.tools.feedback.record_feedback import FeedbackRequest, record_feedback
from reflection_mcp.tools.identity import signature_of
from reflection_mcp.tools.recall.has_seen_error_before import SeenBefore
from tests.identity.test_nearness import PRICE, QUANTITY
from tests.new_store import placed
from tests.tools.stage import Stage
from tests.tools.test_has_seen_error_before import ask, learn

pytestmark = pytest.mark.anyio

LOAD = "error: shop has no command 'lod'\nhint: did you mean 'load' here"
LOG = LOAD.replace("load", "log")
"""One message that two programs explain differently: two errors with one signature."""


def later(error: str) -> str:
    """The same, met again after the file was edited."""
    return error.replace("line 12", "line 37")


def lessons(answer: SeenBefore) -> list[str]:
    return [advice.lesson for advice in answer.offer.advice]


@pytest.fixture(params=["memory", "sqlite"])
async def stage(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Stage]:
    where = "memory:" if request.param == "memory" else placed(tmp_path / "store.db")
    store = await open_store(where)
    yield Stage(store=store)
    await store.close()


async def test_what_is_learned_of_another_error_with_this_signature_is_kept_beside_it(
    stage: Stage,
) -> None:
    assert signature_of(LOAD) == signature_of(LOG)
    services = stage.services()
    await learn(services, error=LOAD, lesson="It is called load.")
    assert not (await ask(services, LOG)).seen
    await learn(services, error=LOG, lesson="It is called log.")
    assert lessons(await ask(services, LOAD)) == ["It is called load."]
    assert lessons(await ask(services, LOG)) == ["It is called log."]


async def test_that_is_so_although_the_error_itself_is_known_to_every_project(stage: Stage) -> None:
    services = stage.services(project="shop")
    await learn(services, error=LOAD, lesson="It is called load.")
    await learn(stage.services(project="global"), error=LOG, lesson="Write it out: log.")
    await learn(services, error=LOG, lesson="It is called log.")
    assert lessons(await ask(services, LOAD)) == ["It is called load."]


async def test_what_only_the_global_project_has_of_another_error_changes_no_signature(
    stage: Stage,
) -> None:
    shop = stage.services(project="shop")
    await learn(stage.services(project="global"), error=LOG, lesson="It is called log.")
    await learn(shop, error=LOAD, lesson="It is called load.")
    rows = await stage.store.reflections(shop.scope)
    assert [row.signature for row in rows] == [signature_of(LOAD)] * 2


async def test_an_error_that_every_project_knows_is_counted_on_what_this_one_has_of_it(
    stage: Stage,
) -> None:
    shop, everybody = stage.services(project="shop"), stage.services(project="global")
    await learn(shop, error=LOAD, lesson="It is called load.")
    await learn(everybody, error=LOAD, lesson="Write it out: load.")
    await learn(shop, error=LOAD, lesson="It is called load.")
    rows = await stage.store.reflections(shop.scope)
    assert sorted((row.scope.project, row.occurrences) for row in rows) == [
        ("global", 1),
        ("shop", 2),
    ]


async def test_two_errors_that_a_person_parted_are_told_apart_in_both_directions(
    stage: Stage,
) -> None:
    assert signature_of(QUANTITY) == signature_of(PRICE)
    services = stage.services()
    await learn(services, error=QUANTITY, lesson="Fill in the quantity.")
    mistaken = await ask(services, PRICE)
    assert lessons(mistaken) == ["Fill in the quantity."]
    await record_feedback(services, FeedbackRequest(feedback="wrong_match", id=mistaken.lookup_id))
    await learn(services, error=PRICE, lesson="Fill in the price.")
    assert lessons(await ask(services, later(PRICE))) == ["Fill in the price."]
    first = await ask(services, later(QUANTITY))
    assert (first.verdict, first.why) == (
        "new",
        "somebody said that what is known about it belongs to another error; "
        f"record_feedback positive with {mistaken.lookup_id} takes that back",
    )
    await learn(services, error=QUANTITY, lesson="Fill in the quantity.")
    assert lessons(await ask(services, later(QUANTITY))) == ["Fill in the quantity."]
    assert lessons(await ask(services, later(PRICE))) == ["Fill in the price."]


async def test_a_place_tells_more_than_how_much_of_the_text_is_shared(stage: Stage) -> None:
    services = stage.services()
    job = "mail of the night shift goes out for tenant blue, with a copy to whoever asked for one\n"
    await learn(services, error=job + QUANTITY.splitlines()[-1], lesson="Send it again.")
    mistaken = await ask(services, QUANTITY)
    assert lessons(mistaken) == ["Send it again."]
    await record_feedback(services, FeedbackRequest(feedback="wrong_match", id=mistaken.lookup_id))
    await learn(services, error=QUANTITY, lesson="Fill in the quantity.")
    assert lessons(await ask(services, job + QUANTITY)) == ["Fill in the quantity."]


async def test_any_number_of_errors_with_one_signature_are_told_apart_in_the_end(
    stage: Stage,
) -> None:
    services = stage.services()
    errors = {name: QUANTITY.replace("quantity", name) for name in ("quantity", "price", "weight")}
    mistaken: list[str] = []
    for name in [*errors, *errors, *errors]:
        answer = await ask(services, errors[name])
        if lessons(answer) not in ([], [f"Fill in the {name}."]):
            await record_feedback(
                services, FeedbackRequest(feedback="wrong_match", id=answer.lookup_id)
            )
            mistaken.append(name)
        if lessons(answer) != [f"Fill in the {name}."]:
            await learn(services, error=errors[name], lesson=f"Fill in the {name}.")
    assert mistaken == ["price", "weight"]
    for name, error in errors.items():
        assert lessons(await ask(services, later(error))) == [f"Fill in the {name}."]


async def test_a_person_who_parted_them_by_mistake_brings_the_first_lesson_back(
    stage: Stage,
) -> None:
    services = stage.services()
    await learn(services, error=QUANTITY, lesson="Fill in the quantity.")
    mistaken = await ask(services, PRICE)
    await record_feedback(services, FeedbackRequest(feedback="wrong_match", id=mistaken.lookup_id))
    await learn(services, error=PRICE, lesson="Fill in the price.")
    await record_feedback(services, FeedbackRequest(feedback="positive", id=mistaken.lookup_id))
    assert lessons(await ask(services, later(QUANTITY))) == ["Fill in the quantity."]
    assert lessons(await ask(services, later(PRICE))) == ["Fill in the price."]


async def test_what_was_parted_without_a_difference_in_the_text_gives_way_to_what_came_after(
    stage: Stage,
) -> None:
    services, now = stage.services(), stage.at
    stage.at += timedelta(hours=1)  # by a clock that was fast
    await learn(services, error=PRICE, lesson="Fill in the quantity.")
    stage.at = now
    mistaken = await ask(services, PRICE)
    await record_feedback(services, FeedbackRequest(feedback="wrong_match", id=mistaken.lookup_id))
    await learn(services, error=PRICE, lesson="Fill in the price.")
    assert lessons(await ask(services, later(PRICE))) == ["Fill in the price."]
