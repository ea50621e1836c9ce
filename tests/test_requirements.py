"""The manifest of promises and the tests agree, in both directions."""

import ast
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.requirements import AWAITED, REQUIREMENTS, SLOW, requirement
from tests.rows import each_row

pytestmark = pytest.mark.costly  # the files are read once

TESTS = Path(__file__).parent
IDS = frozenset(row.id for row in REQUIREMENTS)
SLOW_MARK = "pytest.mark.slow"


@cache
def ties() -> tuple[tuple[str, str, bool], ...]:
    """Every id in a `@requirement(...)` with the test that carries it, and whether that is slow.

    The sources are read, not run, so that one test of one file can be run alone.
    """
    return tuple(
        (promise, test, SLOW_MARK in decorators or b"\npytestmark = pytest.mark.slow\n" in source)
        for path in sorted(TESTS.rglob("test_*.py"))
        if b"requirement(" in (source := path.read_bytes())
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for test in [f"{path.relative_to(TESTS).as_posix()}::{node.name}"]
        for decorators in [[ast.unparse(each) for each in node.decorator_list]]
        for call in node.decorator_list
        for promise in promises(call, test)
    )


def tied() -> set[str]:
    """The promises that have a test."""
    return {promise for promise, *_ in ties()}


def promises(decorator: ast.expr, test: str) -> Iterator[str]:
    if not isinstance(decorator, ast.Call) or ast.unparse(decorator.func) != "requirement":
        return
    assert test.partition("::")[2].startswith("test_"), f"{test} is tied, and is no test"
    for argument in decorator.args:
        promise = ast.literal_eval(argument)
        assert isinstance(promise, str)
        yield promise


def test_every_promise_has_an_id_of_its_own() -> None:
    assert [
        promise for promise, times in Counter(r.id for r in REQUIREMENTS).items() if times > 1
    ] == []


def test_every_promise_says_something_and_names_who_asked() -> None:
    assert [row.id for row in REQUIREMENTS if not (row.says and row.source)] == []


def test_every_promise_has_a_test_or_is_awaited() -> None:
    without = sorted(IDS - tied() - AWAITED)
    assert without == [], "tie a test to each of these with @requirement"


def test_every_promise_has_a_test_that_is_not_slow_or_is_known_to_need_one() -> None:
    quick = {promise for promise, _, slow in ties() if not slow}
    assert tied() - quick == SLOW


def test_every_tie_names_a_promise() -> None:
    strangers = sorted((promise, test) for promise, test, _ in ties() if promise not in IDS)
    assert strangers == [], "these ids are not in tests/requirements.py"


def test_what_is_awaited_is_still_without_a_test() -> None:
    arrived = sorted(AWAITED & tied())
    assert arrived == [], "these have a test now: take them out of AWAITED"
    assert sorted(AWAITED - IDS) == [], "these are awaited and were never promised"


def test_a_tie_keeps_the_test_as_it_is() -> None:
    def test() -> str:
        return "ran"

    kept = requirement("loop:issues")(requirement("loop:score-three")(test))
    assert kept is test
    assert kept() == "ran"
    assert vars(kept)["requirement_ids"] == ("loop:score-three", "loop:issues")


@each_row("decorator", ["requirement(*IDS)", "requirement(NAME)"])
def test_a_tie_that_cannot_be_read_is_refused(decorator: str) -> None:
    with pytest.raises(ValueError, match="malformed"):
        list(promises(ast.parse(decorator, mode="eval").body, "test_x.py::test_x"))
