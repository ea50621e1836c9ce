"""What hooks have shown in a conversation, and the actions that failed in a project."""

from dataclasses import replace

import pytest

from reflection_mcp.store.contract import Store
from reflection_mcp.store.interactions import FailedAction, Showing
from reflection_mcp.store.records import Scope
from reflection_mcp.store.terms import FOUND_ACTIONS, MOST_FAILED_ACTIONS, SHOWINGS_LAST
from tests.contract.samples import EVERYWHERE, HERE, STRANGER, THERE, at

pytestmark = pytest.mark.anyio

SHOWN = Showing(conversation_id="talk", subject_id="ref-1", kind="lesson", at=at(0))
FAILED = FailedAction(
    id="npm install",
    heading="npm",
    tool="Bash",
    told="npm install",
    error="EUNSUPPORTEDPROTOCOL",
    conversation_id="talk",
    at=at(0),
)


async def actions(store: Store, *headings: str, scope: Scope = HERE) -> list[FailedAction]:
    return list(await store.failed_actions(scope, headings))


async def test_showings_come_back_in_their_order_and_each_once(store: Store) -> None:
    reminder = replace(SHOWN, kind="reminder", at=at(1))
    for showing in (SHOWN, reminder, replace(SHOWN, at=at(2))):
        await store.add_showing(HERE, showing)
    assert await store.showings(HERE, "talk") == [SHOWN, reminder]
    assert await store.showings(HERE, "another") == []


async def test_no_other_scope_sees_what_was_shown_or_failed(store: Store) -> None:
    await store.add_showing(EVERYWHERE, SHOWN)
    await store.count_action(EVERYWHERE, FAILED)
    for scope in (HERE, THERE, STRANGER):
        assert await store.showings(scope, "talk") == []
        assert await actions(store, "npm", scope=scope) == []


async def test_a_showing_is_forgotten_after_a_month_and_not_before(store: Store) -> None:
    for scope in (HERE, THERE):
        await store.add_showing(scope, SHOWN)
        await store.add_showing(scope, replace(SHOWN, subject_id="ref-2", at=at(1)))
    later = replace(SHOWN, conversation_id="later", at=at(1) + SHOWINGS_LAST)
    await store.add_showing(HERE, later)
    assert [each.subject_id for each in await store.showings(HERE, "talk")] == ["ref-2"]
    assert len(await store.showings(THERE, "talk")) == 2


async def test_a_failed_action_is_found_by_its_heading_the_newest_first(store: Store) -> None:
    newer = replace(FAILED, id="npm ci", told="npm ci", at=at(1))
    for action in (FAILED, newer, replace(FAILED, id="make", heading="make")):
        await store.count_action(HERE, action)
    assert await actions(store, "npm", "cargo") == [newer, FAILED]
    assert await actions(store) == []


async def test_failures_count_once_in_a_conversation_and_successes_each(store: Store) -> None:
    worked = replace(FAILED, failed=0, worked=1)
    again = replace(FAILED, told="npm  install", error="ENOENT", at=at(2))
    for action in (FAILED, worked, worked, again):
        await store.count_action(HERE, action)
    assert await actions(store, "npm") == [replace(again, failed=1, worked=2)]
    elsewhere = replace(again, conversation_id="another")
    await store.count_action(HERE, elsewhere)
    assert await actions(store, "npm") == [replace(elsewhere, failed=2, worked=2)]


async def test_what_only_worked_is_not_stored(store: Store) -> None:
    await store.count_action(HERE, replace(FAILED, failed=0, worked=1))
    assert await actions(store, "npm") == []


async def test_the_newest_failed_actions_stay_and_not_all_are_returned(store: Store) -> None:
    for number in range(MOST_FAILED_ACTIONS + 2):
        of = "old" if number < 10 else "npm"
        action = replace(FAILED, id=f"{number:04}", heading=of, at=at(number))
        await store.count_action(HERE, action)
    assert [each.id for each in await actions(store, "old")] == [
        f"{number:04}" for number in range(9, 1, -1)
    ]
    assert len(await actions(store, "npm")) == FOUND_ACTIONS


async def test_an_action_that_is_older_than_all_that_stay_is_not_stored(store: Store) -> None:
    for number in range(1, MOST_FAILED_ACTIONS + 1):
        await store.count_action(HERE, replace(FAILED, id=f"{number:04}", at=at(number)))
    await store.count_action(HERE, replace(FAILED, id="make", heading="old"))
    await store.count_action(HERE, replace(FAILED, id="0001", heading="old"))
    assert await actions(store, "old") == [replace(FAILED, id="0001", heading="old")]


async def test_what_no_store_can_carry_is_scrubbed(store: Store) -> None:
    await store.add_showing(HERE, replace(SHOWN, conversation_id="talk\0"))
    await store.count_action(HERE, replace(FAILED, told="npm\0 i", heading="npm\0"))
    assert await store.showings(HERE, "talk\0") == [SHOWN]
    assert [each.told for each in await actions(store, "npm\0")] == ["npm i"]
