"""What is skipped because a text lacks something could not have matched it either."""

import re
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reflection_mcp.tools.identity.cleaning import encodings, prefixes
from reflection_mcp.tools.identity.cleaning.clean import clean
from reflection_mcp.tools.identity.cleaning.findings import ANNOTATIONS, FINDINGS, in_one_form
from reflection_mcp.tools.identity.cleaning.layout import spread
from reflection_mcp.tools.identity.cleaning.listings import LISTINGS
from reflection_mcp.tools.identity.cleaning.log_records import OF_A_WARNING
from reflection_mcp.tools.identity.cleaning.majorities import MAJORITY, without_common
from reflection_mcp.tools.identity.cleaning.narration import ASIDES, NAMING, pasted, without_asides
from reflection_mcp.tools.identity.cleaning.remote_calls import CLIENTS
from reflection_mcp.tools.identity.fingerprints import CODE, CODE_BEGINS
from reflection_mcp.tools.identity.masking.kept_numbers import KEPT, KeptNumber
from reflection_mcp.tools.identity.masking.masks import RULES
from reflection_mcp.tools.identity.rule import (
    ANY_DIGIT,
    OF_LINES,
    Rule,
    Rules,
    Shape,
    Shapes,
    any_of,
    compiled,
)
from reflection_mcp.tools.identity.sieve import Sieve
from reflection_mcp.tools.identity.verdicts import endings, runners, trailers
from reflection_mcp.tools.identity.verdicts.asides import is_aside
from reflection_mcp.tools.identity.verdicts.frame import is_foreign
from reflection_mcp.tools.identity.verdicts.frame_forms import FORMS, Form
from reflection_mcp.tools.identity.verdicts.made_names import MADE_BY_COMPILER
from reflection_mcp.tools.identity.verdicts.reading import Text, is_gutter, is_marker
from reflection_mcp.tools.identity.verdicts.symptoms import SYMPTOMS, Symptom, tells_of_failure

_SIGNS = "ab1 :e[z\u00e9"
_NEEDS = st.lists(
    st.lists(st.text(_SIGNS, min_size=1, max_size=5), max_size=3).map(tuple), max_size=8
)
_ALL_ROWS = (*RULES, *FINDINGS, *LISTINGS, *ANNOTATIONS, *CLIENTS, *MADE_BY_COMPILER.rows)
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


def test_a_template_writes_nothing_for_what_was_not_there() -> None:
    row = Rule("x", "", "(a)?b(c)", r"<\2 \1>", "", "", "")
    assert Rules((row,)).apply("bc, abc") == "<c >, <c a>"


def test_a_template_names_what_it_writes_by_one_figure() -> None:
    templates = [row.replacement for row in _ALL_ROWS if isinstance(row.replacement, str)]
    assert [one for one in templates if re.search(r"\\(?!\d(?!\d))", one)] == []


@settings(deadline=None, max_examples=400)
@given(st.sampled_from(RULES), _TEXTS)
def test_a_rule_changes_no_text_that_lacks_what_it_needs(rule: Rule, text: str) -> None:
    assert Rules((rule,)).apply(text) == compiled(rule.pattern).sub(rule.replacement, text)


def test_a_pattern_for_the_beginning_of_a_line_has_no_choice_for_another_place() -> None:
    for rule in (row for row in _ALL_ROWS if row.pattern.startswith(OF_LINES)):
        left = re.sub(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", "", rule.pattern)
        while (outside := re.sub(r"\([^()]*\)", "", left)) != left:
            left = outside
        assert all(choice.startswith("^") for choice in left.split("|")), rule.name


def test_a_pattern_for_the_beginning_of_a_line_is_tried_at_each_line() -> None:
    level = Rules((Rule("level", "", "(?m)^a: ", "", "", "", ""),))
    assert level.apply("a: b a: c") == "b a: c"
    assert level.apply("b\na: c\na: d") == "b\nc\nd"
    parting = Rule("parting", "", "; ", "\n", "", "", "")
    assert Rules((parting, *level.rows)).apply("b; a: c") == "b\nc"


@settings(deadline=None, max_examples=400)
@given(st.sampled_from(KEPT), _TEXTS, st.sampled_from(("2", "17", "404", "5432")), _TEXTS)
def test_a_number_that_stays_has_before_it_what_its_row_needs(
    kept: KeptNumber, before: str, number: str, after: str
) -> None:
    for text in (before.casefold(), kept.example.partition("{")[0] + before[:1]):
        always = kept._replace(needs="", last="")
        assert kept.keeps(text, number, after) == always.keeps(text, number, after)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("the request was undenied", True),
        ("the visit was timexpired", True),
        ("accesso: errore di rete", True),
        ("the notary has notable notes", False),
        ("the errors.py of the undertaker", False),
    ],
    ids=[
        "one begins in another that proves nothing",
        "one begins with the last sign of another",
        "one is longer than another",
        "one that proves nothing stands there again and again",
        "two that prove nothing",
    ],
)
def test_each_sign_of_a_failure_is_weighed_where_several_stand_in_a_line(
    line: str, told: bool
) -> None:
    assert tells_of_failure(line) is told


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


_TIMED = Shapes(prefixes.TIMED, before=r"[ \t]{0,12}")


@settings(deadline=None)
@given(st.sampled_from(prefixes.PREFIXES), _TEXTS)
def test_a_prefix_with_a_moment_is_looked_for_wherever_one_stands(shape: Shape, text: str) -> None:
    lines = [shape.example, *text.split("\n"), text]
    moment = compiled(prefixes.A_MOMENT).search("\n".join(lines))
    assert moment or not any(map(_TIMED.match, lines))


@given(st.text("0123456789:.,APM a", max_size=24))
def test_a_moment_is_found_by_whichever_of_its_signs_it_has(text: str) -> None:
    assert prefixes.holds_moment(text) == (compiled(prefixes.A_MOMENT).search(text) is not None)


_FINDINGS, _LISTINGS = Rules(FINDINGS), Rules(LISTINGS)


@settings(deadline=None, max_examples=400)
@given(st.sampled_from((*FINDINGS, *LISTINGS)), _TEXTS, _TEXTS)
def test_a_finding_is_put_into_one_form_wherever_it_stands(
    rule: Rule, before: str, after: str
) -> None:
    for text in (rule.example, f"{before}\n{rule.example}\n{after}", before):
        assert in_one_form(text) == _FINDINGS.apply(_LISTINGS.apply(text))


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


_OF_PREFIXES = (
    *(shape.example[:-1] for shape in MAJORITY), "@", "web", "web/ui", "x:y", "$ ", "> ", ">", "|",
    " ", "    ", "\t", "12", "1:2", ":", "-", "REM", "bq.", "!", "#", "\u2502 ", "\u2022 ", "A.b",
)  # fmt: skip


@settings(deadline=None, max_examples=400)
@given(st.lists(st.sampled_from(_OF_PREFIXES), min_size=1, max_size=5).map("".join))
def test_a_prefix_of_most_lines_is_known_by_what_begins_it(text: str) -> None:
    rows = (compiled(shape.pattern).match(text) for shape in MAJORITY)
    found = next(filter(None, rows), None)
    line = text[found.end() :] if found else text
    assert without_common([text, text], [text, text]) == [line, line]


@pytest.mark.parametrize("before", ("", " - ", "\t* ", "__", "- * "))
@pytest.mark.parametrize("shape", (*ASIDES, *NAMING), ids=lambda shape: shape.name)
def test_talk_begins_with_a_letter_or_as_a_heading_behind_the_signs_of_a_list(
    shape: Shape, before: str
) -> None:
    assert without_asides([before + shape.example, "x"]) == ["x"]
    assert without_asides([f"| {shape.example}", "x"]) == [f"| {shape.example}", "x"]


@pytest.mark.parametrize(
    ("inside", "fails"),
    (
        ("ACCESS DENIED", True),
        ("it timedout", True),
        ("\u2714 ACCESS DENIED", True),
        ("ACCESS DEN\u0130ED", True),
        ("all is well", False),
        ("\u2714 all is well", False),
    ),
)
def test_a_fence_is_believed_for_a_word_of_failure_in_letters_of_any_kind(
    inside: str, fails: bool
) -> None:
    text = f"so it is:\n```\n{inside}\n```"
    assert pasted(text) == (inside if fails else text)


@pytest.mark.parametrize(
    "colour", ("\x1b[31m", "\x9b31m", "\x1b]0;a\x07", "\x1b(B", "\x1bPa\x1b\\")
)
def test_a_colour_goes_and_so_does_an_invisible_sign_beside_it(colour: str) -> None:
    assert clean(f"{colour}no such table") == ["no such table"]
    assert clean(f"{colour}no such\x7f table\u200b") == ["no such table"]


@given(
    st.lists(
        st.sampled_from(("W", "ARN", "ING", "arn", "w", "RN", "/", "12", " ", "x")), max_size=6
    )
)
def test_a_record_is_a_warning_if_a_word_of_its_head_says_so(parts: list[str]) -> None:
    head = "".join(parts)
    said = compiled(r"\b(?:WARN(?:ING)?|WRN|warn(?:ing)?|Warn)\b|\bW/|\bW\d{4} ").search(head)
    assert (compiled(OF_A_WARNING).search(head) is None) == (said is None)


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


_OF_CODES = (
    "TS2307", "E0432", "CS01", "NU1605", "MSB4018", "LNK2019", "SC104", "ORA-00942", "E-",
    "ERR_A1_", "EADDRINUSE", "ERROR", "x", "A", "7", "-", "_", " ", "\u00e9",
)  # fmt: skip


@given(st.lists(st.sampled_from(_OF_CODES), max_size=5).map("".join))
def test_a_code_is_found_from_the_first_place_where_one_can_begin(text: str) -> None:
    begins = compiled(CODE_BEGINS).search(text)
    found = compiled(CODE).search(text, begins.start()) if begins else None
    whole = compiled(CODE).search(text)
    assert (found and found.span()) == (whole and whole.span())


_OF_ENDS = (
    *sorted({part for shape in endings.ENDED for part in shape.example.split(" ")}),
    "exited with ", "returns ", "rc=", "quit ", "died ", "status ", "value: ", "return-code",
    "by a ", "failed ", "completed ", "1", "(255)", "non-zero ", "did not exit", "bad exit status",
    "COMMAND 'a' CRASHED", "CommandError: ", "expected the script to exit with ",
)  # fmt: skip


@settings(deadline=None, max_examples=400)
@given(st.lists(st.sampled_from(_OF_ENDS), min_size=1, max_size=5), st.sampled_from(("", " ")))
def test_a_text_that_holds_no_word_of_an_end_holds_no_end(parts: list[str], between: str) -> None:
    text = between.join(parts)
    assert endings.may_end(text) or not any_of(endings.ENDED, before="(?i)").search(text)


@pytest.mark.parametrize(
    "sign", ("at ", "bei ", 'File "', "E ", "#", "0x", "==", "(", "7", "x", "\u00e0 ", "\t", "")
)
@pytest.mark.parametrize("form", FORMS, ids=lambda form: f"{form.language} {form.found}")
def test_a_frame_begins_as_its_form_says_and_holds_its_mark(form: Form, sign: str) -> None:
    for other in FORMS:
        for cut in range(len(other.example) // 2):
            lines = (sign + other.example[cut:]).split("\n")
            if form.read(lines, 0) is not None:
                assert lines[0].lstrip(" \t").startswith(form.begins)
                assert any(mark in lines[0] for mark in form.marks) or form.language == "rust"
                assert form.below in lines[-1]


@pytest.mark.parametrize(
    "place",
    (
        "/v/dist-packages/a.py", "/v/site-packages/a.py", "/opt/lib64/python3/a.py", "importlib",
        "/app/node_modules/a.js", "node:fs", "native array", "<frozen runpy>", "<anonymous>",
        "/app/vendor/a.php", "C:\\vendor\\a.rb", "vendors~main.js", "/polyfills-1a.js",
        "/sdk/go1.22/a.go", "D:\\sdk\\go\\a.go", "/usr/local/go/a.go", "/go/pkg/mod/a.go",
        "/hostedtoolcache/go/1/a.go", "C:\\Python312\\Lib\\a.py", "/usr/lib/a.py",
        "/app/a.min.js", "/app/a.development.js", "/a.production.js", "/esm-bundler/a",
        "/rustc/1a2b/a.rs", "/root/.cargo/registry/a.rs", "/opt/gems/a.rb", "/opt/lib/ruby/a.rb",
        "main.run\nruntime.main", "java.util.List",
    ),
)  # fmt: skip
def test_a_place_of_others_is_known_by_any_of_its_marks(place: str) -> None:
    assert is_foreign(place)
    assert not is_foreign("/app/src/cart.py\nshop.total")


@settings(deadline=None, max_examples=200)
@given(st.sampled_from("aZ\u00e9\u4e2d"), _TEXTS)
def test_a_line_that_begins_with_a_letter_is_no_source_and_no_marker(sign: str, text: str) -> None:
    assert not is_gutter(sign + text)
    assert not is_marker(sign + text)


_OF_TRAILERS = Shapes(trailers.TRAILERS, trailers.BEFORE, trailers.AFTER)
_OF_RUNNERS = Shapes(runners.ALL_ENDINGS, runners.BEFORE, runners.AFTER)


@settings(deadline=None, max_examples=200)
@given(st.sampled_from((*trailers.TRAILERS, *runners.ALL_ENDINGS)), st.sampled_from(_WORDS))
def test_tables_that_are_asked_together_answer_as_each_does(shape: Shape, word: str) -> None:
    for line in (shape.example, shape.other, f"{shape.other} {word}", word, "***"):
        small = line.strip().casefold()
        apart = _OF_TRAILERS.match(small) or _OF_RUNNERS.match(small)
        assert is_aside(line.strip()) == (apart is not None)


_ROWS_WITH_NEEDS = [row for row in (*trailers.TRAILERS, *runners.ALL_ENDINGS) if row.needs]


@cache
def _lines_of(row: Shape) -> st.SearchStrategy[str]:
    pattern = re.compile(row.pattern, re.ASCII)  # other figures are none to a sieve
    return st.from_regex(pattern, fullmatch=True)


@settings(deadline=None, max_examples=300)
@given(st.sampled_from(_ROWS_WITH_NEEDS), st.data())
def test_a_line_beside_the_message_holds_what_its_row_needs(
    row: Shape, data: st.DataObject
) -> None:
    line = data.draw(_lines_of(row))
    assert Sieve({0: tuple(row.needs.split("|"))}).rows(line) == [0]


def test_what_is_advice_does_not_depend_on_the_line_that_is_asked_about_first() -> None:
    lines = ["npm failed. Please run it", "again with care", "error: no space", "hint: clean up,"]
    lines += ["or buy a disk", "", "fatal: broken pipe"]
    backwards = Text(lines)
    found = [backwards.hinted(at) for at in reversed(range(len(lines)))]
    forwards = Text(lines)
    assert [forwards.hinted(at) for at in range(len(lines))] == found[::-1]
    assert found[::-1] == [False, True, False, True, True, False, False]
