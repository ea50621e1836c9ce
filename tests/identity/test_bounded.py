"""Hostile and huge texts: every text has a fingerprint, and no text takes long.

Time is CPU time of this process; the bound is thirty times what the slowest text was measured to
take (20 ms), and a hundredth of what one quadratic expression costs on 64 kB.
"""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reflection_mcp.tools.identity import fingerprint
from reflection_mcp.tools.identity.masking.masks import RULES
from reflection_mcp.tools.identity.rule import Rule, compiled

SECONDS = 0.6

PIECES = [
    "a", "a.", "/a", "\\a", "1.", "1:", "-", "_", "'", '"', "`", "(", "[", "[m", "{", "{'",
    "<", "<a ",
    " ", "  \t", "\n", "\r", "\x1b[", "\x1b]", "|", " | ", "#1 ", "at ", "at a(", "at a (b:1:2) ",
    'File "a", line 1 ', 'Traceback (most recent call last): File "a", line 1, in a ', "Error: ",
    "aError", "a.bError: ", "error[E0001]: x\n --> a:1:1\n", "E   a\n", "npm ERR! ", "^~", "| ^ ",
    "...", "a_1", "a1b2c3d4", "0x", "12345678-", "a@b:", "://", "http://a@", "::", "1:1:1:",
    "10:10:10", "2025-01-01 ", "Jan 1 10:10:10 a b[1]: ", "\u00e9", "\u4e2d", "\ud800", "\x00",
    "=", "a=1,", "a:1,", "user '", "Key (a", "dup key: { a: ", "input_value=", "Unexpected token ",
    "could not connect to server: \n", "did you mean ", "for more information ", "retrying in ",
    "caused by: ", "(from a ", "\\n", '\\"', "\\u0041", "&lt;", "</pre>", "<pre>", 'msg="a',
    "panicked at '", "\u25cf a\n", "--- FAIL: a\n", "== ", "a" * 79 + "\n", "\u23ce", "\ufdfa",
    "ERROR 1045 (28000): ", "Cannot read property 'a' of undefined ", 'connection to server at "a',
    '{"log":"a"}\n', "A b, c Allocation failed - ", "12s ", "errno 111 ", "sh: 1: a: ", "a,b ",
    "make[1]: *** [a", "#0 0x1 in a b:1\n", "a@b:1:1\n", "* What went wrong ", " from a:1:in ",
]  # fmt: skip


def _seconds(text: str) -> float:
    begin = time.process_time()
    fingerprint(text)
    return time.process_time() - begin


@pytest.mark.parametrize("piece", PIECES)
def test_repeating_a_piece_a_tool_might_print_takes_no_time(piece: str) -> None:
    whole = piece * (64_000 // len(piece))
    assert _seconds(whole) < SECONDS
    assert _seconds(whole[:8_000] + "\nValueError: x") < SECONDS


@pytest.mark.parametrize("piece", PIECES[::6])
def test_a_million_characters_take_no_time(piece: str) -> None:
    assert _seconds(piece * (1_000_000 // len(piece))) < SECONDS


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_is_linear_in_repetitions_of_the_beginnings_of_its_example(rule: Rule) -> None:
    pattern = compiled(rule.pattern)
    for cut in range(1, len(rule.example) + 1, max(1, len(rule.example) // 5)):
        text = (rule.example[:cut] * (20_000 // cut))[:20_000]
        begin = time.process_time()
        pattern.sub(rule.replacement, text)
        assert time.process_time() - begin < SECONDS, rule.example[:cut]


def test_two_hundred_thousand_characters_are_like_their_head_and_tail() -> None:
    head, tail = "h" * 10_000, "\nValueError: bad page"
    assert fingerprint(head + "m" * 200_000 + tail).pattern.lines == ("valueerror: bad page",)


def test_a_text_of_many_lines_keeps_its_first_and_last_ones() -> None:
    lines = [f"line {at}" for at in range(5_000)]
    seen = fingerprint("\n".join(["error: first thing", *lines, "error: last thing"]))
    assert seen.pattern.lines[0] == "error: first thing"
    assert seen.pattern.lines[-1] == "error: last thing"


@settings(derandomize=True, deadline=None, max_examples=200)
@given(st.text(alphabet=st.characters(), max_size=300))
def test_no_text_is_refused(text: str) -> None:
    seen = fingerprint(text)
    assert seen.signature.startswith("sig1:")
    assert len(seen.signature) == 21
    assert len(seen.features) <= 24
    assert all(-(2**63) <= feature < 2**63 for feature in seen.features)
    assert len(seen.summary) <= 200
    assert bool(seen.keys) != bool(seen.unusable)
    for line in (*seen.pattern.lines, seen.summary):
        line.encode()


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join))
def test_no_mixture_of_what_tools_print_is_refused(text: str) -> None:
    assert fingerprint(text) == fingerprint(text)
