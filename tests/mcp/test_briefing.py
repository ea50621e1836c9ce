"""The text of `get_insights` says the words of a lesson once; the structure stays whole."""

from reflection_mcp.server.mcp.briefing import said_once
from reflection_mcp.server.mcp.results import AdviceView, InsightsView, IssueView
from reflection_mcp.server.mcp.text_view import text_view
from reflection_mcp.server.mcp.views import both_views

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
    text = text_view(RESULT)
    for words in ("no source", "A mirror had lost it.", "Ask another mirror.", "every"):
        assert text.count(words) == 1
    assert "- ref-1 (" not in text, "the block has the words of this lesson"


def test_what_the_block_lacks_is_said_in_the_lists() -> None:
    once = said_once(RESULT)
    assert once.issues == [IssueView(text="too long", times=2)]
    assert "Left out by the budget." not in [each.lesson for each in once.strategies]
    # The same words under another id are another lesson.
    assert (once.lessons[2].lesson, once.lessons[2].strategy) == (
        "Two pins clashed.",
        "Left out by the budget.",
    )


def test_a_strategy_that_the_block_lacks_stays_with_its_lesson() -> None:
    whole = told("ref-2", "Two pins clashed.", "Left out by the budget.")
    once = said_once(RESULT.model_copy(update={"lessons": [whole]}))
    assert (once.lessons[0].lesson, once.lessons[0].strategy) == ("", whole.strategy)


def test_the_structure_stays_whole() -> None:
    structure = both_views(RESULT).structured_content
    assert structure is not None
    assert [each["lesson"] for each in structure["lessons"]] == [
        "A mirror had lost it.",
        "Two pins clashed.",
        "Two pins clashed.",
    ]
