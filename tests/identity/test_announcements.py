"""What is said in front of an error is no part of it, and what a tool calls its error is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reflection_mcp.tools.identity import fingerprint
from reflection_mcp.tools.identity.cleaning.announcements import (
    BEGINS,
    COMMANDS,
    INSIDE,
    OWN,
    WORDS,
    begun,
    unannounced,
)
from reflection_mcp.tools.identity.rule import Shape, compiled
from tests.bench.identity_index import ShippedIndex

NPM = 'npm error Missing script: "build"\nnpm error\nnpm error To see a list of scripts, run:'
OTHER_NPM = NPM.replace("build", "typecheck")
RUST = "error[E0425]: cannot find value `total` in this scope\n --> src/main.rs:3:5\n  |"


@pytest.mark.parametrize("row", [*BEGINS, *INSIDE], ids=lambda row: row.name)
def test_a_row_matches_its_example_and_not_what_looks_like_it(row: Shape) -> None:
    assert compiled(row.pattern).match(row.example)
    assert not compiled(row.pattern).match(row.other)


def test_no_word_is_in_two_lists_that_exclude_one_another() -> None:
    assert OWN <= WORDS
    assert not COMMANDS & WORDS


@pytest.mark.parametrize(
    "said",
    [
        "What does this mean? ",
        "The build failed with: ",
        "The build failed with:\n",
        "npm test failed: ",
        "`npm run build` failed with: ",
        "Failed to run 'npm run build': ",
        "Command failed with exit code 1: ",
        "Error executing tool run: ",
        "**Error:** ",
        "## Result:\n",
        "(attempt 3/5) ",
        "2/2 failed: ",
        "Still failing - ",
        "<error>",
        "Still the same. Output: ",
        "2026-03-02 10:11:12,131 ERROR [ci] Command failed: ",
    ],
)
def test_an_error_is_the_same_whatever_announces_it_and_a_look_alike_another(said: str) -> None:
    index = ShippedIndex()
    index.add("npm", NPM)
    index.add("rust", RUST)
    assert index.query(said + NPM)[0] == "npm"
    assert index.query(said + RUST)[0] == "rust"
    assert index.query(said + OTHER_NPM)[0] is None


def test_a_sentence_about_an_error_is_left_to_those_who_read_sentences() -> None:
    for said in ("I get KeyError: 'a'", "Now it says: KeyError: 'a' when I run it"):
        assert unannounced(said) == said
    assert unannounced(f"I get {RUST}\n3 |\n  |") == f"{RUST}\n3 |\n  |"


@pytest.mark.parametrize("named", ["job nightly-7: ", "in release 4.2? ", "the api of orders. "])
def test_a_form_that_takes_several_lines_begins_one_whatever_stands_in_front(named: str) -> None:
    for form in (NPM, RUST, 'Exception in thread "main" a.B\n\tat c.D.e(D.java:1)'):
        assert begun(named + form) == form
    frame = 'File "a.py", line 3\n  x'
    assert begun(named + frame) == frame


@pytest.mark.parametrize(
    "text",
    [
        "Error: ENOENT: no such file or directory",
        "error: Cannot open the file",
        "Test: error: x",
        "npm: error: x",
        "npm test",
        "npm error Missing script: x",
        "Failed to fetch orders: error: x",
        "The orders failed: error: x",
        "The build failed with: nothing of note",
        "Exit code 1",
        "Error 404: Cannot GET /orders",
        "error code 1045: Unknown user",
        "The test failed with status 404: Cannot GET /orders",
        "MCP error -32000: Connection closed",
        "1. error: x",
        "<error>nothing</error>",
        "<p>error: x",
        "Result\nof the work: error: x",
        "it " * 20 + "says: error: x",
        "",
        " \n",
    ],
)
def test_what_names_a_thing_or_is_followed_by_none_of_the_lines_of_tools_stays(text: str) -> None:
    assert unannounced(text) == text


@given(st.text(alphabet="aE:?. \n<>*`'1/()-", max_size=60))
def test_what_is_left_is_the_end_of_the_text_and_announces_nothing(text: str) -> None:
    left = unannounced(text)
    assert text.endswith(left)
    assert text.endswith(begun(text))


def test_several_announcements_go_and_no_more_than_anybody_makes() -> None:
    assert unannounced(f"The output: stderr: result: {RUST}") == RUST
    assert unannounced(f"The output: stderr: result: log: {RUST}") == f"log: {RUST}"


def test_announcements_do_not_change_the_signature_of_what_they_announce() -> None:
    assert fingerprint(f"I get this error: {RUST}").signature == fingerprint(RUST).signature
