"""What is kept of an attempt, and which of several is the best."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from reflection_mcp.store.records import Check
from reflection_mcp.tools.answer.draft import (
    Critique,
    Point,
    answer_digest,
    best,
    changed_share,
    evident_quality,
    flaws_of,
    opening,
)
from reflection_mcp.tools.judging.scoring import Evaluation
from reflection_mcp.tools.usage import Usage
from tests.answer.attempts import attempts, evaluation, flaw, scored
from tests.requirements import requirement
from tests.rows import each_row


@requirement("loop:best-kept")
def test_the_best_attempt_has_fewest_faults_then_quality_then_came_first() -> None:
    clean = evaluation(quality=0.2)
    drafts = attempts(
        ("a", evaluation(flaw(), flaw("40"), quality=0.9)),
        ("b", evaluation(flaw(), quality=0.9)),
        ("c", clean),
        ("d", evaluation(quality=0.6)),
        ("e", evaluation(quality=0.6)),
        ("f", evaluation(flaw("41"))),
    )
    assert best(drafts).text == "d"
    assert best(drafts[:3]).text == "c"
    assert best(drafts[:2]).text == "b"
    assert best((drafts[1], drafts[0])).text == "b"


@requirement("loop:best-kept")
def test_of_two_equally_good_attempts_the_one_without_the_words_that_a_critic_quoted_is_kept() -> (
    None
):
    good = evaluation(quality=1.0)
    before, same, revised = attempts(
        ("It is linear.", good), ("It is linear. Yes.", good), ("It halves.", good)
    )
    point = Point(problem="A loss halves it.", quote="It is linear")
    criticised = replace(before, critique=Critique(severity=0.75, points=(point,)))
    assert best((criticised, same)).text == "It is linear."
    assert best((criticised, same, revised)).text == "It halves."


def test_a_score_of_ones_own_work_is_no_quality() -> None:
    own = evaluation(quality=0.9, basis="self_reported")
    assert evident_quality(own) is None
    mixed = Evaluation(
        confidence=scored(0.3, "measured"),
        relevance=scored(1.0, "self_reported"),
        completeness=scored(0.5, "judged"),
    )
    assert evident_quality(mixed) == 0.4


def test_an_answer_is_the_same_when_only_line_ends_differ() -> None:
    assert answer_digest("a \n b\r\n") == answer_digest("a\n b")
    assert answer_digest("if x:\n  y") != answer_digest("if x:\ny")
    assert answer_digest("e\u0301") == answer_digest("\u00e9")
    assert len(answer_digest("")) == 12


def test_faults_are_counted_all_and_sampled_in_a_steady_order() -> None:
    found = [flaw(str(n)) for n in range(5)]
    assert flaws_of(found) == flaws_of(reversed(found))
    assert flaws_of(found).count == 5
    assert len(flaws_of(found).sample) == 3
    assert flaws_of([flaw(), flaw()]) != flaws_of([flaw()])


def test_a_fault_keeps_its_digest_when_it_moves() -> None:
    here = Check(kind="k", status="wrong", start=1, end=2, quote="a  b", stated="1")
    there = Check(kind="k", status="wrong", start=7, end=9, quote="a\nb", stated="1")
    assert flaws_of([here]) == flaws_of([there])


def test_an_opening_is_one_short_line() -> None:
    assert opening("a\n\n b") == "a b"
    assert len(opening("word " * 100)) == 60
    assert opening("word " * 100).endswith("…")


def test_costs_add_up() -> None:
    one = Usage(ms=1, input_tokens=2, output_tokens=3, cost_usd=0.1)
    assert one + one == Usage(ms=2, input_tokens=4, output_tokens=6, cost_usd=0.2)


@each_row(
    ("before", "after", "share"),
    [
        ("", "", 0.0),
        ("abcd", "abcd", 0.0),
        ("abcd", "abXd", 0.25),
        ("aaaa", "aaa", 0.25),
        ("abcd", "", 1.0),
        ("ab", "ba", 1.0),
    ],
)
def test_the_share_of_a_text_that_changed(before: str, after: str, share: float) -> None:
    assert changed_share(before, after) == share


@given(st.text(alphabet="ab", max_size=20), st.text(alphabet="ab", max_size=20))
def test_a_share_is_zero_for_equal_texts_only(before: str, after: str) -> None:
    share = changed_share(before, after)
    assert 0 <= share <= 1
    assert (share == 0) == (before == after)
    assert share == changed_share(after, before)


@requirement("loop:best-kept")
def test_where_nobody_gave_a_score_the_revision_is_kept_unless_it_has_a_fault() -> None:
    drafts = attempts(("a", evaluation()), ("b", evaluation()))
    assert best(drafts).text == "b"
    assert best(attempts(("a", evaluation()), ("b", evaluation(flaw())))).text == "a"
    assert best(attempts(("a", evaluation(flaw())), ("b", evaluation(flaw())))).text == "a"
