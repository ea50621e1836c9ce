"""What one message is called in another version of its tool, and slots that hold any value."""

from functools import cache

from reflection_mcp.tools.identity.rules.table import RuleTable


@cache
def _table() -> RuleTable:
    return RuleTable("wordings")


def reworded(line: str) -> str:
    """The line in the words of one version, with data in its slots."""
    return _table().apply(line)
