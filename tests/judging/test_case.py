"""The shared views of an answer: offsets stay true, whatever the answer is."""

from hypothesis import given
from hypothesis import strategies as st

from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.maths.prose import statements_of
from tests.hostile import PROSE, repeated
from tests.rows import each_row

FENCED = "Try this:\n```Python title=x\nprint(1)\n```\nDone.\n~~~\nopen"


def test_lines_and_sentences_know_where_they_are() -> None:
    case = Case(answer="One is 1. Two?  Yes!\n\n  3. Dr. J. Smith, e.g. me, says so.\n")
    assert [line.text for line in case.lines][:2] == ["One is 1. Two?  Yes!", ""]
    assert [sentence.text for sentence in case.sentences] == [
        "One is 1.",
        "Two?",
        "Yes!",
        "3. Dr. J. Smith, e.g. me, says so.",
    ]
    for piece in (*case.lines, *case.sentences):
        assert case.answer[piece.start : piece.end] == piece.text


def test_a_fenced_block_has_its_language_its_body_and_its_end() -> None:
    first, second = Case(answer=FENCED).blocks
    assert (first.language, first.body, first.closed) == ("python", "print(1)", True)
    assert FENCED[first.body_start :].startswith("print(1)")
    assert FENCED[first.start : first.end].endswith("```")
    assert (second.language, second.body, second.closed) == ("", "open", False)
    assert second.end == len(FENCED)


def test_a_longer_fence_holds_a_shorter_one() -> None:
    (block,) = Case(answer="````md\n```\nx\n```\n````").blocks
    assert block.body == "```\nx\n```"


def test_prose_is_as_long_as_the_answer_and_has_no_code() -> None:
    prose = Case(answer=FENCED).prose
    assert len(prose) == len(FENCED)
    assert prose.split() == ["Try", "this:", "Done."]
    assert prose.count("\n") == FENCED.count("\n")


@each_row(
    ("text", "english"),
    [
        ("The shop sold 40 - 12 = 28 apples, so there are 28.", True),
        ("15 x 12.99 = 194.85", True),
        ("2x + y = 7", True),
        ("", True),
        ("Der Laden verkauft 40 - 12 = 28 Äpfel und das ist alles.", False),
        ("El tren sale en una hora y no es tarde.", False),
        ("มีแอปเปิ้ล 12 ลูก", False),
        ("答案是 15 * 12.99 = 194.85 元", False),
    ],
)
def test_english_is_told_by_script_and_function_words(text: str, english: bool) -> None:
    assert Case(answer=text).english is english


def test_prose_that_relates_nothing_is_not_read_as_arithmetic() -> None:
    plain = Case(answer="It rained for 3 days.")
    assert plain.view(statements_of) == ()
    assert "row" not in vars(plain)
    assert len(Case(answer="So 3 * 24 is Equal to 72.").view(statements_of)) == 1


@given(st.text(alphabet="a.!? \n`~1)eg", max_size=80))
def test_offsets_hold_for_any_text(text: str) -> None:
    check_offsets(text)


@each_row("piece", PROSE)
def test_offsets_hold_for_a_long_repetition(piece: str) -> None:
    check_offsets(repeated(piece, 50_000))


def check_offsets(text: str) -> None:
    case = Case(answer=text)
    assert len(case.prose) == len(case.part)
    for piece in case.lines:
        assert text[piece.start : piece.end] == piece.text
    for piece in case.sentences:
        assert case.prose[piece.start : piece.end] == piece.text
        assert piece.text
    for block in case.blocks:
        assert text[block.body_start :].startswith(block.body)


def test_a_stop_inside_of_inline_code_ends_no_sentence() -> None:
    case = Case(answer="Use `jq . a.json` here. Then stop.")
    assert [one.text for one in case.sentences] == ["Use `jq . a.json` here.", "Then stop."]
