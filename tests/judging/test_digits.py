import re

from reflection_mcp.tools.judging.texts.digits import at_figures, figure_starts


def test_figures_begin_where_no_digit_stands_before() -> None:
    assert figure_starts("In 1998, 3,000 of a12") == [3, 9, 11, 19]
    assert figure_starts("none") == []
    assert (
        figure_starts("12 caf\u00e9s, 7 \u0663\u0664")
        == figure_starts("12 cafes, 7 34")
        == [0, 10, 12]
    )


def test_a_figure_of_several_runs_of_digits_is_found_once() -> None:
    text = "3,000 and 12,500, then 7"
    pattern = re.compile(r"\d{1,3}(?:,\d{3})*")
    found = [one[0] for one in at_figures(pattern, text, figure_starts(text))]
    assert found == ["3,000", "12,500", "7"]


def test_an_expression_is_tried_only_where_digits_begin() -> None:
    assert [one[0] for one in at_figures(re.compile(r"\d"), "415 a6", figure_starts("415 a6"))] == [
        "4", "6",
    ]  # fmt: skip
