"""Lone surrogates, which no UTF-8 text can hold."""

import json
from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st
from mcp_types import CallToolResult, TextContent

from reflection_mcp.server.transport.surrogates import encodable
from reflection_mcp.store.scrub import scrub
from tests.rows import each_row

HALF = "\ud800"


@dataclass(frozen=True)
class Note:
    text: str


@each_row(
    ("given_", "clean"),
    [
        (f"a{HALF}b", "a\ufffdb"),
        ("\udc00", "\ufffd"),
        ("\ud83d\ude00", "😀"),  # two halves that met
        ("ü😀", "ü😀"),
        ({HALF: [HALF, 1, None]}, {"\ufffd": ["\ufffd", 1, None]}),
        (("x", (HALF,)), ("x", ("\ufffd",))),
        (Note(HALF), Note("\ufffd")),
        ({"note": Note(HALF), "n": 1.5}, {"note": Note("\ufffd"), "n": 1.5}),
    ],
)
def test_halves_are_replaced_wherever_they_hide(given_: object, clean: object) -> None:
    assert encodable(given_) == clean


def test_a_result_with_half_a_pair_can_be_sent() -> None:
    result = CallToolResult(
        content=[TextContent(type="text", text=HALF)], structured_content={"a": {HALF: HALF}}
    )
    sent = json.loads(encodable(result).model_dump_json(by_alias=True))
    assert sent["content"][0]["text"] == "\ufffd"
    assert sent["structuredContent"] == {"a": {"\ufffd": "\ufffd"}}


@each_row("value", ["ü", {"a": ["b"]}, ("x",), Note("y"), Note, 3, None])
def test_what_is_clean_is_returned_as_it_came(value: object) -> None:
    assert encodable(value) is value


values = st.recursive(
    st.none() | st.integers() | st.text(st.characters(codec=None, exclude_categories=())),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.text(st.characters(exclude_categories=())), inner)
    ),
    max_leaves=20,
)


@given(values)
def test_whatever_was_scrubbed_can_be_written_and_stays_as_it_is(value: object) -> None:
    clean = encodable(value)
    json.dumps(clean, ensure_ascii=False).encode()
    assert encodable(clean) is clean


@given(st.text(st.sampled_from("a\ud800\udc00\udfff\udbff\U0001f600é"), max_size=12))
def test_halves_are_joined_or_replaced_as_a_decoder_does(text: str) -> None:
    decoded = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    assert scrub(text) == decoded
