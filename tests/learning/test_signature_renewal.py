"""What an earlier version has signed is signed anew, and nothing of it is lost.

`data/sig1.db.gz` is a store that the program of commit 05e5d2b has written: 27 errors of our own
wording with their strategies, votes, look-ups, one error that a person separated from another one,
one that is longer than what is kept of it, and one that was looked up three times in vain.
"""

import gzip
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from reflection_mcp.store.contract import Store
from reflection_mcp.store.interactions import Lookup
from reflection_mcp.store.maintenance import StoredReflection
from reflection_mcp.store.open import open_store
from reflection_mcp.store.records import Key, Pattern, Reflection, Scope
from reflection_mcp.store.sqlite.memory import MemoryStore
from reflection_mcp.tools.identity import fingerprint
from reflection_mcp.tools.learning import signature_renewal
from reflection_mcp.tools.learning.fix_candidates import CANDIDATE, open_candidates
from reflection_mcp.tools.learning.signature_renewal import (
    Renewal,
    count_outdated,
    is_outdated,
    renew,
)
from reflection_mcp.tools.recall.matching import recognise
from reflection_mcp.tools.reflect.reflect import reflect
from tests.requirements import requirement
from tests.tools.stage import NOON, Stage, reflect_request

pytestmark = pytest.mark.anyio

OLD = Path(__file__).parent / "data" / "sig1.db.gz"
SHOP = Scope(project="shop")
ERRORS = 27
CUT = "Fill the shelf."


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The file of a store of before."""
    file = tmp_path / "store.db"
    file.write_bytes(gzip.decompress(OLD.read_bytes()))
    return file


@pytest.fixture
async def store(path: Path) -> AsyncIterator[Store]:
    async with AsyncExitStack() as stack:
        opened = await open_store(str(path))
        stack.push_async_callback(opened.close)
        yield opened


async def _errors(store: Store) -> dict[str, StoredReflection]:
    rows = await store.stored(SHOP)
    return {row.reflection.id: row for row in rows if row.reflection.kind == "reflection"}


def _without_identity(row: Reflection) -> Reflection:
    return replace(row, signature="", pattern=None)


@requirement("errors:renewed")
async def test_every_error_gets_the_signature_of_now_and_loses_nothing(store: Store) -> None:
    before = await _errors(store)
    assert await count_outdated(store, SHOP) == ERRORS
    assert await renew(store, SHOP) == Renewal(renewed=ERRORS)
    after = await _errors(store)
    assert after.keys() == before.keys()
    for name, row in after.items():
        assert not is_outdated(row.reflection)
        assert _without_identity(row.reflection) == _without_identity(before[name].reflection)
        assert set(before[name].keys) <= set(row.keys)
        assert row.author == before[name].author
    assert sum(row.reflection.occurrences for row in after.values()) > ERRORS
    assert sum(row.reflection.helped + row.reflection.failed for row in after.values()) > 5
    assert (await renew(store, SHOP), await count_outdated(store, SHOP)) == (Renewal(), 0)


@requirement("errors:renewed")
async def test_every_stored_error_is_found_again_by_its_text(store: Store) -> None:
    await renew(store, SHOP)
    found = 0
    for row in [row.reflection for row in (await _errors(store)).values()]:
        seen = fingerprint(row.example)
        if row.id in await store.vetoes(SHOP, seen.signature) or row.lesson == CUT:
            continue
        known = await recognise(store, SHOP, seen)
        assert known.match is not None
        assert (known.match.id, known.verdict) == (row.id, "exact")
        found += 1
    assert found == ERRORS - 2


async def test_strategies_and_counts_of_the_whole_stay_as_they_were(store: Store) -> None:
    strategies = [row for row in await store.stored(SHOP) if row.reflection.kind == "strategy"]
    stats, unresolved = await store.stats(SHOP), await store.unresolved(SHOP)
    assert (len(strategies), len(unresolved)) == (24, 1)
    await renew(store, SHOP)
    assert [
        row for row in await store.stored(SHOP) if row.reflection.kind == "strategy"
    ] == strategies
    assert await store.stats(SHOP) == stats
    assert await store.unresolved(SHOP) == unresolved


async def test_what_a_person_separated_stays_separated(store: Store) -> None:
    await renew(store, SHOP)
    rows = [row.reflection for row in (await _errors(store)).values()]
    (first,) = (row for row in rows if row.lesson == "Strip the comma.")
    (other,) = (row for row in rows if row.lesson == "Map n/a to nothing.")
    found = await recognise(store, SHOP, fingerprint(other.example))
    assert found.match is not None
    assert found.match.id == other.id
    assert first.id in await store.vetoes(SHOP, fingerprint(other.example).signature)


async def test_what_was_logged_goes_over_to_the_new_signature(store: Store) -> None:
    row = next(row for row in (await _errors(store)).values() if row.reflection.shown)
    await renew(store, SHOP)
    new = (await store.stored(SHOP, only=row.reflection.id))[0].reflection
    looked = Lookup(
        id="look-new", at=NOON, signature=new.signature, verdict="exact", conversation_id="c",
        source="ann", matched_id=new.id, shown=(new.id,),
    )  # fmt: skip
    await store.log_lookup(SHOP, looked)
    again = await store.reflection(SHOP, new.id)
    assert again is not None
    assert again.recurred == row.reflection.recurred + 1


async def test_an_error_of_which_the_end_was_cut_off_is_known_by_what_named_it(
    store: Store,
) -> None:
    await renew(store, SHOP)
    rows = [row.reflection for row in (await _errors(store)).values()]
    (cut,) = (row for row in rows if row.lesson == CUT)
    assert "shelf is empty" not in cut.example
    frames = "".join(
        f'  File "/srv/app/shop/step{n}.py", line {n + 7}, in run{n}\n'
        f"    return call{n}(order, {n})\n"
        for n in range(60)
    )
    whole = f"Traceback (most recent call last):\n{frames}shop.errors.StockError: shelf is empty"
    known = await recognise(store, SHOP, fingerprint(whole))
    assert known.match is not None
    assert (known.match.id, known.verdict) == (cut.id, "same")


async def test_who_is_interrupted_goes_on_where_it_ended(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signature_renewal, "BATCH", 4)
    rewritten = store.rewrite
    calls = 0

    async def interrupted(*given: Any) -> tuple[str, ...]:
        nonlocal calls
        calls += 1
        if calls == 4:
            raise KeyboardInterrupt
        return await rewritten(*given)

    with monkeypatch.context() as patched:
        patched.setattr(store, "rewrite", interrupted)
        with pytest.raises(KeyboardInterrupt):
            await renew(store, SHOP)
    rows = (await _errors(store)).values()
    assert sum(is_outdated(row.reflection) for row in rows) == ERRORS - 12
    assert await renew(store, SHOP) == Renewal(renewed=ERRORS - 12)


async def test_two_at_once_do_it_once(
    path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signature_renewal, "BATCH", 3)
    before = await _errors(store)
    other = await open_store(str(path))
    with anyio.fail_after(60):
        async with anyio.create_task_group() as both:
            both.start_soon(renew, store, SHOP)
            both.start_soon(renew, other, SHOP)
    await other.close()
    after = await _errors(store)
    assert [is_outdated(row.reflection) for row in after.values()] == [False] * ERRORS
    for name, row in after.items():
        assert _without_identity(row.reflection) == _without_identity(before[name].reflection)


async def test_an_error_that_is_met_again_is_signed_anew(store: Store) -> None:
    before = [row.reflection for row in (await _errors(store)).values()]
    row = next(row for row in before if row.lesson.startswith("Lesson 0"))
    services = Stage(store=store).services()
    work = reflect_request(
        question="Make it run", answer="Did.", error=row.example, outcome="success"
    )
    await reflect(services, work)
    again = await store.reflection(SHOP, row.id)
    assert again is not None
    assert (again.occurrences, is_outdated(again)) == (row.occurrences + 1, False)


# ------------------------------------------------------------------ without a file


def _old(name: str, example: str, **more: Any) -> StoredReflection:
    signature = f"sig1:{name}"
    reflection = Reflection(
        id=f"ref-{name}", scope=SHOP, kind="reflection", signature=signature, lesson=name,
        first_seen=NOON, last_seen=NOON, example=example,
        pattern=Pattern(version="sig1", lines=(example.casefold(),)),
    )  # fmt: skip
    key = Key(kind="located", digest=name)
    return StoredReflection(reflection=replace(reflection, **more), keys=(key,), author="ann")


@pytest.fixture
async def filled() -> MemoryStore:
    return MemoryStore()


async def test_two_errors_that_are_one_now_are_both_found(filled: MemoryStore) -> None:
    text = "KeyError: 'price'"
    await filled.adopt(SHOP, [_old("a", text), _old("b", text)])
    assert await renew(filled, SHOP) == Renewal(renewed=2)
    rows = [row.reflection for row in await filled.stored(SHOP)]
    assert [is_outdated(row) for row in rows] == [False, False]
    assert [row.signature for row in rows] == [fingerprint(text).signature, "sig1:b"]
    hits = await filled.find(SHOP, [fingerprint(text).exact_keys[0].digest])
    assert {hit.reflection.id for hit in hits} == {"ref-a", "ref-b"}


async def test_a_text_that_names_no_error_any_more_is_left_and_counted(
    filled: MemoryStore,
) -> None:
    await filled.adopt(SHOP, [_old("a", "----- 12:00")])
    before = await filled.stored(SHOP)
    assert await renew(filled, SHOP) == Renewal(left=1)
    assert await filled.stored(SHOP) == before
    await signature_renewal.renew_one(filled, SHOP, "ref-a")
    assert await filled.stored(SHOP) == before


async def test_a_lesson_without_an_error_has_nothing_to_sign(filled: MemoryStore) -> None:
    await filled.adopt(SHOP, [_old("a", "", pattern=None)])
    assert await renew(filled, SHOP) == Renewal()


async def test_a_candidate_is_found_by_the_new_signature_of_its_error(filled: MemoryStore) -> None:
    text = "KeyError: 'price'"
    tags = (CANDIDATE, "sig1:0123456789abcdef", "a:b")
    row = _old("a", text, pattern=None, tags=tags, retired=True)
    plain = _old("b", text, pattern=None, tags=("sig1:0123456789abcdef",))
    await filled.adopt(SHOP, [row, plain])
    assert await renew(filled, SHOP) == Renewal(renewed=1)
    (found,) = await open_candidates(filled, SHOP, fingerprint(text).signature)
    assert found.tags == (CANDIDATE, fingerprint(text).signature, "a:b")


async def test_what_others_change_meanwhile_is_left_to_them(
    filled: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    await filled.adopt(SHOP, [_old("a", "KeyError: 'a'"), _old("b", "KeyError: 'b'")])
    rewritten = filled.rewrite

    async def crowded(*given: Any) -> tuple[str, ...]:
        await filled.forget(SHOP, "ref-b")
        return await rewritten(*given)

    monkeypatch.setattr(filled, "rewrite", crowded)
    assert await renew(filled, SHOP) == Renewal(renewed=1)
