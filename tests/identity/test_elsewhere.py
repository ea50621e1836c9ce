"""The same failure in another place is known for that, and nothing else is taken for it."""

import re

import pytest

from reflection_mcp.store.records import Pattern
from reflection_mcp.tools.identity import Recognition, fingerprint
from reflection_mcp.tools.identity.elsewhere import is_elsewhere
from tests.bench.identity_index import ShippedIndex
from tests.identity.families import read
from tests.requirements import requirement
from tests.rows import each_row

FAMILIES = read("elsewhere.txt")
PLACES = [(family, what) for family in FAMILIES for what in family.elsewhere]
OTHERS = [(family, what) for family in FAMILIES for what in family.other]
NAMES_A_PLACE = re.compile(
    r"\b(?:location|file|branch|function|test|place|method|class|resource|host|script|imports)\b"
)


def _asked(stored: str, text: str) -> Recognition:
    index = ShippedIndex()
    index.add("stored", stored)
    return index.recognise(text)


@requirement("errors:elsewhere")
def test_what_differs_in_its_place_alone_is_the_same_failure_elsewhere() -> None:
    found = {
        (family.name, what): _asked(family.stored, family.elsewhere[what])
        for family, what in PLACES
    }
    assert len(found) >= 60
    missed = [
        place
        for place, answer in found.items()
        if answer.verdict not in ("exact", "same")
        and not (answer.verdict == "similar" and answer.similar[0].elsewhere)
    ]
    assert missed == []


@requirement("errors:elsewhere")
@each_row(
    ("stored", "text"),
    [
        pytest.param(family.stored, family.other[what], id=f"{family.name}: {what}")
        for family, what in OTHERS
    ],
)
def test_what_differs_in_more_than_its_place_is_no_failure_of_elsewhere(
    stored: str, text: str
) -> None:
    answer = _asked(stored, text)
    assert answer.match is None
    assert [like for like in answer.similar if like.elsewhere] == []


@each_row("file", ["families.txt", "fresh.txt", "versions.txt", "attacks.txt"])
def test_no_look_alike_of_another_kind_is_taken_for_a_neighbour(file: str) -> None:
    taken = [
        (family.name, what)
        for family in read(file)
        for what, text in family.other.items()
        if is_elsewhere(fingerprint(family.stored).pattern, fingerprint(text).pattern)
    ]
    known = {("systemd", "status"), ("pytest bare assertion, its source", "assertion")}
    assert [pair for pair in taken if not NAMES_A_PLACE.search(pair[1]) and pair not in known] == []


def test_whether_it_is_elsewhere_does_not_depend_on_who_is_asked_first() -> None:
    pairs = [
        (fingerprint(family.stored).pattern, fingerprint(text).pattern)
        for family in FAMILIES
        for text in (*family.elsewhere.values(), *family.other.values())
    ]
    assert [is_elsewhere(a, b) for a, b in pairs] == [is_elsewhere(b, a) for a, b in pairs]


def test_the_nearest_neighbour_is_named_with_both_places() -> None:
    family = next(family for family in FAMILIES if family.name == "python key in a function")
    elsewhere = _asked(family.stored, family.elsewhere["file and function"]).similar[0].elsewhere
    assert elsewhere is not None
    assert ("report.py" in elsewhere.here, "cart.py" in elsewhere.there) == (True, True)


def test_an_error_is_no_neighbour_of_itself() -> None:
    pattern = Pattern(version="sig", lines=("keyerror: 'a'",), location="a.py:f")
    assert not is_elsewhere(pattern, pattern)


@each_row(
    ("here", "there", "elsewhere"),
    [
        ("a.py:f@5432", "b.py:g@5432", True),
        ("a.py:f@5432", "b.py:g@6379", False),
        ("a.py:f@5432", "b.py:g", True),
        ("a.py:f", None, True),
    ],
)
def test_a_port_that_was_asked_for_is_no_place(
    here: str, there: str | None, elsewhere: bool
) -> None:
    said = ("connection refused",)
    one = Pattern(version="sig", lines=said, location=here)
    other = Pattern(version="sig", lines=said, location=there)
    assert is_elsewhere(one, other) is elsewhere


@each_row(
    ("notes", "others", "elsewhere"),
    [
        (("~ in a b",), ("~ in a c",), False),
        (("~ in a b",), (), True),
        (("~ in a b", "~ more"), ("~ more",), True),
        (("~ a.c: in function 'f'",), ("~ b.c: in function 'g'",), True),
    ],
)
def test_notes_may_be_more_and_may_not_be_others(
    notes: tuple[str, ...], others: tuple[str, ...], elsewhere: bool
) -> None:
    one = Pattern(version="sig", lines=("it failed", *notes), location="a.c:f")
    other = Pattern(version="sig", lines=("it failed", *others), location="b.c:g")
    assert is_elsewhere(one, other) is elsewhere
