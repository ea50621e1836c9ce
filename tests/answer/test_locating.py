"""A finding names the step, what stands there, what should, and what follows from it."""

from reflection_mcp.store.records import Check
from reflection_mcp.tools.answer.fault_location import all_located, located, step_name
from reflection_mcp.tools.judging.case import Case
from tests.requirements import requirement
from tests.rows import each_row

ANSWER = (
    "First we count.\n\nThen 12*3 = 38 pens.\nSo 38 - 2 = 36, and 38.\nNot 380, 3.38, 38.5 or a38."
)


def finding(answer: str, quote: str, *, stated: str, expected: str) -> Check:
    start = answer.index(quote)
    return Check(
        kind="arithmetic",
        status="wrong",
        start=start,
        end=start + len(quote),
        quote=quote,
        stated=stated,
        expected=expected,
    )


@requirement("loop:verify-first")
def test_a_fault_is_located_with_the_values_that_reuse_it() -> None:
    fault = finding(ANSWER, "12*3 = 38", stated="38", expected="36")
    assert located(Case(answer=ANSWER), fault) == (
        "step 2: “12*3 = 38”: the sides differ: 36 and 38; 2 later values reuse 38"
    )


def test_steps_of_a_single_line_are_its_sentences() -> None:
    answer = "We count. Then 12*3 = 38 pens. So there are 38."
    fault = finding(answer, "12*3 = 38", stated="38", expected="36")
    assert located(Case(answer=answer), fault) == (
        "step 2: “12*3 = 38”: the sides differ: 36 and 38; a later value reuses 38"
    )
    assert step_name(Case(answer="12*3 = 38"), 0) == ""


@each_row(
    ("check", "line"),
    [
        (Check(kind="k", status="wrong", why="it is a refusal"), "it is a refusal"),
        (Check(kind="k", status="wrong"), "k"),
        (Check(kind="k", status="wrong", quote="x", why="odd"), "“x”: odd"),
        (Check(kind="k", status="wrong", quote="x"), "“x”"),
        (Check(kind="k", status="wrong", stated="2", expected="3"), "“2”: 3 was expected"),
        (
            Check(kind="completeness:count", status="wrong", stated="2", expected="3", why="It."),
            "It",
        ),
        (
            Check(kind="completeness:keyword", status="wrong", expected="use it", why="It."),
            "It: use it",
        ),
    ],
)
def test_a_finding_about_the_whole_has_no_step(check: Check, line: str) -> None:
    assert located(Case(answer="a\nb"), check) == line


def test_a_value_that_is_no_number_or_is_not_used_again_is_not_counted() -> None:
    answer = "one\nIt is red, red.\nIt is 38 km."
    red = finding(answer, "red,", stated="red", expected="blue")
    assert located(Case(answer=answer), red) == "step 2: “red,”: the sides differ: blue and red"
    unused = finding(answer, "38", stated="38", expected="36")
    assert located(Case(answer=answer), unused) == "step 3: “38”: the sides differ: 36 and 38"


def test_a_value_is_used_again_however_many_noughts_it_is_written_with() -> None:
    answer = "It is 3 * 5 = 1,600.00 here.\nSo 1600 + 1 = 1,601 and 1600.0 is kept, not 1,600.5."
    fault = finding(answer, "3 * 5 = 1,600.00", stated="1,600.00", expected="15")
    assert located(Case(answer=answer), fault).endswith("; 2 later values reuse 1,600.00")


def test_an_expression_is_not_counted_as_a_number() -> None:
    answer = "It is x = 3 - 2.\nSo 3 - 2 it is."
    fault = finding(answer, "x = 3 - 2", stated="3 - 2", expected="4")
    assert (
        located(Case(answer=answer), fault) == "step 1: “x = 3 - 2”: the sides differ: 4 and 3 - 2"
    )


def test_of_very_many_faults_the_first_are_told_and_the_rest_is_counted() -> None:
    many = [Check(kind="k", status="wrong", why=f"fault {n}") for n in range(11)]
    told = all_located(Case(answer="a"), many)
    assert (len(told), told[0]) == (9, "fault 0")
    assert told[-1] == "and 3 more, shown once these are redone"
    assert all_located(Case(answer="a"), many[:1] * 2) == ("fault 0",)


def test_a_long_quote_is_cut() -> None:
    line = located(Case(answer="a"), Check(kind="k", status="wrong", quote="x" * 500, why="w"))
    assert len(line) < 140
