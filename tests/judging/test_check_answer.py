"""All families together."""

import sys

import pytest

from reflection_mcp.tools.judging import FAMILIES, check_answer
from tests.judging.broken import break_a_family


def test_every_family_is_a_module_that_checks() -> None:
    check_answer("", "2 + 2 = 4")
    for place in FAMILIES.values():
        assert callable(sys.modules[f"reflection_mcp.tools.judging.{place}"].check)


def test_a_question_or_context_that_is_not_there_is_an_empty_one() -> None:
    assert check_answer(None, "2 + 2 = 4", None) == check_answer("", "2 + 2 = 4", "")


def test_a_family_that_fails_is_told_and_the_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    break_a_family(monkeypatch)
    faults: list[tuple[str, Exception]] = []
    found = check_answer("", "2 + 2 = 5", on_fault=lambda name, fault: faults.append((name, fault)))
    assert [(name, type(fault)) for name, fault in faults] == [("broken", ZeroDivisionError)]
    assert [(check.kind, check.status) for check in found] == [
        ("broken", "unchecked"),
        ("arithmetic", "wrong"),
    ]


def test_without_anybody_to_tell_the_bug_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    break_a_family(monkeypatch)
    with pytest.raises(ZeroDivisionError):
        check_answer("", "2 + 2 = 5")
