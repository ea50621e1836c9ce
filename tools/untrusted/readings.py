"""Readings of a disguised text, as a model may read it where a pattern does not match.

Rules: pure, linear, and one level deep. A reading is checked and never shown. Letters that only
look like Latin ones, other forms of letters, accents, emphasis, spacing, and the usual encodings
are removed; plain words stay as they are. Leet, rot13 and paraphrase pass: this finds known tricks,
and is no proof of innocence.
"""

import base64
import binascii
import html
import re
import unicodedata
from collections.abc import Iterator
from urllib.parse import unquote

MOST_DECODED = 20  # encoded pieces of one text that are looked into

_LOOK_ALIKES = str.maketrans(
    # Cyrillic, Greek, small capitals
    "аеорсухіјѕԁɡһӏАВЕКМНОРСТХІЈЅοανρικτυχγΑΒΕΖΗΙΚΜΝΟΡΤΥΧɪɢɴᴏʀᴇᴀʟᴘᴠᴜᴛᴄᴅʙʏʜᴍᴋᴡ",
    "aeopcyxijsdghlabekmhopctxijsoavpiktuxyabezhikmnoptyxignorealpvutcdbyhmkw",
)
_EMPHASIS = re.compile(r"[*_`~]")
_SPACED = re.compile(r"(?<!\w)\w(?:[ .\-]\w){3,}(?!\w)")
_BLANKS = re.compile(r"\s+")
_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})")
_BASE64 = re.compile(r"(?<![\w+/])[A-Za-z0-9+/]{24,4000}={0,2}(?![\w+/=])")
_HEX = re.compile(r"(?<![0-9a-fA-F])(?:[0-9a-fA-F]{2}){16,2000}(?![0-9a-fA-F])")


def readings(plain: str) -> Iterator[str]:
    """Yield the readings of a text, each once; the plain text too, where nothing had to be done."""
    seen: set[str] = set()
    for each in (plain, *_decoded(plain)):
        for reading in (folded(each), folded(each.translate(_LOOK_ALIKES))):
            if reading not in seen:
                seen.add(reading)
                yield reading


def folded(text: str) -> str:
    """Return plain letters on one line: no accents, no emphasis, no spaced-out letters."""
    bare = text
    if not text.isascii():
        letters = unicodedata.normalize("NFKD", text)
        bare = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return _BLANKS.sub(" ", _SPACED.sub(_joined, _EMPHASIS.sub("", bare)))


def _joined(spaced: re.Match[str]) -> str:
    return re.sub(r"[ .\-]", "", spaced[0])


def _decoded(text: str) -> Iterator[str]:
    """Yield the text in entities, percent encoding, escapes, base64 or hexadecimal."""
    if "&" in text:
        yield html.unescape(text)
    if "%" in text:
        yield unquote(text)
    if "\\u" in text:
        yield _ESCAPED.sub(lambda code: chr(int(code[1], 16)), text)
    for number, piece in enumerate(_BASE64.finditer(text)):
        if number < MOST_DECODED:
            yield from _words(_from_base64(piece[0]))
    for number, piece in enumerate(_HEX.finditer(text)):
        if number < MOST_DECODED:
            yield from _words(bytes.fromhex(piece[0]))


def _from_base64(piece: str) -> bytes:
    try:
        return base64.b64decode(piece + "=" * (-len(piece) % 4))
    except binascii.Error:
        return b""


def _words(raw: bytes) -> Iterator[str]:
    """Yield the bytes as text, if a person could have written it."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        return
    if " " in text and text.isprintable():
        yield text
