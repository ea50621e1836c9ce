"""A long context is cut down to what matters, visibly and verbatim."""

from hypothesis import given
from hypothesis import strategies as st

from reflection_mcp.tools.roles.excerpt import LONGEST, excerpt
from reflection_mcp.tools.roles.inputs import RoleInput
from reflection_mcp.tools.roles.role import render
from tests.hostile import CONTEXTS, repeated
from tests.rows import each_row

FILLER = "The weather was fair and nothing much happened on that day. "


def test_a_context_of_ordinary_length_is_passed_whole() -> None:
    assert excerpt("a" * LONGEST, "b") == "a" * LONGEST


def test_the_passage_that_is_spoken_of_is_kept_and_the_cuts_are_marked() -> None:
    fact = "The tower of Lyon is 84 metres high. "
    text = "Begin. " + FILLER * 1000 + fact + FILLER * 1000
    cut = excerpt(text, "How high is the tower of Lyon?", 10_000)
    assert fact in cut
    assert cut.startswith("Begin. ")
    assert cut.count("characters left out …]") >= 2
    assert len(cut) < 10_500


@given(st.text(alphabet="ab. \n", max_size=400).map(lambda part: part * 20))
def test_what_is_kept_is_verbatim_and_in_order(text: str) -> None:
    at = 0
    for piece in excerpt(text, "ab", 3_000).split("\n[… "):
        kept = piece.partition("left out …]\n")[2] if "left out …]\n" in piece else piece
        at = text.index(kept, at)


@each_row("piece", CONTEXTS)
def test_a_long_repetition_is_cut_to_the_limit_with_one_mark(piece: str) -> None:
    text = repeated(piece, 200_000)
    cut = excerpt(text, piece * 1000)
    kept = cut.split("\n[… ")
    assert len(kept) == 2
    assert text.startswith(kept[0])
    assert LONGEST - 5_000 < len(cut) < LONGEST + 100


def test_a_prompt_holds_the_excerpt() -> None:
    given_ = RoleInput(question="q", context=FILLER * 2000, answer="weather")
    assert len(render("evaluator", given_).user) < LONGEST + 5_000
