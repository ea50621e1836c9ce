"""`errors`, and the days of `stats`: what came back, what helped, drawn in a line."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from reflection_mcp.server.application import Application, application_for
from reflection_mcp.server.commands import errors, place
from reflection_mcp.server.commands.bars import DAYS, bars, last_days
from reflection_mcp.server.settings.settings import Settings
from reflection_mcp.store.contract import Store
from reflection_mcp.store.records import Pattern
from tests.contract.samples import asked, learned, met, said, tried
from tests.requirements import requirement
from tests.rows import each_row
from tests.server.test_commands import SHOP, Fill, Run, fill, location, nothing, run

__all__ = ["fill", "location", "run"]

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let it be `NOW`."""
    made = application_for

    def application_then(settings: Settings, where: Path) -> Application:
        application = made(settings, where)
        application.clock = lambda: NOW
        return application

    monkeypatch.setattr(place, "application_for", application_then)


async def three_errors(store: Store) -> None:
    """One that came back today, one that was met most, one that failed; and a lesson of none."""
    pattern = Pattern(version="sig1", lines=("connection refused",))
    for ago, name in enumerate(("back", "met", "failed", "none")):
        row = learned(
            name,
            scope=SHOP,
            trigger="" if name == "none" else f"{name}: connection \x1b[31mrefused",
            pattern=None if name == "none" else pattern,
            error_type="ConnectionError",
        )
        seen = NOW - timedelta(hours=ago)
        row = replace(row, first_seen=seen, last_seen=seen)
        for time in range(3 if name == "met" else 1):
            await store.record(SHOP, met(row, f"{name} {time}"))
    for number, days in enumerate((5, 2, 0)):
        look = asked(
            f"{number}", verdict="same", matched_id="ref-back", shown=("ref-back",),
            signature="sig1:back",
        )  # fmt: skip
        await store.log_lookup(SHOP, replace(look, at=NOW - timedelta(days=days)))
    for by in ("ann", "bob"):
        vote = replace(said("negative", "ref-failed", by=by), at=NOW - timedelta(days=1))
        await store.apply_feedback(SHOP, vote)
    await store.add_attempt(SHOP, replace(tried("one", quality=0.5), at=NOW), event_id="one")


@requirement("overview:errors")
def test_the_error_that_came_back_most_is_listed_first(run: Run, fill: Fill) -> None:
    fill(three_errors)
    heading, *lines = run("errors").splitlines()
    assert " ".join(heading.split()) == (
        "id state 14 days met sources shown helped failed came back in 30 days last met error"
    )
    assert [line.split()[0] for line in lines] == ["ref-back", "ref-met", "ref-failed"]
    first = " ".join(lines[0].split())
    assert first.startswith("ref-back untried ········█··█·█ 1 1 3 0 0 2 ")
    assert first.endswith("“back: connection refused”")


@pytest.mark.parametrize(
    ("sort", "ids"),
    [
        ("came-back", ["back", "met", "failed"]),
        ("met", ["met", "back", "failed"]),
        ("failed", ["failed", "back", "met"]),
        ("newest", ["back", "met", "failed"]),
    ],
)
def test_each_order_has_its_first(run: Run, fill: Fill, sort: str, ids: list[str]) -> None:
    fill(three_errors)
    for limit in (0, 1, 20):
        rows = json.loads(run("errors", "--sort", sort, "--limit", str(limit), "--json"))
        assert [row["id"][4:] for row in rows] == (ids[:limit] if limit else ids)


def test_what_came_back_and_is_retired_is_listed_where_that_is_asked_for(
    run: Run, fill: Fill
) -> None:
    fill(three_errors)
    run("edit", "ref-back", "--retire")
    assert [row["id"] for row in json.loads(run("errors", "--json"))] == ["ref-met", "ref-failed"]
    assert json.loads(run("errors", "--retired", "--json"))[0]["id"] == "ref-back"


def test_a_program_gets_the_numbers_of_each_day(run: Run, fill: Fill) -> None:
    fill(three_errors)
    first, *_, last = json.loads(run("errors", "--json"))
    assert [each["lookups"] for each in first["days"]] == [0] * 8 + [1, 0, 0, 1, 0, 1]
    assert first["days"][-1]["day"] == str(NOW.date())
    assert (first["state"], first["came_back"], first["shown"]) == ("untried", 2, 3)
    assert (last["state"], last["failed"], last["error_type"]) == (
        "harmful", 2, "ConnectionError",
    )  # fmt: skip


def test_an_order_that_no_index_holds_is_over_those_met_last_and_says_so(
    run: Run, fill: Fill, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(three_errors)
    monkeypatch.setattr(errors, "MOST", 2)
    told = run("errors", "--sort", "failed", said="only the 2 errors met last are sorted")
    assert "ref-failed" not in told
    assert "ref-failed" in run("errors", "--sort", "newest")


def test_no_errors_are_said_beside_an_empty_output(run: Run, fill: Fill) -> None:
    fill(nothing)
    assert run("errors", said="nothing found") == ""
    assert run("errors", "--json") == "[]\n"


@requirement("overview:states")
def test_a_list_tells_the_state_of_each_row(run: Run, fill: Fill) -> None:
    fill(three_errors)
    rows = json.loads(run("list", "--json"))
    assert {row["id"][4:]: row["state"] for row in rows} == {
        "back": "untried", "met": "untried", "failed": "harmful", "none": "untried",
    }  # fmt: skip


@requirement("overview:days")
def test_stats_draw_the_last_days(run: Run, fill: Fill) -> None:
    fill(three_errors)
    told = [" ".join(line.split()) for line in run("stats").splitlines()]
    assert "last 14 days day by day sum" in told
    assert "looked up ········█··█·█ 3" in told
    assert "came back ···········█·█ 2" in told
    assert "failed ············█· 2" in told
    assert "mean quality ·············█ -" in told
    days = json.loads(run("stats", "--json"))["days"]
    assert len(days) == DAYS
    assert (days[-1]["lookups"], days[-1]["recurred"], days[-2]["negative"]) == ({"same": 1}, 1, 2)


@each_row(
    ("numbers", "drawn"),
    [
        ([], ""),
        ([0, 0], "··"),
        ([1, 2, 4, 8], "▁▂▄█"),
        ([0.001, 1], "▁█"),
        ([7, 10**9], "▁█"),
    ],
)
def test_bars_are_as_long_as_their_share_of_the_largest(numbers: list[float], drawn: str) -> None:
    assert bars(numbers) == drawn


def test_the_last_days_end_with_today_in_utc() -> None:
    days = last_days(datetime.fromisoformat("2026-11-22T01:30:00+03:00"))
    assert (str(days[0]), str(days[-1]), len(days)) == ("2026-11-08", "2026-11-21", 14)
