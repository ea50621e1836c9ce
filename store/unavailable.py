"""A store that could not be opened: every call raises the reason, so that no caller asks first."""

from collections.abc import Awaitable, Callable
from typing import NoReturn, cast

from reflection_mcp.store.contract import Store
from reflection_mcp.store.errors import StoreError


class _UnavailableStore:
    def __init__(self, reason: StoreError) -> None:
        self._reason = reason

    def hasty(self, wait: float) -> Store:
        """This store: nobody waits for it."""
        return cast("Store", self)

    def __getattr__(self, name: str) -> Callable[..., Awaitable[NoReturn]]:
        async def refuse(*_: object, **__: object) -> NoReturn:
            raise self._reason

        return refuse


def unavailable(reason: StoreError) -> Store:
    """A store of which every call raises this reason."""
    return cast("Store", _UnavailableStore(reason))
