"""Findings that the caller answers with a reason."""

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.dispute import CARRIED, disputed, unknown
from reflection_mcp.tools.judging.finding import finding_id
from reflection_mcp.tools.judging.scoring import evaluate
from tests.rows import each_row

FAULT = Check(kind="arithmetic", status="wrong", quote="12 * 3 = 38", stated="38", expected="36")
OTHER = Check(kind="grounding:name", status="wrong", stated="WAL", why="The context lacks it.")
FINE = Check(kind="arithmetic", status="ok", quote="12 * 3 = 36")
WHY = "the task defines it so"


def reasons(*checks: Check) -> list[str]:
    return [check.disputed for check in checks]


@each_row("name", [finding_id(FAULT), "12 * 3 = 38", "so  12 * 3 = 38 it is", "12 * 3"])
def test_a_finding_is_named_by_its_id_or_its_quote(name: str) -> None:
    assert reasons(*disputed((FAULT, OTHER, FINE), {name: f" {WHY}\n"})) == [WHY, "", ""]
    assert unknown((FAULT, OTHER), {name: WHY}) == ()


@each_row(("name", "why"), [("f-00000000", WHY), ("12", WHY), ("12 * 3", "wrong")])
def test_what_names_no_finding_or_gives_no_reason_disputes_nothing(name: str, why: str) -> None:
    assert reasons(*disputed((FAULT, OTHER), {name: why})) == ["", ""]


def test_names_that_no_finding_has_are_told() -> None:
    assert unknown((FAULT, FINE), {"f-00000000": WHY, "12 * 3 = 36": WHY}) == (
        "f-00000000", "12 * 3 = 36",
    )  # fmt: skip


def test_what_was_disputed_once_stays_so_in_later_attempts() -> None:
    earlier = disputed((FAULT,), {"12 * 3 = 38": WHY})
    assert reasons(*disputed((FAULT, OTHER), {}, earlier)) == [WHY, ""]
    assert reasons(*disputed((FAULT,), {}, (*earlier, *[OTHER] * CARRIED))) == [""]


def test_a_disputed_finding_lowers_nothing_and_is_still_there() -> None:
    checks = disputed((FAULT,), {"12 * 3 = 38": WHY})
    judged = evaluate(checks)
    assert (judged.flaws, judged.quality, judged.retry, judged.issues) == ((), None, False, ())
    assert judged.checks == checks
    assert judged.coverage == {}
