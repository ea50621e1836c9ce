"""No expression of the package is slow on a text that is made from itself."""

import subprocess
import sys

import pytest

from tests.bench import patterns
from tests.bench.patterns import LARGEST, Expression, Watched, growth, steep
from tests.pumps import Pump, pumps
from tests.rows import each_row


@pytest.mark.slow
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


@each_row(
    ("power", "seconds_for_one", "factor"),
    [(1, 1e-5, 0.0), (2, 1e-8, 16.0), (2, 1e-6, 16.0), (3, 1e-10, 64.0), (2, 1e-11, 0.0)],
    ids=["linear", "quadratic", "slow quadratic", "cubic", "quadratic and too quick to matter"],
)
def test_what_is_steep_is_found(power: int, seconds_for_one: float, factor: float) -> None:
    """On a clock that only a reader moves, so that no other process does."""
    now = 0.0

    def read(text: str) -> None:
        nonlocal now
        now += seconds_for_one * len(text) ** power

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(patterns, "CLOCK", lambda: now)
        assert growth(read, Pump("", "a", ""), LARGEST) == pytest.approx(factor)


def test_an_expression_that_is_far_from_linear_is_steep() -> None:
    (found,) = steep(Expression("x", r"a*a*a*b", 0), {"search": 100})
    assert found.how == "search"


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
