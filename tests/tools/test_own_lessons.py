"""Lessons of a person's own: recalled beside the project's, and shared in a review."""

from dataclasses import replace

import pytest

from reflection_mcp.store.lesson_versions import second_opinions
from reflection_mcp.store.records import Lesson, Link, Reflection, Scope
from reflection_mcp.tools import review
from reflection_mcp.tools.errors import InvalidInput, NotFound
from reflection_mcp.tools.feedback.record_feedback import FeedbackRequest, record_feedback
from reflection_mcp.tools.insights.get_insights import InsightQuery, get_insights
from reflection_mcp.tools.learning import maintenance
from reflection_mcp.tools.learning.review_queue import ReviewItem, waiting_items
from reflection_mcp.tools.manual_lesson import LessonDraft, add_lesson
from reflection_mcp.tools.ports import Caller, Services
from reflection_mcp.tools.recall.has_seen_error_before import (
    ErrorQuestion,
    SeenBefore,
    has_seen_error_before,
)
from tests.learning.test_consolidation import TWIN, row
from tests.requirements import requirement
from tests.rows import each_row
from tests.tools.stage import Stage

pytestmark = pytest.mark.anyio

SHOP, TENANT = Scope(project="shop"), Scope()
MINE = SHOP.of("ann")
ERROR = "sqlite3.OperationalError: database table 'orders' is locked by the importer"
NEAR = f"{ERROR}\nin run 17 of the nightly job"
WAIT, COPY = "Wait for the importer to end.", "Work on a copy of the file."


def of(stage: Stage, person: str, scope: Scope = SHOP) -> Services:
    """The services of one of a team."""
    services = stage.services(project=scope.project)
    return replace(
        services, caller=Caller(conversation_id=person, client="editor", principal=person)
    )


async def taught(services: Services, text: str, *, strategy: str = "", error: str = ERROR) -> str:
    draft = LessonDraft(lesson=Lesson(text=text, strategy=strategy), error=error)
    return (await add_lesson(services, draft))[0].reflection.id


async def item(services: Services, name: str) -> ReviewItem:
    return await review.item_of(services, name)


async def seen(services: Services, error: str = ERROR, limit: int = 3) -> SeenBefore:
    return await has_seen_error_before(services, ErrorQuestion(error=error, limit=limit))


def told(answer: SeenBefore) -> list[str]:
    return [each.lesson for each in answer.offer.advice]


async def found(stage: Stage, scope: Scope, name: str) -> Reflection:
    one = await stage.store.reflection(scope, name)
    assert one is not None
    return one


# --------------------------------------------------------------------- recalled


@requirement("team:own-lessons")
@each_row("error", [ERROR, NEAR])
async def test_an_error_is_told_as_each_place_knows_it(error: str) -> None:
    stage = Stage()
    await taught(of(stage, "ann", TENANT), "Ask the database team.")
    await taught(of(stage, "bob"), WAIT)
    await taught(of(stage, "ann", MINE), COPY, error=error)
    answer = await seen(of(stage, "ann", MINE), error)
    assert set(told(answer)) == {COPY, WAIT, "Ask the database team."}
    assert told(answer)[-1] == "Ask the database team.", "all are unproven"
    his = await seen(of(stage, "bob"), error)
    assert COPY not in told(his)
    assert (await found(stage, SHOP, his.offer.advice[0].id)).shown == 2, "it was shown to both"


@requirement("team:own-lessons")
async def test_what_one_place_alone_recognises_is_told_with_what_the_others_do() -> None:
    """The words of the two differ so much that only what the errors have in common proves them."""
    stage = Stage()
    await taught(of(stage, "bob"), WAIT, error=ERROR)
    mine = f'Traceback (most recent call last):\n  File "load.py", line 3, in load\n{ERROR}'
    await taught(of(stage, "ann", MINE), COPY, error=mine)
    assert set(told(await seen(of(stage, "ann", MINE), mine))) == {WAIT, COPY}


async def test_the_same_words_in_two_places_are_told_once() -> None:
    stage = Stage()
    for services in (of(stage, "bob"), of(stage, "ann", MINE)):
        await taught(services, WAIT)
    assert told(await seen(of(stage, "ann", MINE))) == [WAIT]


async def test_of_a_place_that_did_harm_nothing_is_told_and_of_the_others_all_is() -> None:
    stage = Stage()
    his = await taught(of(stage, "bob"), WAIT)
    mine = await taught(of(stage, "ann", MINE), COPY)
    (whole,) = await stage.store.stored(MINE, only=mine)
    bad = replace(whole, reflection=replace(whole.reflection, failed=4))
    await stage.store.adopt(MINE, [bad])
    answer = await seen(of(stage, "ann", MINE))
    assert told(answer) == [WAIT] and his in answer.next
    assert [held.id for held in answer.offer.withheld] == [mine]


async def test_opinions_of_all_places_stand_behind_their_lessons() -> None:
    stage = Stage()
    for person, text in (("bob", WAIT), ("carl", "Restart the importer.")):
        await taught(of(stage, person), text)
    await taught(of(stage, "ann", MINE), COPY)
    answer = await seen(of(stage, "ann", MINE))
    assert [each.lesson for each in answer.offer.also_said] == ["Restart the importer."]
    short = await seen(of(stage, "ann", MINE), limit=1)
    assert (len(short.offer.advice), short.offer.also_said) == (1, ())
    assert short.offer.more == 2


@requirement("team:own-lessons")
async def test_a_vote_on_a_lesson_of_the_project_is_seen_there_and_its_comment_is_not() -> None:
    stage = Stage()
    his = await taught(of(stage, "bob"), WAIT)
    comment = "It does not help when the importer hangs for an hour."
    said = FeedbackRequest(feedback="negative", id=his, comment=comment)
    await record_feedback(of(stage, "ann", MINE), said)
    (vote,) = await stage.store.votes(SHOP)
    assert (vote.source, vote.kind, vote.comment) == ("ann", "negative", "")
    assert (await found(stage, SHOP, his)).failed == 1
    for scope, there in ((MINE, True), (SHOP, False)):
        rows = await stage.store.reflections(scope, limit=9)
        assert any(comment in each.lesson for each in rows) == there
    await record_feedback(of(stage, "bob"), replace(said, comment="It still hangs at night."))
    assert "It still hangs at night." in {each.comment for each in await stage.store.votes(SHOP)}


@requirement("team:two-people")
async def test_of_lessons_that_fit_as_well_two_peoples_is_first_and_the_tenants_last() -> None:
    stage = Stage()
    text = "The importer of the warehouse needs the lease before it writes a row."
    places = (("ref-a", TENANT, 1), ("ref-b", SHOP, 1), ("ref-c", SHOP, 2))
    for name, scope, people in places:
        await stage.store.adopt(scope, [row(name, text, sources=people)])
    found = await get_insights(of(stage, "ann"), InsightQuery(query="importer of the warehouse"))
    assert [each.id for each in found.lessons] == ["ref-c", "ref-b", "ref-a"]


# --------------------------------------------------------------------- shared


@requirement("team:shared-by-review")
async def test_a_lesson_of_ones_own_waits_for_its_person_alone_and_bothers_nobody() -> None:
    stage = Stage()
    mine = await taught(of(stage, "ann", MINE), COPY, strategy="Copy first.")
    (waits,) = await waiting_items(stage.store, MINE)
    assert (waits.id, waits.reason, waits.why) == (mine, "mine", "only ann sees it")
    assert waits.actions == ("project", "tenant", "edit", "forget")
    for scope in (SHOP, SHOP.of("bob"), TENANT):
        assert await waiting_items(stage.store, scope) == ()
    assert "review" not in (await get_insights(of(stage, "ann", MINE), InsightQuery())).note
    with pytest.raises(InvalidInput, match="confirm is not possible"):
        review.require(waits, "confirm")


@requirement("team:shared-by-review")
@each_row(
    ("action", "to", "whom"),
    [("project", SHOP, "the project shop"), ("tenant", TENANT, "every project of the tenant")],
)
async def test_a_shared_lesson_takes_its_strategy_along_and_nothing_else(
    action: str, to: Scope, whom: str
) -> None:
    stage = Stage()
    services = of(stage, "ann", MINE)
    mine = await taught(services, COPY, strategy="Copy first.")
    other = await taught(services, WAIT, strategy="Wait first.", error="")
    lines = await review.share_item(services, await item(services, mine), action)
    assert lines == (f"{mine}: shared with {whom}",)
    rows = await stage.store.reflections(to, limit=9)
    assert {each.lesson for each in rows if each.scope == to} == {COPY, "Copy first."}
    rest = await stage.store.reflections(MINE, limit=9)
    assert {each.lesson for each in rest if each.scope == MINE} == {WAIT, "Wait first."}
    assert ("lesson_shared", {"with": action, "rows": 2}) in stage.heard
    assert [each.id for each in await waiting_items(stage.store, MINE)] == [other]
    shared = await found(stage, to, mine)
    assert shared.source == "ann/editor"
    assert told(await seen(of(stage, "bob"))) == [COPY]


@requirement("team:shared-by-review")
async def test_what_the_project_knows_stays_first_and_the_words_become_an_opinion() -> None:
    stage = Stage()
    his = await taught(of(stage, "bob"), WAIT)
    services = of(stage, "ann", MINE)
    mine = await taught(services, COPY)
    lines = await review.share_item(services, await item(services, mine), "project")
    assert lines == (f"{mine}: shared with the project shop, as a part of {his}",)
    shared = await found(stage, SHOP, his)
    assert (shared.lesson, shared.sources, shared.occurrences) == (WAIT, 2, 2)
    (opinion,) = second_opinions(shared)
    assert (opinion.lesson.text, opinion.source) == (COPY, "ann/editor")


async def test_a_strategy_of_two_lessons_goes_with_the_last_of_them() -> None:
    stage = Stage()
    links = tuple(Link(kind="strategy_of", target_id=name) for name in ("ref-1", "ref-2"))
    await stage.store.adopt(
        MINE,
        [
            row("ref-1", "The shop closes at noon.", strategy="Look at the door."),
            row("ref-2", "The bank closes at five.", strategy="Look at the door."),
            row("str-1", "Look at the door.", kind="strategy", links=links),
        ],
    )
    services = of(stage, "ann", MINE)
    for name, there in (("ref-1", None), ("ref-2", "str-1")):
        await review.share_item(services, await item(services, name), "project")
        rule = await stage.store.reflection(SHOP, "str-1")
        assert (rule and rule.id) == there


async def test_what_was_shared_meanwhile_is_not_shared_again() -> None:
    stage = Stage()
    services = of(stage, "ann", MINE)
    waits = await item(services, await taught(services, COPY))
    await review.share_item(services, waits, "project")
    with pytest.raises(NotFound, match="no longer exists"):
        await review.share_item(services, waits, "tenant")
    assert (await found(stage, SHOP, waits.id)).occurrences == 1


async def test_the_limit_of_the_project_holds_for_what_comes_to_it() -> None:
    stage = Stage()
    await stage.store.adopt(SHOP, [row(f"ref-{n}", f"Fact {n}.", importance=0.1) for n in range(3)])
    services = replace(of(stage, "ann", MINE), max_entries=3)
    mine = await taught(services, COPY)
    lines = await review.share_item(services, await item(services, mine), "project")
    assert "deleted 1 of the least useful lessons" in lines[1]
    assert await stage.store.count(SHOP, "reflection") == 3
    assert await stage.store.count(MINE, "reflection") == 0


async def test_consolidating_a_project_leaves_what_is_somebodys_own() -> None:
    stage = Stage()
    for scope in (SHOP, MINE):
        await stage.store.adopt(scope, [row("ref-1"), row("ref-2", TWIN)])
    shared, own = of(stage, "bob"), of(stage, "ann", MINE)
    assert (await maintenance.consolidate(shared)).changes
    assert len(await living(stage, MINE)) == 2
    assert (await maintenance.consolidate(own)).changes
    (left,) = await living(stage, MINE)
    await review.share_item(own, await item(own, left), "tenant")
    assert await maintenance.undo(own) == (1, ()), "what is shared is left as it is"
    assert left not in await living(stage, MINE)
    assert (await found(stage, TENANT, left)).lesson


async def living(stage: Stage, scope: Scope) -> list[str]:
    rows = await stage.store.reflections(scope, limit=9)
    return [each.id for each in rows if each.scope == scope]
