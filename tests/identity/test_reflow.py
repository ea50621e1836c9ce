"""Lines that were wrapped at words are one again, and lines of tools stay apart."""

import textwrap

import pytest

from reflection_mcp.tools.identity.cleaning.reflow import WIDTHS
from reflection_mcp.tools.identity.cleaning.reflow import reflowed as reflowed_text
from tests.bench.identity_index import ShippedIndex

MISSING = (
    "ERROR: Could not open requirements file: [Errno 2] No such file or directory:"
    " '/builds/acme/backend/requirements-dev.txt'"
)
FINDING = 'app/models.py:4: error: Missing type arguments for the generic type "List"  [type-arg]'


def reflowed(lines: list[str]) -> list[str]:
    return reflowed_text("\n".join(lines)).split("\n")


ADVICE = (
    "the cargo syntax for the output of build scripts was added in another version than the one"
    " that this package says it needs at the least, which is the reason why it can not be built"
)


@pytest.mark.parametrize("width", [width for width in WIDTHS if 72 <= width <= 80])
@pytest.mark.parametrize("text", [MISSING, FINDING, ADVICE])
def test_what_was_wrapped_is_one_line_again(text: str, width: int) -> None:
    index = ShippedIndex()
    index.add("stored", text)
    assert index.query("\n".join(textwrap.wrap(text, width)))[0] == "stored"


def test_several_lines_that_go_on_are_believed_at_any_usual_width() -> None:
    assert reflowed(textwrap.wrap(ADVICE, 100)) == textwrap.wrap(ADVICE, 100)
    assert reflowed(textwrap.wrap(ADVICE, 70)) == [ADVICE]


def test_a_word_that_was_cut_at_its_hyphen_is_one_again() -> None:
    line = "a parameter of the function is never used in the body of this function (no-"
    assert reflowed([line, "unused-vars)"]) == [f"{line}unused-vars)"]


@pytest.mark.parametrize(
    "lines",
    [
        [""],
        ["one line"],
        # The next word would have fitted.
        ["the first of two messages that say something about one file", "to " * 24 + "end"],
        # What is below begins as the lines of tools do, or is set in.
        [
            "the first of two messages that say something about one and the same server",
            "npm error x",
        ],
        [
            "the first of two messages that say something about one and the same server",
            "app.py:3: no",
        ],
        [
            "the first of two messages that say something about one and the same server",
            "docker: no way",
        ],
        [
            "the first of two messages that say something about one and the same server",
            "    indented",
        ],
        ["the first of two messages that say something about one and the same server", ""],
        [
            "the first of two messages that say something about one and the same server",
            "kim@vps:~$",
        ],
        [
            "the first of two messages that say something about one and the same server",
            "Another one",
        ],
        # What is above is whole.
        [
            "the first of two messages that say something about one and the same server.",
            "another one",
        ],
        ["your changes to the following files would be overwritten by a merge of it:", "models.py"],
        # Nobody wraps there.
        ["x" * 130, "goes on"],
        ["word " * 13, "incomprehensibilities"],
    ],
)
def test_lines_that_nobody_wrapped_stay(lines: list[str]) -> None:
    assert reflowed(lines) == lines
