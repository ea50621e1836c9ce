"""Look-ups: a log, and what it tells: shown, recurred, unresolved."""

from dataclasses import replace

import pytest

from reflection_mcp.store.contract import Store
from reflection_mcp.store.interactions import ErrorHistory, Lookup, Unresolved
from reflection_mcp.store.records import Reflection
from tests.contract.samples import EVERYWHERE, HERE, THERE, asked, at, learned, met, tried

pytestmark = pytest.mark.anyio


async def _row(store: Store, name: str = "lock") -> Reflection:
    row = await store.reflection(HERE, f"ref-{name}")
    assert row is not None
    return row


async def test_a_look_up_comes_back_as_it_was_logged(store: Store) -> None:
    logged = Lookup(
        id="look-full",
        at=at(1.5),
        signature="sig1:lock",
        verdict="similar",
        conversation_id="talk",
        source="desktop",
        summary="PermissionError: <path> ünlocked",
        error_type="PermissionError",
        matched_id="ref-lock",
        shown=("ref-lock", "str-lock"),
    )
    await store.log_lookup(HERE, logged)
    assert await store.lookup(HERE, "look-full") == logged
    assert await store.lookup(HERE, "look-none") is None


async def test_shown_counts_each_time_that_a_lesson_is_shown(store: Store) -> None:
    await store.record(HERE, met(learned("lock"), "e1"))
    await store.log_lookup(HERE, asked("1", shown=("ref-lock", "ref-lock", "ref-gone")))
    await store.log_lookup(HERE, asked("2", shown=("ref-lock",), signature="sig1:other"))
    await store.log_lookup(HERE, asked("3"))
    assert (await _row(store)).shown == 2


async def test_a_look_up_that_is_logged_again_counts_nothing(store: Store) -> None:
    await store.record(HERE, met(learned("lock"), "e1"))
    for _ in range(3):
        await store.log_lookup(HERE, asked("1", shown=("ref-lock",)))
    row = await _row(store)
    assert (row.shown, row.recurred) == (1, 0)
    assert (await store.stats(HERE)).lookups == 1


async def test_an_error_that_comes_back_after_its_lesson_was_shown_has_recurred(
    store: Store,
) -> None:
    await store.record(HERE, met(learned("lock"), "e1"))
    await store.log_lookup(HERE, asked("1"))
    assert (await _row(store)).recurred == 0
    await store.log_lookup(HERE, asked("2", shown=("ref-lock",)))
    assert (await _row(store)).recurred == 0, "this is the first time that it was shown"
    await store.log_lookup(HERE, asked("3", signature="sig1:other"))
    await store.log_lookup(THERE, asked("4"))
    assert (await _row(store)).recurred == 0, "other errors and other projects do not count"
    await store.log_lookup(HERE, asked("5"))
    await store.log_lookup(HERE, asked("6", shown=("ref-lock",)))
    row = await _row(store)
    assert (row.shown, row.recurred) == (2, 2)


async def test_errors_that_keep_being_asked_about_without_a_lesson_are_unresolved(
    store: Store,
) -> None:
    for number, (signature, minute) in enumerate(
        (("often", 5), ("often", 9), ("often", 7), ("twice", 1), ("twice", 2), ("once", 3))
    ):
        lookup = asked(
            str(number),
            signature=signature,
            minute=minute,
            summary=f"{signature} at {minute}",
            error_type="KeyError",
        )
        await store.log_lookup(HERE, lookup)
    often, twice = await store.unresolved(HERE)
    assert often == Unresolved(
        signature="often",
        summary="often at 9",
        error_type="KeyError",
        times=3,
        first_seen=at(5),
        last_seen=at(9),
    )
    assert (twice.signature, twice.times) == ("twice", 2)
    assert [each.signature for each in await store.unresolved(HERE, limit=1)] == ["often"]
    assert [e.signature for e in await store.unresolved(HERE, min_times=1)][-1] == "once"
    assert list(await store.unresolved(HERE, limit=0)) == []


async def test_a_failure_that_was_reported_and_never_looked_up_is_unresolved(store: Store) -> None:
    async def fail(name: str, signature: str, conversation: str, error: str = "no lock") -> None:
        attempt = tried(
            name, conversation=conversation, error_signature=signature, metadata={"error": error}
        )
        await store.add_attempt(HERE, attempt, event_id=name)

    for talk in ("a", "b"):
        await fail(f"lock-{talk}", "sig1:lock", talk)
        await fail(f"other-{talk}", "sig1:other", talk, error="")
        await fail(f"asked-{talk}", "sig1:asked", talk)
        await fail(f"known-{talk}", "known", talk)
    await fail("asked-again", "sig1:asked", "a")
    await store.record(HERE, met(learned("known", signature="known"), "e1"))
    await store.log_lookup(HERE, asked("1", signature="sig1:asked", conversation="a", summary="s"))
    found = {each.signature: each for each in await store.unresolved(HERE)}
    assert found == {
        "sig1:asked": replace(found["sig1:asked"], summary="s", times=3),
        "sig1:lock": Unresolved(
            signature="sig1:lock",
            summary="no lock",
            error_type=None,
            times=2,
            first_seen=at(0),
            last_seen=at(0),
        ),
    }


async def test_an_error_with_a_lesson_to_show_is_resolved(store: Store) -> None:
    await store.record(HERE, met(learned("shown"), "e1"))
    await store.record(EVERYWHERE, met(learned("known", signature="known"), "e2"))
    await store.record(HERE, met(learned("silent", signature="silent", lesson=""), "e3"))
    for number in range(2):
        for signature in ("shown", "known", "silent"):
            shown = ("ref-shown",) if signature == "shown" else ()
            lookup = asked(f"{signature}-{number}", signature=signature, shown=shown)
            await store.log_lookup(HERE, lookup)
    assert [each.signature for each in await store.unresolved(HERE)] == ["silent"]
    await store.forget(HERE, "ref-shown")
    assert [e.signature for e in await store.unresolved(HERE)] == ["shown", "silent"]


async def test_look_ups_of_the_project_and_the_global_one_are_counted_together(
    store: Store,
) -> None:
    await store.log_lookup(HERE, asked("1"))
    await store.log_lookup(EVERYWHERE, asked("2", minute=1))
    assert [each.times for each in await store.unresolved(HERE)] == [2]
    assert list(await store.unresolved(EVERYWHERE)) == []


async def test_an_error_is_known_to_have_been_reported_and_looked_up_without_any_lesson(
    store: Store,
) -> None:
    assert await store.met(HERE, "sig1:lock") == ErrorHistory()
    for number in range(3):
        failed = tried(f"{number}", minute=number, error_signature="sig1:lock")
        await store.add_attempt(HERE, failed, event_id=f"e{number}")
    await store.add_attempt(HERE, tried("else", error_signature="sig1:other"), event_id="else")
    await store.add_attempt(THERE, tried("there", error_signature="sig1:lock"), event_id="there")
    for number in range(2):
        await store.log_lookup(HERE, asked(f"{number}"))
    await store.log_lookup(EVERYWHERE, asked("global"))
    here = await store.met(HERE, "sig1:lock")
    assert [each.id for each in here.attempts] == [tried(f"{n}").id for n in (2, 1, 0)]
    assert (here.looked_up, here.since) == (3, tried("0").at)
    await store.log_lookup(HERE, replace(asked("hook"), id="fail-1"))
    here = await store.met(HERE, "sig1:lock")
    assert (here.occurred, here.looked_up) == (1, 3)
    there = await store.met(THERE, "sig1:lock")
    assert (len(there.attempts), there.looked_up) == (1, 1)
    await store.log_lookup(EVERYWHERE, asked("alone", signature="sig1:asked"))
    alone = await store.met(HERE, "sig1:asked")
    assert (alone.attempts, alone.since) == ((), asked("alone").at)
