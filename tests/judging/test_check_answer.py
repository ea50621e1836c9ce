"""All families together."""

import subprocess
import sys
from importlib import import_module

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reflection_mcp.tools.judging import FAMILIES, NEEDS, check_answer
from reflection_mcp.tools.judging.case import Case
from tests.judging.broken import break_a_family


def test_every_family_is_a_module_that_checks() -> None:
    check_answer("", "2 + 2 = 4, 50% of 4 is 2\n```python\nx\n```", "2 + 2 = 4")
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


CHARACTERS = st.text(alphabet="ab 01=.`\n^kgmin", max_size=60)


@given(answer=CHARACTERS, context=CHARACTERS)
def test_a_family_that_is_not_loaded_would_have_said_nothing(answer: str, context: str) -> None:
    case = Case(question="", answer=answer, context=context)
    for family, has_needs in NEEDS.items():
        if not has_needs(case):
            check = import_module(f"reflection_mcp.tools.judging.{FAMILIES[family]}").check
            assert list(check(case)) == []


def test_a_note_of_what_was_fixed_loads_no_solver_of_equations() -> None:
    code = (
        "import sys; from reflection_mcp.tools.judging import check_answer;"
        "check_answer('Why does it fail?', 'The package was not installed; now it is.');"
        "print([name for name in sys.modules if name.endswith('.stated_equations')])"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert run.stdout.strip() == "[]"
