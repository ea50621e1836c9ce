"""How a failure is told."""

import inspect

from hypothesis import given
from hypothesis import strategies as st
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import INTERNAL_ERROR, INVALID_PARAMS

from reflection_mcp.server.transport import failures
from reflection_mcp.store import errors as store_errors
from reflection_mcp.tools import errors as tool_errors
from tests.rows import each_row


def every_foreseen_failure() -> list[type[failures.Foreseen]]:
    """Both drawn trees, whatever is added to them."""
    found: list[type[failures.Foreseen]] = []
    for module in (store_errors, tool_errors):
        for _, kind in inspect.getmembers(module, inspect.isclass):
            if issubclass(kind, store_errors.StoreError | tool_errors.ReflectionError):
                found.append(kind)
    return found


def test_the_two_trees_are_walked() -> None:
    names = {kind.__name__ for kind in every_foreseen_failure()}
    assert {"StoreError", "StoreBusy", "StoreTooNew", "ReflectionError", "NotFound"} <= names


@each_row("kind", every_foreseen_failure())
def test_every_foreseen_failure_is_told_with_its_hint(kind: type[failures.Foreseen]) -> None:
    error = failures.as_tool_error(kind("the shelf is full", "remove a book"))
    assert type(error) is ToolError
    assert str(error) == "the shelf is full: remove a book"


@each_row("kind", every_foreseen_failure())
def test_every_foreseen_failure_is_a_protocol_error_where_no_tool_can_tell_it(
    kind: type[failures.Foreseen],
) -> None:
    error = failures.as_protocol_error(kind("gone", "look"), uri="reflections://x")
    at_fault = kind in (tool_errors.InvalidInput, tool_errors.NotFound)
    assert error.error.code == (INVALID_PARAMS if at_fault else INTERNAL_ERROR)
    assert error.error.message == "gone: look"
    assert error.error.data == {"uri": "reflections://x"}


def test_a_full_stop_before_the_hint_is_left_out() -> None:
    failure = store_errors.StoreBusy("Another process holds the file.", "try again in a second")
    assert failures.told(failure) == "Another process holds the file: try again in a second"


def test_a_failure_that_a_task_group_wrapped_is_found() -> None:
    busy = store_errors.StoreBusy("busy", "wait")
    assert failures.foreseen(ExceptionGroup("g", [ExceptionGroup("h", [busy])])) is busy


@each_row(
    "failure",
    [None, ValueError("x"), ExceptionGroup("g", [store_errors.StoreBusy("a", "b"), OSError()])],
)
def test_what_was_not_foreseen_is_not_taken_for_it(failure: BaseException | None) -> None:
    assert failures.foreseen(failure) is None


def test_a_bug_is_told_in_general_words() -> None:
    assert failures.unforeseen("reflect") == (
        "Internal error in reflect: a fault of the server. Its log has the details."
    )


@given(st.text(max_size=1000), st.integers(10, 400))
def test_a_told_line_is_one_printable_line_within_its_limit(text: str, limit: int) -> None:
    line = failures.one_line(text, limit)
    assert len(line) <= limit
    assert line.isprintable()
    line.encode()


def test_a_line_that_was_cut_shows_it() -> None:
    assert failures.one_line("word " * 5_000_000, 12) == "word word w…"
