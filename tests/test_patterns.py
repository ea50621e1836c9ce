"""No expression of the package is slow on a text that is made from itself."""

import subprocess
import sys

import pytest

from tests.bench.patterns import LARGEST, Expression, Watched, steep
from tests.pumps import Pump, pumps
from tests.rows import each_row


def test_no_expression_is_steep_as_it_is_used() -> None:
    walk = subprocess.run(
        [sys.executable, "-m", "tests.bench.patterns"], capture_output=True, text=True, check=False
    )
    last = walk.stderr.splitlines()[-1]
    assert (walk.returncode, walk.stdout) == (0, ""), f"ended at {last}"
    assert int(walk.stderr.split()[0]) > 300


@each_row(
    ("pattern", "pump"),
    [
        pytest.param(r"a+b", Pump("", "a", "\0"), id="a run that is left in vain"),
        pytest.param(r"x\S+@y", Pump("x", "a", "\0"), id="behind what comes first"),
        pytest.param(r"(?:ab|c){2,}d", Pump("", "ab", "\n"), id="a group"),
        pytest.param(r"(?=z[01]*!)", Pump("z", "0", "\0"), id="a look ahead"),
        pytest.param(r"(?>q[^r]{0,40})", Pump("q", "a", "\0"), id="an atomic group"),
        pytest.param(r"#[^a]{0,99}!", Pump("", "#bbb", "\0"), id="begun again and again"),
    ],
)
def test_a_repeat_is_pumped(pattern: str, pump: Pump) -> None:
    assert pump in pumps(pattern, 0)


def test_a_short_repeat_is_not() -> None:
    assert pumps(r"a{1,3}b?", 0) == []


@each_row("pattern", [r"\s+$", r"\S+@\S+\.\w+", r"\d+:\d+", r"GET\s*`?\s*x"])
def test_what_is_steep_is_found(pattern: str) -> None:
    assert list(steep(Expression("x", pattern, 0), {"search": LARGEST}))


@each_row("pattern", [r"(?<!\s)\s++$", r"ab*", r"[a-z]{1,30}!", r"(?<!\d)\d+:"])
def test_what_is_linear_is_not(pattern: str) -> None:
    assert not list(steep(Expression("x", pattern, 0), {"search": LARGEST}))


@each_row("uses", [{"match": LARGEST}, {"search": 100}, {}])
def test_what_is_asked_from_one_place_or_of_little_text_need_not_be_fast(
    uses: dict[str, int],
) -> None:
    assert not list(steep(Expression("x", r"\s+$", 0), uses))


def test_an_expression_notes_how_it_is_asked_and_how_much_it_gets() -> None:
    import re

    uses: dict[str, int] = {}
    watched = Watched(re.compile("b+"), uses)
    assert watched.search("abc")
    assert watched.search("a" * 9, 2, 5) is None
    assert watched.match("abcd", 1)
    assert watched.sub("x", "abb") == "ax"
    assert watched.pattern == "b+"
    assert uses == {"search": 3, "match": 3, "sub": 3}
