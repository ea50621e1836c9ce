"""The text of `get_insights` says the words of a lesson once; the structure stays whole."""

from typing import cast

from reflection_mcp.server.mcp.parts import AdviceView, IssueView
from reflection_mcp.server.mcp.results import InsightsView

PIN = "Pin “every” version."
BLOCK = """Based on recent self-evaluations, pay special attention to:
- “no source” (3 times)
- “too long”
- earlier strategy [str-1, new]: “Pin "every" version.”
- earlier lesson [ref-1, new]: “A mirror had lost it. — Ask another mirror.”
- earlier lesson [ref-2, new]: “Two pins clashed.”"""


def told(id: str, lesson: str = "", strategy: str = "") -> AdviceView:
    return AdviceView(
        id=id, lesson=lesson, strategy=strategy, trust="untrusted", track_record="new", source="ann"
    )


RESULT = InsightsView(
    summary="Much.",
    prompt=BLOCK,
    issues=[
        IssueView(text="no source", times=3),
        IssueView(text="too long", times=1),
        IssueView(text="too long", times=2),
    ],
    strategies=[told("str-1", PIN), told("str-9", "Left out by the budget.")],
    lessons=[
        told("ref-1", "A mirror had lost it.", "Ask another mirror."),
        told("ref-2", "Two pins clashed.", PIN),
        told("ref-3", "Two pins clashed.", "Left out by the budget."),
    ],
)


def test_what_the_block_says_is_not_said_again() -> None:
    text = RESULT.text()
    for words in ("no source", "A mirror had lost it.", "Ask another mirror.", "every"):
        assert text.count(words) == 1
    assert "- ref-1 (" not in text, "the block has the words of this lesson"


def test_what_the_budget_keeps_out_of_the_block_is_named_and_not_printed() -> None:
    lines = RESULT.text().splitlines()
    assert lines[-1] == "Too long to be shown here: ref-3; `detailed` has more room."
    assert "Left out by the budget." not in RESULT.text()


def test_evidence_is_shown_for_a_lesson_of_the_block() -> None:
    lessons = [AdviceView.of(each, evidence="The log.") for each in RESULT.lessons]
    text = RESULT.model_copy(update={"lessons": lessons}).text()
    assert "- ref-1 (new): Evidence: “The log.”. (from “ann”; untrusted text)" in text
    assert text.count("The log.") == 2


def test_the_structure_stays_whole() -> None:
    lessons = cast("list[dict[str, str]]", RESULT.structure()["lessons"])
    assert [each["lesson"] for each in lessons] == [
        "A mirror had lost it.",
        "Two pins clashed.",
        "Two pins clashed.",
    ]


def test_how_often_advice_helped_stands_below_advice_only() -> None:
    counted = RESULT.model_copy(update={"advice_given": 2, "advice_helped": 1})
    line = "Advice was shown twice: 1 helped, 0 failed."
    assert counted.text().splitlines()[-1] == line
    nothing = counted.model_copy(update={"prompt": "", "strategies": [], "lessons": []})
    assert line not in nothing.text()
