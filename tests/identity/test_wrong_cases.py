"""Known wrong answers, pinned: whoever mends one finds its row here.

`desired` is what a person would say, `actual` what is answered. A row may only be changed towards
its `desired`.
"""

from typing import NamedTuple

from tests.bench.identity_index import ShippedIndex
from tests.rows import each_row


class WrongCase(NamedTuple):
    """A stored text, a text that is asked about, and the two answers."""

    why: str
    stored: str
    asked: str
    desired: str
    actual: str


CASES = (
    WrongCase(
        "a value in a message that somebody wrote cannot be told from a name",
        "ConnectionError: no route to alpha",
        "ConnectionError: no route to beta",
        "same",
        "similar",
    ),
    WrongCase(
        "a message in the words of another browser is another message",
        "TypeError: Cannot read properties of undefined (reading 'map')",
        "TypeError: undefined is not an object (evaluating 'rows.map')",
        "same",
        "similar",
    ),
    WrongCase(
        "the same fault reported in two human languages is two errors",
        "bash: kubectl: command not found",
        "bash: Zeile 3: kubectl: Kommando nicht gefunden.",
        "same",
        "similar",
    ),
    WrongCase(
        "a frame that a minifier renamed is another place",
        "TypeError: x is not a function\n    at total (/app/cart.js:3:9)",
        "TypeError: x is not a function\n    at a (/app/cart.js:1:90211)",
        "same",
        "similar",
    ),
    WrongCase(
        "a count that a test compares and that happens to be a status of HTTP is taken for one",
        "expected 200 items but got 404",
        "expected 200 items but got 17",
        "same",
        "similar",
    ),
    WrongCase(
        "two assertions of one test that say only False, without their source, differ in the line",
        "E       assert False\n\ntests/test_a.py:14: AssertionError\n"
        "FAILED tests/test_a.py::test_a - assert False",
        "E       assert False\n\ntests/test_a.py:31: AssertionError\n"
        "FAILED tests/test_a.py::test_a - assert False",
        "similar",
        "exact",
    ),
    WrongCase(
        "what was asked of a constraint is data, whatever it holds",
        "ValueError: invalid literal for int() with base 10: 'price'",
        "ValueError: invalid literal for int() with base 10: 'name'",
        "similar",
        "exact",
    ),
)


@each_row("case", CASES, ids=[case.why for case in CASES])
def test_a_known_wrong_answer_is_still_the_one_that_is_known(case: WrongCase) -> None:
    index = ShippedIndex()
    index.add("stored", case.stored)
    assert index.recognise(case.asked).verdict == case.actual
    assert case.actual != case.desired
