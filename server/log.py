"""The log: one line per stage on stderr, never the text of an argument.

The rule: a fact is a number, a yes or no, or a name out of a program (a match level, an id, the
class of an exception). Any other text is replaced by its length and any collection by its size, so
a use case that hands over too much still gives nothing away.

Writing never waits and never fails: stderr may be closed long before a server ends, and a host that
does not read it fills a pipe of 64 kB, in which the next line would hang the whole server. Such a
line is dropped, and the next one that fits has the number of dropped lines.

The same events go to the `listeners` of those who embed the use cases. An exception of a listener
is not caught.
"""

import json
import math
import re
import select
import threading
from collections.abc import Sized
from dataclasses import dataclass, field
from datetime import UTC
from typing import Any, Literal, TextIO

from reflection_mcp.tools.ports import Clock, Emit

Level = Literal["info", "warning", "error", "off"]

_RANKS: dict[Level, int] = {"info": 0, "warning": 1, "error": 2, "off": 3}


LEVELS: tuple[tuple[str, Level], ...] = (
    ("_failed", "error"),
    ("_unavailable", "error"),
    ("_not_stored", "warning"),
    ("_not_logged", "warning"),
    ("_evicted", "warning"),
)
"""The level of an event by the end of its name; any other name is `info`."""


def level_of(event: str) -> Level:
    """Return the level of an event."""
    for ending, level in LEVELS:
        if event.endswith(ending):
            return level
    return "info"


def outcome_of(event: str) -> Literal["success", "partial", "failure", "pending"]:
    """Return the outcome of a stage from the end of its name, where its facts do not have one.

    A warning is a call that was answered although a part of it failed.
    """
    if event.endswith(("_started", "_step")):
        return "pending"
    level = level_of(event)
    return "failure" if level == "error" else "partial" if level == "warning" else "success"


@dataclass(slots=True, kw_only=True)
class Log:
    """An `Emit` that writes lines to `stream` and passes every event on to its listeners.

    Args:
        clock: gives the time of a line.
        stream: where lines go; None where a process has no stderr.
        style: `json`, one object a line, or `text`, the same facts as `key=value`.
        level: the least that is written. Listeners hear everything, whatever the level.
        listeners: callables that take the name of an event and its facts; may be added to.

    `dropped` counts the lines that could not be written since the last one that could.
    """

    clock: Clock
    stream: TextIO | None
    style: Literal["json", "text"] = "json"
    level: Level = "info"
    listeners: list[Emit] = field(default_factory=list[Emit])
    dropped: int = field(default=0, init=False)
    _one_at_a_time: threading.Lock = field(
        default_factory=threading.Lock, init=False, repr=False, compare=False
    )

    def __call__(self, event: str, facts: dict[str, Any]) -> None:
        """Report that a stage was reached."""
        safe = {name: safe_fact(value) for name, value in facts.items()}
        level = level_of(event)
        if self.stream is not None and _RANKS[level] >= _RANKS[self.level]:
            self._write(self.stream, event, level, safe)
        for listener in self.listeners:
            listener(event, dict(safe))

    def _write(self, stream: TextIO, event: str, level: Level, facts: dict[str, Any]) -> None:
        moment = self.clock().astimezone(UTC).isoformat(timespec="milliseconds")
        # Ours come last, so that no fact can pass itself off as the name of the event.
        ours = {"time": moment.replace("+00:00", "Z"), "level": level, "event": event}
        # Use cases also run on worker threads, and a line is one line.
        with self._one_at_a_time:
            if self.dropped:
                facts = {**facts, "dropped": self.dropped}
            line = _as_json(ours, facts) if self.style == "json" else _as_text(ours, facts)
            self.dropped = 0 if _written(stream, line + "\n") else self.dropped + 1


def _written(stream: TextIO, line: str) -> bool:
    """Write a line if that can be done at once, and say whether it was."""
    try:
        if not _has_room(stream):
            return False
        stream.write(line)
        stream.flush()
    except (OSError, ValueError):  # a broken pipe, a full disk, a closed file
        return False
    return True


def _has_room(stream: TextIO) -> bool:
    """Return True if a line can be written without waiting for a reader; Windows cannot tell."""
    poll = getattr(select, "poll", None)
    try:
        number = stream.fileno()
    except (OSError, ValueError):  # no file of the system's, or closed
        return True
    if poll is None:
        return True
    waiting = poll()
    waiting.register(number, select.POLLOUT)
    return bool(waiting.poll(0))


def _as_json(ours: dict[str, str], facts: dict[str, Any]) -> str:
    return json.dumps({**ours, **facts, **ours})


def _as_text(ours: dict[str, str], facts: dict[str, Any]) -> str:
    told = [f"{name}={json.dumps(value)}" for name, value in facts.items() if name not in ours]
    return " ".join([*ours.values(), *told])


def safe_fact(value: object) -> bool | int | float | str | None:
    """Return what may be logged of a value: itself, or its size."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, str):
        return value if not value or _is_a_name(value) else f"{len(value)} characters"
    if isinstance(value, Sized):
        return f"{len(value)} items"
    return f"a {type(value).__name__}"


_LONGEST_NAME = 80
_SEPARATORS = re.compile(r"[._:-]")


def _is_a_name(text: str) -> bool:
    """Return True if a text is a name out of a program: `claude-haiku-5-5`, `sig1:0f52`,
    `KeyError`.

    Keys and tokens are long runs of mixed letters and digits; those are kept out, together with
    everything that has a space in it.
    """
    if not text.isascii() or len(text) > _LONGEST_NAME:
        return False
    return all(_is_a_word(word) for word in _SEPARATORS.split(text))


def _is_a_word(word: str) -> bool:
    if word.isalpha():
        return len(word) <= 40
    if not word.isalnum():
        return False
    # Ids and digests are lower case and have at most 16 characters after their prefix; codes such
    # as TS2304 or E0425 are short.
    return len(word) <= 8 or (word == word.lower() and len(word) <= 24)
