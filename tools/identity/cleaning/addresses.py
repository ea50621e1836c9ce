"""Takes a text out of the web address that carries it, such as a link that opens a new issue.

Rule of this module: only a text that is one word as a whole, and escaped so much that a person
wrote it otherwise. An address that stands in a message is a part of it and stays.
"""

from urllib.parse import unquote, unquote_plus

from reflection_mcp.tools.identity.rule import compiled

_BLANK = r"%(?:0[aA]|20|09)|\w\+\w"
"""An escaped line break or blank: what is one word is a sentence to whoever decodes it."""
_ESCAPES = r"(?:%[0-9a-fA-F]{2}[^%]{0,400}){2}"
_VALUE = r"(?:[?&#][\w.-]{1,40}=|^)([^?&#\s]{8,20000})"
"""The value of a field of an address, or a text that was escaped as a whole."""


def decoded(text: str) -> str:
    """The longest value of an address that holds blanks; any other text as it is."""
    if "%" not in text or len(text.split(None, 1)) != 1:
        return text
    values = [found[1] for found in compiled(_VALUE).finditer(text.strip())]
    told = [
        value
        for value in values
        if compiled(_BLANK).search(value) and compiled(_ESCAPES).search(value)
    ]
    if not told:
        return text
    longest = max(told, key=len)
    return unquote(longest) if "%20" in longest else unquote_plus(longest)
