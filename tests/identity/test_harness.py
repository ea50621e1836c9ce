"""What a test harness reports of a test that failed is told as it tells people."""

import pytest

from reflection_mcp.tools.identity import fingerprint
from reflection_mcp.tools.identity.cleaning.harness import unwrapped_failures, without_blocks

HEAD = "TAP version 13\n# Subtest: pays\nnot ok 1 - pays\n"
TOLD = [
    (
        "  ---\n  failureType: 'testCodeFailure'\n  error: \"no card ('x')\"\n"
        "  code: 'ERR_TEST_FAILURE'\n  name: 'TypeError'\n  stack: |-\n    pay (/app/pay.js:3:9)\n"
        "    new Till (/app/a.js:1:2)\n  ...\n1..1\n# fail 1",
        "TypeError: no card ('x')\n    at pay (/app/pay.js:3:9)\n    at new Till (/app/a.js:1:2)",
    ),
    (
        "  ---\n  error: |-\n    Expected 'a':\n\n    1 !== 2\n  code: 'ERR_ASSERTION'\n"
        "  name: 'AssertionError'\n  ...",
        "AssertionError [ERR_ASSERTION]: Expected 'a':\n\n1 !== 2",
    ),
    (
        '  ---\n  error:\n    name: "Error"\n    message: "it\'s \\"shut\\""\n'
        '  at: "/app/a.js:3:9"\n\n  actual: 1\n  ...',
        'Error: it\'s "shut"\n    at /app/a.js:3:9',
    ),
    ("  ---\n  error: plain words\n  ...", "plain words"),
    ("---\nerror: shut\n|-\npay (/app/pay.js:3:9)\n...", "shut\n    at pay (/app/pay.js:3:9)"),
    ('  ---\n  error: "a \\x b"\n  ...', "a \\x b"),
    ("  ---\n  error: 'it''s shut'\n  ...", "it's shut"),
]


@pytest.mark.parametrize(("block", "told"), TOLD)
def test_a_block_of_a_test_that_failed_is_told_as_its_harness_tells_people(
    block: str, told: str
) -> None:
    assert without_blocks(HEAD + block) == f"\u2716 pays (0ms)\n{told}"


def test_a_finding_of_a_linter_in_a_block_is_told_as_a_finding() -> None:
    block = (
        "not ok 1 - /app/a.js\n  ---\n  message: '''fee'' is not defined.'\n  severity: error\n"
        "  data:\n    line: 2\n    column: 9\n    ruleId: no-undef\n"
        "    fix:\n      text: let\n  ..."
    )
    assert without_blocks(block) == "/app/a.js:2:9: error: 'fee' is not defined. (no-undef)"


def test_a_block_that_says_only_that_tests_inside_it_failed_goes() -> None:
    block = (
        "not ok 2 - suite\n  ---\n  failureType: 'subtestsFailed'\n  error: '1 failed'\n  ...\na"
    )
    assert without_blocks(block) == "a"


@pytest.mark.parametrize(
    "text",
    [
        "no harness",
        "not ok 1 - pays",
        "not ok 1 - pays\n  ---\n  error: 'x'",
        "not ok 1 - pays\n  ---\n  operator: equal\n  ...",
        "it is not ok 1\n  ---\n  error: 'x'\n  ...",
    ],
    ids=["none", "no block", "no end", "not what failed", "no line of a test"],
)
def test_what_is_no_block_that_says_what_failed_stays(text: str) -> None:
    assert without_blocks(text) == text


def test_the_error_of_the_harness_makes_room_for_its_cause() -> None:
    text = (
        "Error [ERR_TEST_FAILURE]: 1 !== 2\n    at a {\n  code: 'ERR_TEST_FAILURE',\n"
        "  cause: AssertionError [ERR_ASSERTION]: 1 !== 2\n      at b (/app/a.js:3:9)"
    )
    assert unwrapped_failures(text) == (
        "AssertionError [ERR_ASSERTION]: 1 !== 2\n      at b (/app/a.js:3:9)"
    )


@pytest.mark.parametrize("text", ["Error: x", "Error [ERR_TEST_FAILURE]: x\n  cause: 'x'\n"])
def test_an_error_without_such_a_cause_stays(text: str) -> None:
    assert unwrapped_failures(text) == text


def test_a_test_without_a_name_in_the_code_is_placed_by_its_title() -> None:
    frames = "  Error: shut\n      at TestContext.<anonymous> (/app/a.test.js:3:9)"
    told = fingerprint(f"\u2716 pays by card (1.2ms)\n{frames}")
    assert told.pattern.location == "a.test.js:pays by card"
    assert told.pattern.lines == fingerprint(frames).pattern.lines
    in_python = (
        "not ok 1 pays\nTraceback (most recent call last):\n"
        '  File "a.py", line 3, in <module>\nKeyError: 1'
    )
    assert fingerprint(in_python).pattern.location == "a.py:<module>"
