"""What can be read off what happened."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from reflection_mcp.store.records import Outcome
from reflection_mcp.tools.learning import episode
from reflection_mcp.tools.learning.episode import Event, EventKind
from reflection_mcp.tools.ports import Limits
from tests.requirements import requirement
from tests.rows import each_row


def failing(**more: Any) -> Event:
    return replace(Event(type="tool_response", tool="Bash", error="KeyError: 'a'"), **more)


@requirement("trace:events")
def test_an_event_keeps_id_type_time_content_metadata_tool_and_error() -> None:
    at = datetime(2026, 11, 21, tzinfo=UTC)
    event = Event(
        id="e1", type="error", at=at, content="c", metadata={"n": 1}, tool="Bash", error="e"
    )
    assert episode.cleaned(event, Limits()) == event


def test_the_texts_of_an_event_are_redacted_and_cut() -> None:
    event = Event(type="tool_response", content="password=hunter2-hunter2 " + "x" * 9_000)
    clean = episode.cleaned(event, Limits()).content
    assert "hunter2" not in clean
    assert len(clean) <= episode.EVENT_TEXT


def test_a_tool_name_of_any_length_is_cut() -> None:
    assert len(episode.cleaned(Event(type="tool_call", tool="x" * 999), Limits()).tool) == 200


@each_row(
    ("text", "read"),
    [
        ("2026-11-21T12:00:00Z", datetime(2026, 11, 21, 12, tzinfo=UTC)),
        ("2026-11-21 12:00:00", datetime(2026, 11, 21, 12, tzinfo=UTC)),
        ("", None),
        ("yesterday", None),
    ],
)
def test_the_time_of_an_event_is_read_or_left_open(text: str, read: datetime | None) -> None:
    assert episode.parse_timestamp(text) == read


@each_row(
    ("event", "is_failure"),
    [
        (failing(), True),
        (Event(type="error", content="boom"), True),
        (Event(type="tool_response", metadata={"exit_code": 2}), True),
        (Event(type="tool_response", metadata={"is_error": True}), True),
        (Event(type="tool_response", metadata={"success": False}), True),
        (Event(type="tool_response", metadata={"exit_code": 0}), False),
        (Event(type="tool_response", metadata={"exit_code": True}), False),
        (Event(type="tool_response", content="error: was mentioned"), False),
    ],
)
def test_an_event_fails_by_what_it_says_of_itself(event: Event, is_failure: bool) -> None:
    assert episode.failed(event) is is_failure


def test_the_error_of_an_episode_is_the_last_that_an_event_carries() -> None:
    events = [failing(error="first"), Event(type="error", content="last"), Event(type="system")]
    assert episode.failing_text(events) == "last"
    assert episode.failing_text([failing(error="only")]) == "only"
    assert episode.failing_text([Event(type="error"), Event(type="system")]) == ""


def test_the_exit_code_is_the_last_one_stated() -> None:
    events = [
        Event(type="tool_response", metadata={"exit_code": 1}),
        Event(type="tool_response", metadata={"exit_code": 0}),
        Event(type="tool_response", metadata={"exit_code": True}),
    ]
    assert episode.exit_code(events) == 0
    assert episode.exit_code([]) is None


@requirement("trace:scores")
def test_a_lesson_names_the_events_it_was_learned_from() -> None:
    events = [Event(type="tool_call", id="e1"), failing(id="e2"), failing(), Event(type="system")]
    assert episode.source_events(events) == ("e2", "#3")
    assert episode.source_events(events[:1]) == ("e1",)
    assert episode.source_events([]) == ()
    assert len(episode.source_events([failing()] * 9)) == episode.MOST_SOURCES


@requirement("trace:scores")
def test_tags_are_read_off_category_error_type_and_failing_tools() -> None:
    events = [failing(), failing(tool="my tool!"), Event(type="tool_call", tool="Read")]
    tags = episode.tags_of(events, "requests.ReadTimeout: timed out", "requests.ReadTimeout")
    assert tags == ("timeout", "readtimeout", "bash", "my-tool")
    assert episode.tags_of((), "the kettle is blue", None) == ()


@requirement("trace:outcomes")
@each_row("outcome", ["success", "partial", "failure", "timeout", "error"])
def test_every_outcome_is_named_in_the_evidence(outcome: Outcome) -> None:
    assert episode.evidence_of((), "", outcome) == f"outcome {outcome}"


def test_evidence_names_the_outcome_the_tool_the_events_and_the_verdict() -> None:
    events = [Event(type="tool_call", tool="Bash"), failing(id="e2")]
    told = episode.evidence_of(events, "KeyError: 'a'", "failure")
    assert told == "outcome failure; in Bash; 2 events, from e2; KeyError: 'a'"
    assert episode.evidence_of((), "", None) == ""
    unnamed = [Event(type="error", content="boom")]
    assert episode.evidence_of(unnamed, "", None) == "1 event, from #1"


@each_row("kind", ["tool_call", "tool_response", "model_call", "error", "system"])
def test_every_kind_of_event_is_taken(kind: EventKind) -> None:
    assert episode.cleaned(Event(type=kind), Limits()).type == kind


def test_a_long_error_of_an_event_is_cut_and_never_refused() -> None:
    clean = episode.cleaned(failing(error="x" * 99_999), Limits())
    assert len(clean.error) <= Limits().error


@each_row(
    ("events", "error", "outcome", "category"),
    [
        ((), "exceeded 30s limit", None, "timeout"),
        ((Event(type="error", content="QUERY_TIMEOUT"),), "it stopped", "failure", "timeout"),
        ((Event(type="tool_call", error="Permission denied"),), "", None, "permission"),
        ((), "it stopped", "timeout", "timeout"),
        ((Event(type="tool_call", content="Permission denied"),), "", "failure", "unknown"),
    ],
)
def test_the_category_is_that_of_the_error_of_an_event_that_failed_or_of_the_end(
    events: tuple[Event, ...], error: str, outcome: Outcome | None, category: str
) -> None:
    assert episode.category_of(events, error, outcome) == category


@each_row(
    ("event", "code"),
    [
        (Event(type="error", content="QUERY_TIMEOUT"), "QUERY_TIMEOUT"),
        (Event(type="tool_call", error=" ERR_NO_SPACE "), "ERR_NO_SPACE"),
        (Event(type="error", content="it hung", metadata={"error_code": "E_HUNG"}), "E_HUNG"),
        (Event(type="error", content="it hung", metadata={"code": 7}), None),
        (Event(type="error", content="WARNING"), None),
        (Event(type="tool_call", content="QUERY_TIMEOUT"), None),
    ],
)
def test_an_error_code_is_read_off_what_failed(event: Event, code: str | None) -> None:
    assert episode.error_code_of((event,)) == code


def test_a_failure_without_a_tool_is_that_of_the_call_before() -> None:
    call = Event(type="tool_call", tool="runner", content="go")
    lost = Event(type="error", content="QUERY_TIMEOUT")
    assert episode.tools_that_failed((lost, call, lost, lost)) == ("runner",)
    assert "in runner" in episode.evidence_of((call, lost), "", None)


@each_row(
    ("event", "is_sql"),
    [
        (Event(type="tool_call", tool="sql"), True),
        (Event(type="tool_call", tool="execute_sql"), True),
        (Event(type="tool_call", tool="mcp__psql__run"), True),
        (Event(type="tool_call", tool="bash", content="SELECT a, b\nFROM orders"), True),
        (Event(type="tool_call", tool="bash", content="create index on t(a)"), True),
        (Event(type="tool_call", tool="mysqldump-reader", content="read"), False),
        (Event(type="tool_call", tool="bash", content="select the menu"), False),
    ],
)
def test_work_on_a_database_is_tagged_so(event: Event, is_sql: bool) -> None:
    assert ("sql" in episode.tags_of((event,), "", None)) == is_sql
