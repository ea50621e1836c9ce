"""Takes a text out of the encoding of mails in which a sign of equality escapes (RFC 2045, 6.7).

Rule of this module: each sign of equality of the text is an escape or ends a line that goes on, or
several are escapes that nobody would write by hand; else this is no mail.
"""

import quopri

from reflection_mcp.tools.identity.rule import compiled

_OTHER = r"=(?![0-9A-F]{2}|[ \t]*(?:\n|$))"
_AROUND = (
    r"(?m)^(?:--(?=[^\n]{0,60}\d)[\w'=+:./?-]{8,70}(?:--)?|"
    r"(?i:content-[a-z-]{2,30}|mime-version): .*)[ \t]*(?:\n|$)"
)
"""What stands around the parts of a mail."""


_MARK = r"=(?:\n|3D|E2=80|C[23]=)"
_ESCAPE = r"=(?:3D|E2=80|C3=|C2=)|=20$"
"""An escape that only a mailer writes; a mark is among several of them."""
_WIDTHS = range(61, 77)
"""Of a line that a mailer broke, with the sign of equality that says so."""
_LEAST = 2


def _escapes(text: str) -> int:
    """How many escapes a text holds; a line that begins with one counts once, broken or not."""
    ended = [line for line in text.split("\n") if line.endswith("=") and len(line) in _WIDTHS]
    broken = [line for line in ended if not compiled(_ESCAPE).match(line)]
    return len(compiled(_ESCAPE).findall(text)) + len(broken)


def printed(text: str) -> str:
    """The text of a quoted-printable mail; any other text as it is."""
    if "=" not in text or not compiled(_MARK).search(text):
        return text
    bare = compiled(_AROUND).sub("", text)
    goes_on = "=\n" in bare and not compiled(_OTHER).search(bare)
    if not goes_on and _escapes(bare) < _LEAST:
        return text
    return quopri.decodestring(bare.encode("utf-8", "surrogatepass")).decode("utf-8", "replace")
