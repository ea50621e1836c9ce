from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.completeness.truncation import check
from tests.rows import each_row

PROSE = (
    "Rivers carry water from the mountains to the sea. On the way they shape the valleys. "
    "Towns grew along their banks because boats were cheap. "
)


def status(answer: str) -> str:
    checks = [one for one in check(Case("Tell me.", answer)) if one.kind.endswith("truncated")]
    return checks[0].status if checks else "none"


@each_row(
    "ending",
    [
        "They hold back the",
        "They make power, and also",
        "They hold floods and fish,",
        "They hold back floods (and",
        "They are called \u201cgentle",
        'One sign says "keep out of',
        "They hold back floods and make power",
        "It is used by all of the people of the towns to",
    ],
)
def test_prose_that_stops_in_the_middle_is_cut(ending: str) -> None:
    assert status(PROSE + ending) == "wrong"


@each_row(
    "ending",
    [
        "They make power.",
        "Do they?",
        "See https://example.org/rivers",
        "#rivers #water",
        "so the sum is x = 4",
        "Write to anna@example.org",
        "Fish \U0001f41f",
        "Good night (really).",
    ],
)
def test_prose_that_comes_to_an_end_is_not(ending: str) -> None:
    assert status(PROSE + ending) in ("ok", "unchecked")


@each_row(
    "answer",
    [
        "short",
        "",
        "|x - 3| = 5, so that x = 8 or x = -2 and nothing else",
        "A remark of a few words about freed slaves in the rebelling states of then",
        PROSE + "\n\nBest regards,\nAnna Bell of the river board in the old town",
        "- The Rhine, which reaches the sea\n- The Rhone, which reaches another sea of the south",
        "| a | b |\n|---|---|\n| one and two | four and five and six and seven |",
        "# output of the old program that prints the words on the screen and then ends with the",
        "Silver on the lake\nThe moon walks without a sound\nNobody is there\nThe night is long",
        PROSE + "\n\n```python\nx = 1\n```",
        "Fl\u00fcsse tragen das Wasser von den Bergen ins Meer und formen dabei T\u00e4ler und",
        "\u6cb3\u6d41\u628a\u6c34\u4ece\u5c71\u4e0a\u5e26\u5230\u6d77\u91cc " * 14,
        "Morning: run\nNoon: lunch with Mia at the place near the river\nEvening: a film",
        "Both agreed in the end that the best band of that long and loud year was The Who",
        PROSE + "\nShort lines follow here",
        "I walked alone along the shore\nThe tide was calling from afar\nI am not lost there now\n"
        "You showed me who we are",
    ],
)
def test_texts_that_end_as_they_like_are_left_alone(answer: str) -> None:
    assert status(answer) != "wrong"


@each_row(
    "answer",
    [
        "1. Go to bed early every day.\n2. Keep the room dark.\n3. Do not look at bright",
        "| City | River |\n|---|---|\n| Paris, the capital | Seine and its arms |\n| London | Tha",
        "The sun comes up above the hill,\nThe birds begin their song,\nThe water turns the mill,\n"
        "The day is warm and long.\nTheir",
        "The sun comes up above the hill,\nThe birds begin their song,\nThe water turns the mill,\n"
        "The day is warm and long,\nIt blooms with vibrant",
        "Subject and verb make a sentence, and here are three examples of it for you: The",
    ],
)
def test_lists_tables_and_verses_can_be_cut(answer: str) -> None:
    assert status(answer) == "wrong"


def test_a_very_long_line_is_judged_by_its_end() -> None:
    line = "They hold back floods and make power, " * 20
    assert status(f"{line}and so do the") == "wrong"
    assert status(f"{line}and so do we.") == "ok"


def test_a_dump_at_the_end_is_no_sentence_and_is_read_in_time() -> None:
    dump = "0a1f" * 50_000
    assert status(f"{PROSE}The memory holds {dump}") != "wrong"


def test_lines_that_run_on_without_stops_may_end_without_one() -> None:
    lines = [
        "Towns grew along their old banks.",
        "Boats carried the grain from one town to another",
    ]
    assert status("\n".join([*lines, "and dams hold back the floods of all the year"])) != "wrong"


def test_a_last_paragraph_without_a_stop_among_others_that_have_theirs_is_cut() -> None:
    lines = ["Rivers shape the land and feed the fields around them."] * 3
    assert status("\n\n".join([*lines, "Dams hold back the floods and make much power"])) == "wrong"


def test_the_place_of_a_cut_is_the_end_of_the_text() -> None:
    answer = PROSE + "They hold back the   \n"
    (one,) = check(Case("Tell me.", answer))
    assert one.end == len(answer.rstrip())
    assert one.quote.endswith("hold back the")


def test_a_fence_that_is_never_closed_is_told_at_its_place() -> None:
    answer = "Here:\n\n```python\nx = 1\n"
    (one,) = check(Case("Code?", answer))
    assert (one.kind, one.status, one.start) == ("completeness:unclosed_fence", "wrong", 7)


def test_a_heading_that_is_underlined_opens_no_block() -> None:
    assert list(check(Case("Docs?", "Usage\n~~~~~\n\nRun it."))) == []
    assert list(check(Case("Docs?", "Usage\n`````\n\nRun it."))) == []
