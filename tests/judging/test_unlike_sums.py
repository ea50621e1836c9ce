"""Sums that are right although their numbers do not add up; all rows written for these rules."""

from reflection_mcp.tools.judging import check_answer
from tests.rows import each_row


def is_faulted(answer: str) -> bool:
    found = check_answer("", answer)
    return any(one.status == "wrong" and one.severity == "hard" for one in found)


@each_row(
    "answer",
    [
        "31 January + 1 month = 28 February",
        "31 Jan + 1 month = 28 Feb.",
        "30 stycznia + 1 miesi\u0105c = 28 lutego",
        "60 dB + 60 dB = 63 dB",
        "60 dB + 60 dB + 60 dB = 64.8 dB",
        "70 dB + 60 dB = 70.4 dB",
        "2 * 60 dB = 63 dB",
        "80 dB + 80 dB = 86 dB (coherent)",
        "In Z_5, 3 + 4 = 2.",
        "In GF(2), 1 + 1 = 0.",
        "Over $\\mathbb{F}_7$, 5 + 4 = 2.",
        "In Z/12Z, 9 + 5 = 2.",
        "In Z7, 5 * 3 = 1.",
        "In F_3, 2 + 2 = 1.",
        "0.9c + 0.9c \u2248 0.994c",
        "20% + 20% = 44% because they compound",
        "20% + 20% = 36% off in all",
        "10% + 10% + 10% = 33.1%",
        "odds of 3/1 = 25%",
        "The odds are 4-1 = 20%",
        "Odds of 2/5 = 71.4%",
        "10% - 10% = -1%",
        "29 February 2024 + 1 year = 28 February 2025",
        "31. Januar + 1 Monat = 28. Februar",
        "50 dBA + 50 dBA = 53 dBA",
        "57.3 dB + 54 dB = 59.0 dB",
        "In the ring Z_8, 5 + 6 = 3.",
        "Im K\xf6rper GF(3) ist 2 + 2 = 1.",
        "In \u2124\u2086, 4 * 3 = 0.",
        "5% + 5% = 10.25%",
        "50% - 50% = -25%",
        "At odds of 9/1 = 10% you win.",
    ],
)
def test_a_sum_of_another_kind_is_not_called_wrong(answer: str) -> None:
    assert not is_faulted(answer)


@each_row(
    "answer",
    [
        "31 + 1 = 28",
        "60 + 60 = 63",
        "F_5 = 3 + 2 = 6",
        "F_6 = F_5 + F_4, and 5 + 3 = 9.",
        "0.5x + 0.5x = 0.8x",
        "20% + 20% = 45%",
        "20 + 20 = 44",
        "A ratio of 3/1 = 25%",
        "In zone 5, 3 + 4 = 2.",
        "Z_1 = 3 + 4 = 8",
        "5% + 5% = 11%",
        "In F1 racing, 5 + 6 = 12 points.",
        "So 8 + 5 = 3 and F_4 = 3.",
        "2c + 3c + c = 7c",
        "5% + (5%) = 11%",
        "5% / 5% = 2%",
    ],
)
def test_a_sum_that_is_wrong_in_its_own_way_is_found(answer: str) -> None:
    assert is_faulted(answer)
