"""A family of checks with a bug of ours, beside one that works."""

import sys
import types
from collections.abc import Iterator

import pytest

from reflection_mcp.store.records import Check
from reflection_mcp.tools import judging
from reflection_mcp.tools.judging.case import Case


def break_a_family(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave two families of checks: `broken`, which raises, and `arithmetic`."""

    def check(case: Case) -> Iterator[Check]:
        raise ZeroDivisionError("a bug of ours")

    module = types.ModuleType("broken")
    monkeypatch.setattr(module, "check", check, raising=False)
    monkeypatch.setitem(sys.modules, "reflection_mcp.tools.judging.broken", module)
    monkeypatch.setattr(judging, "FAMILIES", {"broken": "broken", "arithmetic": "maths.arithmetic"})
