"""Every behaviour that was asked for, with an id and its source; filled in `REQUIREMENTS` below.

A test says which promise it keeps with `@requirement("loop:score-three")`. `test_requirements.py`
checks both ways: a promise without a test fails, and so does a test for a promise that is not here.
"""

from collections.abc import Callable
from typing import TypeVar

_Test = TypeVar("_Test", bound=Callable[..., object])


def requirement(*ids: str) -> Callable[[_Test], _Test]:
    """Tie a test to the promises it keeps; ids are those of `REQUIREMENTS`."""

    def tie(test: _Test) -> _Test:
        kept: tuple[str, ...] = getattr(test, "requirement_ids", ())
        test.requirement_ids = (*kept, *ids)  # type: ignore[attr-defined]
        return test

    return tie
