"""What the front asks of whoever answers hooks."""

from collections.abc import Callable
from typing import Protocol

from reflection_mcp.server.front.shape import Json


class Hooks(Protocol):
    """The calls that are answered without the SDK, because a hook made them."""

    def start(self, request_id: int | str, params: Json, client: str) -> bool:
        """Begin to answer a call of a tool, unless it is none of a hook."""
        ...

    def cancel(self, request_id: object) -> bool:
        """Give a call up, and return whether there was one."""
        ...

    def open_calls(self) -> "list[int | str]":
        """The calls that are not answered yet."""
        ...

    def warm(self) -> None:
        """Prepare for the first call, in a thread."""
        ...

    def close(self, is_late: Callable[[], bool]) -> None:
        """Close the store, unless that is late."""
        ...
