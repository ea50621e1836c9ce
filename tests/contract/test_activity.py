"""What happened and when: days, track records, look-ups, votes, places of a tenant, and pages."""

from dataclasses import replace
from datetime import date, datetime, timedelta

import pytest

from reflection_mcp.store.contract import Store
from reflection_mcp.store.interactions import Lookup
from reflection_mcp.store.lesson_versions import first_id, version_id
from reflection_mcp.store.records import Attempt, Reflection, Scope
from reflection_mcp.store.state import DailyActivity, Stats, TrackRecord, Vote
from reflection_mcp.store.terms import Order
from tests.contract.samples import (
    EVERYWHERE,
    HERE,
    STRANGER,
    THERE,
    asked,
    at,
    learned,
    met,
    said,
    tried,
)
from tests.requirements import requirement

pytestmark = pytest.mark.anyio

TODAY = date(2026, 11, 21)
A_DAY = 24 * 60  # minutes
LAST_MINUTE = 16 * 60 - 1  # of the day of `at(0)`
ORDERS: tuple[Order, ...] = ("newest", "most_met", "importance")


def on(days: int) -> date:
    return TODAY + timedelta(days=days)


async def logged(store: Store, name: str, minute: float, *, scope: Scope = HERE) -> None:
    """A look-up that found the lesson of the lock, and showed it."""
    lookup = asked(name, minute=minute, verdict="same", shown=("ref-lock",), matched_id="ref-lock")
    await store.log_lookup(scope, lookup)


# --------------------------------------------------------------------- days


@requirement("overview:days")
async def test_a_day_counts_look_ups_votes_and_attempts(store: Store) -> None:
    await store.record(HERE, met(learned("lock"), "e1"))
    await store.log_lookup(HERE, asked("unknown", minute=1, signature="sig1:other"))
    await logged(store, "first", 2)
    await logged(store, "again", 3)
    await store.log_lookup(HERE, asked("late", minute=LAST_MINUTE, signature="sig1:other"))
    for number, quality in enumerate((0.5, 0.25, None)):
        attempt = tried(str(number), quality=quality)
        await store.add_attempt(HERE, attempt, event_id=str(number))
    await store.apply_feedback(HERE, said("positive", "ref-lock", minute=4, by="ann"))
    await store.apply_feedback(HERE, said("negative", "ref-lock", minute=5, by="bob"))
    await store.apply_feedback(HERE, said("negative", "ref-lock", minute=6, by="cyd"))
    assert await store.activity(HERE, TODAY, TODAY) == [
        DailyActivity(
            day=TODAY,
            lookups={"new": 2, "same": 2},
            shown=2,
            recurred=1,
            positive=1,
            negative=2,
            attempts=3,
            mean_quality=0.375,
        )
    ]


async def test_a_vote_on_an_attempt_is_none_on_advice(store: Store) -> None:
    await store.add_attempt(HERE, tried("one", quality=0.5), event_id="one")
    await store.apply_feedback(HERE, said("positive", "att-one"))
    assert await store.activity(HERE, TODAY, TODAY) == [
        DailyActivity(day=TODAY, attempts=1, mean_quality=0.7)
    ]


async def test_every_day_from_the_first_to_the_last_is_there_once(store: Store) -> None:
    await logged(store, "first", LAST_MINUTE)
    await logged(store, "second", LAST_MINUTE + 1)
    await logged(store, "too late", 3 * A_DAY)
    days = await store.activity(HERE, on(-1), on(2))
    assert [each.day for each in days] == [on(-1), on(0), on(1), on(2)]
    assert [each.lookups for each in days] == [{}, {"same": 1}, {"same": 1}, {}]
    assert [each.recurred for each in days] == [0, 0, 1, 0]
    assert await store.activity(HERE, on(2), on(1)) == []


async def test_a_day_knows_of_its_own_project_alone(store: Store) -> None:
    for scope in (THERE, EVERYWHERE, STRANGER):
        await store.record(scope, met(learned("lock"), "e1"))
        await logged(store, "one", 1, scope=scope)
        await store.add_attempt(scope, tried("one", quality=0.5), event_id="one")
        await store.apply_feedback(scope, said("positive", "ref-lock"))
    assert await store.activity(HERE, TODAY, TODAY) == [DailyActivity(day=TODAY)]


async def test_a_look_up_that_is_forgotten_is_counted_no_more(store: Store) -> None:
    await logged(store, "first", 1)
    await logged(store, "again", 2)
    await store.log_lookup(HERE, asked("new", minute=3, signature="sig1:other"))
    assert await store.forget(HERE, "look-again")
    (day,) = await store.activity(HERE, TODAY, TODAY)
    assert (day.lookups, day.shown, day.recurred) == ({"new": 1, "same": 1}, 1, 0)
    assert await store.forget(HERE, "look-first")
    (day,) = await store.activity(HERE, TODAY, TODAY)
    assert (day.lookups, day.shown) == ({"new": 1}, 0)
    stats = await store.stats(HERE)
    assert (stats.lookups_by_verdict, stats.first_at) == ({"new": 1}, at(3))


async def test_an_error_recurs_when_it_matches_what_was_shown_for_it_before(store: Store) -> None:
    shown = asked("0", shown=("ref-lock",))
    for number, lookup in enumerate(
        (
            replace(shown, matched_id="ref-lock"),
            replace(shown, matched_id="ref-lock", signature="sig1:unshown"),
            replace(shown, matched_id="ref-other"),
            replace(shown, matched_id=None),
            replace(shown, matched_id="ref-lock", shown=()),
        )
    ):
        await store.log_lookup(HERE, replace(lookup, id=f"look-{number}"))
    (day,) = await store.activity(HERE, TODAY, TODAY)
    assert (day.shown, day.recurred) == (4, 1)


# --------------------------------------------------------------------- one reflection


async def test_the_look_ups_that_matched_a_reflection_are_counted_by_day(store: Store) -> None:
    for minute in (0, 1, LAST_MINUTE, LAST_MINUTE + 1, 2 * A_DAY):
        await logged(store, str(minute), minute)
    await store.log_lookup(HERE, asked("other", matched_id="ref-other", minute=2))
    await store.log_lookup(HERE, asked("shown only", shown=("ref-lock",), minute=3))
    await logged(store, "elsewhere", 4, scope=THERE)
    found = await store.daily_lookups(
        HERE, ["ref-lock", "ref-other", "ref-none", "ref-lock"], since=at(1)
    )
    assert list(found) == ["ref-lock", "ref-other", "ref-none"]
    assert list(found["ref-lock"].items()) == [(on(0), 2), (on(1), 1), (on(2), 1)]
    assert (found["ref-other"], found["ref-none"]) == ({on(0): 1}, {})
    assert await store.daily_lookups(HERE, [], since=at(1)) == {}
    assert await store.daily_lookups(HERE, ["ref-lock"], since=at(3 * A_DAY)) == {"ref-lock": {}}


@requirement("overview:came-back")
async def test_what_came_back_is_counted_by_reflection_as_it_is_by_day_and_in_all(
    store: Store,
) -> None:
    for name in ("lock", "pool", "disk"):
        await store.record(HERE, met(learned(name), name))
    for minute in (0, 1, A_DAY, 2 * A_DAY):
        await logged(store, f"lock-{minute}", minute)
    for name in ("pool", "disk"):
        shown = asked(name, matched_id=f"ref-{name}", shown=(f"ref-{name}",), signature=name)
        await store.log_lookup(HERE, shown)
        await store.log_lookup(HERE, replace(shown, id=f"look-{name}-2", at=at(3)))
    await store.log_lookup(HERE, asked("similar", shown=("ref-lock",), minute=5))
    await logged(store, "elsewhere", 4, scope=THERE)
    found = await store.track_records(HERE, since=at(0))
    assert {name: each.recurred for name, each in found.items()} == {
        "ref-lock": 3, "ref-disk": 1, "ref-pool": 1,
    }  # fmt: skip
    days = await store.activity(HERE, TODAY, on(2))
    assert sum(each.recurred for each in found.values()) == sum(day.recurred for day in days) == 5
    assert (await store.stats(HERE)).recurred == 5
    assert await store.track_records(HERE, since=at(A_DAY)) == {"ref-lock": TrackRecord(recurred=2)}
    assert await store.track_records(HERE, since=at(3 * A_DAY)) == {}


@requirement("overview:came-back")
async def test_a_track_record_of_a_time_counts_the_votes_on_a_lesson_whatever_its_words(
    store: Store,
) -> None:
    rows = [learned("lock"), learned("pool"), learned("rule", kind="strategy"), learned("gone")]
    for row in rows:
        await store.record(HERE, met(row, row.id))
    await store.record(EVERYWHERE, met(learned("all"), "all"))
    await store.add_attempt(HERE, tried("one"), event_id="one")
    targets = ("ref-lock", first_id(rows[0]), "ref-all", "ref-rule", "ref-gone", "att-one")
    for minute, target in enumerate(targets):
        await store.apply_feedback(HERE, said("negative", target, minute=minute, by=target))
    await store.apply_feedback(HERE, said("positive", "ref-lock", minute=A_DAY, by="bob"))
    await store.forget(HERE, "ref-gone")
    other = met(learned("pool", lesson="other words"), "other", by="bob")
    await store.record(HERE, other)
    version = version_id("ref-pool", "other words", "")
    await store.apply_feedback(HERE, said("negative", version, by="eve"))
    assert await store.track_records(HERE, since=at(0)) == {
        "ref-lock": TrackRecord(helped=1, failed=2), "ref-pool": TrackRecord(failed=1),
    }  # fmt: skip
    assert await store.track_records(HERE, since=at(A_DAY)) == {"ref-lock": TrackRecord(helped=1)}
    assert await store.track_records(EVERYWHERE, since=at(0)) == {"ref-all": TrackRecord(failed=1)}


# --------------------------------------------------------------------- look-ups and votes


async def test_look_ups_come_newest_first_and_by_what_they_asked_and_found(store: Store) -> None:
    for name, minute, signature, matched in (
        ("a", 1, "sig1:lock", "ref-lock"),
        ("b", 3, "sig1:lock", None),
        ("c", 3, "sig1:other", "ref-lock"),
        ("d", 2, "sig1:other", None),
    ):
        lookup = asked(name, minute=minute, signature=signature, matched_id=matched)
        await store.log_lookup(HERE, lookup)
    for scope in (THERE, EVERYWHERE, STRANGER):
        await store.log_lookup(scope, asked(f"of {scope}", matched_id="ref-lock"))

    def names(found: list[Lookup]) -> str:
        return "".join(each.id[-1] for each in found)

    assert names([*await store.lookups(HERE)]) == "bcda"
    assert names([*await store.lookups(HERE, signature="sig1:lock")]) == "ba"
    assert names([*await store.lookups(HERE, matched_id="ref-lock")]) == "ca"
    assert names([*await store.lookups(HERE, since=at(2))]) == "bcd"
    both = await store.lookups(HERE, signature="sig1:other", matched_id="ref-lock", since=at(3))
    assert [*both] == [asked("c", minute=3, signature="sig1:other", matched_id="ref-lock")]
    assert names([*await store.lookups(HERE, limit=2)]) == "bc"
    assert names([*await store.lookups(HERE, limit=-1)]) == ""


async def test_votes_come_newest_first_with_who_cast_them_when_and_why(store: Store) -> None:
    await store.record(HERE, met(learned("lock"), "e1"))
    await store.add_attempt(HERE, tried("one", quality=0.5), event_id="one")
    told = replace(said("positive", "ref-lock", minute=1, said_in="a"), comment="it works")
    await store.apply_feedback(HERE, told)
    await store.apply_feedback(HERE, said("positive", "ref-lock", minute=4, said_in="b"))
    await store.apply_feedback(HERE, said("negative", "ref-lock", minute=5, said_in="b"))
    await store.apply_feedback(HERE, said("negative", "att-one", minute=5, by="bob"))
    version = version_id("ref-lock", "the lesson of lock", "")
    first = Vote(
        target_id="ref-lock",
        kind="positive",
        at=at(1),
        source="ann",
        version=version,
        comment="it works",
        occasion="a 2026-11-21",
    )
    changed = replace(first, kind="negative", at=at(5), comment="", occasion="b 2026-11-21")
    judged = Vote(target_id="att-one", kind="negative", at=at(5), source="bob")
    assert [*await store.votes(HERE)] == [judged, changed, first]
    assert [*await store.votes(HERE, target_id="ref-lock")] == [changed, first]
    assert [*await store.votes(HERE, target_id=version, since=at(2))] == [changed]
    assert [*await store.votes(HERE, target_id="att-one")] == [judged]
    assert [*await store.votes(HERE, target_id="ref-loc")] == []
    assert [*await store.votes(HERE, since=at(5))] == [judged, changed]
    assert [*await store.votes(HERE, limit=1)] == [judged]
    assert [*await store.votes(THERE)] == []


# --------------------------------------------------------------------- places


async def test_the_places_of_a_tenant_are_its_projects_with_counts_of_their_own(
    store: Store,
) -> None:
    await store.record(HERE, met(learned("lock"), "e1"))
    await store.record(EVERYWHERE, met(learned("all", minute=7), "e2"))
    await store.log_lookup(THERE, asked("one"))
    judged = Scope(tenant="acme", project="audit")
    await store.add_attempt(judged, tried("one", quality=0.5), event_id="one")
    await store.record(STRANGER, met(learned("lock"), "e1"))
    looked_at = Scope(tenant="acme", project="looked at")
    await store.reflections(looked_at)
    emptied = Scope(tenant="acme", project="emptied")
    await store.record(emptied, met(learned("gone"), "e1"))
    await store.forget(emptied, "ref-gone")
    found = await store.places("acme")
    assert list(found) == ["audit", "bank", "global", "shop"]
    assert (found["shop"].reflections, found["bank"].lookups, found["audit"].attempts) == (1, 1, 1)
    assert found["global"] == Stats(reflections=1, occurrences=1, first_at=at(7), last_at=at(7))
    assert list(await store.places("rival")) == ["shop"]
    assert await store.places("nobody") == {}


# --------------------------------------------------------------------- pages


async def _some_rows(store: Store) -> None:
    """Rows of two projects that tie in every order; one id is in both."""
    for number in range(12):
        name = "twin" if number < 2 else f"{number:02}"
        scope = HERE if number % 2 else EVERYWHERE
        row = learned(name, minute=number // 4, importance=(0.25, 0.5, 0.75)[number % 3])
        for time in range((1, 1, 1, 2, 3)[number % 5]):
            await store.record(scope, met(row, f"{number} {time}"))


@requirement("overview:pages")
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("size", [1, 2, 5])
async def test_page_after_page_shows_each_row_once_in_the_order_of_the_list(
    store: Store, order: Order, size: int
) -> None:
    await _some_rows(store)
    pages: list[Reflection] = []
    while page := await store.reflections(
        HERE, order=order, limit=size, after=pages[-1] if pages else None
    ):
        pages += page
    assert pages == [*await store.reflections(HERE, order=order, limit=50)]
    assert len({(row.id, row.scope) for row in pages}) == 12


@pytest.mark.parametrize("order", ORDERS)
async def test_the_next_page_begins_behind_the_last_row_even_if_that_is_gone(
    store: Store, order: Order
) -> None:
    await _some_rows(store)
    whole = await store.reflections(HERE, order=order, limit=50)
    last = whole[4]
    await store.record(HERE, met(learned("new", minute=99, importance=1.0), "new"))
    await store.forget(last.scope, last.id)
    rest = await store.reflections(HERE, order=order, limit=50, after=last)
    assert [row for row in rest if row.id != "ref-new"] == [*whole[5:]]


async def test_a_page_keeps_the_filters_of_the_list(store: Store) -> None:
    for number in range(6):
        row = learned(f"{number}", minute=number, error_type=("KeyError", "OSError")[number % 2])
        await store.record(HERE, met(row, f"{number}"))
    first = await store.reflections(HERE, error_type="KeyError", limit=2)
    rest = await store.reflections(HERE, error_type="KeyError", limit=2, after=first[-1])
    assert [row.id for row in (*first, *rest)] == ["ref-4", "ref-2", "ref-0"]


# --------------------------------------------------------------------- moments


async def test_a_day_ends_at_midnight_utc_wherever_the_clock_is(store: Store) -> None:
    east = datetime.fromisoformat("2026-11-22T01:30:00+03:00")
    await store.log_lookup(HERE, replace(asked("east"), at=east))
    attempt: Attempt = replace(tried("east"), at=east)
    await store.add_attempt(HERE, attempt, event_id="east")
    (day,) = await store.activity(HERE, TODAY, TODAY)
    assert (day.lookups, day.attempts) == ({"new": 1}, 1)
