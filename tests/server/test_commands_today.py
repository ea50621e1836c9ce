"""`today`: what happened since midnight, or since a day that is named."""

import json
from dataclasses import replace
from datetime import datetime, timedelta, timezone

from reflection_mcp.server.commands.today import midnight
from reflection_mcp.store.contract import Store
from reflection_mcp.store.records import Check
from tests.contract.samples import asked, learned, met, said, tried
from tests.server.test_commands import SHOP, Fill, Run, fill, location, nothing, run

__all__ = ["fill", "location", "run"]

SINCE = ("today", "--since", "2026-11-21T08:01:00")


async def a_day(store: Store) -> None:
    """A lesson of before and one of today, an error that came back, two votes, two answers."""
    for minute, name in ((0, "old"), (5, "lock")):
        row = learned(name, minute=minute, scope=SHOP, lesson=f"Close {name} before moving it.")
        await store.record(SHOP, met(row, name))
    look = asked("1", minute=6, verdict="exact", shown=("ref-lock",), summary="EBUSY: locked")
    await store.log_lookup(SHOP, replace(look, matched_id="ref-lock"))
    again = asked("3", minute=6.5, verdict="exact", matched_id="ref-lock", summary="EBUSY: locked")
    await store.log_lookup(SHOP, again)
    await store.log_lookup(SHOP, asked("2", minute=7, summary="EPERM"))
    await store.apply_feedback(SHOP, said("positive", "ref-lock", minute=8))
    await store.apply_feedback(SHOP, said("negative", "ref-old", minute=9))
    wrong = Check(kind="arithmetic", status="wrong")
    await store.add_attempt(SHOP, tried("a", minute=9, checks=(wrong,)), event_id="a")
    failed = Check(kind="evidence:outcome", status="wrong")
    await store.add_attempt(SHOP, tried("b", minute=9, checks=(failed,)), event_id="b")
    await store.apply_feedback(SHOP, said("negative", "att-b", minute=10))


def test_what_was_looked_up_learned_helped_and_harmed_is_counted(run: Run, fill: Fill) -> None:
    fill(a_day)
    told = [" ".join(line.split()) for line in run(*SINCE).splitlines()]
    assert "looked up 3 (2 exact, 1 new)" in told
    assert "came back 1 repeat after a lesson was shown (1 error), ref-lock" in told
    assert "learned 1" in told
    assert "helped 1 (ref-lock)" in told
    assert "harmed 1 (ref-old)" in told
    assert "checked 2, 1 with a proven fault" in told
    assert any(line.endswith("exact ref-lock “EBUSY: locked”") for line in told)
    assert any(line.endswith("new - “EPERM”") for line in told)
    assert "ref-lock “Close lock before moving it.”" in told


def test_the_same_is_told_to_programs(run: Run, fill: Fill) -> None:
    fill(a_day)
    told = json.loads(run(*SINCE, "--json"))
    assert [each["id"] for each in told["looked_up"]] == ["look-1", "look-3", "look-2"]
    assert told["came_back"] == {"ref-lock": 1}
    assert [each["id"] for each in told["learned"]] == ["ref-lock"]
    assert (told["helped"], told["harmed"]) == (["ref-lock"], ["ref-old"])
    assert (told["checked"], told["with_a_proven_fault"]) == (2, 1)


def test_a_day_on_which_nothing_happened_is_all_zeros(run: Run, fill: Fill) -> None:
    fill(nothing)
    told = run("today")
    assert "looked up" in told
    assert "verdict" not in told


def test_a_day_begins_at_midnight_where_the_machine_is() -> None:
    for hours in (0, 13):
        now = datetime(2026, 11, 21, 23, 30, tzinfo=timezone(timedelta(hours=hours)))
        begins = midnight(now)
        assert (begins.hour, begins.minute) == (0, 0)
        assert timedelta(0) <= now - begins < timedelta(days=1)
