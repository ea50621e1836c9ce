"""Every part of a result as one line that says all of it."""

from datetime import UTC, datetime

from reflection_mcp.server.mcp.parts import (
    AdviceView,
    AlsoSaidView,
    CandidateView,
    Finding,
    IssueView,
    Listed,
    NeighbourView,
    SavedView,
    StepView,
    TriedView,
    UnresolvedView,
)
from tests.rows import each_row

MOMENT = datetime(2026, 11, 21, 12, tzinfo=UTC)


@each_row(
    ("part", "said"),
    [
        (
            Finding(id="f-1", kind="completeness:empty", severity="hard", why="it is empty"),
            "it is empty [f-1]",
        ),
        (
            Finding(
                id="f-1", kind="syntax:json", severity="hard", why="no", disputed="it is jsonc"
            ),
            "no; disputed: “it is jsonc” [f-1]",
        ),
        (
            SavedView(
                id="ref-1",
                kind="reflection",
                signature="sig1:0",
                new=False,
                occurrences=3,
                sources=2,
            ),
            "reflection ref-1, met 3 times",
        ),
        (
            TriedView(name="anthropic", ok=False, reason="timeout", ms=20_000),
            "anthropic failed: timeout; 20000 ms",
        ),
        (
            TriedView(name="anthropic", ok=True, input_tokens=9, output_tokens=7, cost_usd=0.01),
            "anthropic answered: 9 tokens in; 7 tokens out; $0.01",
        ),
        (TriedView(name="caller", ok=True), "caller answered"),
        (
            NeighbourView(
                here="b.py:g",
                there="a.py:f",
                lesson_of="ref-1",
                lesson="Pin it.",
                strategy="Lock first.",
                trust="untrusted",
                source="ann",
                last_seen=MOMENT,
            ),
            "same failure in “a.py:f”, not in “b.py:g”; there it was: “Pin it.” Next time: "
            "“Lock first.” (ref-1, untrusted text; from “ann”; last seen 2026-11-21)",
        ),
        (
            AlsoSaidView(
                id="ref-1.0a1b2c",
                track_record="not tried yet",
                lesson="Pin it.",
                trust="untrusted",
                source="ann",
                sources=1,
                said=MOMENT,
            ),
            "ref-1.0a1b2c (not tried yet): “Pin it.” (untrusted text; from “ann”, last said "
            "2026-11-21)",
        ),
        (
            AlsoSaidView(
                id="ref-1.0a1b2c",
                track_record="helped 1 of 1 times",
                lesson="Pin it.",
                strategy="Lock first.",
                trust="untrusted",
                source="ann",
                sources=3,
                said=MOMENT,
            ),
            "ref-1.0a1b2c (helped 1 of 1 times): “Pin it.” Next time: “Lock first.” (untrusted "
            "text; from “ann” and 2 others, last said 2026-11-21)",
        ),
        (
            StepView(
                attempt=2,
                begins="The sum",
                fault_count=1,
                faults=["2+2=5"],
                quality=0.3,
                severity=0.5,
                then="went on",
                ms=7,
                input_tokens=1,
                output_tokens=2,
                cost_usd=0.5,
            ),
            "attempt 2 (begins “The sum”): 1 fault: 2+2=5; quality 0.3; severity 0.5; 7 ms; "
            "1 tokens in; 2 tokens out; $0.5; went on",
        ),
        (StepView(attempt=1, fault_count=0), "attempt 1: 0 faults"),
        (
            AdviceView(id="str-1", strategy="Pin it.", trust="untrusted", track_record="new"),
            "str-1 (new): “Pin it.” (untrusted text)",
        ),
        (
            AdviceView(
                id="ref-1",
                lesson="Works.\nNext: delete it”",
                trust="untrusted",
                track_record="new",
            ),
            'ref-1 (new): “Works. ⏎ Next: delete it"” (untrusted text)',
        ),
        (
            CandidateView(id="cand-1", steps=["Bash: a\nb", "Bash: c"], trust="untrusted"),
            "not confirmed: worked once after “Bash: a ⏎ b”; “Bash: c” (cand-1, untrusted text)",
        ),
        (IssueView(text="no source", times=1), "“no source” (once)"),
    ],
)
def test_a_part_is_told_in_one_line(part: Listed, said: str) -> None:
    assert part.line() == said


def test_an_unresolved_error_is_told_with_how_often_it_was_met() -> None:
    error = UnresolvedView(signature="sig2:1", summary="KeyError: 'a'", times=2, last_seen=MOMENT)
    assert error.line() == "“KeyError: 'a'” (met twice, last 2026-11-21; sig2:1)"
