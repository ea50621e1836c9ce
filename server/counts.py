"""How a number of things is told: `1 fault`, `3 faults`, `2 strategies`, `once`."""

from collections.abc import Collection


def counted(number: int, noun: str) -> str:
    """The number with its noun, which has a regular plural."""
    if number == 1:
        return f"1 {noun}"
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number:,} {plural}"


def times(number: int) -> str:
    """`never`, `once`, `twice`, `3 times`."""
    return {0: "never", 1: "once", 2: "twice"}.get(number, f"{number:,} times")


def came_back(repeats: Collection[int]) -> str:
    """`3 repeats after a lesson was shown (2 errors)`; one number for each error that came back."""
    told = f"{counted(sum(repeats), 'repeat')} after a lesson was shown"
    return f"{told} ({counted(len(repeats), 'error')})" if repeats else told
