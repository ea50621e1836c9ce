"""Several writes as one: each sees what those before it did, and all of them last or none."""

import pytest

from reflection_mcp.store.contract import Store, Writes
from reflection_mcp.store.maintenance import StoredReflection
from reflection_mcp.store.records import Link, RecordResult
from tests.contract.samples import HERE, STRANGER, THERE, learned, met, tried

pytestmark = pytest.mark.anyio


def an_episode(writes: Writes) -> tuple[RecordResult, RecordResult, str]:
    """An error, the strategy linked to it, more for its row, and the attempt."""
    error = writes.record(met(learned("lock"), "e1", keys=("k1",)))
    link = Link(kind="strategy_of", target_id=error.reflection.id)
    rule = writes.record(met(learned("rule", kind="strategy", links=(link,)), "e1"))
    writes.adopt([StoredReflection(reflection=learned("lock", strategy="wait"), author="ann")])
    attempt = writes.add_attempt(tried("1", reflection_id=error.reflection.id), event_id="e1")
    assert writes.attempts(conversation_id="talk", limit=5) == [attempt]
    assert writes.attempts(conversation_id="chat", limit=5) == []
    assert writes.attempts(conversation_id="talk", limit=0) == []
    return error, rule, attempt.id


async def test_writes_see_each_other_and_last_together(store: Store) -> None:
    error, rule, attempt = await store.transaction(HERE, an_episode)
    assert (error.created, rule.created) == (True, True)
    kept = await store.reflection(HERE, error.reflection.id)
    assert kept is not None
    assert kept.strategy == "wait"
    linked = await store.reflection(HERE, rule.reflection.id)
    assert linked is not None
    assert [link.target_id for link in linked.links] == [kept.id]
    found = await store.attempt(HERE, attempt)
    assert found is not None
    assert found.reflection_id == kept.id
    for scope in (THERE, STRANGER):
        assert (await store.stats(scope)).attempts == 0


async def test_a_known_event_counts_once_in_a_transaction_too(store: Store) -> None:
    await store.transaction(HERE, an_episode)
    error, rule, attempt = await store.transaction(HERE, an_episode)
    assert (error.counted, rule.counted) == (False, False)
    stats = await store.stats(HERE)
    assert (stats.attempts, stats.reflections, stats.strategies) == (1, 1, 1)
    assert (attempt, stats.occurrences) == ("att-1", 1)


@pytest.mark.parametrize("known", [False, True])
async def test_writes_that_fail_half_way_leave_nothing_behind(store: Store, known: bool) -> None:
    if known:
        await store.transaction(HERE, an_episode)
    await store.add_attempt(HERE, tried("2"), event_id="e2")
    before = [await store.stats(HERE), await store.stored(HERE), await store.attempts(HERE)]

    def two(writes: Writes) -> None:
        writes.record(met(learned("lock", minute=9, lesson="another"), "e3", by="bob"))
        writes.record(met(learned("new", strategy="s"), "e3", keys=("k3",), features=(7,)))
        writes.add_attempt(tried("3"), event_id="e3")
        writes.add_attempt(tried("2"), event_id="e4")

    with pytest.raises(ValueError, match="already names another attempt"):
        await store.transaction(HERE, two)
    after = [await store.stats(HERE), await store.stored(HERE), await store.attempts(HERE)]
    assert after == before
    assert (await store.record(HERE, met(learned("new"), "e3"))).counted
