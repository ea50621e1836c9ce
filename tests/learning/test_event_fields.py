"""Events under the names that hosts give their fields."""

from datetime import UTC, datetime
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from reflection_mcp.tools.learning.episode import failed
from reflection_mcp.tools.learning.event_fields import event_of
from tests.rows import each_row


def test_the_usual_names_are_taken_as_they_are() -> None:
    event = event_of(
        {
            "type": "error",
            "id": "e1",
            "tool": "Bash",
            "content": "c",
            "error": "e",
            "time": "2026-11-21T12:00:00Z",
            "metadata": {"n": 1},
        }
    )
    assert (event.type, event.id, event.tool, event.content) == ("error", "e1", "Bash", "c")
    assert (event.error, event.metadata) == ("e", {"n": 1})
    assert event.at == datetime(2026, 11, 21, 12, tzinfo=UTC)


@each_row(
    "fields",
    [
        {"exit_code": 2},
        {"exitCode": 2},
        {"returncode": "2"},
        {"rc": 2},
        {"status": 2},
        {"metadata": {"exit_code": 2}},
        {"result": {"stdout": "x", "exit_code": 2}},
        {"tool_response": {"returncode": 2}},
    ],
)
def test_an_exit_code_is_found_under_its_names(fields: dict[str, Any]) -> None:
    event = event_of(fields)
    assert event.metadata["exit_code"] == 2
    assert event.type == "tool_response"
    assert failed(event)


@each_row(
    ("fields", "is_failure"),
    [
        ({"status": "failed"}, True),
        ({"conclusion": "success", "output": "x"}, False),
        ({"result": "error"}, True),
        ({"is_error": True, "content": "x"}, True),
        ({"error": True, "content": "x"}, True),
        ({"success": False}, True),
        ({"passed": True}, False),
        ({"exit_code": True, "output": "x"}, False),
        ({"status": "a long story", "output": "x"}, False),
    ],
)
def test_how_an_event_ended_is_read_from_its_status(
    fields: dict[str, Any], is_failure: bool
) -> None:
    assert failed(event_of(fields)) is is_failure


@each_row(
    ("value", "kind"),
    [
        ("tool_use", "tool_call"),
        ("tool-result", "tool_response"),
        ("PostToolUseFailure", "error"),
        ("assistant", "model_call"),
        ("whatever", "system"),
        (7, "system"),
    ],
)
def test_the_type_of_an_event_is_read_from_other_words(value: object, kind: str) -> None:
    assert event_of({"type": value}).type == kind


def test_what_was_said_is_put_together() -> None:
    event = event_of({"stdout": "one", "stderr": "two", "data": [{"text": "three"}, 4]})
    assert (event.content, event.error) == ("one\nthree\n4", "two")
    assert event_of({"output": {"a": 1}}).content == '{"a": 1}'
    assert event_of({"output": [None]}).content == ""


@each_row(
    "fields",
    [
        {"type": "tool_call", "command": "pytest -q"},
        {"type": "tool_call", "cmd": ["pytest", "-q"]},
        {"type": "tool_call", "tool_input": {"command": "pytest -q"}},
        {"type": "tool_call", "arguments": {"cmd": "pytest -q"}},
    ],
)
def test_the_command_of_a_call_is_found(fields: dict[str, Any]) -> None:
    event = event_of(fields)
    assert event.metadata["command"] == "pytest -q"
    assert "pytest -q" in event.content


@each_row(
    ("value", "at"),
    [
        (1763726400, datetime(2025, 11, 21, 12, tzinfo=UTC)),
        (1763726400000, datetime(2025, 11, 21, 12, tzinfo=UTC)),
        (True, None),
        ("soon", None),
    ],
)
def test_a_time_may_be_a_number(value: object, at: datetime | None) -> None:
    assert event_of({"ts": value}).at == at


def test_a_name_that_nobody_knows_is_kept_beside_the_others() -> None:
    assert event_of({"output": "x", "duration_ms": 12}).metadata == {"duration_ms": 12}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=8,
)
NAMES = st.sampled_from(
    "type id name error time exit_code status result content metadata x".split()
)


@given(st.dictionaries(NAMES, JSON, max_size=6))
def test_no_event_is_refused(fields: dict[str, Any]) -> None:
    event = event_of(fields)
    assert isinstance(event.content, str)
    assert isinstance(event.error, str)
