"""What asks to be told something, and what reports work."""

from reflection_mcp.tools.judging.texts.reports import asks, reports
from tests.rows import each_row


@each_row(
    ("question", "told"),
    [
        ("How high is it?", True),
        ("Describe the tower", True),
        ("Please calculate the interest on 300", True),
        ("Add pagination to the orders endpoint", False),
        ("npm install fails", False),
        ("Whatever happens, keep the tests green", False),
    ],
)
def test_a_question_asks_to_be_told_something(question: str, told: bool) -> None:
    assert asks(question) is told


@each_row(
    ("answer", "told"),
    [
        ("I changed page() to return the key.", True),
        ("We\u2019ve now rewritten it.\n- Added a test.", True),
        ("The cause was a stale lock. I removed it.", True),
        ("Upgraded react-dnd to 16 and npm install runs.", True),
        ("Founded in 1887, the town is old.", False),
        ("Indeed, the tower is 330 metres high.", False),
        ("I think it is 15.", False),
        ("The committee added a rule.", False),
    ],
)
def test_an_answer_reports_work(answer: str, told: bool) -> None:
    assert reports(answer) is told
