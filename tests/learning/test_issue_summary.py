"""From many attempts to a few lines."""

from collections.abc import Set
from dataclasses import replace

from reflection_mcp.store.records import Attempt, Check
from reflection_mcp.tools.judging.finding import finding_id
from reflection_mcp.tools.learning import issue_summary
from tests.requirements import requirement
from tests.tools.stage import NOON

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
def test_issues_of_a_kind_are_one_line_with_an_example_and_how_often_it_came_up() -> None:
    attempts = [
        replace(LOW, issues=("15 x 12.99 = 195.00, should be 194.85",)),
        replace(LOW, issues=("17 x 11.20 = 195.00, should be 190.40", "no source was named")),
        replace(LOW, issues=("No source was named.",)),
    ]
    lines = issue_summary.recurring_issues(attempts)
    assert [(line.text[:9], line.times, line.others) for line in lines] == [
        ("15 x 12.9", 1, 1),
        ("no source", 2, 0),
    ]


@requirement("adapt:common-issues")
def test_what_a_judge_wants_instead_stands_with_its_objection() -> None:
    check = Check(kind="arithmetic", status="wrong", quote="2 + 2 = 5", why="so")
    attempt = replace(
        LOW,
        checks=(check,),
        issues=("2 + 2 = 5 (so)", "It does not say when.", "Name the unit"),
        improvements=("the sides differ", "name the trigger", "Name the unit"),
    )
    lines = issue_summary.recurring_issues([attempt])
    assert [line.text for line in lines] == [
        "2 + 2 = 5 (so)", "It does not say when; name the trigger", "Name the unit",
    ]  # fmt: skip


def test_ten_different_wrong_sums_are_never_told_as_one_that_came_up_ten_times() -> None:
    sums = [f"{n} * 7 = {7 * n + 1}, should be {7 * n}" for n in range(11, 21)]
    (line,) = issue_summary.recurring_issues([replace(LOW, issues=(each,)) for each in sums])
    assert (line.text, line.times, line.others) == (sums[0], 1, 9)
    assert issue_summary.how_often(line.times, line.others) == " (and 9 like it)"
    assert issue_summary.how_often(3, 2) == " (3 times, and 2 like it)"
    assert issue_summary.how_often(3, 0) == " (3 times)"
    assert issue_summary.how_often(1, 0) == ""


def test_two_issues_of_a_kind_in_one_attempt_are_one_attempt() -> None:
    issues = ("2 + 2 = 5, should be 4", "3 + 3 = 7, should be 6")
    (line,) = issue_summary.recurring_issues([replace(LOW, issues=issues)])
    assert (line.times, line.others) == (1, 0)


def of_kind(kind: str, quote: str, disputed: str = "") -> Attempt:
    check = Check(kind=kind, status="wrong", quote=quote, why="so", disputed=disputed)
    return replace(LOW, checks=(check,), issues=(f"{quote} (so)", "no source"))


def test_what_was_disputed_or_is_not_precise_in_use_is_no_issue() -> None:
    told, later = of_kind("arithmetic", "2 + 2 = 5"), of_kind("arithmetic", "2 + 2 = 5", "a riddle")
    disputed = {finding_id(check) for check in later.checks}
    vague = of_kind("unit", "1 h = 61 min")

    def issues(*attempts: Attempt, known: Set[str] = frozenset()) -> list[str]:
        return [each.text for each in issue_summary.recurring_issues(attempts, known)]

    assert issues(told) == ["2 + 2 = 5 (so)", "no source"]
    assert issues(later) == issues(vague) == issues(told, known=disputed) == ["no source"]


def test_an_issue_and_its_opposite_are_two_lines() -> None:
    told = "the summary says that the total {} since the last quarter of the year"
    issues = [told.format(word) for word in ("increases", "decreases", "increased")]
    lines = issue_summary.recurring_issues([replace(LOW, issues=(each,)) for each in issues])
    assert [line.attempts for line in lines] == [2, 1]


def test_the_same_issue_twice_in_one_attempt_counts_once() -> None:
    (line,) = issue_summary.recurring_issues([replace(LOW, issues=("vague", "vague"))])
    assert line.times == 1


def test_the_most_frequent_issue_comes_first() -> None:
    words = ("date", "unit code", "unit code")
    attempts = [replace(LOW, issues=(f"the {word} is wrong",)) for word in words]
    told = issue_summary.recurring_issues(attempts)
    assert [(each.text, each.times) for each in told] == [
        ("the unit code is wrong", 2), ("the date is wrong", 1),
    ]  # fmt: skip


def test_a_trend_needs_ten_attempts_of_one_judge_with_a_quality() -> None:
    assert issue_summary.trend([LOW] * 9) is None
    assert issue_summary.trend([replace(LOW, quality=None)] * 30) is None
    mixed = [replace(LOW, judge=judge, quality=q) for judge, q in (("a", 0.9), ("b", 0.3))] * 9
    assert issue_summary.trend(mixed) is None
    assert issue_summary.trend([]) is None


def test_the_trend_compares_the_newer_half_with_the_older() -> None:
    def of(*qualities: float) -> str:
        found = issue_summary.trend([replace(LOW, quality=q) for q in qualities])
        assert found is not None
        return found.word

    assert of(*[0.9] * 5, *[0.3] * 5) == "better"
    assert of(*[0.3] * 5, *[0.9] * 5) == "worse"
    assert of(*[0.5] * 9, 0.55) == "steady"


def test_a_change_that_chance_explains_is_no_trend() -> None:
    scattered = (0.3, 0.9, 0.7, 0.3, 0.9, 0.3, 0.7, 0.3, 0.3, 0.7)
    found = issue_summary.trend([replace(LOW, quality=q) for q in scattered])
    assert found is not None
    assert (found.newer, found.older, found.word) == (0.62, 0.46, "steady")


def test_lines_fit_a_budget_and_the_rest_is_counted() -> None:
    assert issue_summary.fit(["a" * 40, "b" * 40, "c" * 40], 25) == (("a" * 40, "b" * 40), 1)
    assert issue_summary.fit([], 25) == ((), 0)


def test_a_block_says_how_much_of_all_that_was_found_it_lacks() -> None:
    whole, nothing_left = issue_summary.block(["- a"], 25)
    assert (whole.splitlines(), nothing_left) == (
        [issue_summary.HEADING, issue_summary.AS_DATA, "- a"],
        0,
    )
    cut, left = issue_summary.block(["a" * 40, "b" * 40, "c" * 40], 25, 1_200)
    assert (cut.splitlines()[-1], left) == ("- and 1,201 more, which did not fit here", 1_201)
    assert issue_summary.block(["a" * 400], 25, 1) == ("", 2)
    assert issue_summary.block([], 25) == ("", 0)
