"""Features that too many rows share to be useful, cached for a while."""

import time
from collections.abc import Sequence

REMEMBERED = 600.0
"""Seconds for which a feature stays crowded without a look: a crowd does not go away sooner."""
MOST_CROWDS = 50_000


class Crowds:
    """The features that so many rows have that they distinguish nothing, as this process met them.

    To find that out costs the reading of a thousand entries of an index for each of them.
    """

    def __init__(self) -> None:
        self._until: dict[int, float] = {}

    def without(self, features: Sequence[int]) -> list[int]:
        """The features that may distinguish something."""
        now = time.monotonic()
        return [each for each in features if self._until.get(each, 0.0) <= now]

    def add(self, features: Sequence[int]) -> None:
        """Note crowded features."""
        if len(self._until) + len(features) > MOST_CROWDS:
            self._until.clear()
        self._until.update(dict.fromkeys(features, time.monotonic() + REMEMBERED))
