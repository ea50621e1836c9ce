"""Advice that fits every question is refused."""

import json
from pathlib import Path

import pytest

from reflection_mcp.store.records import Lesson
from reflection_mcp.tools.errors import InvalidInput
from reflection_mcp.tools.learning.platitude import is_platitude
from reflection_mcp.tools.manual_lesson import LessonDraft, add_lesson
from reflection_mcp.tools.reflect.reflect import reflect
from tests.rows import each_row
from tests.tools.stage import Stage, reflect_request

DATA = Path(__file__).parent / "data"


@each_row(
    "text",
    [
        "Be more careful.",
        "Double-check your work before answering!",
        "Always verify the answer step by step.",
        "Don't rush; take your time, understand the question, then answer it.",
        "Read the error message carefully.",
        "Test your code before submitting.",
        "I should have been more attentive.",
        "We did that and it failed again.",
        "It worked.",
    ],
)
def test_advice_that_fits_every_question_is_a_platitude(text: str) -> None:
    assert is_platitude(text)


@each_row(
    "text",
    [
        "Quote the RFC section.",
        "Use UTC.",
        "Check the exit code.",
        "Check `x` first.",
        "Test 2 first.",
        "Send it again.",
        "The test was slow.",
        "Try again later.",
        "Restarting helped.",
        "Prüfe das Datum in UTC.",
        "Vérifier le fuseau horaire.",
        "Revisar el índice de la tabla.",
        "",
        "...",
    ],
)
def test_advice_that_names_something_is_none(text: str) -> None:
    assert not is_platitude(text)


def test_no_lesson_of_the_test_data_is_a_platitude() -> None:
    rows = [
        json.loads(line)["lesson"]
        for path in sorted(DATA.glob("lessons_*.jsonl"))
        for line in path.read_text("utf-8").splitlines()
    ]
    assert len(rows) == 600 // 2
    assert not [text for text in rows if is_platitude(text)]


@pytest.mark.anyio
async def test_a_platitude_is_refused_as_a_lesson_and_the_result_says_what_to_pass() -> None:
    stage = Stage()
    work = reflect_request(question="Make it run", answer="Done.", lesson="Be more careful.")
    judged = await reflect(stage.services(), work)
    assert judged.kept == ()
    assert (
        "the lesson was not kept: it would fit every question; say what was wrong here and what to "
        "do about it" in judged.notes
    )
    with pytest.raises(InvalidInput, match="not kept"):
        await add_lesson(stage.services(), LessonDraft(lesson=Lesson(text="Be more careful.")))
