"""A claim of an answer about a run."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Says = Literal["pass", "fail", "part"]


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim and the sentence it stands in.

    `about` names its subjects (tests, suites, types, lint, build, install, deploy, pods, push, any,
    problems), `tool` the tool that it names, and `parts` the words that narrow it ("unit").
    `counts` may have passed, failed and total; a claim that says only how many is a `part`.
    """

    about: frozenset[str]
    says: Says
    start: int
    end: int
    tool: str = ""
    counts: Mapping[str, int] = field(default_factory=dict[str, int])
    parts: frozenset[str] = frozenset()
