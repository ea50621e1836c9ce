"""Percentages: every rule has an example that fits and a counter-example that does not."""

import pytest

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.quantities.percent import check
from reflection_mcp.tools.judging.quantities.percent_rules import RULES, Rule


def found(answer: str) -> list[Check]:
    return list(check(Case(answer=answer)))


@pytest.mark.parametrize(
    "text",
    [
        *(f"A 10% {word} on $50 leaves $45" for word in ("discount", "markdown", "cut", "loss")),
        *(f"$50 with a 10% {word} is $45" for word in ("reduction", "decrease", "drop", "fall")),
        "$50 minus 10% off is $45",
        *(f"A 10% {word} on $50 is $5" for word in ("gratuity", "commission", "fee", "deposit")),
        *(f"A 10% {word} on $50 is $5" for word in ("tip", "sales tax", "VAT")),
        *(f"$50 plus 10% {word} is $55" for word in ("tax", "VAT", "tip", "interest", "markup")),
        *(f"$50 and a 10% {word} is $55" for word in ("increase", "gratuity")),
    ],
)
def test_each_word_of_a_rule_is_enough_to_try_it(text: str) -> None:
    assert [one.status for one in found(f"{text}.")] == ["ok"]
    before = "It was the 3rd of 4 shops, and 20% of 60 is no more. "
    assert [one.status for one in found(f"{before}{text}. Is 5 enough?")] == ["ok"]


def test_the_statements_of_a_line_are_told_in_their_order() -> None:
    first, second = found("15% off $40 is $35. Then 20% of 50 is 12.")
    assert first.start is not None and second.start is not None and first.start < second.start


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
@pytest.mark.parametrize("place", ["{}.", "So {}.", "As we said, {}, which is fine.", "- {}\n- x"])
def test_each_rule_passes_its_example_and_flags_its_counter_example(rule: Rule, place: str) -> None:
    assert [one.status for one in found(place.format(rule.example))] == ["ok"]
    (flag,) = found(place.format(rule.counter))
    assert flag.status == "wrong"
    assert flag.severity == "hard"
    assert flag.expected in flag.why


@pytest.mark.parametrize(
    "text",
    [
        "33% of 10 is 3.3, and 1 out of 3 is 33%.",
        "2 out of 3 is 66.7%.",
        "20% of $1.5 million is $300 thousand.",
        "12.5 percent of 80 equals 10.",
        "15 per cent of 200 is 30.",
        "A 20% discount on $45 is $9.",
    ],
)
def test_a_result_may_be_rounded_to_the_digits_shown(text: str) -> None:
    assert {one.status for one in found(text)} == {"ok"}


@pytest.mark.parametrize(
    "text",
    [
        "10-20% of 50 is 12",
        "100 - 20% of 50 is 80",
        "half of 20% of 50 is 5",
        "20% of 50 is 12 more than before",
        "20% of 50 = 0.2 * 50",
        "20% of 50 is 12% of all",
        "40% of 30 people are 65 and healthy",
        "5 out of 0 is 30%",
        "from 0 to 80 is a 20% increase",
        "from 80 to 60 is a 20% increase",
        "from 60 to 80 is a 20% drop",
        "nothing here",
    ],
)
def test_a_part_of_something_longer_is_not_read(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "20% of 50 is 12. That is wrong.",
        "The student claimed 20% of 50 is 12.",
        "20% of 50 is 12?",
    ],
)
def test_a_claim_that_is_not_made_is_unchecked(text: str) -> None:
    assert [one.status for one in found(text)] == ["unchecked"]


def test_another_language_is_unchecked() -> None:
    (one,) = found("Das sind 20% von der Menge, und das ist nicht viel.")
    assert one.status == "unchecked"
    assert "English" in one.why


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("21% of 1.500 is 315 euros.", "unchecked"),
        ("A 10% discount on 2.500 leaves 2.250.", "ok"),
        ("A 10% tip on 1.250 is 1.375.", "ok"),
        ("10% of 12.500 is 1.250 in all.", "ok"),
        ("21% of 1.500 is 316 euros.", "wrong"),
        ("21% of 1.500 is 31.5 euros.", "wrong"),
        ("315.000 out of 1.500.", ""),
        ("0 is what 5 of 0.500 is not; 20% of 50 is 12.", "wrong"),
        ("An 8% tax on $50 comes to $54.", "ok"),
        ("An 8% tax on $50 comes to $4.", "ok"),
    ],
)
def test_a_point_may_stand_before_thousands(text: str, status: str) -> None:
    assert [one.status for one in found(text)] == ([status] if status else [])
