"""A store that could not be opened."""

import pytest

from reflection_mcp.store.errors import StoreBusy
from reflection_mcp.store.records import Scope
from reflection_mcp.store.unavailable import unavailable

pytestmark = pytest.mark.anyio


async def test_every_call_of_a_store_that_could_not_be_opened_raises_the_reason() -> None:
    store = unavailable(StoreBusy("the store is busy", "try again"))
    for each in (store, store.hasty(0.1)):
        with pytest.raises(StoreBusy, match="the store is busy"):
            await each.attempts(Scope(), limit=1)
        with pytest.raises(StoreBusy):
            await each.health()
