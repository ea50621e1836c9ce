"""Answer, check, revise the failing steps: with a model, and with the caller as the model."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import anyio
import pytest

from reflection_mcp.store.contract import Writes
from reflection_mcp.store.errors import StoreBusy, StoreError, StoreFull
from reflection_mcp.store.records import Attempt, Scope
from reflection_mcp.store.sqlite.memory import MemoryStore
from reflection_mcp.store.unavailable import unavailable
from reflection_mcp.tools.answer.answer_with_reflection import AnswerResult, answer_with_reflection
from reflection_mcp.tools.answer.request import AnswerRequest
from reflection_mcp.tools.errors import InvalidInput
from reflection_mcp.tools.insights.relevant_lessons import fitting_lessons
from reflection_mcp.tools.ports import ModelFailed, Prompt, Reply
from reflection_mcp.tools.usage import Usage
from tests.answer.scene import OTHER_WRONG, QUESTION, RIGHT, WRONG, Scene, request
from tests.judging.broken import break_a_family
from tests.models.scripted import Line, ScriptedModel
from tests.requirements import requirement
from tests.rows import each_row

pytestmark = pytest.mark.anyio

T = TypeVar("T")
FAULT = "step 2: “12*3 = 38”: the sides differ: 36 and 38; a later value reuses 38"


def verdict(grade: int, *quotes: str) -> str:
    issues = [{"kind": "logic", "quote": quote, "why": "unclear"} for quote in quotes]
    grades = {"relevance": grade, "completeness": grade, "correctness": grade}
    return json.dumps({"own_solution": "40", "issues": issues, **grades})


def criticism(severity: int, *quotes: str) -> str:
    problems = [{"kind": "logic", "quote": quote, "why": "unclear"} for quote in quotes]
    return json.dumps({"own_solution": "40", "problems": problems, "severity": severity})


async def stored(scene: Scene) -> list[Attempt]:
    assert isinstance(scene.store, MemoryStore)
    kept = await scene.store.attempts(Scope(project="p"), conversation_id="talk")
    return sorted(kept, key=lambda attempt: attempt.iteration)


# --------------------------------------------------------------------------- the caller as model


@requirement("loop:verify-first", "loop:arithmetic", "loop:history")
async def test_a_dialogue_tells_what_to_redo_and_ends_when_nothing_can_be_proven_wrong() -> None:
    scene = Scene()
    first = await answer_with_reflection(scene.services, request())
    assert (first.status, first.redo, first.mode) == ("revise", (FAULT,), "dialogue")
    assert first.next.startswith(
        "Redo only the listed steps of the draft you just passed (attempt 1). Work out each listed"
    )
    assert "again with the same question" in first.next
    assert first.stop is None
    assert first.why == "retry: one proven fault"
    last = await answer_with_reflection(scene.services, request(RIGHT, loop=first.loop))
    assert (last.status, last.answer, last.attempt, last.attempts) == ("done", RIGHT, 2, 2)
    assert last.stop is not None
    assert last.stop.rule == "nothing_found"
    assert (last.loop, last.next, last.redo) == ("", "", ())
    assert [(turn.attempt, turn.fault_count, turn.then) for turn in last.history] == [
        (1, 1, "retry: one proven fault"),
        (2, 0, f"stopped: {last.why}"),
    ]
    assert last.history[0].faults == ("“12*3 = 38”: the sides differ: 36 and 38",), (
        "its text is the caller's"
    )
    assert [check.stated for check in last.cleared] == ["38"]


async def test_fifteen_times_12_99_is_not_195() -> None:
    draft = "One costs 12.99.\n15 x 12.99 = 195.00, so all cost $195.00.\nHalf of 195.00 is 97.50."
    result = await answer_with_reflection(Scene().services, request(draft))
    assert result.status == "revise"
    assert result.redo[0].startswith("step 2: ")
    assert "194.85" in result.redo[0]


@requirement("loop:attempts-stored")
async def test_every_attempt_is_kept_once_with_what_was_found() -> None:
    scene = Scene()
    first = await answer_with_reflection(scene.services, request())
    await answer_with_reflection(scene.services, request(RIGHT, loop=first.loop))
    again = await answer_with_reflection(scene.services, request(RIGHT, loop=first.loop))
    one, two = await stored(scene)
    assert (one.iteration, one.quality, one.retry) == (0, 0.3, True)
    assert (two.iteration, two.quality, two.retry) == (1, None, False)
    assert (one.question, one.source) == (QUESTION, "test:talk")
    assert one.checks[0].stated == "38"
    assert one.issues
    assert one.improvements
    assert again.attempt_id == two.id


@requirement("loop:best-kept")
async def test_the_best_draft_is_named_when_only_the_caller_has_it() -> None:
    long = RIGHT + "\n" + "That is all there is to say about the pens. " * 5
    scene = Scene()
    first = await answer_with_reflection(scene.services, request(long, always=True))
    assert first.status == "revise"
    assert first.next.startswith("Nothing could be proven wrong")
    assert first.next.endswith("If nothing has to change, you are done.")
    last = await answer_with_reflection(scene.services, request(WRONG, loop=first.loop))
    assert (last.status, last.attempt) == ("revise", 1)
    assert last.answer is None
    assert last.answer_is == "your draft of attempt 1"
    assert last.redo == (FAULT,), "the caller goes on from its last draft"
    assert last.history[0].then == "retry: a reflection was asked for"


async def test_a_dialogue_ends_on_the_same_faults_and_on_the_same_answer() -> None:
    scene = Scene()
    first = await answer_with_reflection(scene.services, request())
    same = await answer_with_reflection(scene.services, request(WRONG + "\n", loop=first.loop))
    assert (same.status, same.why) == ("done", "the answer is the same as attempt 1")
    reworded = WRONG.replace("Each of the", "All")
    again = await answer_with_reflection(scene.services, request(reworded, loop=first.loop))
    assert (again.status, again.why) == ("done", "the same proven faults as in attempt 1")
    assert again.redo == ("“12*3 = 38”: the sides differ: 36 and 38",)
    assert again.cleared == ()


async def test_findings_and_steps_to_redo_are_those_of_the_draft_to_be_revised() -> None:
    """Offsets into one draft say nothing about another, even where the other is the best so far."""
    scene = Scene()
    first = await answer_with_reflection(scene.services, request())
    second = await answer_with_reflection(scene.services, request(OTHER_WRONG, loop=first.loop))
    assert (second.status, second.attempt, second.redo_of) == ("revise", 1, 2)
    (flaw,) = second.evaluation.flaws
    assert OTHER_WRONG[flaw.start : flaw.end] == flaw.quote
    assert [flaw.quote in line for line in second.redo] == [True]
    assert second.next.startswith(
        "Redo only the listed steps of the draft you just passed (attempt 2)"
    )
    third = WRONG.replace("38", "37").replace("42", "41")
    last = await answer_with_reflection(scene.services, request(third, loop=second.loop))
    assert (last.status, last.attempt, last.redo_of) == ("done", 1, 1)
    assert [check.quote in last.redo[0] for check in last.evaluation.flaws] == [True]


@requirement("loop:max-two-retries")
async def test_a_dialogue_ends_when_its_attempts_are_used_up() -> None:
    scene = Scene()
    result = await answer_with_reflection(scene.services, request())
    result = await answer_with_reflection(scene.services, request(OTHER_WRONG, loop=result.loop))
    assert result.status == "revise"
    third = WRONG.replace("38", "37").replace("42", "41")
    result = await answer_with_reflection(scene.services, request(third, loop=result.loop))
    assert result.stop is not None
    assert (result.status, result.stop.outcome, result.loop) == ("done", "max_iterations", "")


async def test_a_token_keeps_the_depth_it_began_with() -> None:
    scene = Scene()
    first = await answer_with_reflection(scene.services, request(max_iterations=2))
    last = await answer_with_reflection(
        scene.services, request(OTHER_WRONG, loop=first.loop, depth="deep")
    )
    assert (last.status, last.why) == ("done", "all 2 attempts are used up")


async def test_what_a_fast_look_finds_is_told_without_asking_for_more() -> None:
    result = await answer_with_reflection(Scene().services, request(depth="fast"))
    assert (result.status, result.redo, result.loop) == ("done", (FAULT,), "")
    assert result.why == "this depth allows no retry"


@requirement("loop:needs-a-start")
async def test_without_a_draft_and_a_model_there_is_nothing_to_start_from() -> None:
    with pytest.raises(InvalidInput, match="no draft, and no model here to write one") as refused:
        await answer_with_reflection(Scene().services, request(None))
    assert "pass it as `draft`" in refused.value.hint
    with pytest.raises(InvalidInput, match="a loop token without a draft"):
        await answer_with_reflection(Scene().services, request(None, loop="loop1.x"))


@each_row(
    ("more", "line"),
    [
        ({"draft": " \n"}, "draft is empty"),
        ({"draft": "x" * 200_001}, "draft has 200,001 characters"),
        ({"depth": "abyss"}, "depth is unknown"),
        ({"max_iterations": 11}, "max_iterations is out of range"),
        ({"confidence": 1.5}, "confidence is not between 0 and 1"),
        ({"loop": "loop0.x"}, "made by another version"),
    ],
)
async def test_what_cannot_be_used_is_refused_before_anything_is_done(
    more: dict[str, Any], line: str
) -> None:
    scene = Scene()
    with pytest.raises(InvalidInput, match=line):
        await answer_with_reflection(scene.services, request(**more))
    assert await stored(scene) == []
    assert scene.events == []


async def test_a_token_of_another_context_is_refused() -> None:
    scene = Scene()
    first = await answer_with_reflection(scene.services, request(context="12 boxes"))
    with pytest.raises(InvalidInput, match="another question or context"):
        await answer_with_reflection(scene.services, request(RIGHT, loop=first.loop))


async def test_the_callers_own_scores_are_recorded_and_decide_nothing() -> None:
    scene = Scene()
    own = {"confidence": 1.0, "relevance": 1.0, "completeness": 0.0}
    result = await answer_with_reflection(scene.services, request(RIGHT, **own))
    plain = await answer_with_reflection(Scene().services, request(RIGHT))
    assert result.evaluation.confidence.basis == "self_reported"
    assert result.evaluation.sources_tried[-1].reason.endswith("recorded, never believed")
    assert (result.status, result.stop, result.attempt) == (plain.status, plain.stop, plain.attempt)


async def test_a_secret_in_a_draft_is_neither_stored_nor_handed_out() -> None:
    scene = Scene()
    secret = "".join(("gh", "p_", "0Fa1Ke2Te3St4Va5Lu6Eq7Xz8Yw9VuAbCd"))
    result = await answer_with_reflection(scene.services, request(f"{WRONG}\nToken: {secret}"))
    assert secret not in repr((result, await stored(scene), scene.events))


# --------------------------------------------------------------------------- the store


async def test_without_a_store_the_loop_goes_on_and_says_that_nothing_was_kept() -> None:
    scene = Scene(store=unavailable(StoreBusy("the store is busy", "try again")))
    first = await answer_with_reflection(scene.services, request())
    assert first.notes == ("nothing was stored: the store is busy; try again",)
    last = await answer_with_reflection(scene.services, request(RIGHT, loop=first.loop))
    assert (last.status, last.attempt, last.attempt_id) == ("done", 2, None)
    assert last.history[0].faults == ()
    assert last.history[0].fault_count == 1


class FailingStore(MemoryStore):
    """Is written once; then its disk is full, and it cannot be read any more."""

    taken = 0

    async def transaction(self, scope: Scope, work: Callable[[Writes], T]) -> T:
        self.taken += 1
        if self.taken > 1:
            raise StoreFull("the disk is full", "make room")
        return await super().transaction(scope, work)

    async def attempts(self, *args: Any, **kwargs: Any) -> list[Attempt]:
        raise StoreError("the store cannot be read", "run doctor")


@requirement("errors:store-fails")
async def test_a_store_that_fails_in_between_costs_no_answer() -> None:
    scene = Scene(store=FailingStore())
    first = await answer_with_reflection(scene.services, request())
    last = await answer_with_reflection(scene.services, request(RIGHT, loop=first.loop))
    assert (last.status, last.answer) == ("done", RIGHT)
    assert last.notes == ("nothing was stored: the disk is full; make room",)
    assert (first.lost, last.lost) == ("", "the disk is full")
    assert scene.events[-2][0] == "loop_not_stored"


@requirement("select:greeting")
@each_row("draft", [None, "Hello to you."])
async def test_a_greeting_asks_no_model_and_keeps_nothing(draft: str | None) -> None:
    with script() as model:
        scene = Scene(model)
        asked = AnswerRequest(question="hello there", secret=b"k" * 32, draft=draft, always=True)
        result = await answer_with_reflection(scene.services, asked)
    assert (result.status, result.mode, result.answer) == ("done", "skipped", draft or "")
    assert result.why == "a greeting: nothing to reflect on"
    assert (scene.events, await stored(scene)) == ([], [])


@requirement("select:lookup")
@each_row("draft", [None, "Paris."])
async def test_a_plain_look_up_asks_the_answerer_at_most_and_no_judge(draft: str | None) -> None:
    lines: list[Line] = [] if draft else [("answerer", "Paris.")]
    with script(*lines) as model:
        scene = Scene(model)
        asked = AnswerRequest(
            question="What is the capital of France?", secret=b"k" * 32, draft=draft
        )
        result = await answer_with_reflection(scene.services, asked)
    assert (result.status, result.answer, result.attempts) == ("done", "Paris.", 1)
    assert result.evaluation.quality is None
    assert result.notes == ("a plain look-up: no judge was asked; `always` asks one",)


@requirement("select:complex")
@each_row(
    "more", [{"always": True}, {"context": "Paris is the capital of France."}, {"draft": "w " * 60}]
)
async def test_a_look_up_that_asks_for_more_is_judged(more: dict[str, Any]) -> None:
    given: dict[str, Any] = {"draft": "Paris.", "depth": "fast", **more}
    with script(("evaluator", verdict(4))) as model:
        scene = Scene(model)
        asked = AnswerRequest(question="What is the capital of France?", secret=b"k" * 32, **given)
        result = await answer_with_reflection(scene.services, asked)
    assert (result.evaluation.quality, result.notes) == (1.0, ())


async def test_a_token_of_another_project_or_tenant_is_refused() -> None:
    scene = Scene()
    first = await answer_with_reflection(scene.services, request())
    for place in (Scope(project="bank"), Scope(tenant="rival", project="shop")):
        elsewhere = replace(scene.services, scope=place)
        with pytest.raises(InvalidInput, match="made elsewhere"):
            await answer_with_reflection(elsewhere, request(RIGHT, loop=first.loop))


async def test_a_model_that_fails_leaves_an_event_for_each_role() -> None:
    failing = ModelFailed("rate_limit", "try later")
    with script(("evaluator", failing)) as model:
        scene = Scene(model)
        await answer_with_reflection(scene.services, request(RIGHT))
    told = [facts for event, facts in scene.events if event == "model_failed"]
    assert [(facts["model"], facts["reason"]) for facts in told] == [("scripted", "rate_limit")]


# --------------------------------------------------------------------------- with a model


def script(*lines: Line) -> ScriptedModel:
    return ScriptedModel(lines)


@requirement("loop:critique-revise", "loop:good-enough", "loop:progress", "loop:callbacks")
async def test_a_model_runs_the_whole_loop_inside_the_call() -> None:
    with script(("evaluator", verdict(2)), ("reviser", RIGHT), ("evaluator", verdict(4))) as model:
        scene = Scene(model)
        result = await answer_with_reflection(scene.services, request(), on_progress=scene.listen)
    assert (result.status, result.answer, result.mode) == ("done", RIGHT, "scripted")
    assert result.why == "no proven fault, and a quality of 1.00 is above 0.7"
    assert [c.stated for c in result.cleared] == ["38"]
    assert [message for _, _, message in scene.heard] == [
        "checking 1/3",
        "revising step 2: 1 fault, quality 0.43",
        "checking 2/3",
        "answering with attempt 2",
    ]
    assert [(done, most) for done, most, _ in scene.heard] == [(0, 10), (1, 10), (2, 10), (10, 10)]
    assert scene.steps() == ["checking", "checked", "reviser_asked", "checking", "checked"]
    assert [event for event, _ in scene.events][:: len(scene.events) - 1] == [
        "loop_started",
        "loop_finished",
    ]
    assert scene.events[-1][1]["stop"] == "good_enough"
    assert [one.judge for one in await stored(scene)] == ["scripted", "scripted"]


VAGUE = "The window grows quickly at first."
CLEAR = "The window grows by one segment for each acknowledgement."


async def test_what_a_judge_objected_to_is_learned_and_shown_before_the_next_like_question() -> (
    None
):
    asked = "How does the window of TCP slow start grow?"
    issue = {"kind": "logic", "quote": "quickly", "why": "It gives no rate", "fix": "Say per ACK"}
    low = json.dumps(
        {
            "own_solution": "x",
            "issues": [issue],
            "relevance": 1,
            "completeness": 1,
            "correctness": 1,
        }
    )
    with script(("evaluator", low), ("reviser", CLEAR), ("evaluator", verdict(4))) as model:
        scene = Scene(model)
        result = await answer_with_reflection(
            scene.services, replace(request(VAGUE), question=asked)
        )
    (kept,) = result.learned
    row = await scene.store.reflection(scene.services.scope, kept.id)
    assert row is not None
    assert (row.lesson, row.strategy) == ("It gives no rate.", "Say per ACK.")
    assert row.evidence == "quality rose from 0.25 to 1.00; the answer had said “quickly”"
    assert await fitting_lessons(scene.services, "How does the TCP slow start window grow?") == (
        f"asked “{asked}”; mistake “quickly”; correction “It gives no rate. Say per ACK.”",
    )


async def test_a_severe_critique_that_was_cleared_is_learned_though_quality_rose_little() -> None:
    good = {"relevance": 4, "completeness": 4, "correctness": 3}
    first = json.dumps({"own_solution": "x", "issues": [], **good})
    with script(
        ("evaluator", first),
        ("critic", criticism(3, "quickly")),
        ("reviser", CLEAR),
        ("evaluator", verdict(4)),
    ) as model:
        scene = Scene(model)
        result = await answer_with_reflection(
            scene.services, replace(request(VAGUE), always=True, depth="fast", max_iterations=2)
        )
    (kept,) = result.learned
    row = await scene.store.reflection(scene.services.scope, kept.id)
    assert row is not None
    assert (row.lesson, row.trigger) == ("unclear.", "quickly")
    assert row.evidence.startswith(
        "a critic's severity was 0.75, and the next attempt corrected it"
    )


async def test_what_still_stands_in_the_best_attempt_is_not_learned() -> None:
    low, high = verdict(1, "quickly"), verdict(4)
    kept = f"{CLEAR} It grows quickly."
    with script(("evaluator", low), ("reviser", kept), ("evaluator", high)) as model:
        result = await answer_with_reflection(Scene(model).services, request(VAGUE))
    assert result.learned == ()


@requirement("loop:memory-in", "memory:cross-episode")
async def test_a_first_answer_is_written_with_past_lessons_before_it() -> None:
    lessons = ("Count the loose ones too.", " ", "b", "c", "d")
    with script(("answerer", RIGHT), ("evaluator", verdict(4))) as model:
        scene = Scene(model)
        result = await answer_with_reflection(
            scene.services, request(None, lessons=lessons), on_progress=scene.listen
        )
    assert result.answer == RIGHT
    assert "1. Count the loose ones too.\n2. b\n3. c\n</lessons>" in model.prompts[0].user
    assert result.lessons == ("Count the loose ones too.", "b", "c")
    assert scene.heard[0][2] == "writing a first answer"


async def test_a_model_that_cannot_write_leaves_nothing_to_start_from() -> None:
    with (
        script(("answerer", ModelFailed("bad_key"))) as model,
        pytest.raises(InvalidInput, match="no draft, and the answerer failed: scripted bad_key"),
    ):
        await answer_with_reflection(Scene(model).services, request(None))


@requirement("loop:critic-fails", "loop:history")
async def test_a_reviser_that_fails_leaves_the_best_so_far_and_a_way_to_go_on() -> None:
    with script(("evaluator", verdict(3)), ("reviser", ModelFailed("timeout"))) as model:
        result = await answer_with_reflection(Scene(model).services, request())
    assert result.stop is not None
    assert (result.status, result.answer, result.stop.outcome) == ("done", WRONG, "error")
    assert result.why == "the reviser failed: scripted timeout"
    assert result.redo == (FAULT,)
    last = await answer_with_reflection(Scene().services, request(RIGHT, loop=result.loop))
    assert (last.status, last.attempt) == ("done", 2)


@requirement("loop:critic-fails")
async def test_a_judge_that_fails_leaves_the_checks_and_the_next_model_goes_on() -> None:
    with (
        ScriptedModel(
            [("evaluator", ModelFailed("overloaded")), ("reviser", ModelFailed("overloaded"))] * 1
            + [("evaluator", ModelFailed("overloaded"))],
            name="a",
        ) as a,
        ScriptedModel(
            [("evaluator", "?"), ("evaluator", "?"), ("reviser", RIGHT), ("evaluator", verdict(4))],
            name="b",
        ) as b,
    ):
        result = await answer_with_reflection(Scene(a, b).services, request())
    assert (result.status, result.answer, result.mode) == ("done", RIGHT, "b")
    assert [one.reason for one in result.evaluation.sources_tried] == ["overloaded", ""]
    assert result.history[0].quality == 0.3, "the checks alone"


@requirement("loop:triggers", "loop:converge-severity", "loop:memory-out")
async def test_always_asks_the_critic_although_nothing_was_found() -> None:
    lines: list[Line] = [
        ("evaluator", verdict(4)),
        ("critic", criticism(3, "36 + 4 = 40", "not in it at all")),
        ("reviser", RIGHT + " Yes."),
        ("evaluator", verdict(4)),
    ]
    with script(*lines) as model:
        scene = Scene(model)
        result = await answer_with_reflection(
            scene.services, request(RIGHT, always=True), on_progress=scene.listen
        )
    assert "“36 + 4 = 40”: unclear" in model.prompts[2].user
    assert "not in it at all" not in model.prompts[2].user
    assert (result.attempt, result.history[0].severity) == (1, 0.75)
    assert result.history[0].then == "retry: the critic's severity is 0.75"
    assert "criticising 1/3" in [message for _, _, message in scene.heard]
    told = [message for _, _, message in scene.heard]
    assert "revising 2/3: 1 objection, quality 1.00" in told
    assert result.history[0].objections == ("unclear",)
    assert "unclear" in (await stored(scene))[0].issues
    with script(("evaluator", verdict(4)), ("critic", criticism(1, "36 + 4"))) as model:
        scene = Scene(model)
        mild = await answer_with_reflection(scene.services, request(RIGHT, always=True))
    assert mild.why == "the critic's severity of 0.25 is below 0.3"
    assert (await stored(scene))[0].issues == ()


async def test_a_critic_that_fails_ends_the_loop() -> None:
    with script(("evaluator", verdict(4)), ("critic", ModelFailed("refusal"))) as model:
        result = await answer_with_reflection(Scene(model).services, request(RIGHT, always=True))
    assert (result.status, result.answer) == ("done", RIGHT)
    assert result.why == "the critic failed: scripted refusal"


@requirement("loop:cost-known")
async def test_each_attempt_tells_its_tokens_its_cost_and_its_time() -> None:
    def paid(text: str) -> Reply:
        return Reply(
            text=text, model="m", usage=Usage(input_tokens=100, output_tokens=10, cost_usd=0.001)
        )

    lines = [("evaluator", paid(verdict(2))), ("reviser", paid(RIGHT))]
    with script(*lines, ("evaluator", paid(verdict(4)))) as model:
        scene = Scene(model)
        result = await answer_with_reflection(scene.services, request())
    assert [turn.usage.input_tokens for turn in result.history] == [100, 200]
    assert (await stored(scene))[1].metadata["cost_usd"] == 0.002
    assert scene.events[-1][1]["input_tokens"] == 300


async def test_a_draft_of_a_single_step_is_revised_by_its_number() -> None:
    with script(("evaluator", verdict(2)), ("reviser", "12*3 = 36"), ("evaluator", "{}")) as model:
        scene = Scene(model)
        with pytest.raises(AssertionError, match="the script has ended"):
            await answer_with_reflection(
                scene.services, request("12*3 = 38"), on_progress=scene.listen
            )
    assert scene.heard[1][2] == "revising 2/3: 1 fault, quality 0.43"


async def test_a_deadline_returns_the_best_so_far() -> None:
    with script(("evaluator", verdict(2))) as model:
        scene = Scene(model, tick=10.0)
        result = await answer_with_reflection(scene.services, request(deadline=15.0))
    assert result.stop is not None
    assert (result.status, result.stop.outcome, result.answer) == ("done", "deadline", WRONG)
    assert result.why == "the deadline of 15 s passed"


async def test_after_the_deadline_no_judge_is_asked() -> None:
    with script(("answerer", WRONG)) as model:
        scene = Scene(model, tick=10.0)
        result = await answer_with_reflection(scene.services, request(None, deadline=15.0))
    assert (result.answer, result.evaluation.sources_tried) == (WRONG, ())


class Silent:
    """A model that never answers, and notices when it is given up."""

    name = "silent"
    given_up = False

    async def complete(self, prompt: Prompt) -> Reply:
        if prompt.role == "evaluator":
            raise ModelFailed("refusal")
        try:
            await anyio.sleep_forever()
        finally:
            self.given_up = True
        raise AssertionError


async def test_a_deadline_passes_in_the_middle_of_a_reply() -> None:
    model = Silent()
    with anyio.fail_after(60):
        result = await answer_with_reflection(Scene(model).services, request(deadline=0.1))
    assert model.given_up
    assert result.stop is not None
    assert (result.stop.outcome, result.answer) == ("deadline", WRONG)


async def test_cancellation_passes_through_and_leaves_nothing_behind() -> None:
    model, finished = Silent(), list[AnswerResult]()
    scene = Scene(model)

    async def run() -> None:
        finished.append(await answer_with_reflection(scene.services, request()))

    with anyio.fail_after(60):
        async with anyio.create_task_group() as group:
            group.start_soon(run)
            while "reviser_asked" not in scene.steps():
                await anyio.lowlevel.checkpoint()
            group.cancel_scope.cancel()
    assert model.given_up
    assert finished == []
    assert await stored(scene) == []


async def test_a_check_that_fails_is_told_and_costs_no_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    break_a_family(monkeypatch)
    scene = Scene()
    result = await answer_with_reflection(scene.services, request())
    assert result.status == "revise"  # by what the other family found
    failed = [facts for event, facts in scene.events if event == "check_failed"]
    assert failed[0]["fault"] == "ZeroDivisionError"


async def test_a_disputed_fault_ends_the_loop_and_teaches_nothing() -> None:
    scene = Scene()
    first = await answer_with_reflection(scene.services, request())
    why = "two pens are spare, as the task says"
    again = await answer_with_reflection(
        scene.services, request(loop=first.loop, disputed={"12*3 = 38": why, "f-00000000": why})
    )
    assert (again.status, again.attempt, again.cleared) == ("done", 2, ())
    (fault,) = (check for check in again.evaluation.checks if check.status == "wrong")
    assert fault.disputed == why
    assert again.notes == ("`disputed` names ids that no finding of this draft has: “f-00000000”",)
