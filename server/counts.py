"""How a number of things is told: `1 fault`, `3 faults`, `2 strategies`."""


def counted(number: int, noun: str) -> str:
    """The number with its noun, which has a regular plural."""
    if number == 1:
        return f"1 {noun}"
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number:,} {plural}"


def times(number: int) -> str:
    """`once`, `twice`, `3 times`."""
    return {1: "once", 2: "twice"}.get(number, f"{number:,} times")
