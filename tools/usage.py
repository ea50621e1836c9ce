"""The cost of model calls: tokens and money, added up."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Wall time in milliseconds, tokens, and US dollars."""

    ms: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0

    def __add__(self, other: "Usage") -> "Usage":
        """Both together."""
        return Usage(
            ms=self.ms + other.ms,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cost_usd=round(self.cost_usd + other.cost_usd, 8),
        )


NO_USAGE = Usage()


def total(usages: Iterable[Usage]) -> Usage:
    """All of them together."""
    return sum(usages, NO_USAGE)
