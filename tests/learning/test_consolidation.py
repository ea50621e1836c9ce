"""A plan for a tidier memory."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from reflection_mcp.store.maintenance import StoredReflection
from reflection_mcp.store.records import Key, Lesson, Link, Pattern, Reflection, Scope, Wording
from reflection_mcp.tools.learning import contradiction, duplicates
from reflection_mcp.tools.learning.consolidation import (
    LOW,
    ConsolidationPlan,
    earned_importance,
    make_plan,
)
from tests.requirements import requirement
from tests.rows import each_row
from tests.tools.stage import NOON

LESSON = Reflection(
    id="ref-1",
    scope=Scope(project="shop"),
    kind="reflection",
    signature="sig1:0000000000000001",
    lesson="The importer of the warehouse needs a lease before it writes rows.",
    first_seen=NOON,
    last_seen=NOON,
    source="tester:a",
)


def row(id: str = "ref-1", lesson: str = LESSON.lesson, **more: Any) -> StoredReflection:
    reflection = replace(LESSON, id=id, signature=f"sig1:{id}", lesson=lesson, **more)
    said = (Wording(source=reflection.source, lesson=Lesson(text=lesson), at=NOON),)
    return StoredReflection(
        reflection=replace(reflection, wordings=said),
        keys=(Key(kind="lesson", digest=id),),
        author=reflection.source,
    )


def after(plan: ConsolidationPlan) -> dict[str, Reflection]:
    return {change.after.reflection.id: change.after.reflection for change in plan.changes}


def applied(rows: list[StoredReflection], plan: ConsolidationPlan) -> list[StoredReflection]:
    changed = {change.after.reflection.id: change.after for change in plan.changes}
    return [changed.get(each.reflection.id, each) for each in rows]


# --------------------------------------------------------------------- merging

TWIN = "The importer of the warehouse needs a lease before it writes a row."


@requirement("trace:later")
def test_two_rows_that_say_the_same_become_one_and_the_wording_stays() -> None:
    plan = make_plan([row(occurrences=3), row("ref-2", TWIN, source="tester:b")], NOON)
    kept, gone = after(plan)["ref-1"], after(plan)["ref-2"]
    assert gone.retired
    assert not kept.retired
    assert kept.occurrences == 4
    assert kept.sources == 2
    assert {said.lesson.text for said in kept.wordings} == {LESSON.lesson, TWIN}
    assert Link(kind="supersedes", target_id="ref-2") in kept.links
    assert plan.count("merge") == 1


def test_the_row_that_stays_is_found_by_the_keys_of_the_other() -> None:
    plan = make_plan([row(helped=1), row("ref-2", TWIN)], NOON)
    kept = next(c.after for c in plan.changes if c.after.reflection.id == "ref-1")
    assert {key.digest for key in kept.keys} == {"ref-1", "ref-2"}


@each_row(
    "other",
    [
        "The importer of the warehouse needs no lease before it writes rows.",
        "The importer of the warehouse needs a lease after it writes rows.",
        "The importer of the warehouse needs 2 leases before it writes rows.",
        "The importer of the warehouse needs a lease before it writes ROWS.",
        "The exporter of the annex needs a permit before it reads files.",
    ],
    ids=["negated", "opposite", "a number", "a name", "another subject"],
)
def test_a_word_that_decides_keeps_two_lessons_apart(other: str) -> None:
    assert make_plan([row(), row("ref-2", other)], NOON).count("merge") == 0


@each_row(
    ("one", "other"),
    [
        ("More replicas made the query faster.", "Fewer replicas made the query faster."),
        ("Copy it from staging to live.", "Copy it from live to staging."),
        ("The client waits for the server.", "The server waits for the client."),
        ("Run it while workers run.", "Run it unless workers run."),
        ("Mount the volume read only.", "Mount the volume read write."),
        ("Alert when x > 3.", "Alert when x < 3."),
        ("Compare with == there.", "Compare with != there."),
        ("The price is 5 % too high.", "The price is 5 € too high."),
        ("Use Python 3.11 there.", "Use Python 3.12 there."),
        ("Ask Alice before the deploy.", "Ask Robert before the deploy."),
        ("Commit the lock file.", "Refrain from committing the lock file."),
        ("Das Limit immer setzen.", "Das Limit nie setzen."),
    ],
)
def test_one_other_word_sign_or_order_keeps_two_lessons_apart(one: str, other: str) -> None:
    subject = "In the importer of the warehouse that serves the shops of the north, this holds: "
    rows = [row(lesson=subject + one), row("ref-2", subject + other)]
    assert make_plan(rows, NOON).count("merge") == 0


@each_row(
    ("one", "other"),
    [
        ("Don't close the channel.", "Do not close the channel"),
        ("The worker needs leases, and not locks.", "A worker needs a lease, not a lock."),
        ("Just close “it”.", "Close it"),
    ],
)
def test_articles_fillers_plurals_contractions_and_points_are_no_difference(
    one: str, other: str
) -> None:
    assert make_plan([row(lesson=one), row("ref-2", other)], NOON).count("merge") == 1


def test_lessons_about_different_errors_and_of_different_kinds_stay_apart() -> None:
    assert make_plan([row(), row("ref-2", TWIN, error_type="KeyError")], NOON).count("merge") == 0
    assert make_plan([row(), row("ref-2", TWIN, kind="strategy")], NOON).count("merge") == 0


def test_a_strategy_may_be_missing_on_one_side_and_may_not_differ() -> None:
    def twins(strategy: str) -> ConsolidationPlan:
        return make_plan([row(strategy="Take it."), row("ref-2", TWIN, strategy=strategy)], NOON)

    assert twins("take it").count("merge") == 1
    assert twins("").count("merge") == 1
    assert twins("Leave it.").count("merge") == 0


def test_errors_and_marked_texts_are_never_merged() -> None:
    error = Pattern(version="1", lines=("KeyError: <str>",))
    assert make_plan([row(), row("ref-2", TWIN, pattern=error)], NOON).count("merge") == 0
    assert make_plan([row(), row("ref-2", TWIN, suspicious=True)], NOON).count("merge") == 0


def test_of_three_that_say_the_same_those_with_one_strategy_become_one() -> None:
    strategies = {"ref-1": "", "ref-2": "Take it.", "ref-3": "Leave it."}
    rows = [row(id, TWIN, strategy=strategy).reflection for id, strategy in strategies.items()]
    groups = duplicates.duplicate_groups(rows)
    assert [[each.id for each in group] for group in groups] == [["ref-1", "ref-2"]]
    assert duplicates.duplicate_groups(rows[::-1]) == groups


def test_two_empty_lessons_are_not_compared() -> None:
    assert make_plan([row(lesson=""), row("ref-2", "")], NOON).count("merge") == 0


# --------------------------------------------------------------------- weighing, retiring


def test_what_recurs_and_helps_rises_up_to_a_limit() -> None:
    (step,) = make_plan([row(sources=8, occurrences=20)], NOON).steps
    assert str(step).startswith("raise         ref-1: met 20 times by 8 sources")
    assert earned_importance(replace(LESSON, sources=10**6, helped=99)) == 0.9
    assert earned_importance(replace(LESSON, helped=3)) > earned_importance(LESSON) == 0.5


def test_what_one_source_repeats_hardly_rises() -> None:
    assert earned_importance(replace(LESSON, occurrences=8)) < earned_importance(
        replace(LESSON, sources=2)
    )


def test_what_was_not_met_for_long_and_never_helped_sinks() -> None:
    old = row(last_seen=NOON - timedelta(days=200))
    assert after(make_plan([old], NOON))["ref-1"].importance == LOW
    thanked = row(last_seen=NOON - timedelta(days=200), helped=1)
    assert make_plan([thanked], NOON).count("lower") == 0


def test_what_sank_and_is_forgotten_is_retired_and_not_deleted() -> None:
    old = row(last_seen=NOON - timedelta(days=400), importance=LOW)
    plan = make_plan([old], NOON)
    assert after(plan)["ref-1"].retired
    assert "not met for 400 days" in str(plan.steps[0])


def test_what_did_harm_is_retired_after_some_time() -> None:
    fresh = row(failed=2)
    assert make_plan([fresh], NOON).count("retire") == 0
    old = row(failed=2, last_seen=NOON - timedelta(days=91))
    assert make_plan([old], NOON).count("retire") == 1


# --------------------------------------------------------------------- links


@requirement("trace:later")
def test_what_shares_an_error_type_a_file_a_tool_or_a_tag_is_linked() -> None:
    pattern = Pattern(version="1", lines=("x",), location="app/io.py:load")
    traits: dict[str, Any] = {
        "error_type": "KeyError",
        "pattern": pattern,
        "tags": ("io", "strategy"),
        "evidence": "outcome failure; in Bash; 2 events",
    }
    plan = make_plan([row(lesson="One.", **traits), row("ref-2", "Another.", **traits)], NOON)
    kinds = {link.kind for link in after(plan)["ref-1"].links}
    assert kinds == {"same_error_type", "same_file", "same_tool", "same_tag"}
    assert all(link.target_id == "ref-2" for link in after(plan)["ref-1"].links)


def test_a_row_gets_three_links_of_a_kind_and_a_crowd_none() -> None:
    def tagged(many: int) -> list[StoredReflection]:
        return [row(f"ref-{n:02}", f"Lesson {n} of {n}.", tags=("io", "db")) for n in range(many)]

    linked = after(make_plan(tagged(6), NOON))
    assert all(len(each.links) == duplicates.MOST_LINKS for each in linked.values())
    assert make_plan(tagged(duplicates.CROWD + 1), NOON).changes == ()


@requirement("trace:later")
def test_lessons_that_turn_each_other_around_are_marked_on_both_sides() -> None:
    one = row(lesson="Always take the lease of the importer before writing rows.")
    two = row("ref-2", "Never take the lease of the importer before writing rows.")
    plan = make_plan([one, two], NOON)
    assert after(plan)["ref-1"].links == (Link(kind="contradicts", target_id="ref-2"),)
    assert after(plan)["ref-2"].links == (Link(kind="contradicts", target_id="ref-1"),)
    assert "says the opposite of ref-2" in str(plan.steps[0])


@each_row(
    ("one", "two", "more"),
    [
        ("Take the lease of the importer.", "Do not take the lease of the importer.", True),
        ("Enable the cache of the importer.", "Disable the cache of the importer.", True),
        ("Disable the cache of the importer.", "Enable the cache of the importer.", True),
        ("Enable the cache of the importer.", "Disable the beeper of the phone.", False),
        ("Enable the cache of the importer.", "Enable the big cache of the importer.", False),
        ("Enable the cache in importer_2.", "Disable the cache in importer_3.", False),
        ("Enabled caches of the importer help.", "Disabled caches of the importer help.", True),
        ("The importer needs a lease.", "The exporter needs a lease.", False),
    ],
)
def test_a_contradiction_needs_one_subject_and_opposite_words(
    one: str, two: str, more: bool
) -> None:
    rows = [row(lesson=one).reflection, row("ref-2", two).reflection]
    assert bool(contradiction.contradictions(rows)) is more


def test_a_rule_and_a_lesson_do_not_contradict_each_other() -> None:
    rows = [row(lesson="Enable the cache of the importer.").reflection]
    rows.append(row("ref-2", "Disable the cache of the importer.", kind="strategy").reflection)
    assert contradiction.contradictions(rows) == {}


@pytest.mark.parametrize("remembered", [0, contradiction.REMEMBERED])
def test_lessons_whose_words_or_kinds_changed_are_compared_anew(
    remembered: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contradiction, "REMEMBERED", remembered)
    words = ("Enable the cache of the importer.", "Disable the cache of the importer.")
    rows = [row(f"ref-{number}", each).reflection for number, each in enumerate(words)]
    first = contradiction.contradictions(rows)
    assert set(first) == {"ref-0", "ref-1"}
    counted = [replace(each, occurrences=9) for each in rows]
    assert contradiction.contradictions(counted) == first
    for change in ({"lesson": words[0]}, {"kind": "strategy"}, {"suspicious": True}):
        assert contradiction.contradictions([rows[0], replace(rows[1], **change)]) == {}


# --------------------------------------------------------------------- the plan as a whole


def crowd() -> list[StoredReflection]:
    twins = [row(f"a-{n}", TWIN, sources=n + 1) for n in range(3)]
    opposed = [row("b-1", "Enable the cache of it."), row("b-2", "Disable the cache of it.")]
    old = [row(f"c-{n}", f"Old lesson {n}.", last_seen=NOON - timedelta(days=400)) for n in "xy"]
    tagged = [row(f"d-{n}", f"Lesson {n} about {n}.", tags=("io",)) for n in "pqrstu"]
    return [*twins, *opposed, *old, *tagged]


def test_a_plan_that_was_applied_leaves_nothing_to_do() -> None:
    rows = crowd()
    plan = make_plan(rows, NOON)
    assert {step.deed for step in plan.steps} == {
        "merge", "raise", "lower", "retire", "link", "contradiction",
    }  # fmt: skip
    assert make_plan(applied(rows, plan), NOON) == ConsolidationPlan()


def test_the_order_of_the_rows_does_not_matter() -> None:
    assert make_plan(reversed(crowd()), NOON) == make_plan(crowd(), NOON)


def test_retired_rows_are_left_alone() -> None:
    assert make_plan([row(retired=True, failed=9, last_seen=NOON - timedelta(days=900))], NOON) == (
        ConsolidationPlan()
    )


def test_a_lesson_and_its_own_strategy_need_no_other_link() -> None:
    told: dict[str, Any] = {"tags": ("warehouse",), "error_type": "leaseerror"}
    own = Link(kind="strategy_of", target_id="ref-1")
    rows = [
        row(**told),
        row("str-1", "Take the lease first.", kind="strategy", links=(own,), **told),
        row("ref-2", "A reader of the shelf holds the door.", **told),
    ]
    links = {name: each.links for name, each in after(make_plan(rows, NOON)).items()}
    assert {link.target_id for link in links["ref-1"]} == {"ref-2"}
    assert {link.target_id for link in links["str-1"]} == {"ref-1", "ref-2"}
    assert [link.kind for link in links["str-1"] if link.target_id == "ref-1"] == ["strategy_of"]
    assert {link.target_id for link in links["ref-2"]} == {"ref-1", "str-1"}
