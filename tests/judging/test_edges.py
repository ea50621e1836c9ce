import pytest

from reflection_mcp.tools.judging.requests.edges import begins, ends, folded


@pytest.mark.parametrize(
    ("answer", "wanted", "does"),
    [
        ("**Dear** Sir", "dear sir", True),
        ("Hello", "Dear", False),
        ("### a", "###", True),
        ("a", "###", False),
    ],
)
def test_a_beginning_is_known_without_marks(answer: str, wanted: str, does: bool) -> None:
    assert begins(answer, wanted) is does


@pytest.mark.parametrize(
    ("answer", "wanted", "does"),
    [
        ("So. The end!", "The end", True),
        ("Stay safe! \U0001f31f", "Stay safe", True),
        ("So ###\n", "###", True),
        ("So", "###", False),
        ("Hi.\n\nRegards,\nBob", "Regards", True),
        ("Hi.\n\nBest regards, Bob", "Best regards", True),
        ("Hi.\n\nBest regards, Bob\nHead of Sales", "Best regards", True),
        ("Hi.\n\nRegards,\n[Your Name]\n+49 123", "Regards", True),
        ("Hi.\n\nRegards,\nI will come on Monday and bring the books.", "Regards", False),
        ("Hi.\n\nRegards,\nSee you.", "Regards", False),
        ("Hi.\n\nRegards, as I said, to all", "Regards", False),
        ("Hi.\n\nThe end\nBob", "The end", False),
        ("Regards to Ann.\n\nBob", "Regards", False),
        ("Regards,\n" + "Bob\n" * 6, "Regards", False),
    ],
)
def test_a_closing_formula_may_be_signed_and_nothing_else_follows(
    answer: str, wanted: str, does: bool
) -> None:
    assert ends(answer, wanted, f"End with '{wanted}'.") is does


def test_nothing_may_follow_where_the_question_says_so() -> None:
    question = "End with 'Regards'. No other words should follow."
    assert not ends("Hi.\n\nRegards,\nBob", "Regards", question)


def test_what_holds_no_letter_is_empty_without_its_marks() -> None:
    assert folded(" *** ") == ""
    assert folded(" *A  b* ") == "a b"
