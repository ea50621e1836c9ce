"""Shares of an amount."""

from reflection_mcp.tools.judging import check_answer
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.maths.percentages import check
from tests.rows import each_row


def statuses(answer: str) -> list[str]:
    return [one.status for one in check(Case(answer=answer))]


@each_row(
    ("answer", "found"),
    [
        ("15% of 80 is 12.", ["ok"]),
        ("15% of 80 is 15.", ["wrong"]),
        ("8 % of $1,200 = $96", ["ok"]),
        ("21 percent of 1,500 € is 351 €", ["wrong"]),
        ("2.7 % of 171,520 is 4,631", ["ok"]),
        ("33% of 100 equals 33.33", ["wrong"]),
        ("The student wrote that 15% of 80 is 15.", ["unchecked"]),
        ("15% of 80 is 15? No, that is wrong.", ["unchecked"]),
        ("15% of 80 is about 15", []),
        ("15% of 80 is 15 more than", []),
        ("12% of 1.500 is 180", []),
        ("2 * 15% of 80 is 24", []),
        ("40% of the 50 people are 65", []),
        ("10% of 5 is 50%", []),
        ("15 % de 1 299,90 € = 149,98 €.", ["wrong"]),
        ("15 % de 1 299,90 € = 194,99 €.", ["ok"]),
        ("15 % de 1 299,90 € = 194,985 €.", []),
        ("20 % von 1.250,50 sind 250,10", ["ok"]),
        ("20 % von 1.250 sind 25", []),
        ("El 15 % de 80 es 13.", ["wrong"]),
        ("10% of 80 is 8 million", []),
        ("5% of 1.250.000,50 is 6,2", ["wrong"]),
        ("5% of 1,250.000 is 62,500", []),
        ("15 bis 20 % von 50 \u20ac sind 7,50 bis 10 \u20ac.", ["unchecked"]),
        ("1.5\u20132.5 % of $200 is $3.00\u2013$5.00.", ["unchecked"]),
        ("10 \u00e0 15 % de 40 fait 4 \u00e0 6.", ["unchecked"]),
        ("10 % and 15 % of 40 is 4 and 6.", ["unchecked"]),
        ("15% of 80 is 15 and 20% of 50 is 11.", ["wrong", "wrong"]),
    ],
)
def test_a_share_of_an_amount_is_computed(answer: str, found: list[str]) -> None:
    assert statuses(answer) == found


def test_a_wrong_share_is_told_with_the_right_one() -> None:
    (one,) = [one for one in check_answer("", "15% of 80 € is 15 €.") if one.status == "wrong"]
    assert (one.stated, one.expected) == ("15", "12")
    assert one.why == "15 % of 80 comes to 12, not 15."
