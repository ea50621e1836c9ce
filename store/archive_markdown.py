"""Lessons as a Markdown file: for reading, for review in git, and for changing by hand.

Rules of this module: pure, text in and out; see `archive`. An entry is a heading with the id, a
list of facts, and a section for each text. What has no line is at its default, so that a person can
write a new entry that has nothing but a lesson. What finds an error again (keys, features) is not
written here; `reflection_mcp.tools.learning.file_import` makes it anew from the text of the error.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar, cast, get_args

from reflection_mcp.store.archive import (
    MOST,
    UnreadableLine,
    finite,
    link,
    moment,
    one_of,
    plain,
    wording,
    wording_body,
)
from reflection_mcp.store.maintenance import COUNTERS, StoredReflection
from reflection_mcp.store.records import Kind, Link, Outcome, Reflection, Scope

T = TypeVar("T")

_TEXTS = ("lesson", "strategy", "trigger", "evidence", "question", "example")
_SECTIONS = (*_TEXTS, "situations", "links", "versions")
_CONFIDENCE = 0.5  # of a record that says none
# Each is given a line without white space at its end.
_SECTION = re.compile(r"### (\w{1,20}):?$")
_ENTRY = re.compile(r"## {1,8}(\S.{0,500})$")
_HEADING_LIKE = re.compile(r"\\*##")
_FACT = re.compile(r"- ([a-z ]{1,30}): ?(.{0,2000})$")


def header(scope: Scope) -> str:
    """Return the first lines of a Markdown file."""
    return (
        f"# Lessons of {scope.project}\n\n"
        "One entry per lesson. You may change texts, add tags and raise the importance; an entry"
        " without a signature is a new lesson. `reflection-mcp import` brings the file back.\n"
    )


def entry_of(row: StoredReflection, said: Callable[[str], str] = str) -> str:
    """Return one row as an entry of Markdown.

    Args:
        row: what is written.
        said: the writer of a line of stored text; a file has the text unchanged.
    """
    r = row.reflection
    facts: dict[str, str] = {
        "kind": r.kind,
        "signature": r.signature,
        "importance": f"{r.importance:g}",
        "confidence": "" if r.confidence == _CONFIDENCE else f"{r.confidence:g}",
        "quality delta": "" if r.quality_delta is None else f"{r.quality_delta:g}",
        "tags": ", ".join(map(said, r.tags)),
        "error type": said(r.error_type or ""),
        "category": "" if r.category == "unknown" else said(r.category),
        "outcome": r.outcome or "",
        "retired": "yes" if r.retired else "",
        "source": said(" ".join(r.source.split())),
        "author": said(" ".join(row.author.split())) if row.author != r.source else "",
        "first seen": plain(r.first_seen),
        "last seen": plain(r.last_seen),
        **{name: str(value) for name in COUNTERS if (value := getattr(r, name)) > 0},
    }
    lines = [f"## {r.id}", "", *(f"- {name}: {fact}" for name, fact in facts.items() if fact)]
    for name in _TEXTS:
        if text := getattr(r, name):
            lines += ["", f"### {name}", "", *(said(_escaped(each)) for each in text.split("\n"))]
    shown_only = [each.words for each in r.wordings] == [(r.lesson, r.strategy)]
    versions = () if shown_only else r.wordings
    lists = {
        "situations": [" ".join(each.split()) for each in r.situations],
        "links": [f"{each.kind} {each.target_id}" for each in r.links],
        "versions": [json.dumps(wording_body(each), ensure_ascii=False) for each in versions],
    }
    for name, items in lists.items():
        if items:
            lines += ["", f"### {name}", "", *(f"- {said(each)}" for each in items)]
    return "\n".join(lines) + "\n"


def _escaped(line: str) -> str:
    """A line of a lesson that looks like a heading, or was escaped before, gets a backslash."""
    return f"\\{line}" if _HEADING_LIKE.match(line) else line


def _unescaped(line: str) -> str:
    return line[1:] if line.startswith("\\") and _HEADING_LIKE.match(line) else line


def rows_of_markdown(lines: Iterable[str], now: datetime) -> Iterator[StoredReflection]:
    """Return the rows of a file of Markdown; an entry that nobody stored yet gets `now` as its
    time.

    What has no line in an entry is at its default; id and signature may be empty.

    Raises:
        UnreadableLine: an entry holds a value that its field cannot have, or has no name, or there
            is text outside of every entry or section.
    """
    entry: _Entry | None = None
    stray = 0
    for number, raw in enumerate(lines, 1):
        line = raw.rstrip("\r\n")
        begins = _ENTRY.match(line.rstrip())
        if begins is None and line.startswith("##") and not line.startswith("###"):
            raise UnreadableLine(
                number,
                "an entry has no name: `## ` and an id, or any name; in a text, write `\\##`",
            )
        if begins:
            if entry is not None:
                yield entry.row(now)
            entry = _Entry(begins[1], number)
        elif entry is not None:
            entry.take(line, number)
        elif line.strip() and not line.startswith("#"):
            stray = stray or number
    if entry is not None:
        yield entry.row(now)
    elif stray:
        raise UnreadableLine(stray, "there is no entry: each begins with `## ` and an id or a name")


class _Entry:
    """One entry of a Markdown file, while it is being read."""

    def __init__(self, name: str, number: int) -> None:
        self.name = name
        self.number = number
        self.facts: dict[str, tuple[str, int]] = {}
        self.texts: dict[str, list[str]] = {}
        self.section: list[str] | None = None

    def take(self, line: str, number: int) -> None:
        heading = _SECTION.match(line.rstrip())
        if heading and heading[1].casefold() in _SECTIONS:
            self.section = self.texts.setdefault(heading[1].casefold(), [])
        elif self.section is not None:
            self.section.append(_unescaped(line))
        elif fact := _FACT.match(line.rstrip()):
            self.facts[fact[1]] = (fact[2], number)
        elif line.strip():
            raise UnreadableLine(
                number,
                f"it is in no section; there are {', '.join(f'`### {t}`' for t in _SECTIONS)}",
            )

    def row(self, now: datetime) -> StoredReflection:
        texts = {name: "\n".join(lines).strip("\n") for name, lines in self.texts.items()}
        lists = {name: _listed(texts.pop(name, "")) for name in _SECTIONS[len(_TEXTS) :]}
        signature = self._fact("signature", str)
        reflection = Reflection(
            scope=Scope(),
            id=self.name if signature else "",
            kind=cast("Kind", self._fact("kind", _kind) or "reflection"),
            signature=signature or "",
            first_seen=self._fact("first seen", moment) or now,
            last_seen=self._fact("last seen", moment) or now,
            lesson=texts.pop("lesson", ""),
            importance=0.5,
            situations=lists["situations"],
            links=self._each("links", lists, _linked),
            wordings=self._each("versions", lists, lambda said: wording(json.loads(said))),
        )
        known: dict[str, Any] = {
            "importance": self._fact("importance", _share),
            "confidence": self._fact("confidence", _share),
            "quality_delta": self._fact("quality delta", lambda said: finite(float(said))),
            "tags": self._fact("tags", _tags),
            "error_type": self._fact("error type", str),
            "category": self._fact("category", str),
            "outcome": self._fact("outcome", lambda said: one_of(get_args(Outcome), said)),
            "retired": self._fact("retired", lambda said: said == "yes"),
            "source": self._fact("source", str),
            **{name: self._fact(name, _count) for name in COUNTERS},
        }
        given = {name: value for name, value in known.items() if value is not None} | texts
        reflection = replace(reflection, **given)
        author = self._fact("author", str) or reflection.source
        return StoredReflection(reflection=reflection, author=author)

    def _each(
        self, name: str, lists: Mapping[str, Sequence[str]], read: Callable[[str], T]
    ) -> tuple[T, ...]:
        try:
            return tuple(map(read, lists[name]))
        except (KeyError, TypeError, ValueError, OverflowError, RecursionError) as wrong:
            raise UnreadableLine(self.number, f"its {name} cannot be read") from wrong

    def _fact(self, name: str, read: Callable[[str], T]) -> T | None:
        said, number = self.facts.get(name, ("", self.number))
        if not said:
            return None
        try:
            return read(said)
        except (ValueError, TypeError, OverflowError) as wrong:
            raise UnreadableLine(number, f"{name} cannot be {said[:40]!r}") from wrong


def _kind(said: str) -> str:
    kinds: tuple[str, ...] = get_args(Kind)
    return one_of(kinds, said)


def _share(said: str) -> float:
    return min(1.0, max(0.0, finite(float(said))))


def _linked(said: str) -> Link:
    kind, _, target = said.partition(" ")
    return link(kind, target.strip())


def _tags(said: str) -> tuple[str, ...]:
    return tuple(tag for each in said.split(",") if (tag := each.strip()))


def _listed(text: str) -> tuple[str, ...]:
    """The lines of a list, with its dashes or without."""
    lines = (line.strip().removeprefix("- ").strip() for line in text.split("\n"))
    return tuple(line for line in lines if line)


def _count(said: str) -> int:
    return min(max(0, int(said)), MOST)
