"""`learn`: finds candidates for a fix in the session files of hosts.

Rules: nothing is stored as a lesson; what is found waits in `review`. A file is read line by line,
and what cannot be read in it is counted. A file that is not a transcript is refused in one line.
"""

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from reflection_mcp.server.commands.place import Place
from reflection_mcp.server.commands.progress import Progress
from reflection_mcp.server.settings.places import printable
from reflection_mcp.server.wording import counted
from reflection_mcp.tools.errors import InvalidInput
from reflection_mcp.tools.learning.fix_candidates import steps_of
from reflection_mcp.tools.learning.transcript import TranscriptReader
from reflection_mcp.tools.recall.transcript_candidates import (
    Proposed,
    TranscriptPairs,
    propose,
)
from reflection_mcp.tools.untrusted import stored

LONGEST_LINE = 8_000_000  # bytes; a longer one holds a picture or a file
LARGEST_DOCUMENT = 64_000_000  # bytes of a file that is one JSON document
HOSTS = "pass a session file of Claude Code, Codex or Gemini CLI"
SHOWN = 300  # characters of a text


@dataclass
class TranscriptFile:
    """The records of a file; `unread` counts the lines that hold none."""

    path: Path
    unread: int = 0

    def records(self, file: BinaryIO, size: int, progress: Progress) -> Iterator[object]:
        """The records, one a line, or the one that is the whole file."""
        first = True
        while line := file.readline(LONGEST_LINE + 1):
            progress(file.tell())
            if len(line) > LONGEST_LINE and not line.endswith(b"\n"):
                while (rest := file.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
                    progress(file.tell())
            record = _json(line) if len(line) <= LONGEST_LINE else None
            if record is None and first and line.lstrip()[:1] == b"{" and size <= LARGEST_DOCUMENT:
                record = _json(line + file.read())  # a document over several lines
            first = False
            if record is None:
                self.unread += bool(line.strip())
            else:
                yield record


def _json(text: bytes) -> object:
    """The JSON value of a text, None for what is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


async def learn_lessons(place: Place, arguments: argparse.Namespace) -> int:
    """`learn`: read each file, store what it proposes, and say how to review it."""
    done: list[dict[str, object]] = []
    proposed = 0
    for name in arguments.files:
        reader, lines, result = await _learned(place, Path(name))
        proposed += len(result.candidates)
        done.append(_body(name, reader, lines, result))
        if not place.as_json:
            _say(place, name, reader, lines, result)
    if place.as_json:
        place.give(done)
    elif proposed:
        place.talk(
            "none of these is a lesson yet: confirm or reject each with `reflection-mcp review`"
        )
    return 0


async def _learned(place: Place, path: Path) -> tuple[TranscriptReader, TranscriptFile, Proposed]:
    """Read a file and store what it proposes.

    Raises:
        InvalidInput: it cannot be read, or is not a transcript.
    """
    reader, lines = TranscriptReader(), TranscriptFile(path)
    client = replace(place.services.caller, client="transcript")
    found = TranscriptPairs(replace(place.services, caller=client))
    try:
        size, what = path.stat().st_size, f"reading {printable(path.name)}"
        with path.open("rb") as file, place.progress(what, size, is_size=True) as progress:
            for record in lines.records(file, size, progress):
                found.add(reader.take(record))
    except OSError as trouble:
        why = trouble.strerror or type(trouble).__name__
        raise InvalidInput(f"{printable(str(path))} cannot be read: {why}", HOSTS) from trouble
    if not reader.host:
        raise InvalidInput(f"{printable(str(path))} is not a transcript", HOSTS)
    session = reader.session[:200] or path.stem[:200]
    caller = replace(client, conversation_id=session)
    with place.progress() as progress:
        result = await propose(replace(place.services, caller=caller), found, progress.stage)
    return reader, lines, result


def _body(
    name: str, reader: TranscriptReader, lines: TranscriptFile, result: Proposed
) -> dict[str, object]:
    """The result as a program gets it."""
    return {
        "file": name,
        "host": reader.host,
        "session": reader.session,
        "steps": result.steps,
        "failures": result.failures,
        "known": result.known,
        "unread_lines": lines.unread,
        "candidates": [
            {"id": row.id, "failed": row.question, "error": row.example, "steps": steps_of(row)}
            for row in result.candidates
        ],
    }


def _say(
    place: Place, name: str, reader: TranscriptReader, lines: TranscriptFile, result: Proposed
) -> None:
    """The result for a reader."""
    parts = [
        counted(result.steps, "step"),
        counted(result.failures, "failure"),
        counted(len(result.candidates), "new candidate"),
    ]
    parts += [f"{result.known} already known"] if result.known else []
    place.say(f"{printable(name)}: {reader.host}, {', '.join(parts)}")
    for row in result.candidates:
        worked = "; ".join(str(stored(step, SHOWN)) for step in steps_of(row))
        place.say(f"- {row.id}: {stored(row.question, SHOWN)} failed, and worked after {worked}")
    if lines.unread:
        place.talk(f"{counted(lines.unread, 'line')} could not be read and were skipped")
