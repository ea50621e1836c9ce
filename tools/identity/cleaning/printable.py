"""Takes a text out of the encoding of mails in which a sign of equality escapes (RFC 2045, 6.7).

Rule of this module: each sign of equality of the text must be an escape or end a line that goes on;
one that is neither says that this is no mail.
"""

import quopri

from reflection_mcp.tools.identity.rule import compiled

_OTHER = r"=(?![0-9A-F]{2}|[ \t]*(?:\n|$))"
_AROUND = (
    r"(?m)^(?:--(?=[^\n]{0,60}\d)[\w'=+:./?-]{8,70}(?:--)?|"
    r"(?i:content-[a-z-]{2,30}|mime-version): .*)[ \t]*(?:\n|$)"
)
"""What stands around the parts of a mail."""


def printed(text: str) -> str:
    """The text of a quoted-printable mail; any other text as it is."""
    if "=\n" not in text:
        return text
    bare = compiled(_AROUND).sub("", text)
    if compiled(_OTHER).search(bare):
        return text
    return quopri.decodestring(bare.encode("utf-8", "surrogatepass")).decode("utf-8", "replace")
