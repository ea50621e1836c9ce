"""From many attempts to a few lines."""

from dataclasses import replace

from reflection_mcp.store.records import Attempt
from reflection_mcp.tools.learning import insights
from tests.requirements import requirement
from tests.tools.workshops import NOON

LOW = Attempt(
    id="att-1",
    conversation_id="conv",
    iteration=0,
    at=NOON,
    question="q",
    answer_hash="0" * 16,
    quality=0.3,
)


@requirement("adapt:common-issues")
def test_issues_that_say_the_same_are_one_line_with_a_count() -> None:
    attempts = [
        replace(LOW, issues=("15 x 12.99 = 195.00, should be 194.85",)),
        replace(LOW, issues=("17 x 11.20 = 195.00, should be 190.40", "no source was named")),
        replace(LOW, issues=("No source was named.",)),
    ]
    lines = insights.recurring_issues(attempts, 10)
    assert [(line.text[:9], line.times) for line in lines] == [("15 x 12.9", 2), ("no source", 2)]


def test_an_issue_and_its_opposite_are_two_lines() -> None:
    told = "the summary says that the total {} since the last quarter of the year"
    issues = [told.format(word) for word in ("increases", "decreases", "increased")]
    lines = insights.recurring_issues([replace(LOW, issues=(each,)) for each in issues], 10)
    assert [line.times for line in lines] == [2, 1]


def test_the_same_issue_twice_in_one_attempt_counts_once() -> None:
    (line,) = insights.recurring_issues([replace(LOW, issues=("vague", "vague"))], 10)
    assert line.times == 1


def test_only_the_most_frequent_issues_are_told() -> None:
    attempts = [replace(LOW, issues=(f"the {word} is wrong",)) for word in ("date", "unit code")]
    assert len(insights.recurring_issues(attempts, 1)) == 1


def test_a_trend_needs_four_attempts_with_a_quality() -> None:
    assert insights.trend([LOW] * 3) is None
    assert insights.trend([replace(LOW, quality=None)] * 9) is None


def test_the_trend_compares_the_newer_half_with_the_older() -> None:
    def of(*qualities: float) -> str:
        found = insights.trend([replace(LOW, quality=q) for q in qualities])
        assert found is not None
        return found.word

    assert of(0.9, 0.9, 0.3, 0.3) == "better"
    assert of(0.3, 0.3, 0.9, 0.9) == "worse"
    assert of(0.5, 0.5, 0.5, 0.55) == "steady"


def test_lines_fit_a_budget_and_the_rest_is_counted() -> None:
    assert insights.fit(["a" * 40, "b" * 40, "c" * 40], 25) == (("a" * 40, "b" * 40), 1)
    assert insights.fit([], 25) == ((), 0)
