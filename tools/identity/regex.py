"""Regular expressions compiled when first needed, and the search for a digit."""

import re

from reflection_mcp.tools.regex import compiled

__all__ = ["compiled", "has_digit"]

_DIGIT = re.compile(r"\d")


def has_digit(text: str) -> bool:
    """Whether there is a digit in a text."""
    return _DIGIT.search(text) is not None
