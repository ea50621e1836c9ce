"""Errors of many tools: met again, and merely alike.

The bounds are a little under what was measured, so that a rule that helps one tool cannot quietly
cost another one. `attacks.txt` holds what is left of 627 texts that somebody went looking for:
those that are answered wrong, and those whose answer changes when one mechanism or row of the rules
is taken away. Its bound says how many of them are right.
"""

from typing import NamedTuple

import pytest

from reflection_mcp.tools.identity import Fingerprint, Recognition
from tests.bench.identity_index import ShippedIndex
from tests.identity.families import FORMATS, Family, read
from tests.rows import each_row, sample

pytestmark = pytest.mark.costly


class Bound(NamedTuple):
    """The least share of a file that is recognised, and the most look-alikes taken."""

    file: str
    floor: float
    most_taken: int


BOUNDS = (
    Bound("families.txt", 0.93, 2),
    Bound("fresh.txt", 0.80, 2),
    Bound("versions.txt", 0.50, 2),
    Bound("attacks.txt", 0.20, 38),
)
FAMILIES = [family for bound in BOUNDS[:3] for family in read(bound.file)]
LOW_FLOORS = {
    "collapsed": 0.60,
    "block of YAML": 0.75,
    "bytes of Python": 0.70,
    "task of Ansible": 0.60,
    "in a box": 0.75,
}
"""Formats that lose something: where lines ended, or which line is which."""


class RememberingIndex(ShippedIndex):
    """One that compares what is left of an error only once: most formats leave the same of it."""

    def __init__(self) -> None:
        super().__init__()
        self._compared: dict[tuple[object, ...], Recognition] = {}

    def alike(self, seen: Fingerprint, exclude: str | None) -> Recognition:
        told = (seen.pattern, seen.unusable, exclude)
        if told not in self._compared:
            self._compared[told] = super().alike(seen, exclude)
        return self._compared[told]


def filled(families: list[Family]) -> ShippedIndex:
    index = RememberingIndex()
    for family in families:
        index.add(family.name, family.stored)
    return index


@pytest.fixture(scope="module")
def index() -> ShippedIndex:
    """All of them, stored."""
    return filled(FAMILIES)


def _matched(found: Recognition) -> str | None:
    return found.match.id if found.match else None


@each_row("bound", BOUNDS, ids=[bound.file for bound in BOUNDS])
def test_errors_met_again_are_recognised_and_look_alikes_are_not(bound: Bound) -> None:
    families = read(bound.file)
    index = filled(families)
    missed = [
        (family.name, what)
        for family in families
        for what, text in family.same.items()
        if _matched(index.recognise(text)) != family.name
    ]
    taken = [
        (family.name, what)
        for family in families
        for what, text in family.other.items()
        if index.recognise(text).match
    ]
    total = sum(len(family.same) for family in families)
    assert 1 - len(missed) / total >= bound.floor, missed
    assert len(taken) <= bound.most_taken, taken


def test_look_alikes_are_shown_with_what_differs(index: ShippedIndex) -> None:
    answers = [
        (family.name, index.recognise(text))
        for family in FAMILIES
        for text in family.other.values()
    ]
    unseen = [(name, found) for name, found in answers if found.match is None]
    shown = [
        bool(found.similar) and found.similar[0].reflection.id == name for name, found in unseen
    ]
    assert sum(shown) >= 0.70 * len(shown)
    named = [bool(found.similar[0].differences) for _, found in unseen if found.similar]
    assert sum(named) >= 0.75 * len(named)


@pytest.fixture(scope="module")
def recognised(index: ShippedIndex) -> list[tuple[str, str]]:
    """Family and text of what is recognised as it was printed."""
    return [
        (family.name, text)
        for family in FAMILIES
        for text in family.same.values()
        if _matched(index.recognise(text)) == family.name
    ]


@each_row("name", sample(FORMATS, 2))
def test_a_format_hides_few_errors(
    name: str, index: ShippedIndex, recognised: list[tuple[str, str]]
) -> None:
    """Each format meets a third of the errors: all of them in all formats take too long."""
    written = FORMATS[name]
    third = recognised[list(FORMATS).index(name) % 3 :: 3]
    again = [_matched(index.recognise(written(text))) == meant for meant, text in third]
    assert sum(again) >= LOW_FLOORS.get(name, 0.85) * len(again)


def test_no_error_is_taken_for_another_family(index: ShippedIndex) -> None:
    taken = [
        (family.name, match)
        for family in FAMILIES
        if (match := index.query(family.stored, exclude=family.name)[0])
    ]
    assert taken == []
