"""No family of checks does more than a fixed amount of work for each character it is given.

Work is counted in calls, of Python and of C, so the count is the same on every machine; what one
call of a regular expression may cost is asked by `tests/test_patterns.py`.
"""

import base64
import json
import sys
from collections.abc import Callable
from random import Random
from types import FrameType
from typing import Any

import pytest

from reflection_mcp.tools.judging import FAMILIES, check_answer
from reflection_mcp.tools.judging.case import Case
from tests.hostile import repeated

SMALL, TIMES = 4_000, 4
CALLS = 150
"""Calls for each character of the larger text; the worst two make 102 (one line of a test runner
after the other) and 66 (one wrong sum after the other), the others far less."""
MOST_GROWTH = 6.0
"""Linear is 4, quadratic 16; what is done once makes it less."""
FLOOR = 20_000
"""Calls that grow as they like."""

BLOB = Random(1).randbytes(SMALL * TIMES)
TEXTS: dict[str, Callable[[int], str]] = {
    "hex": lambda size: BLOB.hex()[:size],
    "base64": lambda size: base64.b64encode(BLOB).decode()[:size],
    "one line": lambda size: "a" * size,
    "many lines": lambda size: "a\n" * (size // 2),
    "nested brackets": lambda size: "(" * (size // 2) + ")" * (size // 2),
    "digits": lambda size: "1" * size,
    "JSON": lambda size: json.dumps([{"a": [1, {"b": "c"}]}] * (size // 25)),
    "one sentence": lambda size: repeated("Ann Lee of Acme Corp. met 3 people in 1999. ", size),
    "wrong sums": lambda size: repeated("1 + 1 = 3. ", size),
    "relations": lambda size: repeated("1=", size),
    "runs of tests": lambda size: repeated("1 passed in 1s\n", size),
    "spaces": lambda size: f"GET{' ' * size}x",
}


def calls_of(work: Callable[[], object]) -> int:
    """How many calls are made, of Python and of C."""
    count = 0

    def counted(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


def judged(family: str, text: str) -> Callable[[], object]:
    """One family's work on a text that is answer and context."""
    from reflection_mcp.tools.judging import _check_of  # pyright: ignore[reportPrivateUsage]

    case = Case(question="How many? Only from the context.", answer=text, context=text)
    return lambda: list(_check_of(FAMILIES[family])(case))


@pytest.mark.parametrize("family", FAMILIES)
def test_the_work_of_a_family_is_bounded_by_the_text(family: str) -> None:
    check_answer("How many?", "There are 5, 1 + 1 = 2.", "5")  # imports and tables
    judged(family, "1 + 1 = 3. ")()
    for name, make in TEXTS.items():
        few = calls_of(judged(family, make(SMALL)))
        many = calls_of(judged(family, make(SMALL * TIMES)))
        assert many <= CALLS * SMALL * TIMES, name
        assert many <= max(FLOOR, MOST_GROWTH * few), name
