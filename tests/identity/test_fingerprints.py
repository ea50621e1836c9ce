"""The fingerprint of a text: stable, and blind to what does not matter."""

import os
import pickle
import subprocess
import sys
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from reflection_mcp.store.records import Pattern
from reflection_mcp.tools.identity import (
    SIGNATURE_VERSION,
    Fingerprint,
    compare,
    fingerprint,
    signature_of,
)
from tests.identity.families import DATA, FORMATS, read
from tests.rows import each_row

TEXTS = [family.stored for file in ("families.txt", "fresh.txt") for family in read(file)]
GOLDEN = DATA / "golden.txt"
RECORD = """
import sys
from tests.identity.families import read
from reflection_mcp.tools.identity import fingerprint
for file in ("families.txt", "fresh.txt"):
    for family in read(file):
        seen = fingerprint(family.stored)
        features = sum(seen.features) % 2**32
        sys.stdout.buffer.write(f"{seen.signature} {features:08x} {family.name}\\n".encode())
"""
"""Prints the golden file. It changes only together with the name of the version."""


@each_row("seed", ["0", "4242"])
def test_signatures_do_not_depend_on_the_hash_seed_and_stay_what_they_are(seed: str) -> None:
    printed = subprocess.run(
        [sys.executable, "-c", RECORD],
        env={**os.environ, "PYTHONHASHSEED": seed},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        check=True,
        timeout=60,
    ).stdout.decode()
    assert printed == GOLDEN.read_text(encoding="utf-8")


def test_the_golden_file_is_of_this_version() -> None:
    lines = GOLDEN.read_text(encoding="utf-8").splitlines()
    assert len(lines) >= 100
    assert all(line.startswith(f"{SIGNATURE_VERSION}:") for line in lines)


def test_a_fingerprint_says_what_it_is_made_of() -> None:
    seen = fingerprint(
        'Traceback (most recent call last):\n  File "/app/cart.py", line 3, in total\n    f()\n'
        "app.errors.PriceError: no price for 'tea'"
    )
    assert seen.pattern == Pattern(
        version="sig4",
        lines=("4priceerror app.errors.priceerror: no price for tea",),
        location="cart.py:total",
        error_type="priceerror",
    )
    assert [key.kind for key in seen.keys] == ["strict", "located", "verdict", "line"]
    assert seen.keys == (*seen.exact_keys, *seen.loose_keys)
    assert [key.kind for key in seen.exact_keys] == ["strict", "located"]
    assert seen.signature == f"sig4:{seen.keys[1].digest}"
    assert seen.summary == "app.errors.PriceError: no price for 'tea'"
    assert 0 < len(seen.features) <= 24
    assert seen.unusable == ""


@each_row(
    ("text", "error_type"),
    [
        ("app.ts(3,9): error TS2304: Cannot find name 'a'", "ts2304"),
        ("ORA-00942: table or view does not exist", "ora-00942"),
        ("connect ECONNREFUSED 127.0.0.1:5432", "econnrefused"),
        ("ERROR: it is over", None),
        ("caused by: java.net.UnknownHostException: db", "unknownhostexception"),
    ],
)
def test_the_type_of_an_error_is_its_exception_or_code(text: str, error_type: str | None) -> None:
    assert fingerprint(text).pattern.error_type == error_type


@each_row(
    ("text", "error_type"),
    [
        ("KeyError: 'a'", "KeyError"),
        ("KeyError: 'a'", " keyerror\n"),
        ("KeyError: 'a'", "builtins.KeyError"),
        ("KeyError: 'a'", "key_error"),
        ("KeyError: 'a'", "error"),
        ("KeyError: 'a'", "python"),
        ("KeyError: 'a'", "runtime"),
        ("KeyError: 'a'", ""),
        ("KeyError: 'a'", None),
        ("error[E0432]: unresolved import", "E0432"),
        ("HTTP/1.1 404 Not Found", "HTTP 404"),
        ("System.NullReferenceException: x is null", "NullReferenceException"),
    ],
)
def test_a_type_that_the_text_names_changes_nothing(text: str, error_type: str | None) -> None:
    assert fingerprint(text, error_type) == fingerprint(text)


def test_another_type_is_another_signature() -> None:
    text = "the order could not be placed"
    signatures = {signature_of(text), signature_of(text, "KeyError"), signature_of(text, "OSError")}
    assert len(signatures) == 3
    assert signature_of(text, "KeyError") == signature_of(text, "key error")
    assert fingerprint(text, "KeyError").pattern.error_type == "keyerror"


def test_white_space_around_and_the_kind_of_quotes_do_not_matter() -> None:
    for text in TEXTS:
        signature = signature_of(text)
        assert signature_of(f"\n{text}\n\n") == signature, text
        assert signature_of(text.replace("'", "\u2019")) == signature, text


def test_the_key_that_survives_new_rules_ignores_case_and_white_space() -> None:
    for text in TEXTS:
        strict = fingerprint(text).keys[0]
        assert strict.kind == "strict"
        assert fingerprint("  " + text.upper().replace(" ", "\t ")).keys[0] == strict, text


def test_the_summary_of_one_line_has_the_signature_of_the_line() -> None:
    lines = [text for text in TEXTS if "\n" not in text.strip() and len(text) <= 200]
    assert len(lines) > 20
    for line in lines:
        seen = fingerprint(line)
        assert signature_of(seen.summary) == seen.signature, line


@given(
    st.sampled_from(TEXTS),
    st.sampled_from(["syslog", "pods", "compose", "buildkit", "coloured", "indented"]),
)
def test_a_prefix_or_a_colour_does_not_matter(text: str, name: str) -> None:
    assert compare(fingerprint(FORMATS[name](text)).pattern, fingerprint(text).pattern).level in (
        "exact",
        "same",
    )


def test_a_body_without_a_message_is_left_as_it_is() -> None:
    body = "failed: {'code': 3, 'nested': \"message\"}"
    assert fingerprint(body).pattern.lines == ("2 failed: {code: 3, nested: message}",)


def test_a_summary_is_one_short_line() -> None:
    assert len(fingerprint("error: " + "x" * 500).summary) == 200
    assert fingerprint("").summary == ""


@each_row(
    ("text", "summary"),
    [
        (
            "thread 'main' panicked at src/main.rs:3:5:\nattempt to subtract with overflow",
            "thread 'main' panicked at src/main.rs:3:5: attempt to subtract with overflow",
        ),
        (
            "npm ERR! Could not resolve dependency:\nnpm ERR! peer react@17 from react-dom@17.0.2",
            "Could not resolve dependency: peer react@17 from react-dom@17.0.2",
        ),
        ("RuntimeError:\n  cannot deploy", "RuntimeError: cannot deploy"),
        ("Error: could not build the image:", "Error: could not build the image:"),
    ],
)
def test_a_summary_has_the_line_that_a_colon_leaves_it_to(text: str, summary: str) -> None:
    assert fingerprint(text).summary == summary


def test_a_summary_shows_a_directory_as_it_is_called() -> None:
    said = "fatal: cannot read '/Users/Ana Mar\u00eda/My Projects/till/a_b.toml': no such file"
    assert fingerprint(f"$ till\n{said}").summary == said


def test_a_fingerprint_that_another_process_made_has_its_notes() -> None:
    seen = fingerprint("error: bad\nhint: use 'reset' first")
    sent: Fingerprint = pickle.loads(pickle.dumps(seen))
    assert sent.pattern.lines == ("3 error: bad", "~ hint: use reset first")
    assert sent == seen


def lines_of(text: str) -> tuple[str, ...]:
    return fingerprint(text).pattern.lines


@each_row(
    ("pasted", "printed"),
    [
        (
            "The pot stays cold on my machine:\n```console\nerror: no kettle was found\n```\n"
            "Why does it not boil?",
            "error: no kettle was found",
        ),
        (
            "Error: brewing failed\nand then\n```\nTeaError: no leaf\n```\nI did not expect that.",
            "Error: brewing failed\nTeaError: no leaf",
        ),
        ("It says `the kettle was not found` again.", "the kettle was not found"),
        (
            "Brewing stops with **TeaError: the lid is missing** here.",
            "TeaError: the lid is missing",
        ),
        (
            "TeaError: no leaf was found\nDoes the pot need another kettle that is not broken?",
            "TeaError: no leaf was found",
        ),
        (
            "TeaError: no leaf was found\nbecause the pot was not filled",
            "TeaError: no leaf was found",
        ),
        (
            "I get this error NOLEAF cannot brew without green leaves",
            "NOLEAF cannot brew without green leaves",
        ),
    ],
)
def test_what_people_write_around_an_error_is_not_part_of_it(pasted: str, printed: str) -> None:
    assert lines_of(pasted) == lines_of(printed)


def test_code_that_a_person_fenced_stays_with_what_stands_around_it() -> None:
    said = lines_of("TeaError: no leaf was found\n```python\nbrew(pot)\n```")
    assert said[0] == "4teaerror teaerror: no leaf was found"


@each_row(
    ("text", "place"),
    [
        (
            'Traceback (most recent call last):\nFile "/srv/pot.py", line 4, in brew\n\n'
            "boil(water)\n\n^^^^^^^^^^^\n\nTeaError: no leaf",
            "pot.py:brew",
        ),
        (
            '{"exception": {"values": [{"type": "TeaError", "value": "no leaf", "stacktrace": '
            '{"frames": [{"filename": "pot.py", "function": "brew"}]}}]}}',
            "pot.py:brew",
        ),
        (
            "TeaError: no leaf\n    at boil (/web/react-dom.development.js:3:4)\n"
            "    at brew (/web/pot.js:9:1)",
            "pot.js:brew",
        ),
        (
            '  File "/srv/pot.py", line 4, in brew\n    boil(\n        water,\n        leaf,\n'
            "    )\nTeaError: no leaf",
            "pot.py:brew",
        ),
        ("TeaError: no leaf\nCMakeLists.txt: not a frame (of cmake)", None),
        ("/srv/pot.py\nreading leaves\n  3:4  error  no leaf was found", "pot.py:"),
        ("3:4  error  no leaf was found\n5:1  error  no pot was found", None),
    ],
)
def test_a_place_is_the_frame_of_the_users_own_code(text: str, place: str | None) -> None:
    assert fingerprint(text).pattern.location == place


def test_a_record_is_read_to_a_bounded_depth() -> None:
    deep = '{"a": ' * 9 + '{"message": "no leaf was found here"}' + "}" * 9
    assert lines_of(deep)[0].startswith("2 {a: {a:")


def test_fields_of_a_log_without_a_message_are_left_as_they_are() -> None:
    assert lines_of("level=error pot=green failed to brew") == (
        "2 level=error pot=green failed to brew",
    )


def test_an_error_in_fields_behind_a_sentence_is_read() -> None:
    said = lines_of('the cook could not brew any tea error="shelf: \\"leaf\\": not found"')
    assert said[0] == "2 the cook could not brew any tea: shelf: leaf: not found"
    unread = 'the cook could not brew any tea error="x" of the shelf'
    assert lines_of(unread) == ("2 the cook could not brew any tea error=x of the shelf",)


def test_of_a_long_list_the_first_entries_belong_to_the_headline() -> None:
    listed = "\n".join(f"  leaf {'abcdefghijklmnopqrs'[n:]} is stale" for n in range(17))
    assert sum(line.startswith("- ") for line in lines_of(f"error: 17 problems:\n{listed}")) == 12


def test_a_line_of_a_pattern_that_has_no_known_mark_is_left_out() -> None:
    pattern = Pattern(version="sig4", lines=("3 error: no leaf", "? unknown"))
    same = Pattern(version="sig4", lines=("3 error: no leaf",))
    assert compare(pattern, same).level == "same"


@each_row(
    ("text", "vague"),
    [
        ("exceeded 30s limit", True),
        ("error: connection refused", True),
        ("KeyError: 'x'", False),
        ("ld: library not found for -lpq", False),
    ],
)
def test_an_error_of_few_words_without_a_type_or_a_place_is_vague(
    text: str, *, vague: bool
) -> None:
    assert fingerprint(text).is_vague is vague
