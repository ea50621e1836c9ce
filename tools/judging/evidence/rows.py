"""The table of what tools print, read from `tools.toml` and `counts.toml` when first needed."""

import tomllib
from dataclasses import dataclass
from functools import cache
from typing import Any

from reflection_mcp.tools.data_files import data_text
from reflection_mcp.tools.judging.evidence.template import Template, compiled


@dataclass(frozen=True, slots=True)
class ToolRow:
    """The messages of success and failure of one tool, and its command lines."""

    name: str
    about: tuple[str, ...]
    commands: tuple[str, ...]
    good: tuple[Template, ...]
    bad: tuple[Template, ...]
    counts: tuple[Template, ...]

    @property
    def templates(self) -> tuple[tuple[str, Template], ...]:
        """Each template with what it decides: `good`, `bad` or `counts`."""
        rows = (("counts", self.counts), ("good", self.good), ("bad", self.bad))
        return tuple((verdict, one) for verdict, templates in rows for one in templates)


_ROOM = "reflection_mcp.tools.judging.evidence"


@cache
def read(name: str) -> dict[str, Any]:
    """Return a data file of this room as it is written."""
    return tomllib.loads(data_text(_ROOM, f"{name}.toml"))


@cache
def tool_rows() -> tuple[ToolRow, ...]:
    """Return the rows of `tools.toml`."""
    return tuple(
        ToolRow(
            name,
            tuple(row["about"]),
            tuple(row["commands"]) if "commands" in row else (),
            *(tuple(map(compiled, row.get(verdict, ()))) for verdict in ("good", "bad", "counts")),
        )
        for name, row in read("tools").items()
    )


@cache
def _by_command() -> dict[tuple[str, ...], ToolRow]:
    return {tuple(text.split()): row for row in tool_rows() for text in row.commands}


LAUNCHERS = frozenset(
    "sudo time env uv poetry pipenv hatch pdm run exec npx pnpm yarn bundle nice command".split()
)
"""Words in front of a command that say how it is started."""


def row_of_command(command: str) -> ToolRow | None:
    """Return the row of the tool that a command line calls, the last one that is known."""
    found: ToolRow | None = None
    for part in command[:2_000].replace("&&", ";").replace("||", ";").split(";"):
        words = part.split("|")[0].split()
        while words and (words[0] in LAUNCHERS or "=" in words[0]):
            if tuple(words[:2]) in _by_command() or tuple(words[:3]) in _by_command():
                break
            del words[0]
        for length in (3, 2, 1):
            row = _by_command().get(tuple(words[:length]))
            if row is not None:
                found = row
                break
    return found
