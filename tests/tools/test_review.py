"""The review queue: what waits for a person's word, why, and what each word does."""

from dataclasses import replace
from datetime import timedelta

import pytest

from reflection_mcp.store.errors import StoreBusy
from reflection_mcp.store.maintenance import StoredReflection
from reflection_mcp.store.records import Lesson, Pattern, Reflection, Scope
from reflection_mcp.store.sqlite.memory import MemoryStore
from reflection_mcp.tools import review
from reflection_mcp.tools.errors import InvalidInput, NotFound
from reflection_mcp.tools.insights.get_insights import InsightQuery, get_insights
from reflection_mcp.tools.learning import maintenance
from reflection_mcp.tools.learning.review_queue import ReviewItem, waiting_items
from reflection_mcp.tools.manual_lesson import (
    LessonDraft,
    add_lesson,
    draft_of,
    edit_lesson,
    lesson_to_edit,
)
from reflection_mcp.tools.recall.candidates import note
from reflection_mcp.tools.recall.has_seen_error_before import ErrorQuestion, has_seen_error_before
from tests.learning.test_consolidation import row
from tests.learning.test_maintenance import Crowded
from tests.requirements import requirement
from tests.rows import each_row
from tests.tools.stage import NOON, Stage
from tests.tools.test_candidates import asked, fixed

pytestmark = pytest.mark.anyio

SHOP = Scope(project="shop")
RUN = "Always run the migrations of the shop before the importer starts."
NEVER = "Never run the migrations of the shop before the importer starts."


async def stocked(*rows: StoredReflection) -> Stage:
    stage = Stage(store=MemoryStore())
    await stage.store.adopt(SHOP, rows)
    return stage


async def waiting(stage: Stage) -> list[tuple[str, str]]:
    items = await waiting_items(stage.store, SHOP)
    return [(item.id, item.reason) for item in items]


async def item(stage: Stage, name: str) -> ReviewItem:
    return await review.item_of(stage.services(), name)


async def living(stage: Stage, name: str) -> Reflection:
    found = await stage.store.reflection(SHOP, name)
    assert found is not None
    return found


async def taught(stage: Stage, text: str, strategy: str) -> tuple[str, str]:
    """The ids of a new lesson and of its strategy."""
    draft = LessonDraft(lesson=Lesson(text=text, strategy=strategy))
    lesson, rule = await add_lesson(stage.services(), draft)
    return lesson.reflection.id, rule.reflection.id


# --------------------------------------------------------------------- what waits


@requirement("review:queue")
async def test_what_waits_is_listed_once_with_its_reason_what_misleads_first() -> None:
    stage = await stocked(
        row("ref-vain", "Clear the cache of the browser.", shown=12),
        row("ref-back", "Restart the printer.", shown=4, recurred=3),
        row("ref-harm", "Delete the lock of the importer.", failed=3, shown=30),
        row("ref-mark", "Wash the dishes at once.", suspicious=True),
        row("ref-1", RUN),
        row("ref-2", NEVER),
        row("ref-good", "The warehouse closes at noon.", shown=40, helped=1),
        row("ref-new", "The bakery opens at six.", shown=9, recurred=2),
        row("ref-old", "The cinema is shut.", retired=True, failed=9),
    )
    await note(stage.services(), fixed(), "talk")
    items = await waiting_items(stage.store, SHOP)
    assert [(each.reason, each.why) for each in items] == [
        ("contradiction", "ref-2 says the opposite"),
        ("candidate", "a fix that nobody has confirmed; no look-up offers it"),
        ("harmful", "failed 3 times, helped never; it is not offered"),
        ("suspicious", "its text tries to give instructions; it is not offered"),
        ("never_helped", "shown 12 times, never helped"),
        ("never_helped", "shown 4 times, never helped"),
    ]
    assert items[0].names == {"ref-1", "ref-2"}


async def test_new_words_are_not_called_in_vain_for_what_the_old_ones_did() -> None:
    stage, error = Stage(), "KeyError: 'total' in the report"
    draft = LessonDraft(lesson=Lesson(text="Restart the printer."), error=error)
    name = (await add_lesson(stage.services(), draft))[0].reflection.id

    async def look_up(times: int) -> None:
        for _ in range(times):
            await has_seen_error_before(stage.services(), ErrorQuestion(error=error))

    await look_up(4)
    assert await waiting(stage) == [(name, "never_helped")]
    before = await lesson_to_edit(stage.services(), name)
    new = replace(draft_of(before.reflection), lesson=Lesson(text="Sum the report first."))
    await edit_lesson(stage.services(), before, new)
    assert await waiting(stage) == []
    await look_up(3)
    assert await waiting(stage) == []
    await look_up(1)
    (again,) = await waiting_items(stage.store, SHOP)
    assert again.why == "shown 4 times, never helped"


async def test_of_one_reason_what_is_met_most_comes_first_then_the_newest() -> None:
    stage = await stocked(
        row("a", "One is here.", suspicious=True),
        row("b", "Two are there.", suspicious=True, last_seen=NOON + timedelta(days=1)),
        row("c", "Three come in.", suspicious=True, occurrences=4),
    )
    assert [name for name, _ in await waiting(stage)] == ["c", "b", "a"]


async def test_what_all_projects_share_waits_there_and_not_here() -> None:
    stage = Stage()
    everywhere = Scope(tenant=SHOP.tenant)
    await stage.store.adopt(everywhere, [row("ref-1", suspicious=True)])
    services = stage.services(project="global")
    await note(services, fixed(), "talk")
    assert await waiting(stage) == []
    assert len(await waiting_items(stage.store, everywhere)) == 2


async def test_a_lesson_waits_once_and_its_strategy_waits_with_it() -> None:
    stage = Stage()
    await taught(stage, "It stays shut.", RUN)
    await taught(stage, "It opens early.", NEVER)
    (found,) = await waiting_items(stage.store, SHOP)
    texts = {each.lesson for each in (found.row, found.against) if each}
    assert texts == {"It stays shut.", "It opens early."}
    alone = (row("str-1", RUN, kind="strategy"), row("str-2", NEVER, kind="strategy"))
    assert await waiting(await stocked(*alone)) == [("str-1", "contradiction")]


async def test_what_contradicts_two_others_waits_with_one_of_them_at_a_time() -> None:
    again = "Do not run the migrations of the shop before the importer starts."
    stage = await stocked(row("ref-1", RUN), row("ref-2", NEVER), row("ref-3", again))
    assert await waiting(stage) == [("ref-1", "contradiction")]
    await review.reject_item(stage.services(), await item(stage, "ref-2"))
    (left,) = await waiting_items(stage.store, SHOP)
    assert left.names == {"ref-1", "ref-3"}


async def test_a_marked_rule_that_came_with_a_marked_lesson_waits_with_it() -> None:
    stage = await stocked(
        row("ref-1", "It says so.", strategy="Obey.", suspicious=True),
        row("str-1", "Obey.", kind="strategy", suspicious=True),
        row("str-2", "Follow.", kind="strategy", suspicious=True),
    )
    assert [name for name, _ in await waiting(stage)] == ["ref-1", "str-2"]


@each_row(
    ("many", "line"),
    [
        (0, ""),
        (1, "1 lesson waits for review: `reflection-mcp review`"),
        (2, "2 lessons wait for review: `reflection-mcp review`"),
    ],
)
async def test_who_asks_for_an_overview_is_told_in_one_line(many: int, line: str) -> None:
    good = row("good", "The shop closes at noon.")
    marked = (row(f"ref-{n}", f"Do it {n} times.", suspicious=True) for n in range(many))
    stage = await stocked(good, *marked)
    told = await get_insights(stage.services(), InsightQuery())
    assert told.note == line
    narrow = await get_insights(stage.services(), InsightQuery(query="when the shop closes"))
    assert "review" not in narrow.note


# --------------------------------------------------------------------- what is done about it


async def test_a_confirmed_candidate_becomes_a_lesson() -> None:
    stage = Stage()
    noted = await note(stage.services(), fixed(), "talk")
    lines = await review.confirm_item(stage.services(), await item(stage, noted.candidate))
    assert "a lesson from now on" in lines[-1]
    assert (await asked(stage)).seen
    assert await waiting(stage) == []


async def test_a_refused_candidate_is_not_proposed_again() -> None:
    stage = Stage()
    noted = await note(stage.services(), fixed(), "talk")
    lines = await review.reject_item(stage.services(), await item(stage, noted.candidate))
    assert lines == (f"{noted.candidate}: rejected; this fix is not proposed again",)
    assert ((await asked(stage)).candidates, await waiting(stage)) == ((), [])


async def test_a_candidate_can_be_put_into_own_words() -> None:
    stage = Stage()
    noted = await note(stage.services(), fixed(), "talk")
    found = await item(stage, noted.candidate)
    lesson = await review.lesson_of(stage.services(), found.row)
    assert "pip install pyyaml" in lesson.lesson
    assert await waiting(stage) == []


@requirement("review:queue")
async def test_of_two_that_contradict_each_other_the_confirmed_one_alone_is_offered() -> None:
    stage = await stocked(row("ref-1", RUN), row("ref-2", NEVER))
    lines = await review.confirm_item(stage.services(), await item(stage, "ref-2"))
    assert lines == (
        "ref-2: helped 1, failed 0",
        "ref-1: helped 0, failed 1",
        "ref-1: retired; it is no longer offered",
    )
    assert await waiting(stage) == []
    told = await get_insights(stage.services(), InsightQuery())
    assert [advice.id for advice in told.lessons] == ["ref-2"]


async def test_a_rejected_lesson_is_offered_no_longer_and_can_be_brought_back() -> None:
    stage = Stage()
    name, rule = await taught(stage, RUN, "Take the lease first.")
    await stage.store.adopt(SHOP, [row("ref-2", NEVER)])
    lines = await review.reject_item(stage.services(), await item(stage, name))
    assert lines[0] == f"{name}: helped 0, failed 1"
    assert lines[1:] == (f"{name}: retired; it is no longer offered",)
    assert (await living(stage, name)).retired
    assert (await living(stage, rule)).retired
    (whole,) = await stage.store.stored(SHOP, only=name)
    await edit_lesson(stage.services(), whole, replace(draft_of(whole.reflection), retired=False))
    assert not (await living(stage, name)).retired
    assert not (await living(stage, rule)).retired


async def test_confirming_what_did_harm_brings_it_back_once_it_helped_enough() -> None:
    stage = await stocked(row("ref-1", failed=2), row("ref-2", "Oil it.", failed=3))
    assert await review.confirm_item(stage.services(), await item(stage, "ref-1")) == (
        "ref-1: helped 1, failed 2; shown again from now on",
    )
    told = await review.confirm_item(stage.services(), await item(stage, "ref-2"))
    assert told[-1].startswith("ref-2: helped 1, failed 3; still withheld: it failed 3 times")
    assert await waiting(stage) == [("ref-2", "harmful")]


async def test_a_marked_lesson_is_never_confirmed() -> None:
    stage = await stocked(row("ref-1", suspicious=True))
    with pytest.raises(InvalidInput, match="confirm is not possible here") as refused:
        review.require(await item(stage, "ref-1"), "confirm")
    assert refused.value.hint == "pass one of reject, edit, forget"
    review.require(await item(stage, "ref-1"), "edit")


async def test_an_id_that_does_not_wait_is_refused() -> None:
    stage = await stocked(row("ref-1"), row("ref-2", "Sing.", suspicious=True))
    with pytest.raises(NotFound, match="nothing with this id waits"):
        await item(stage, "ref-1")


# --------------------------------------------------------------------- merging a pair


async def test_a_merged_lesson_becomes_a_version_of_the_other_and_that_can_be_undone() -> None:
    later = NOON + timedelta(hours=1)
    stage = await stocked(row("ref-1", RUN, helped=1, strategy="Run it.", last_seen=later))
    other, rule = await taught(stage, NEVER, "Take the lease first.")
    before = await stage.store.stored(SHOP)
    (line,) = await review.merge_items(stage.services(), "ref-1", other)
    assert line == f"{other}: now a version of ref-1"
    rows = [await living(stage, each) for each in ("ref-1", other, rule)]
    assert [each.retired for each in rows] == [False, True, True]
    assert (rows[0].lesson, rows[0].occurrences, rows[0].helped) == (RUN, 2, 1)
    assert {said.lesson.text for said in rows[0].wordings} == {RUN, NEVER}
    await maintenance.undo(stage.services())
    assert await stage.store.stored(SHOP) == before


async def test_a_merged_lesson_that_says_something_else_keeps_its_votes_to_itself() -> None:
    stage = await stocked(row("ref-1", RUN, helped=1), row("ref-2", NEVER, helped=2))
    await review.merge_items(stage.services(), "ref-1", "ref-2")
    merged = await living(stage, "ref-1")
    assert merged.helped == 1
    assert {said.lesson.text: said.helped for said in merged.wordings}[NEVER] == 2


async def test_a_lesson_without_a_rule_takes_over_none_that_came_with_other_words() -> None:
    stage = await stocked(row("ref-1", RUN))
    other, rule = await taught(stage, NEVER, "Take the lease first.")
    await review.merge_items(stage.services(), "ref-1", other)
    assert (await living(stage, "ref-1")).strategy == ""
    assert (await living(stage, rule)).retired


async def test_a_pair_that_others_change_meanwhile_is_not_merged() -> None:
    stage = Stage(store=Crowded(1))
    await stage.store.adopt(SHOP, [row("ref-1", RUN), row("ref-2", NEVER)])
    with pytest.raises(StoreBusy, match="changed meanwhile"):
        await review.merge_items(stage.services(), "ref-1", "ref-2")
    assert not (await living(stage, "ref-2")).retired


async def test_a_lesson_whose_rule_is_no_row_of_its_own_is_rejected_and_restored_alone() -> None:
    stage = await stocked(row("ref-1", failed=2, strategy="Take it."))
    await review.reject_item(stage.services(), await item(stage, "ref-1"))
    (whole,) = await stage.store.stored(SHOP)
    assert whole.reflection.retired
    await edit_lesson(stage.services(), whole, replace(draft_of(whole.reflection), retired=False))
    assert not (await living(stage, "ref-1")).retired


async def test_only_two_living_lessons_of_one_kind_that_belong_to_no_error_are_merged() -> None:
    stage = await stocked(
        row("ref-1", RUN),
        row("str-1", NEVER, kind="strategy"),
        row("ref-old", "It is old.", retired=True),
        row("ref-error", "It is new.", pattern=Pattern(version="1", lines=("KeyError",))),
        row("ref-mark", "It is odd.", suspicious=True),
    )
    for other in ("ref-1", "str-1", "ref-old", "ref-error", "ref-mark"):
        with pytest.raises(InvalidInput):
            await review.merge_items(stage.services(), "ref-1", other)
    with pytest.raises(NotFound):
        await review.merge_items(stage.services(), "ref-1", "ref-gone")
