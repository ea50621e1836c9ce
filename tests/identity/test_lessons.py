"""A rule learned twice is one rule, a finding with other numbers one finding."""

from hypothesis import given
from hypothesis import strategies as st

from reflection_mcp.store.records import Check
from reflection_mcp.tools.identity import finding_signature, text_signature
from tests.rows import each_row


def test_a_lesson_is_its_words() -> None:
    said = text_signature("Run the migrations first, then start the server.")
    assert text_signature("  run the MIGRATIONS first -- then start the server") == said
    assert text_signature("Start the server first, then run the migrations.") != said


@each_row(
    ("one", "other"),
    [
        ("retry while x > 3", "retry while x < 3"),
        ("compare with ==", "compare with !="),
        ("shift the port by +5", "shift the port by -5"),
        ("charge 5 % more", "charge 5 \u20ac more"),
        ("it is C", "it is C++"),
    ],
)
def test_a_sign_that_compares_or_calculates_is_a_word(one: str, other: str) -> None:
    assert text_signature(one) != text_signature(other)


def test_a_lesson_without_words_has_a_signature_too() -> None:
    assert text_signature("!!!") != text_signature("???")
    assert text_signature("") == text_signature("   ")


def test_a_finding_is_its_kind_and_wording_without_numbers() -> None:
    one = Check(kind="arithmetic", status="wrong", why="15 x 12.99 is 194.85, not 195.00")
    two = Check(kind="arithmetic", status="wrong", why="3 x 7 is 21, not 22")
    assert finding_signature(one) == finding_signature(two)
    assert finding_signature(one) != finding_signature(
        Check(kind="unit", status="wrong", why="3 x 7 is 21, not 22")
    )


def test_a_finding_without_a_reason_is_what_it_states() -> None:
    one = Check(kind="date", status="wrong", stated="Monday")
    assert finding_signature(one) != finding_signature(
        Check(kind="date", status="wrong", stated="Friday")
    )


@given(st.text(max_size=80))
def test_case_and_white_space_do_not_matter(text: str) -> None:
    wide = "  ".join(f" {word}\n" for word in text.split(" "))
    assert text_signature(wide) == text_signature(text)
    assert text_signature(text).startswith("sig1:")
