"""What a person said."""

from dataclasses import replace

import pytest

from reflection_mcp.store.errors import StoreBusy
from reflection_mcp.store.interactions import FeedbackKind, Lookup
from reflection_mcp.store.records import Attempt, Check
from reflection_mcp.store.unavailable import unavailable
from reflection_mcp.tools.errors import InvalidInput, NotFound
from reflection_mcp.tools.feedback.record_feedback import (
    FeedbackRequest,
    FeedbackResult,
    record_feedback,
)
from reflection_mcp.tools.ports import Caller
from reflection_mcp.tools.recall.has_seen_error_before import ErrorQuestion, has_seen_error_before
from reflection_mcp.tools.reflect.reflect import reflect
from tests.requirements import requirement
from tests.tools.errors_met import YAML
from tests.tools.stage import Stage, reflect_request

pytestmark = pytest.mark.anyio

WRONG = "The sum is 2 + 2 = 5, as everybody knows."


async def judged(stage: Stage, answer: str = WRONG, conversation: str = "conv-a") -> str:
    result = await reflect(
        stage.services(conversation=conversation),
        reflect_request(question="Explain the sum of 2 and 2", answer=answer),
    )
    assert result.attempt_id is not None
    return result.attempt_id


async def learned(stage: Stage) -> str:
    result = await reflect(
        stage.services(),
        reflect_request(
            question="q", answer="a", error=YAML, lesson="Install PyYAML.", outcome="success"
        ),
    )
    return result.kept[0].id


async def learned_as(stage: Stage, number: int) -> str:
    lesson = f"Number {number} teaches something of its own."
    work = reflect_request(question="q", answer="a", lesson=lesson, outcome="success")
    return (await reflect(stage.services(), work)).kept[0].id


async def say(
    stage: Stage, feedback: FeedbackKind, id: str | None = None, conversation: str = "conv-a"
) -> FeedbackResult:
    return await record_feedback(
        stage.services(conversation=conversation), FeedbackRequest(feedback=feedback, id=id)
    )


async def quality(stage: Stage, attempt_id: str) -> float | None:
    attempt = await stage.store.attempt(stage.services().scope, attempt_id)
    assert attempt is not None
    return attempt.quality


async def say_of(stage: Stage, feedback: FeedbackKind, conversation: str) -> FeedbackResult:
    said = FeedbackRequest(feedback=feedback, conversation_id=conversation)
    return await record_feedback(stage.services(conversation=conversation), said)


@requirement("feedback:positive")
async def test_praise_lifts_the_attempts_of_a_conversation_that_is_named_to_at_least_0_7(
    stage: Stage,
) -> None:
    one, two = await judged(stage), await judged(stage, "It is 4.")
    heard = await say_of(stage, "positive", "conv-a")
    assert heard.changed
    assert heard.answer is None
    assert await quality(stage, one) == 0.7
    assert await quality(stage, two) == 0.7


@pytest.mark.parametrize(("feedback", "expected"), [("positive", 0.7), ("negative", 0.3)])
async def test_without_an_id_the_last_answer_of_this_conversation_is_meant_and_named(
    stage: Stage, feedback: FeedbackKind, expected: float
) -> None:
    one, two = await judged(stage), await judged(stage, "It is 4.")
    before, other = await quality(stage, one), await judged(stage, WRONG, "conv-b")
    heard = await say(stage, feedback)
    assert heard.answer is not None
    assert (heard.answer.id, heard.answer.question) == (two, "Explain the sum of 2 and 2")
    assert await quality(stage, two) == expected
    assert await quality(stage, one) == before
    assert await quality(stage, other) == before


async def test_of_a_loop_the_attempt_that_it_returned_is_the_last_answer(stage: Stage) -> None:
    store, services = stage.store, stage.services()
    flaw = Check(kind="arithmetic:sum", status="wrong")
    for number, (checks, score) in enumerate([((), 0.6), ((), 0.8), ((flaw,), 0.9)]):
        draft = Attempt(
            id=f"att-draft{number}",
            conversation_id="conv-a",
            iteration=number,
            at=stage.clock(),
            question="q",
            answer_hash="0",
            judged_quality=score,
            checks=checks,
            metadata={"loop": "loop-1"},
        )
        await store.add_attempt(services.scope, draft, event_id=draft.id)
    heard = await say(stage, "negative")
    assert heard.answer is not None
    assert heard.answer.id == "att-draft1"


async def test_where_nothing_tells_whose_answer_is_the_last_an_id_is_asked_for(
    stage: Stage,
) -> None:
    one = await judged(stage)
    services = stage.services()
    caller = Caller(conversation_id="conv-of-this-call", client="tester", origin="conv-a")
    stranger = replace(services, caller=caller)
    with pytest.raises(InvalidInput, match="no answer is known to be yours"):
        await record_feedback(stranger, FeedbackRequest(feedback="positive"))
    assert await quality(stage, one) == 0.3
    heard = await record_feedback(stranger, FeedbackRequest(feedback="positive", id=one))
    assert heard.lines[0] == f"{one}: quality is now 0.7"
    later = replace(caller, conversation_id="conv-of-the-next-call")
    again = await record_feedback(
        replace(services, caller=later), FeedbackRequest(feedback="positive", id=one)
    )
    assert not again.changed


async def test_praise_says_how_many_of_the_answers_keep_a_proven_fault(stage: Stage) -> None:
    wrong = await judged(stage)
    assert (await say(stage, "positive", wrong)).lines[1:] == ("it still has a proven fault",)
    others = [await judged(stage, f"{WRONG} {told}", "conv-b") for told in ("Indeed.", "Truly.")]
    await judged(stage, "It is 4.", "conv-b")
    heard = await say_of(stage, "positive", "conv-b")
    assert heard.lines[-1] == f"2 of 3 still have a proven fault ({', '.join(others)})"
    assert "proven" not in repr((await say_of(stage, "negative", "conv-b")).lines)


@pytest.mark.parametrize("feedback", ["positive", "negative"])
async def test_what_is_told_of_a_conversation_does_not_grow_with_it(
    stage: Stage, feedback: FeedbackKind
) -> None:
    for number in range(30):
        await judged(stage, f"{WRONG} Attempt {number}.", "conv-b")
    told = "\n".join((await say_of(stage, feedback, "conv-b")).lines)
    assert told.startswith("30 answers: quality is now 0.")
    assert "and 27 more" in told
    assert len(told) < 300


async def test_what_is_told_of_a_look_up_with_many_lessons_does_not_grow_with_them(
    stage: Stage,
) -> None:
    store, scope = stage.store, stage.services().scope
    ids = [await learned_as(stage, number) for number in range(14)]
    shown = Lookup(
        id="look-many", at=stage.clock(), signature="s", verdict="same", conversation_id="conv-a",
        source="tester:conv-a", shown=tuple(ids),
    )  # fmt: skip
    await store.log_lookup(scope, shown)
    lines = (await say(stage, "positive", "look-many")).lines
    assert lines[-1] == "and 4 more, changed in the same way"
    assert len(lines) == 11


@requirement("feedback:negative")
async def test_blame_lowers_the_named_attempt_to_at_most_0_3(stage: Stage) -> None:
    one = await judged(stage, "It is 4.")
    await say(stage, "negative", one)
    assert await quality(stage, one) == 0.3


@requirement("feedback:overrides")
async def test_people_outrank_the_judge_for_good(stage: Stage) -> None:
    one = await judged(stage)
    await say(stage, "positive", one)
    await judged(stage, WRONG + " Really.")
    assert await quality(stage, one) == 0.7


async def test_the_same_feedback_again_changes_nothing(stage: Stage) -> None:
    lesson = await learned(stage)
    assert (await say(stage, "positive", lesson)).lines == (f"{lesson}: helped 1, failed 0",)
    again = await say(stage, "positive", lesson)
    assert not again.changed
    assert again.lines == ("already recorded: nothing changed",)


async def test_another_source_adds_its_own_vote(stage: Stage) -> None:
    lesson = await learned(stage)
    await say(stage, "negative", lesson)
    heard = await say(stage, "positive", lesson, conversation="conv-b")
    assert heard.lines == (f"{lesson}: helped 1, failed 1",)


async def test_a_vote_says_whether_a_lesson_is_withheld_and_what_brings_it_back(
    stage: Stage,
) -> None:
    lesson = await learned(stage)
    kinds: tuple[FeedbackKind, ...] = ("negative", "negative", "negative", "positive")
    told = [
        (await say(stage, kind, lesson, conversation=f"conv-{number}")).lines[0]
        for number, kind in enumerate(kinds)
    ]
    needs = (
        "positive votes on its id, one for each conversation and day, bring it back once it has "
        "failed at most one time more than it helped"
    )
    assert told[0] == f"{lesson}: helped 0, failed 1"
    assert told[1] == (
        f"{lesson}: helped 0, failed 2; withheld from now on: it failed 2 times and helped 0; "
        f"{needs}"
    )
    assert f"; still withheld: it failed 3 times and helped 0; {needs}" in told[2]
    assert "helped 1, failed 3; still withheld: " in told[3]
    again = await say(stage, "positive", lesson, conversation="conv-3")
    assert again.lines[0].startswith("already recorded: nothing changed; still withheld: ")
    heard = await say(stage, "positive", lesson, conversation="conv-4")
    assert heard.lines == (f"{lesson}: helped 2, failed 3; shown again from now on",)


async def test_what_brings_a_lesson_back_is_true_though_only_the_newest_votes_of_a_person_count(
    stage: Stage,
) -> None:
    lesson, told = await learned(stage), list[str]()
    bad: FeedbackKind = "negative"
    good: FeedbackKind = "positive"
    for number, kind in enumerate((good, bad, bad, bad, good, good)):
        one = stage.services(conversation=f"conv-{number}")
        services = replace(one, caller=replace(one.caller, user="me"))
        said = FeedbackRequest(feedback=kind, id=lesson)
        told.append((await record_feedback(services, said)).lines[0])
    assert "helped 1, failed 3; withheld from now on" in told[3]
    assert "helped 1, failed 3; still withheld" in told[4]
    assert told[5] == f"{lesson}: helped 2, failed 2; shown again from now on"


async def test_a_wrong_match_says_which_lesson_will_not_be_shown_again(stage: Stage) -> None:
    lesson = await learned(stage)
    found = await has_seen_error_before(stage.services(), ErrorQuestion(error=YAML))
    heard = await say(stage, "wrong_match", found.lookup_id)
    told = "will not be shown for this error again; positive with"
    assert heard.lines == (f"{lesson} {told} {found.lookup_id} takes that back",)


async def test_a_wrong_match_that_was_a_mistake_can_be_taken_back_by_whoever_reads_how(
    stage: Stage,
) -> None:
    lesson = await learned(stage)
    question = ErrorQuestion(error=YAML)
    await has_seen_error_before(stage.services(), question)
    await say(stage, "wrong_match", lesson)
    parted = await has_seen_error_before(stage.services(), question)
    assert not parted.seen
    why, _, way_back = parted.why.removesuffix(" takes that back").partition(" positive with ")
    assert why == (
        "somebody said that what is known about it belongs to another error; record_feedback"
    )
    heard = await say(stage, "positive", way_back, conversation="conv-b")
    assert f"{lesson} may be shown for this error again" in heard.lines
    assert (await has_seen_error_before(stage.services(), question)).reflection_id == lesson


async def test_a_wrong_match_whose_look_up_was_forgotten_names_no_way_back(stage: Stage) -> None:
    lesson = await learned(stage)
    question = ErrorQuestion(error=YAML)
    shown = await has_seen_error_before(stage.services(), question)
    await say(stage, "wrong_match", lesson)
    await say(stage, "forget", shown.lookup_id)
    parted = await has_seen_error_before(stage.services(), question)
    assert parted.why == "somebody said that what is known about it belongs to another error"


async def test_what_is_forgotten_is_gone(stage: Stage) -> None:
    lesson = await learned(stage)
    assert (await say(stage, "forget", lesson)).lines == (f"{lesson}: deleted",)
    assert await stage.store.reflection(stage.services().scope, lesson) is None


async def test_a_lesson_that_is_forgotten_takes_its_strategy_along_and_says_so(
    stage: Stage,
) -> None:
    work = reflect_request(
        question="q", answer="a", error=YAML, lesson="Install PyYAML.", outcome="success",
        strategy="Install what a traceback names before anything else.",
    )  # fmt: skip
    lesson, strategy = (row.id for row in (await reflect(stage.services(), work)).kept)
    heard = await say(stage, "forget", lesson)
    assert heard.lines == (f"{lesson}: deleted", f"{strategy}: deleted, the strategy of {lesson}")
    assert heard.forgotten == (lesson, strategy)
    assert not await stage.store.reflections(stage.services().scope)


@pytest.mark.parametrize("feedback", ["wrong_match", "forget"])
async def test_some_feedback_needs_an_id(stage: Stage, feedback: FeedbackKind) -> None:
    with pytest.raises(InvalidInput, match="needs an id"):
        await say(stage, feedback)


@pytest.mark.parametrize("id", ["", "  "])
async def test_an_empty_id_is_no_id_and_praises_nothing(stage: Stage, id: str) -> None:
    one = await judged(stage)
    with pytest.raises(InvalidInput, match="the id is empty") as refused:
        await say(stage, "positive", id)
    assert "leave id out to mean the last answer" in refused.value.hint
    assert await quality(stage, one) != 0.7


async def test_a_conversation_that_is_named_is_the_occasion(stage: Stage) -> None:
    lesson = await learned(stage)
    for name, expected in (("chat-1", "helped 1"), ("chat-2", "helped 2")):
        heard = await record_feedback(
            stage.services(), FeedbackRequest(feedback="positive", id=lesson, conversation_id=name)
        )
        assert heard.lines == (f"{lesson}: {expected}, failed 0",)


async def test_feedback_about_nothing_is_refused(stage: Stage) -> None:
    with pytest.raises(NotFound, match="nothing was judged in this conversation"):
        await say(stage, "positive")
    with pytest.raises(NotFound, match=r"nothing in the project .* has this id"):
        await say(stage, "positive", "ref-none")


async def test_an_id_that_was_given_out_is_never_said_to_be_unknown(stage: Stage) -> None:
    seen = await has_seen_error_before(stage.services(), ErrorQuestion(error=YAML))
    with pytest.raises(NotFound, match="no lesson belongs to this look-up"):
        await say(stage, "positive", seen.lookup_id)
    with pytest.raises(NotFound, match="an attempt cannot be a wrong_match"):
        await say(stage, "wrong_match", await judged(stage))
    with pytest.raises(NotFound, match="no look-up offered this lesson"):
        await say(stage, "wrong_match", await learned(stage))


async def test_feedback_that_cannot_be_kept_is_never_reported_as_heard() -> None:
    with pytest.raises(StoreBusy):
        await say(Stage(store=unavailable(StoreBusy("busy", "try again"))), "positive")


async def test_it_is_told_without_the_comment(stage: Stage) -> None:
    await judged(stage)
    await record_feedback(
        stage.services(), FeedbackRequest(feedback="negative", comment="no, it is four")
    )
    event, facts = stage.heard[-1]
    assert (event, facts["kind"], facts["attempts"]) == ("feedback_recorded", "negative", 1)
    assert "four" not in repr(facts)
