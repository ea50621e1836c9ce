"""Lessons that say the opposite of each other, in plain words."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from reflection_mcp.tools.learning.contradiction import contradict, stance
from tests.requirements import requirement
from tests.rows import each_row

TABLE = Path(__file__).parent / "data" / "contradictions.txt"
ROWS = [
    tuple(line.split(" | "))
    for line in TABLE.read_text("utf-8").splitlines()
    if not line.startswith("#")
]
TEXTS = [text for _, one, other in ROWS for text in (one, other)]
WORDS = [word for text in TEXTS for word in text.split()]
SAID = st.lists(st.sampled_from(WORDS), max_size=20).map(" ".join) | st.sampled_from(TEXTS)


@each_row(("kind", "one", "other"), ROWS)
def test_opposite_lessons_contradict_and_neighbouring_ones_do_not(
    kind: str, one: str, other: str
) -> None:
    assert contradict(one, other) is (kind in "=?")


@requirement("lesson:contradictions")
def test_three_of_four_opposites_are_found_and_few_neighbours_marked() -> None:
    kinds = [kind for kind, _, _ in ROWS]
    assert kinds.count("=") >= 3 * kinds.count("~")
    assert kinds.count("!") >= 100 * kinds.count("?")


@given(SAID, SAID)
def test_who_comes_first_does_not_matter(mine: str, theirs: str) -> None:
    assert contradict(mine, theirs) == contradict(theirs, mine)


@each_row(
    ("one", "other", "opposite"),
    [
        ("Set the pool size to 5.", "Set the pool size to 50.", True),
        (
            "Set pool_size = 5 for the importer job.",
            "Set pool_size = 9 for the importer job.",
            True,
        ),
        (
            "The importer needs a lease, see case 7.",
            "The importer needs a lease, see case 8.",
            False,
        ),
        ("Pin the importer to 5.", "Pin the exporter to 6.", False),
    ],
)
def test_another_value_contradicts_and_another_number_in_a_name_does_not(
    one: str, other: str, *, opposite: bool
) -> None:
    assert contradict(one, other) is opposite


@each_row(
    ("one", "other", "opposite"),
    [
        ("Enable the cache in tests.", "Disable the cache in tests.", True),
        ("Do not disable the cache in tests.", "Enable the cache in tests.", False),
        ("Start the broker, then the gateway.", "Start the gateway, then the broker.", True),
        ("Start the broker before the gateway.", "Start the gateway after the broker.", False),
        ("Pin the driver of the printer.", "Leave the driver of the printer unpinned.", True),
        ("Pin the driver on Linux.", "Leave the driver unpinned on Windows.", False),
        ("Stop the timer before it closes.", "Start the timer after it opens.", False),
        ("Edit the schema and build the client again.", "Do not edit the client.", False),
        (
            "The country code for Norway, NO, was read as false.",
            "The dose was given per day and read as per intake.",
            False,
        ),
        (
            "Search found nothing, since the index kept accents and the query did not.",
            "The query was put together from strings.",
            False,
        ),
        ("Do not restart.", "Restart.", True),
        (
            "Name test files test_*.py or pytest does not collect them.",
            "pytest only collects test files that are named test_*.py.",
            False,
        ),
    ],
)
def test_one_reversal_contradicts_two_do_not_and_another_case_does_not(
    one: str, other: str, *, opposite: bool
) -> None:
    assert contradict(one, other) is opposite


@each_row(
    ("text", "advised", "rejected"),
    [
        ("Use yarn instead of npm in this repo.", ("yarn",), ("npm",)),
        ("Merge without squashing.", ("merg",), ("squash",)),
        ("Use yarn instead of it.", ("yarn",), ()),
        ("Deleting the cache is a waste of time.", (), ("delet", "cach")),
        ("There is no need to restart it.", (), ("restart",)),
        ("If the port is taken, stop the server.", ("stop", "serv"), ()),
        ("Do not build the docs unless you set it.", (), ()),
        ("The file is not there; it does not help.", (), ("fil",)),
    ],
)
def test_a_clause_advises_or_rejects(
    text: str, advised: tuple[str, ...], rejected: tuple[str, ...]
) -> None:
    advice = stance(text).advice
    assert tuple(word for clause in advice for word in clause.advised) == advised
    assert tuple(word for clause in advice for word in clause.rejected) == rejected
