"""Lessons as files: nothing is lost, nothing unreadable is taken, hands may edit."""

import json
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as some

from reflection_mcp.store import archive, archive_markdown
from reflection_mcp.store.archive import UnreadableLine, line_of, rows_of_lines
from reflection_mcp.store.archive_markdown import entry_of, rows_of_markdown
from reflection_mcp.store.maintenance import StoredReflection
from reflection_mcp.store.records import (
    Key,
    Lesson,
    Link,
    Pattern,
    Reflection,
    Scope,
    Wording,
)
from tests.rows import each_row

AT = datetime(2026, 11, 21, 12, 30, 15, 123456, tzinfo=UTC)
ROW = StoredReflection(
    reflection=Reflection(
        id="ref-1",
        scope=Scope(),
        kind="reflection",
        signature="sig1:0000000000000001",
        lesson="Pin the version.\n\nOtherwise it drifts.",
        strategy="Use the lock file.",
        trigger="KeyError: 'a'",
        evidence="outcome success; in Bash; 3 events",
        error_type="KeyError",
        category="data",
        pattern=Pattern(version="1", lines=("KeyError: <str>",), location="a.py:f"),
        example="Traceback\n  ...\nKeyError: 'a'",
        question="Make it run — schnell, bitte",
        iteration=2,
        quality_delta=0.25,
        outcome="success",
        importance=0.75,
        confidence=0.6,
        tags=("python", "data set"),
        situations=("the build broke over night", "- ## pin\\a version"),
        source="claude:conv-1",
        suspicious=True,
        retired=True,
        first_seen=AT,
        last_seen=AT + timedelta(days=2),
        occurrences=5,
        sources=2,
        shown=9,
        helped=3,
        failed=1,
        recurred=1,
        links=(Link(kind="same_tag", target_id="ref-2"),),
        wordings=(
            Wording(source="a", lesson=Lesson(text="Pin it."), at=AT),
            Wording(
                source="b",
                lesson=Lesson(text="Pin!", strategy="Lock.", situations=("ci",), outcome="success"),
                at=AT,
                times=3,
                suspicious=True,
            ),
        ),
    ),
    keys=(Key(kind="type", digest="0123456789abcdef"),),
    features=(-5, 7),
    author="claude:conv-2",
)
SMALL = StoredReflection(
    reflection=Reflection(
        id="ref-0",
        scope=Scope(),
        kind="strategy",
        signature="sig1:0000000000000002",
        lesson="Pin it.",
        first_seen=AT,
        last_seen=AT,
    )
)


def read(*lines: str) -> list[StoredReflection]:
    return list(rows_of_lines(lines))


def marked(text: str) -> list[StoredReflection]:
    return list(rows_of_markdown(text.splitlines(keepends=True), AT))


# --------------------------------------------------------------------- JSON Lines


def test_a_row_comes_back_from_its_line_as_it_was() -> None:
    assert read(archive.header(Scope()), line_of(ROW), "", line_of(SMALL)) == [ROW, SMALL]


def test_every_field_of_a_reflection_differs_in_the_sample() -> None:
    """So that a field added later fails the round trip until it is written."""
    same = [
        each.name
        for each in fields(Reflection)
        if getattr(ROW.reflection, each.name) == each.default
    ]
    assert same == []


def test_what_is_at_its_default_is_not_written() -> None:
    assert json.loads(line_of(SMALL)).keys() == {
        "id", "kind", "signature", "lesson", "first_seen", "last_seen",
    }  # fmt: skip


def test_times_are_written_in_utc() -> None:
    elsewhere = AT.astimezone(timezone(timedelta(hours=5)))
    row = replace(SMALL, reflection=replace(SMALL.reflection, first_seen=elsewhere))
    assert json.loads(line_of(row))["first_seen"] == "2026-11-21T12:30:15.123456Z"


def test_fields_of_later_versions_are_skipped_and_missing_ones_are_default() -> None:
    line = (
        '{"id":"r","kind":"strategy","signature":"s","lesson":"x","first_seen":"2026-01-01",'
        '"mood":"good"}'
    )
    (row,) = read(line)
    assert row.reflection.last_seen == row.reflection.first_seen == datetime(2026, 1, 1, tzinfo=UTC)
    assert row.reflection.importance == 0.5


def test_numbers_are_brought_into_their_bounds() -> None:
    body = json.loads(line_of(SMALL))
    (row,) = read(
        json.dumps(body | {"importance": 7, "helped": -3, "occurrences": 0, "shown": 10**30})
    )
    r = row.reflection
    assert (r.importance, r.helped, r.occurrences, r.shown) == (1.0, 0, 1, archive.MOST)


@each_row(
    ("change", "reason"),
    [
        ({"first_seen": "yesterday"}, "wrong value"),
        ({"first_seen": None}, "wrong value"),
        ({"lesson": 5}, "wrong value"),
        ({"kind": "poem"}, "wrong value"),
        ({"outcome": "luck"}, "wrong value"),
        ({"importance": "high"}, "wrong value"),
        ({"importance": float("nan")}, "wrong value"),
        ({"quality_delta": float("inf")}, "wrong value"),
        ({"occurrences": 1.5}, "wrong value"),
        ({"suspicious": "no"}, "wrong value"),
        ({"tags": [1]}, "wrong value"),
        ({"links": [["friend_of", "ref-2"]]}, "wrong value"),
        ({"links": ["x"]}, "wrong value"),
        ({"keys": [["a"]]}, "wrong value"),
        ({"wordings": [{"source": "a"}]}, "wrong value"),
        ({"features": ["x"]}, "wrong value"),
        ({"pattern": {}}, "wrong value"),
    ],
)
def test_a_value_that_its_field_cannot_have_is_refused_with_its_line(
    change: dict[str, object], reason: str
) -> None:
    body = json.loads(line_of(SMALL)) | change
    with pytest.raises(UnreadableLine, match=f"line 2: .*{reason}") as refused:
        read(archive.header(Scope()), json.dumps(body))
    assert refused.value.line == 2


@each_row(
    ("line", "reason"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[1]", "not a JSON object"),
        ('{"format":"other/9"}', "its format is not reflection-mcp/1"),
        ("x" * (archive.LONGEST_LINE + 1), "too long"),
    ],
)
def test_what_is_no_archive_is_refused(line: str, reason: str) -> None:
    with pytest.raises(UnreadableLine, match=reason):
        read(line)


def test_a_pattern_may_lack_its_place_and_type() -> None:
    bare = replace(ROW, reflection=replace(ROW.reflection, pattern=Pattern(version="1")))
    assert read(line_of(bare)) == [bare]
    typed = replace(
        ROW, reflection=replace(ROW.reflection, pattern=Pattern(version="1", error_type="E"))
    )
    assert read(line_of(typed)) == [typed]


# --------------------------------------------------------------------- Markdown

READABLE = replace(
    ROW.reflection,
    pattern=None,
    iteration=0,
    suspicious=False,
)


def test_what_a_person_reads_comes_back_from_markdown_as_it_was() -> None:
    text = archive_markdown.header(Scope(project="shop")) + "\n" + entry_of(ROW)
    assert [row.reflection for row in marked(text)] == [READABLE]
    assert [row.author for row in marked(text)] == [ROW.author]
    small = marked(entry_of(SMALL) + "\n" + entry_of(ROW))
    assert [row.reflection for row in small] == [SMALL.reflection, READABLE]


@each_row(
    ("section", "line"),
    [("links", "- friend_of ref-2"), ("versions", "- {"), ("versions", '- {"source": "a"}')],
)
def test_a_list_that_cannot_be_read_is_refused_with_its_entry(section: str, line: str) -> None:
    with pytest.raises(UnreadableLine, match=f"line 1: its {section} cannot be read"):
        marked(f"## ref-1\n\n### {section}\n\n{line}\n")


def test_a_version_that_says_no_more_than_the_entry_is_not_written() -> None:
    said = Wording(source="a", lesson=Lesson(text="Pin it."), at=AT)
    alone = replace(SMALL, reflection=replace(SMALL.reflection, wordings=(said,)))
    assert entry_of(alone) == entry_of(SMALL)


def test_an_entry_reads_like_this() -> None:
    assert entry_of(SMALL) == (
        "## ref-0\n\n- kind: strategy\n- signature: sig1:0000000000000002\n- importance: 0.5\n"
        "- first seen: 2026-11-21T12:30:15.123456Z\n"
        "- last seen: 2026-11-21T12:30:15.123456Z\n- occurrences: 1\n- sources: 1\n\n"
        "### lesson\n\nPin it.\n"
    )


def test_a_new_entry_needs_nothing_but_a_lesson() -> None:
    (row,) = marked("## anything\n\n### Lesson\n\nWear a hat.\n")
    assert (row.reflection.lesson, row.reflection.id, row.reflection.signature) == (
        "Wear a hat.", "", "",
    )  # fmt: skip
    assert row.reflection.first_seen == AT


def test_a_file_without_entries_has_no_rows() -> None:
    assert marked("# Title\n\n") == []


def test_text_without_any_entry_is_refused_and_not_silently_left_out() -> None:
    with pytest.raises(UnreadableLine, match="line 3: there is no entry"):
        marked("# My lessons\n\n- always run the tests\n")


def test_an_entry_without_a_name_is_refused_and_not_glued_to_the_one_before() -> None:
    with pytest.raises(UnreadableLine, match="line 5: an entry has no name"):
        marked("## ref-1\n### lesson\nx\n\n## \n### lesson\ny\n")


@each_row(
    "fact",
    ["importance: high", "importance: nan", "kind: poem", "first seen: soon", "helped: many",
     "outcome: luck"],
)  # fmt: skip
def test_a_fact_that_cannot_be_is_refused_with_its_line(fact: str) -> None:
    with pytest.raises(UnreadableLine, match="line 3: "):
        marked(f"## ref-1\n\n- {fact}\n\n### lesson\n\nx\n")


@given(some.text(alphabet="#\\ abc\n-:é", max_size=60))
def test_no_lesson_breaks_out_of_its_section(lesson: str) -> None:
    kept = lesson.strip("\n")
    row = replace(SMALL, reflection=replace(SMALL.reflection, lesson=kept))
    (back,) = marked(entry_of(row))
    assert back.reflection == row.reflection


@given(some.text(max_size=80), some.text(max_size=20))
def test_any_text_survives_a_line_of_json(lesson: str, tag: str) -> None:
    row = replace(SMALL, reflection=replace(SMALL.reflection, lesson=lesson, tags=(tag,)))
    assert read(line_of(row)) == [row]
