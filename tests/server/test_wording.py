"""Times and counts as they are told."""

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from reflection_mcp.server.wording import counted, in_json, to_the_second

EAST = datetime(2026, 11, 21, 21, 0, 0, 250, tzinfo=timezone(timedelta(hours=9)))


def test_a_time_is_told_in_utc_whatever_its_zone() -> None:
    assert to_the_second(EAST) == to_the_second(EAST.astimezone(UTC)) == "2026-11-21T12:00:00Z"
    assert in_json(EAST) == "2026-11-21T12:00:00.000250Z"


def test_what_json_has_no_form_for_is_a_bug() -> None:
    with pytest.raises(TypeError, match="Path has no form in JSON"):
        in_json(Path("x"))


def test_one_is_singular_and_all_else_is_plural() -> None:
    told = [counted(0, "fault"), counted(1, "strategy"), counted(2, "strategy")]
    assert told == ["0 faults", "1 strategy", "2 strategies"]
    assert counted(1_000, "time") == "1,000 times"
