"""A regular expression of which the question is kept ready by whoever asks it.

Rule of this module: only for what is asked of every text. To look a compiled pattern up in a table
takes as long as a pattern that begins with a sign takes to find none in a text.
"""

from collections.abc import Callable
from functools import cached_property

from reflection_mcp.tools.identity.rule import Match, compiled


class Expression:
    """A pattern, compiled when it is first asked."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern

    @cached_property
    def match(self) -> Callable[[str], Match | None]:
        """Match a text from its beginning."""
        return compiled(self.pattern).match

    @cached_property
    def search(self) -> Callable[[str], Match | None]:
        """Look for the first place in a text."""
        return compiled(self.pattern).search
