"""Colours and signs that arrive written out: `\\x1b[31m`, `^[[0m`, `\\342\\200\\230`.

Rule of this module: a terminal sequence goes, since it says nothing; a written sign becomes the
sign. What stands between quotation marks may be what the message is about, and counts only if the
same stands outside, too.
"""

import re

from reflection_mcp.tools.identity.rule import compiled

_ESCAPE = (
    r"(?:\\x1[bB]|\\0?33|\\[eE](?=\[)|\\u001[bB]|\\u\{1[bB]\}|\^\[|#033|\u241b|<(?:ESC|0x1[bB]|"
    r"1[bB])>|&#(?:27|x1[bB]);|%1[bB]|(?:ESC|[\u2190\ufffd?])(?=\[[\d;]{0,20}[mK]))"
)
_SEQUENCE = (
    _ESCAPE
    + r"(?:\[[0-9;:?]{0,40}[A-HJKSTfhlmnsu]|\][0-9]{1,3};[^\n\\^]{0,300}(?:\\x07|\\a|\^G|"
    + _ESCAPE
    + r"\\{1,2}))"
)
_ANY_SEQUENCE = r"\[(?:\??\d[\d;:]{0,40}[A-HJKSTfhlmnsu]|[mK])"
"""The end of every one of them: what it begins with is looked for only then."""
_APOSTROPHE = r"\w'\w"

_SIGNS = (
    r"(?:\\[2-3][0-7]{2}){2,4}|(?:#[2-3][0-7]{2}){2,4}|(?:\\x[89a-fA-F][0-9a-fA-F]){2,4}|"
    r"(?:<[89a-fA-F][0-9a-fA-F]>){2,4}|(?:<U\+[0-9A-F]{4,5}>)|\\u[2-9a-c][0-9a-f]{3}"
)
_BEHIND_A_BACKSLASH, _IN_BRACKETS, _BEHIND_A_HASH = (
    r"\\[23xu]",
    r"<(?:[ec][23]>|[EC][23]>|U\+)",
    r"#[23][0-7]{2}",
)
"""How a sign begins that is written out, by the first sign of it."""
_BYTE = r"[\\#]([2-3][0-7]{2})|(?:\\x|<)([89a-fA-F][0-9a-fA-F])"
_LEAST_SIGNS = 2
"""A single sign that is written out is what an error about encodings speaks of."""


def _outside_quotes(text: str, at: int) -> bool:
    before = compiled(_APOSTROPHE).sub("", text[text.rfind("\n", 0, at) + 1 : at])
    return before.count("'") % 2 == 0 and before.count('"') % 2 == 0


def without_sequences(text: str) -> str:
    """The text without terminal sequences that are written out."""
    if not compiled(_ANY_SEQUENCE).search(text):
        return text
    found = compiled(_SEQUENCE).finditer(text)
    if any(_outside_quotes(text, one.start()) for one in found):
        return compiled(_SEQUENCE).sub("", text)
    return text


def _shown(text: str) -> str:
    """What `cat -A` shows of a text: the end of each line, tabs and carriage returns."""
    text = text.replace("^M\n", "\n").replace("^M$\n", "$\n")
    lines = text.rstrip("\n").split("\n")
    if len(lines) > 1 and all(line.endswith("$") for line in lines):
        return "\n".join(line[:-1].removesuffix("^M") for line in lines).replace("^I", "\t")
    return text


def _sign(found: re.Match[str]) -> str:
    written = found[0]
    if written.startswith(("\\u", "<U+")):
        return chr(int(written[2:].strip("+>"), 16))
    octals_and_hexes = compiled(_BYTE).findall(written)
    numbers = (int(octal, 8) if octal else int(hexa, 16) for octal, hexa in octals_and_hexes)
    try:
        return bytes(numbers).decode()
    except ValueError:
        return written


def _holds_written(text: str) -> bool:
    """Whether a sign may be written out; asked of every text, so by the first sign first."""
    return (
        ("<" in text and compiled(_IN_BRACKETS).search(text) is not None)
        or ("#" in text and compiled(_BEHIND_A_HASH).search(text) is not None)
        or ("\\" in text and compiled(_BEHIND_A_BACKSLASH).search(text) is not None)
    )


def with_signs(text: str) -> str:
    """The text with each sign that its bytes or its number stood for."""
    if ("$" in text or "^" in text) and ("$\n" in text or "^M\n" in text):
        text = _shown(text)
    if _holds_written(text):
        found = list(compiled(_SIGNS).finditer(text))
        if len(found) >= _LEAST_SIGNS and any(_outside_quotes(text, one.start()) for one in found):
            text = compiled(_SIGNS).sub(_sign, text)
    return text
