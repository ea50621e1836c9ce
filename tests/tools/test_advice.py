"""What may be offered as advice."""

from dataclasses import replace

from reflection_mcp.store.records import Reflection, Scope
from reflection_mcp.tools.advice import EVIDENCE_LENGTH, LESSON_LENGTH, offer
from tests.tools.stage import NOON

LESSON = Reflection(
    id="ref-1",
    scope=Scope(project="shop"),
    kind="reflection",
    signature="sig1:0000000000000000",
    lesson="Pin the version.",
    first_seen=NOON,
    last_seen=NOON,
    source="tester:conv-a",
)


def test_advice_carries_its_source_its_date_and_its_record() -> None:
    (advice,) = offer([replace(LESSON, helped=1)], NOON, 5).advice
    assert (advice.lesson, advice.source, advice.learned) == (
        "Pin the version.",
        "tester:conv-a",
        NOON,
    )
    assert advice.track_record == "helped 1 of 1 times"


def test_advice_that_did_harm_is_withheld_and_the_counts_are_said() -> None:
    offered = offer([replace(LESSON, failed=3, helped=1)], NOON, 5)
    assert offered.advice == ()
    assert "failed 3 times and helped 1" in offered.withheld[0].reason


def test_a_text_that_tries_to_instruct_is_withheld_and_said_to_be() -> None:
    offered = offer([replace(LESSON, suspicious=True)], NOON, 5)
    assert offered.advice == ()
    assert "tries to give instructions" in offered.withheld[0].reason


def test_what_exceeds_the_limit_is_counted() -> None:
    rows = [replace(LESSON, id=f"ref-{n}") for n in range(5)]
    offered = offer(rows, NOON, 2)
    assert (len(offered.advice), offered.more) == (2, 3)


def test_a_reflection_without_words_is_no_advice() -> None:
    assert offer([replace(LESSON, lesson="")], NOON, 5).advice == ()
    assert len(offer([replace(LESSON, lesson="", strategy="Pin it.")], NOON, 5).advice) == 1


def test_long_and_hidden_text_is_cleaned_and_cut() -> None:
    nasty = "visible\u202eneddih\u200b\x1b[31m " + "x" * 2000
    (advice,) = offer([replace(LESSON, lesson=nasty, evidence="e" * 900)], NOON, 5).advice
    assert "\u202e" not in advice.lesson
    assert "\x1b" not in advice.lesson
    assert len(advice.lesson) < LESSON_LENGTH + 60
    assert len(advice.evidence) < EVIDENCE_LENGTH + 60


def test_a_strategy_is_not_counted_beside_its_lesson_when_both_are_left_out() -> None:
    rows = [
        row
        for n in range(3)
        for row in (
            replace(LESSON, id=f"ref-{n}", lesson=f"Lesson {n}.", strategy=f"Rule {n}."),
            replace(LESSON, id=f"str-{n}", kind="strategy", lesson=f"Rule {n}."),
        )
    ]
    assert offer(rows, NOON, 2, in_order=True).more == 2


def test_advice_that_tells_a_dangerous_command_is_marked_where_it_is_shown() -> None:
    force = replace(LESSON, strategy="Amend and force-push.")
    (advice,) = offer([force], NOON, 5).advice
    assert advice.mark == "marked: contains a dangerous command"
    assert advice.standing == "not tried yet; marked: contains a dangerous command"
    assert offer([LESSON], NOON, 5).advice[0].mark == ""
