"""Finding: by key, by shared features, by words, by what a reflection is."""

from typing import Any

import pytest

from reflection_mcp.store.contract import Store
from reflection_mcp.store.records import Link
from reflection_mcp.store.terms import CROWDED, MOST_HITS, Order
from tests.contract.samples import EVERYWHERE, HERE, asked, learned, met, said
from tests.requirements import requirement

pytestmark = pytest.mark.anyio


async def test_a_key_finds_its_reflections_newest_first_without_links_and_wordings(
    store: Store,
) -> None:
    link = Link(kind="same_file", target_id="ref-b")
    for name, minute in (("b", 1), ("a", 1), ("old", 0), ("new", 2)):
        row = learned(name, minute=minute, links=(link,))
        await store.record(HERE, met(row, name, keys=("k1", f"only-{name}")))
    hits = await store.find(HERE, ["k1", "k1", "nobody"])
    assert [hit.reflection.id for hit in hits] == ["ref-new", "ref-a", "ref-b", "ref-old"]
    assert {hit.key.digest for hit in hits} == {"k1"}
    assert not any(hit.reflection.links or hit.reflection.wordings for hit in hits)
    both = await store.find(HERE, ["only-a", "k1"])
    assert [h.key.digest for h in both if h.reflection.id == "ref-a"] == ["k1", "only-a"]


async def test_nothing_is_found_by_no_key(store: Store) -> None:
    await store.record(HERE, met(learned("lock"), "e1", keys=("k1",)))
    assert list(await store.find(HERE, [])) == []


async def test_at_most_fifty_hits_are_returned(store: Store) -> None:
    for number in range(MOST_HITS + 1):
        row = learned(f"{number:02}", minute=number)
        await store.record(HERE, met(row, f"e{number}", keys=("k1",)))
    hits = await store.find(HERE, ["k1"])
    assert len(hits) == MOST_HITS == 50
    assert hits[-1].reflection.id == "ref-01"


async def test_those_that_have_most_of_the_digests_come_first(store: Store) -> None:
    for name, minute, keys in (("one", 9, ("a",)), ("old", 1, ("a", "b")), ("new", 2, ("b", "a"))):
        await store.record(HERE, met(learned(name, minute=minute), name, keys=keys))
    hits = await store.find(HERE, ["a", "b"])
    told = [(hit.reflection.id[4:], hit.key.digest) for hit in hits]
    assert told == [("new", "a"), ("new", "b"), ("old", "a"), ("old", "b"), ("one", "a")]
    for limit, count in ((2, 4), (1, 2), (0, 0), (-1, 0)):
        assert list(await store.find(HERE, ["a", "b"], limit=limit)) == hits[:count]


async def test_of_too_many_hits_those_of_the_first_digest_stay_and_of_one_those_made_last(
    store: Store,
) -> None:
    for number in range(MOST_HITS):
        row = learned(f"{number:02}", minute=-number)
        await store.record(HERE, met(row, f"e{number}", keys=("many",)))
    await store.record(HERE, met(learned("gone", retired=True), "gone", keys=("many",)))
    await store.record(EVERYWHERE, met(learned("all"), "all", keys=("many", "few")))
    await store.record(HERE, met(learned("rare", minute=-99), "rare", keys=("few",)))
    many_first = [hit.reflection.id for hit in await store.find(HERE, ["many", "few"])]
    assert many_first == [f"ref-{number:02}" for number in range(MOST_HITS)]
    few_first = [hit.reflection.id for hit in await store.find(HERE, ["few", "many"])]
    assert few_first == ["ref-all", *(f"ref-{n:02}" for n in range(2, MOST_HITS)), "ref-rare"]


async def test_what_was_parted_from_an_error_is_not_found_for_it(store: Store) -> None:
    for scope, name in ((HERE, "here"), (EVERYWHERE, "all"), (HERE, "kept")):
        await store.record(scope, met(learned(name), name, keys=("k1",)))
    for number, name in enumerate(("here", "all")):
        look = asked(name, signature="sig1:asked", minute=number, shown=(f"ref-{name}",))
        await store.log_lookup(HERE, look)
        await store.apply_feedback(HERE, said("wrong_match", look.id))
    for signature, found in (
        ("sig1:asked", {"ref-kept"}),
        ("", {"ref-here", "ref-all", "ref-kept"}),
    ):
        hits = await store.find(HERE, ["k1"], signature=signature)
        assert {hit.reflection.id for hit in hits} == found
    elsewhere = await store.find(EVERYWHERE, ["k1"], signature="sig1:asked")
    assert [hit.reflection.id for hit in elsewhere] == ["ref-all"]


async def test_retired_reflections_are_not_found(store: Store) -> None:
    for name, retired in (("kept", False), ("gone", True)):
        row = learned(name, retired=retired)
        await store.record(HERE, met(row, name, keys=("k1",), features=(7,)))
    assert [hit.reflection.id for hit in await store.find(HERE, ["k1"])] == ["ref-kept"]
    assert [row.id for row in await store.shortlist(HERE, [7], limit=1)] == ["ref-kept"]
    assert [row.id for row, _ in await store.search(HERE, ["lesson"])] == ["ref-kept"]


async def test_the_shortlist_puts_those_that_share_most_first_then_the_latest(
    store: Store,
) -> None:
    for name, features in (("a", (1,)), ("b", (1, 2)), ("c", (1, 2, 3)), ("d", (1, 9))):
        await store.record(HERE, met(learned(name), name, features=features))
    shortlist = await store.shortlist(HERE, [1, 2, 3, 3, 4])
    assert [row.id for row in shortlist] == ["ref-c", "ref-b", "ref-d", "ref-a"]
    assert [row.id for row in await store.shortlist(HERE, [1, 2], limit=1)] == ["ref-c"]
    assert list(await store.shortlist(HERE, [1], limit=0)) == []
    assert list(await store.shortlist(HERE, [])) == []


async def test_a_feature_may_be_any_integer(store: Store) -> None:
    wide = (0, -1, 2**63 - 1, 2**63, 2**64 - 2, -(2**63))
    await store.record(HERE, met(learned("lock"), "e1", features=wide[:3]))
    await store.record(HERE, met(learned("lock"), "e2", features=wide))
    for feature in wide:
        assert [row.id for row in await store.shortlist(HERE, [feature])] == ["ref-lock"]


async def test_a_feature_that_too_many_share_is_left_out_of_account(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("sqlite.reflections", "postgres.reflections"):
        monkeypatch.setattr(f"reflection_mcp.store.{module}.CROWDED", 3)
    for name in ("a", "b", "c"):
        rare = (5,) if name == "a" else ()
        await store.record(HERE, met(learned(name), name, features=(1, *rare)))
    assert [row.id for row in await store.shortlist(HERE, [1, 5])] == ["ref-a"]
    assert CROWDED == 1000


async def test_words_are_found_in_every_text_whatever_their_case(store: Store) -> None:
    row = learned(
        "lock",
        lesson="Close the File",
        strategy="use a manager",
        trigger="renaming",
        evidence="red tests",
        example="WinError 32",
        question="why so?",
        tags=("Größe",),
        situations=("nothing opens",),
    )
    await store.record(HERE, met(row, "e1"))
    await store.record(HERE, met(learned("other"), "e2"))
    for word in ("FILE", "opens", "manager", "Renaming", "tests", "winerror", "32", "why", "größe"):
        assert [r.id for r, _ in await store.search(HERE, [word])] == ["ref-lock"], word
    for word in ("clos", "zebra"):
        assert list(await store.search(HERE, [word])) == [], word


async def test_more_of_the_words_means_more_relevant(store: Store) -> None:
    for number in range(8):
        await store.record(HERE, met(learned(f"filler-{number}"), f"f{number}"))
    await store.record(HERE, met(learned("one", lesson="socket closed early on"), "e1"))
    await store.record(HERE, met(learned("two", lesson="socket timeout came early"), "e2"))
    found = await store.search(HERE, ["socket", "timeout"])
    assert [row.id for row, _ in found] == ["ref-two", "ref-one"]
    assert found[0][1] > found[1][1]
    assert len(await store.search(HERE, ["socket", "timeout"], limit=1)) == 1
    assert len(await store.search(HERE, ["socket"], limit=0)) == 0


SYNTAX = [
    '"', 'foo"bar', "AND", "NOT x", "a:b", "-foo", "foo-bar", "C++", "operator[]", "(", "NEAR(",
    "*", "", "\0", "'; DROP TABLE reflection; --", "lesson:alpha", "{lesson}: x", "^a", "a^2",
    "%", "_", "\ud800",
]  # fmt: skip


@pytest.mark.parametrize("word", SYNTAX)
async def test_words_are_never_query_syntax(store: Store, word: str) -> None:
    await store.record(HERE, met(learned("lock", lesson="nothing of the kind"), "e1"))
    assert list(await store.search(HERE, [word])) == []


async def test_a_word_with_marks_inside_is_found_as_it_stands(store: Store) -> None:
    await store.record(HERE, met(learned("a", lesson="call foo_bar(x) twice"), "e1"))
    await store.record(HERE, met(learned("b", lesson="foo and then bar"), "e2"))
    assert [row.id for row, _ in await store.search(HERE, ["foo_bar"])] == ["ref-a"]


@requirement("trace:query")
async def test_reflections_are_chosen_by_what_they_are(store: Store) -> None:
    rows = (
        learned("a", minute=1, tags=("x",), importance=0.25, error_type="KeyError"),
        learned("b", minute=2, tags=("x", "y"), importance=0.75),
        learned("c", minute=3, tags=("y",), importance=0.5, kind="strategy"),
        learned("d", minute=4, retired=True),
    )
    for row in rows:
        await store.record(HERE, met(row, row.id))

    async def ids(**chosen: Any) -> str:
        found = await store.reflections(HERE, **chosen)
        return "".join(row.id[4:] for row in found)

    assert await ids() == "cba"
    assert await ids(include_retired=True) == "dcba"
    assert await ids(kind="strategy") == "c"
    assert await ids(tags=["x"]) == "ba"
    assert await ids(tags=["x", "y"]) == "b"
    assert await ids(tags=["z"]) == ""
    assert await ids(min_importance=0.5) == "cb"
    assert await ids(error_type="KeyError") == "a"
    assert await ids(limit=2) == "cb"
    assert await ids(limit=-1) == ""
    assert await ids(limit=2**70) == "cba"


@pytest.mark.parametrize(
    ("order", "expected"),
    [("newest", "cab"), ("most_met", "bac"), ("importance", "acb")],
)
async def test_reflections_come_in_the_order_asked_for_and_ties_by_id(
    store: Store, order: Order, expected: str
) -> None:
    rows = (
        learned("a", minute=1, importance=0.75),
        learned("b", minute=1, importance=0.5),
        learned("c", minute=2, importance=0.75),
    )
    for row in rows:
        await store.record(HERE, met(row, row.id))
    await store.record(HERE, met(rows[1], "again"))
    found = await store.reflections(HERE, order=order)
    assert "".join(row.id[4:] for row in found) == expected


async def test_lists_come_without_links_and_wordings(store: Store) -> None:
    link = Link(kind="same_file", target_id="ref-b")
    await store.record(HERE, met(learned("a", links=(link,)), "e1", features=(1,)))
    (listed,) = await store.reflections(HERE)
    (near,) = await store.shortlist(HERE, [1])
    ((searched, _),) = await store.search(HERE, ["lesson"])
    assert listed == near == searched
    assert not listed.links and not listed.wordings


async def test_a_lesson_that_was_changed_is_searched_as_it_is_now(store: Store) -> None:
    await store.record(HERE, met(learned("a", lesson="wait", tags=("x",)), "e1"))
    assert [row.lesson for row, _ in await store.search(HERE, ["wait"])] == ["wait"]
    await store.record(HERE, met(learned("a", lesson="retry", tags=("y",)), "e2"))
    assert list(await store.search(HERE, ["wait"])) == []
    assert [row.lesson for row, _ in await store.search(HERE, ["retry"])] == ["retry"]
    assert [row.tags for row in await store.reflections(HERE, tags=["x", "y"])] == [("x", "y")]


async def test_the_same_feature_in_two_scopes_is_two_features(store: Store) -> None:
    await store.record(HERE, met(learned("here"), "e1", features=(1,)))
    await store.record(EVERYWHERE, met(learned("all"), "e2", features=(1, 2)))
    assert [row.id for row in await store.shortlist(HERE, [1, 2])] == ["ref-all", "ref-here"]
    assert [row.id for row in await store.shortlist(EVERYWHERE, [1, 2])] == ["ref-all"]
