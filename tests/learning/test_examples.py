"""Past mistakes as examples for a prompt, and the memory of mistakes as a whole."""

from dataclasses import replace

import pytest

from reflection_mcp.store.contract import Store
from reflection_mcp.store.sqlite.memory import MemoryStore
from reflection_mcp.tools.errors import InvalidInput
from reflection_mcp.tools.learning.examples import MOST, as_examples
from reflection_mcp.tools.reflect.reflect import reflect
from tests.learning.test_consolidation import LESSON
from tests.requirements import requirement
from tests.tools.errors_met import YAML
from tests.tools.stage import NOON, Stage, reflect_request

MISTAKE = replace(
    LESSON,
    question="Make it start",
    trigger="KeyError: 'a'",
    lesson="The key is optional.",
    strategy="Use get.",
)


@requirement("adapt:few-shot")
def test_a_mistake_and_its_correction_become_a_quoted_example() -> None:
    assert as_examples([MISTAKE]) == (
        "asked “Make it start”; mistake “KeyError: 'a'”; "
        "correction “The key is optional. Use get.”",
    )


@requirement("adapt:few-shot")
def test_what_a_judge_quoted_is_the_mistake_and_its_words_the_correction() -> None:
    judged = replace(
        MISTAKE,
        question="How does TCP slow start grow?",
        trigger="one segment per RTT",
        lesson="It grows by one segment per ACK.",
        strategy="Say per ACK.",
        error_type="quality_improvement",
    )
    assert as_examples([judged]) == (
        "asked “How does TCP slow start grow?”; mistake “one segment per RTT”; "
        "correction “It grows by one segment per ACK. Say per ACK.”",
    )


def test_an_example_names_the_mistake_once() -> None:
    proven = replace(
        MISTAKE,
        trigger="9 * 5 = 54",
        lesson="An answer to “Make it start” said “9 * 5 = 54”: 9 * 5 comes to 45, not 54.",
        strategy="",
    )
    assert as_examples([proven]) == (
        "asked “Make it start”; mistake “9 * 5 = 54”; correction “9 * 5 comes to 45, not 54.”",
    )


def test_a_question_is_no_mistake() -> None:
    asked = replace(MISTAKE, trigger=MISTAKE.question)
    assert as_examples([asked]) == (
        "asked “Make it start”; correction “The key is optional. Use get.”",
    )


def test_a_strategy_beside_its_lesson_is_left_out() -> None:
    strategy = replace(MISTAKE, id="str-1", kind="strategy", lesson="Use get.", strategy="")
    assert len(as_examples([MISTAKE, strategy])) == 1


@requirement("adapt:few-shot")
def test_without_a_past_mistake_the_text_is_empty() -> None:
    assert as_examples([]) == ()
    assert as_examples([replace(MISTAKE, lesson="")]) == ()


@requirement("adapt:few-shot")
def test_what_may_not_be_offered_is_no_example_and_only_the_first_are_told() -> None:
    assert as_examples([replace(MISTAKE, suspicious=True), replace(MISTAKE, failed=2)]) == ()
    assert len(as_examples([MISTAKE] * 9)) == MOST


# --------------------------------------------------------------------- the memory of mistakes


async def kept(question: str = "Make the import run") -> tuple[Stage, Store]:
    store = MemoryStore()
    stage = Stage(store=store)
    work = reflect_request(
        question=question, answer="Done.", error=YAML, lesson="Install PyYAML.", outcome="failure"
    )
    await reflect(stage.services(), work)
    return stage, store


@requirement("memory:store")
@pytest.mark.anyio
async def test_a_mistake_is_kept_with_question_correction_severity_and_time() -> None:
    stage, store = await kept()
    scope = stage.services().scope
    (row,) = await store.reflections(scope)
    assert (row.question, row.example, row.lesson) == (
        "Make the import run", YAML, "Install PyYAML.",
    )  # fmt: skip
    assert row.importance == 0.7
    assert row.first_seen > NOON
    (attempt,) = await store.attempts(scope)
    assert attempt.question == "Make the import run"
    assert len(attempt.answer_hash) == 16


@requirement("memory:store")
@pytest.mark.anyio
async def test_without_a_question_it_is_refused() -> None:
    with pytest.raises(InvalidInput, match="question is empty"):
        await kept(" ")
