"""What two places have counted of a lesson is neither lost nor counted twice when it is moved."""

from collections import Counter
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from reflection_mcp.store.maintenance import StoredReflection, added_up, tidy
from reflection_mcp.store.records import Lesson, Reflection, Wording
from tests.contract.samples import at, learned
from tests.requirements import requirement

counts = st.integers(0, 5)
words = st.tuples(st.sampled_from(["wait", "copy", "retry"]), st.sampled_from(["first", "then"]))


@st.composite
def rows(draw: st.DrawFn) -> StoredReflection:
    """A row as a store has it: every version under whoever said it, with votes."""
    shown = draw(words)
    versions = draw(st.dictionaries(words, st.tuples(counts, counts), max_size=3))
    versions.setdefault(shown, (draw(counts), draw(counts)))
    said = tuple(
        Wording(
            source=f"{person}/editor",
            lesson=Lesson(text=each[0], strategy=each[1]),
            at=at(draw(counts)),
            times=draw(st.integers(1, 5)),
            helped=votes[0],
            failed=votes[1],
        )
        for each, votes in versions.items()
        for person in draw(st.sets(st.sampled_from("abc"), min_size=1))
    )
    author = next(each.source for each in said if each.words == shown)
    reflection = learned(
        "x",
        lesson=shown[0],
        strategy=shown[1],
        source=author,
        helped=versions[shown][0],
        failed=versions[shown][1],
        wordings=said,
        occurrences=draw(st.integers(1, 9)),
        shown=draw(counts),
        recurred=draw(counts),
        sources=len({each.source for each in said}),
    )
    return tidy(StoredReflection(reflection=reflection, author=author))


def votes(*known: Reflection) -> Counter[Any]:
    """The votes on each version, once, whoever said it."""
    total = Counter[Any]()
    for row in known:
        each = {said.words: (said.helped, said.failed) for said in row.wordings}
        each[row.lesson, row.strategy] = (row.helped, row.failed)
        for version, (helped, failed) in each.items():
            total.update({(version, "helped"): helped, (version, "failed"): failed})
    return +total


def times(*known: Reflection) -> Counter[Any]:
    """How often each source said each version."""
    total = Counter[Any]()
    for row in known:
        total.update({said.key: said.times for said in row.wordings})
    return total


@requirement("team:shared-by-review")
@given(rows(), rows())
def test_every_count_and_vote_of_both_is_there_once(
    one: StoredReflection, two: StoredReflection
) -> None:
    both = added_up(one, two).reflection
    parts = (one.reflection, two.reflection)
    for name in ("occurrences", "shown", "recurred"):
        assert getattr(both, name) == sum(getattr(part, name) for part in parts)
    assert votes(both) == votes(*parts)
    assert times(both) == times(*parts)
    people = {said.source for part in parts for said in part.wordings}
    assert both.sources == len(people)
    assert (both.lesson, both.strategy) == (parts[0].lesson, parts[0].strategy)


@given(rows(), counts, counts)
def test_votes_on_a_lesson_stay_its_own_when_the_other_one_brings_its_strategy(
    one: StoredReflection, helped: int, failed: int
) -> None:
    row = one.reflection
    bare = replace(row, strategy="", helped=helped, failed=failed, wordings=())
    both = added_up(replace(one, reflection=bare), one).reflection
    assert (both.lesson, both.strategy) == (row.lesson, row.strategy)
    assert (both.helped, both.failed) == (helped + row.helped, failed + row.failed)
