"""`add` and `edit`: a lesson that a person writes, with flags or in an editor."""

import argparse
import os
import shlex
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from reflection_mcp.server.commands.place import Place
from reflection_mcp.store import archive_markdown
from reflection_mcp.store.archive import UnreadableLine
from reflection_mcp.store.maintenance import COUNTERS, StoredReflection
from reflection_mcp.store.records import Lesson, Reflection
from reflection_mcp.tools.errors import InvalidInput
from reflection_mcp.tools.manual_lesson import (
    LessonDraft,
    add_lesson,
    draft_of,
    edit_lesson,
    lesson_to_edit,
)
from reflection_mcp.tools.reflect.persist import evicted
from reflection_mcp.tools.untrusted import stored

Written = TypeVar("Written", Lesson, LessonDraft)
SHOWN = 2_000  # characters of a lesson that is printed
NEW = """## a new lesson

- importance: 0.5
- tags:

### lesson

### strategy

### situations

### example

"""
"""What the editor shows for a lesson that is added; `example` is the text of its error."""


async def add_lessons(place: Place, arguments: argparse.Namespace) -> int:
    """`add`: store a lesson."""
    if arguments.lesson is None:
        draft = read_draft(edited(NEW), place)
    else:
        draft = LessonDraft(
            lesson=Lesson(
                text=arguments.lesson,
                strategy=arguments.strategy or "",
                situations=tuple(arguments.situation or ()),
            ),
            error=arguments.error or "",
            tags=tuple(arguments.tag or ()),
            importance=arguments.importance,
        )
    rows = await add_lesson(place.services, draft)
    gone = await evicted(place.services, [row.reflection.id for row in rows])
    place.tell(
        [{"id": row.reflection.id, "created": row.created} for row in rows],
        [
            f"{'Added' if row.created else 'Already known, counted once more:'} "
            f"{row.reflection.id}: {stored(row.reflection.lesson, SHOWN)}"
            for row in rows
        ],
    )
    for line in (*_marked(rows[0].reflection), *gone):
        place.talk(line)
    return 0


async def edit_lessons(place: Place, arguments: argparse.Namespace) -> int:
    """`edit`: change a lesson."""
    row = await lesson_to_edit(place.services, arguments.id)
    before = row.reflection
    stands = draft_of(before)
    lesson = _with(
        stands.lesson,
        text=arguments.lesson,
        strategy=arguments.strategy,
        situations=_listed(arguments.situation),
    )
    draft = _with(
        stands,
        lesson=lesson,
        tags=_listed(arguments.tag),
        importance=arguments.importance,
        retired=arguments.retired,
    ) or read_draft(edited(entry_of(before)), place)
    same = draft == stands
    after = before if same else await edit_lesson(place.services, row, draft)
    if same:
        place.talk("nothing was changed")
    changed = f"Changed {after.id}: {stored(after.lesson, SHOWN)}"
    body = {"id": after.id, "lesson": after.lesson, "strategy": after.strategy}
    place.tell(body, [] if same else [changed])
    if (after.lesson, after.strategy) != (before.lesson, before.strategy):
        place.talk(f"The earlier text is kept: `reflection-mcp show {after.id}` prints it.")
    for line in _marked(after):
        place.talk(line)
    return 0


def entry_of(row: Reflection) -> str:
    """What the editor shows of a lesson: all that can be changed, as Markdown."""
    unshown: dict[str, Any] = {
        **dict.fromkeys(("trigger", "evidence", "question", "example", "source"), ""),
        **dict.fromkeys(COUNTERS, 0),
    }
    bare = replace(row, error_type=None, category="unknown", outcome=None, **unshown)
    head, mark, texts = archive_markdown.entry_of(StoredReflection(reflection=bare)).partition(
        "\n### "
    )
    fixed = ("- kind: ", "- signature: ", "- first seen: ", "- last seen: ")
    head = "\n".join(line for line in head.split("\n") if not line.startswith(fixed))
    whole = f"{head}{mark}{texts}"
    missing = [
        name
        for name, text in (("strategy", row.strategy), ("situations", row.situations))
        if not text
    ]
    return whole + "".join(f"\n### {name}\n" for name in missing)


def read_draft(text: str, place: Place) -> LessonDraft:
    """What a person has made of the Markdown.

    Raises:
        InvalidInput: it cannot be read, or is not one lesson.
    """
    try:
        rows = list(archive_markdown.rows_of_markdown(text.split("\n"), place.services.clock()))
    except UnreadableLine as wrong:
        raise InvalidInput(
            f"line {wrong.line} cannot be read: {wrong.reason}", "nothing was changed; try again"
        ) from wrong
    if len(rows) != 1:
        raise InvalidInput(f"{len(rows)} lessons in the text", "leave exactly one `## ` heading")
    (row,) = rows
    return replace(draft_of(row.reflection), error=row.reflection.example)


def _with(record: Written, **flags: Any) -> Written | None:
    """The record with what flags say, or None when none says anything."""
    given = {name: value for name, value in flags.items() if value is not None}
    return replace(record, **given) if given else None


def _listed(values: Sequence[str] | None) -> tuple[str, ...] | None:
    """The values of a flag that may be repeated; one empty value means none."""
    return None if values is None else tuple(value for value in values if value)


def _marked(row: Reflection) -> tuple[str, ...]:
    if not row.suspicious:
        return ()
    return ("The text looks like prompt injection: it is marked, and not offered as advice.",)


def edited(text: str) -> str:
    """The text after a person has edited it in a file of their editor.

    Raises:
        InvalidInput: no editor is set, it cannot be started, or it ended with an error.
    """
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if not editor:
        raise InvalidInput("no editor is set", "set EDITOR, or pass the text with flags")
    with tempfile.TemporaryDirectory(prefix="reflection-mcp-") as folder:
        file = Path(folder) / "lesson.md"
        file.write_text(text, encoding="utf-8")
        try:
            done = subprocess.run([*shlex.split(editor), str(file)], check=False)
        except (OSError, ValueError) as failure:
            raise InvalidInput(
                f"the editor cannot be started ({editor})", "set EDITOR"
            ) from failure
        if done.returncode:
            raise InvalidInput("the editor ended with an error", "nothing was changed")
        try:
            return file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as failure:
            raise InvalidInput("the text cannot be read", "save it as UTF-8") from failure
