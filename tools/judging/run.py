"""One run of a tool, and how it ended."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a tool.

    `about` names what it shows: tests, types, lint, build, install, deploy, push, git, or command
    when only its end is known. `counts` has what it counted (failed, errors, passed, skipped,
    total), and `numbers` every number in its lines but those of suites.
    An `old` one may be what the work began with.
    """

    tool: str
    about: tuple[str, ...]
    failed: bool
    line: str
    counts: Mapping[str, int] = field(default_factory=dict[str, int])
    numbers: frozenset[int] = frozenset()
    at: int = 0
    old: bool = False
    command: str = ""
