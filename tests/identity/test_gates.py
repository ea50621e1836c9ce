"""What is skipped because a text lacks something could not have matched it either."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reflection_mcp.tools.identity.cleaning import encodings, prefixes
from reflection_mcp.tools.identity.cleaning.clean import clean
from reflection_mcp.tools.identity.cleaning.findings import FINDINGS, in_one_form
from reflection_mcp.tools.identity.cleaning.layout import spread
from reflection_mcp.tools.identity.cleaning.listings import LISTINGS
from reflection_mcp.tools.identity.cleaning.narration import without_asides
from reflection_mcp.tools.identity.masking.kept_numbers import KEPT, KeptNumber
from reflection_mcp.tools.identity.masking.masks import RULES
from reflection_mcp.tools.identity.rule import ANY_DIGIT, Rule, Rules, Shape, Shapes, compiled
from reflection_mcp.tools.identity.sieve import Sieve
from reflection_mcp.tools.identity.verdicts.symptoms import SYMPTOMS, Symptom, tells_of_failure

_SIGNS = "ab1 :e[z\u00e9"
_NEEDS = st.lists(
    st.lists(st.text(_SIGNS, min_size=1, max_size=5), max_size=3).map(tuple), max_size=8
)
_NEVER_HELD = {at: (f"filler {at} of many",) for at in range(100, 150)}
"""So many that a sieve looks for them by words."""
_WORDS = sorted(
    {
        word
        for text in (text for rule in RULES for text in (rule.example, rule.becomes, rule.keeps))
        for word in (*text.split(), text)
    }
)
_TEXTS = st.lists(
    st.sampled_from(_WORDS) | st.text("aE0/:.-_ '\n(", max_size=4), min_size=1, max_size=8
).map(" ".join)


@settings(deadline=None)
@given(_NEEDS, st.text(_SIGNS, max_size=20))
def test_a_sieve_lets_through_the_rows_of_which_a_text_holds_one_that_is_needed(
    needs: list[tuple[str, ...]], text: str
) -> None:
    held = [at for at, texts in enumerate(needs) if not texts or any(one in text for one in texts)]
    assert Sieve(dict(enumerate(needs))).rows(text) == held
    assert Sieve(dict(enumerate(needs)) | _NEVER_HELD).rows(text) == held


def test_a_row_that_needs_a_blank_can_apply_to_nothing_but_blanks() -> None:
    assert Sieve({0: (" ",), 1: ("a",)} | _NEVER_HELD).rows(" ") == [0]


def test_a_sieve_finds_the_same_when_it_has_met_more_words_than_it_remembers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("reflection_mcp.tools.identity.sieve._MOST_REMEMBERED", 2)
    sieve = Sieve({0: ("ab",), 1: ("b: c",), 2: ("c",)} | _NEVER_HELD)
    for _ in range(2):
        assert sieve.rows("xab d e") == [0]
        assert sieve.rows(f"{'x' * 200}b: c") == [1, 2]
        assert sieve.rows("f g b c") == [2]


def test_of_what_is_needed_one_sign_stands_for_any_digit() -> None:
    sieve = Sieve({0: (r":\d\d",), 1: ("529",), 2: (r"v\d",)})
    assert sieve.rows("at a:47") == [0]
    assert sieve.rows("error 529") == [1]
    assert sieve.rows("error 530, a: 47, v x") == []
    assert sieve.rows("v3") == [2]


def test_rows_for_digits_are_left_out_once_no_digit_is_left() -> None:
    number = Rule("number", ANY_DIGIT, "[0-9]", "", "", "", "")
    letter = Rule("letter", ANY_DIGIT, "a", "b", "", "", "")
    assert Rules((number, letter)).apply("a1") == "a"
    assert Rules((letter, number)).apply("a1") == "b"


@settings(deadline=None, max_examples=400)
@given(st.sampled_from(RULES), _TEXTS)
def test_a_rule_changes_no_text_that_lacks_what_it_needs(rule: Rule, text: str) -> None:
    assert Rules((rule,)).apply(text) == compiled(rule.pattern).sub(rule.replacement, text)


@settings(deadline=None, max_examples=400)
@given(st.sampled_from(KEPT), _TEXTS, st.sampled_from(("2", "17", "404", "5432")), _TEXTS)
def test_a_number_that_stays_has_before_it_what_its_row_needs(
    kept: KeptNumber, before: str, number: str, after: str
) -> None:
    for text in (before.casefold(), kept.example.partition("{")[0] + before[:1]):
        always = kept._replace(needs="")
        assert kept.keeps(text, number, after) == always.keeps(text, number, after)


@settings(deadline=None)
@given(st.sampled_from(SYMPTOMS), _TEXTS)
def test_the_stems_outside_ascii_are_looked_for_wherever_a_line_holds_such_a_sign(
    symptom: Symptom, text: str
) -> None:
    assert tells_of_failure(f"{symptom.example} {text} \u00e9") == any(
        any(stem in line for stem in row.stems.split("|")) and compiled(row.pattern).search(line)
        for line in (f"{symptom.example} {text} \u00e9".casefold(),)
        for row in SYMPTOMS
    )


@settings(deadline=None)
@given(st.sampled_from(prefixes.PREFIXES), _TEXTS)
def test_a_prefix_with_a_moment_is_looked_for_wherever_one_stands(shape: Shape, text: str) -> None:
    lines = [shape.example, *text.split("\n"), text]
    timed = Shapes(prefixes.TIMED, before=r"[ \t]{0,12}")
    assert compiled(prefixes.A_MOMENT).search("\n".join(lines)) or not any(map(timed.match, lines))


@given(st.text("0123456789:.,APM a", max_size=24))
def test_a_moment_is_found_by_whichever_of_its_signs_it_has(text: str) -> None:
    assert prefixes.holds_moment(text) == (compiled(prefixes.A_MOMENT).search(text) is not None)


@settings(deadline=None, max_examples=400)
@given(st.sampled_from((*FINDINGS, *LISTINGS)), _TEXTS, _TEXTS)
def test_a_finding_is_put_into_one_form_wherever_it_stands(
    rule: Rule, before: str, after: str
) -> None:
    for text in (rule.example, f"{before}\n{rule.example}\n{after}", before):
        assert in_one_form(text) == Rules(FINDINGS).apply(Rules(LISTINGS).apply(text))


@pytest.mark.parametrize("shape", prefixes.PREFIXES, ids=lambda shape: shape.name)
def test_a_prefix_is_taken_off_whichever_line_has_it(shape: Shape) -> None:
    for lines in ([shape.example, "b"], ["a", shape.example], ["a", "", shape.example, "b"]):
        at = lines.index(shape.example)
        left = prefixes.without_prefixes(list(lines))
        assert [*left[:at], *left[at + 1 :]] == [*lines[:at], *lines[at + 1 :]]
        assert left[at] != shape.example


@pytest.mark.parametrize("prefix", ["remote:", "web-1  |", "[CI/build] |", "0|web |", "\u2502"])
def test_a_prefix_is_taken_off_a_line_that_has_no_more(prefix: str) -> None:
    assert prefixes.without_prefixes(["a", prefix, "b"]) == ["a", "", "b"]


@pytest.mark.parametrize("sign", "0:.kMG-")
def test_a_progress_of_curl_may_begin_with_whichever_sign_it_is_made_of(sign: str) -> None:
    assert prefixes.without_prefixes(["a", f"{sign * 20}curl: (6) x"]) == ["a", "curl: (6) x"]


@given(st.text("aA_ E1\u0660.'`/:(Z", max_size=8) | st.sampled_from(("TypeError", "my Error")))
def test_a_line_that_names_something_is_no_talk(named: str) -> None:
    line = f"I get {named} here"
    names = compiled(
        r"[(){}\[\]\\=<>]|: \S|\w(?:Error|Exception)\b|(?<!\w)['\"`]|['\"`](?!\w)|"
        r"\b[A-Z][A-Z_]{3,}\b|\d{3}|\w/\w|\w\.\w"
    ).search(line)
    assert without_asides([line, "x"]) == ([line, "x"] if names else ["x"])


@given(st.sampled_from((" at x:1", "    at f (a.js:1:2)", '  File "a", line 1', "\n", "a")))
def test_a_line_with_one_place_in_it_is_not_spread(line: str) -> None:
    text = f"Traceback (most recent call last):\n{line}\n{line}\nb"
    assert spread(text) == text


@pytest.mark.parametrize("reading", encodings.READINGS, ids=lambda reading: reading.encoding)
def test_what_was_read_wrongly_is_found_behind_other_signs(reading: encodings.Reading) -> None:
    assert encodings.in_utf8(f"\u2714 {reading.example}") == f"\u2714 {reading.becomes}"


@pytest.mark.parametrize("sequence", ["[m", "[0m", "[1;31m", "[K", "[2K", "[G", "[?25h", "(B[m"])
def test_a_colour_that_lost_its_escape_goes_and_a_word_in_brackets_stays(sequence: str) -> None:
    assert clean(f"{sequence} [api] no such table") == ["[api] no such table"]
