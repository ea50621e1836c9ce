import pytest

from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.completeness.topicality import check


def told(question: str, answer: str, context: str = "") -> list[tuple[str, str, str]]:
    return [(one.kind, one.status, one.severity) for one in check(Case(question, answer, context))]


def test_an_answer_without_an_echo_is_a_hint() -> None:
    found = told("How do volcanoes form islands?", "Bread needs flour and the warmth of an oven.")
    assert found == [("completeness:off_topic", "wrong", "hint")]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (
            "Add pagination to the orders endpoint",
            "I changed page() to return the key next also on the last page.",
        ),
        ("Can you make the build green?", "Pinned the lockfile; every check passes since then."),
        ("npm install fails", "The cache of the runner held a damaged archive."),
        ("Who painted the ceiling there?", "Michelangelo Buonarroti."),
    ],
)
def test_finished_work_and_short_answers_need_no_echo(question: str, answer: str) -> None:
    assert told(question, answer) == []


def test_the_hint_speaks_of_telling_words_alone() -> None:
    (one,) = check(Case("How do the volcanoes form?", "The oven has to warm the bread and flour."))
    assert one.why == "The answer shares no telling word with the question."


def test_a_part_of_the_question_without_an_echo_is_a_hint() -> None:
    question = "What is the capital of Peru? Explain how volcanoes form."
    (one,) = check(Case(question, "The capital of Peru is Lima."))
    assert (one.kind, one.severity) == ("completeness:unanswered_part", "hint")
    assert one.expected == "Explain how volcanoes form."
    assert told(question, "The capital of Peru is Lima. Volcanoes form over hot rock.") == []


@pytest.mark.parametrize(
    ("demand", "answer"),
    [
        ("Give exactly three bullet points.", "- Lima lies in Peru\n- by the sea\n- and is big"),
        ("Write at most 50 words.", "Lima is the capital of Peru."),
        ("Provide your answer in JSON.", '{"capital of Peru": "Lima"}'),
        ("Give a title in double angular brackets.", "<<Lima>> is the capital of Peru."),
        ("Write it in all lowercase letters.", "lima is the capital of peru."),
    ],
)
def test_a_demand_on_the_form_is_no_part_that_words_answer(demand: str, answer: str) -> None:
    assert told(f"What is the capital of Peru? {demand}", answer) == []


def test_what_is_to_be_listed_is_a_part_that_words_answer() -> None:
    asked = "What is the capital of Peru? List three volcanoes of Chile."
    found = told(asked, "Lima is the capital of Peru.")
    assert found == [("completeness:unanswered_part", "wrong", "hint")]
    assert told("What is the capital of Peru? Explain volcanoes in exactly two sentences.",
                "Lima is the capital of Peru.") == found  # fmt: skip


def test_a_year_is_an_echo() -> None:
    assert told("Name what happened, 1932?", "Nothing did. That was 1932") == []
    assert told("Name what happened, 1932?", "Bread rose in warm old ovens near Oslo.") != []


def test_a_word_of_the_context_is_known_as_it_stands_and_by_its_stem() -> None:
    context = "The old bridges were crossing the wide river in 1932."
    (hint,) = check(Case("", "Bridges crossed rivers in 1932 too. It was wide.", context))
    assert hint.stated == "1.00"


def test_the_words_of_the_context_are_counted_as_a_hint() -> None:
    context = "The old bridge crosses the wide river."
    found = told("", "The old bridge crosses. Penguins eat silver fish nightly. It is.", context)
    assert found == [
        ("grounding:support", "wrong", "hint"),
        ("grounding:support", "unchecked", "hint"),
    ]
    assert told("", "It is.", context) == []


@pytest.mark.parametrize("answer", ["", "Das ist nicht die Antwort auf die Frage.", "\u6cb3\u6d41"])
def test_nothing_is_said_of_no_text_or_of_other_languages(answer: str) -> None:
    assert told("How do volcanoes form islands?", answer, "context") == []
