"""The templates of the pages, and what each may do with a value: filters for texts and times.

Rule of this module: every value is escaped, and what only a machine reads of a text is left out.
"""

import re
from functools import cache, partial
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from reflection_mcp.server.dashboard import actions, answers, overview, sample, views
from reflection_mcp.server.wording import counted, times
from reflection_mcp.store.person import another_than
from reflection_mcp.tools.advice import told_by
from reflection_mcp.tools.learning.track_record import ended_badly, summary
from reflection_mcp.tools.manual_lesson import draft_of
from reflection_mcp.tools.untrusted import in_one_line, presentable, visible

TEMPLATES = Path(__file__).parent / "templates"
_ONLY_PERSON = re.compile(r":user-[0-9a-f]{8}(?::.*)?\Z", re.DOTALL)  # as the application names it


@cache
def templates() -> Environment:
    """Return the templates with their filters and numbers."""
    pages = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        finalize=_seen_by_a_reader,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters = cast("dict[str, object]", pages.filters)
    filters |= {
        "short": _short,
        "title": views.title,
        "said_at": views.said_at,
        "whole": presentable,
        "day": "{:%Y-%m-%d}".format,
        "minute": "{:%Y-%m-%d %H:%M} UTC".format,
        "segment": partial(quote, safe=""),  # as one part of a path
        "summary": summary,
        "told_by": told_by,
        "ended_badly": ended_badly,
        "times": times,
        "counted": counted,
        "seen": actions.seen,
        "draft": draft_of,
        "masked": _masked,
        "capitalized": _capitalized,
        "another_than": another_than,
        "speaker": _speaker,
    }
    numbers: dict[str, Any] = {
        "PERIODS": views.PERIODS,
        "MOST_ATTEMPTS": answers.MOST_ATTEMPTS,
        "SAMPLE": sample.SAMPLE,
        "MOST_RANKED": sample.MOST_RANKED,
        "MOST_LOOKUPS": overview.MOST_LOOKUPS,
    }
    pages.globals.update(numbers)
    return pages


def _speaker(source: str) -> str:
    """Return a source without the id of a machine's only user, which means nothing to a reader."""
    return _ONLY_PERSON.sub("", source)


def _seen_by_a_reader(value: object) -> object:
    """Return what is put into a page, a text without what only a machine reads."""
    return visible(value) if type(value) is str else value


def _short(text: str, most: int = 140) -> str:
    """Return the beginning of a text in one line."""
    return in_one_line(presentable(text, most))


def _capitalized(text: str) -> str:
    """Return a text as the beginning of a sentence; what follows keeps its letters."""
    return f"{text[:1].upper()}{text[1:]}"


def _masked(line: str) -> list[tuple[bool, str]]:
    """Return a line of a pattern in parts, and whether each stands for what differs."""
    return [(part.startswith("<"), part) for part in re.split(r"(<[^<>]{0,40}>)", line) if part]
