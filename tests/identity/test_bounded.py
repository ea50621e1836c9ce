"""Hostile and huge texts: every text has a fingerprint, and it is one like any other."""

from hypothesis import given
from hypothesis import strategies as st

from reflection_mcp.tools.identity import Fingerprint, fingerprint
from tests.hostile import PRINTED, repeated
from tests.rows import each_row


def sound(text: str) -> Fingerprint:
    """The fingerprint of a text, which keeps within its bounds whatever the text is."""
    seen = fingerprint(text)
    assert seen.signature.startswith("sig4:")
    assert len(seen.signature) == 21
    assert len(seen.features) <= 24
    assert all(-(2**63) <= feature < 2**63 for feature in seen.features)
    assert len(seen.summary) <= 200
    assert bool(seen.keys) != bool(seen.unusable)
    for line in (*seen.pattern.lines, seen.summary):
        line.encode()
    return seen


@each_row("piece", PRINTED)
def test_a_piece_that_a_tool_might_print_may_be_repeated_without_end(piece: str) -> None:
    sound(repeated(piece, 64_000))
    sound(repeated(piece, 8_000) + "\nValueError: x")


@each_row("piece", PRINTED[::6])
def test_a_million_characters_are_like_sixty_thousand(piece: str) -> None:
    huge, large = sound(repeated(piece, 1_000_000)), sound(repeated(piece, 64_000))
    assert (huge.signature, huge.pattern.lines) == (large.signature, large.pattern.lines)


def test_two_hundred_thousand_characters_are_like_their_head_and_tail() -> None:
    head, tail = "h" * 10_000, "\nValueError: bad page"
    assert fingerprint(head + "m" * 200_000 + tail).pattern.lines[0] == (
        "4valueerror valueerror: bad page"
    )


def test_a_text_of_many_lines_keeps_its_first_and_last_ones() -> None:
    lines = [f"line {at}" for at in range(5_000)]
    seen = fingerprint("\n".join(["error: first thing", *lines, "error: last thing"]))
    assert seen.pattern.lines[0] == "3 error: first thing"
    assert "3 error: last thing" in seen.pattern.lines


@given(st.text(alphabet=st.characters(), max_size=300))
def test_no_text_is_refused(text: str) -> None:
    sound(text)


@given(st.lists(st.sampled_from(PRINTED), max_size=60).map("".join))
def test_no_mixture_of_what_tools_print_is_refused(text: str) -> None:
    assert fingerprint(text) == fingerprint(text)
