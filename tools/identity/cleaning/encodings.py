"""Undoes what a wrong encoding did to a text: quotation marks that became three signs each.

Rules of this module: what is undone must be UTF-8 to the last byte, and stand for signs that tools
print. A sequence of three bytes or more is believed alone; a shorter one, which could be two
letters of some language, only in a line of which all else that is not ASCII is of the same kind.
"""

import re
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from reflection_mcp.tools.identity.rule import compiled


class Reading(NamedTuple):
    """An encoding that UTF-8 is read in by mistake: `example` becomes `becomes`, `other` stays.

    `pairs` are the first bytes of the sequences of two that are believed in it.
    """

    encoding: str
    pairs: bytes
    example: str
    becomes: str
    other: str


_WESTERN, _CYRILLIC = b"\xc2\xc3", b"\xd0\xd1"
READINGS: tuple[Reading, ...] = (
    Reading(
        "cp1252",
        _WESTERN + b"\xc4\xc5\xc6\xcb" + _CYRILLIC,
        "\u00e2\u20ac\u02dca\u00e2\u20ac\u2122",
        "\u2018a\u2019",
        "\u00bbSpa\u00df\u00ab",
    ),
    Reading(
        "cp437",
        _WESTERN,
        "\u0393\u00c7\u00ffa\u0393\u00c7\u00d6",
        "\u2018a\u2019",
        "\u251c\u2500 \u0393",
    ),
    Reading(
        "cp850",
        _WESTERN,
        "\u00d4\u00c7\u00ffa\u00d4\u00c7\u00d6",
        "\u2018a\u2019",
        "C\u00d4T\u00c9",
    ),
    Reading(
        "mac_roman",
        _WESTERN,
        "\u201a\u00c4\u00f2a\u201a\u00c4\u00f4",
        "\u2018a\u2019",
        "\u201aa\u2018",
    ),
    Reading(
        "cp1251",
        _WESTERN + _CYRILLIC,
        "\u0432\u201d\u201a a",
        "\u2502 a",
        "\u0432 \u201e\u0430\u201c",
    ),
    Reading(
        "cp866",
        _WESTERN,
        "\u0442\u0410\u0428a\u0442\u0410\u0429",
        "\u2018a\u2019",
        "\u0442\u0438\u043f",
    ),
    Reading(
        "cp1250",
        _WESTERN,
        "\u00e2\u20ac\u017ea\u00e2\u20ac\u015b",
        "\u201ea\u201c",
        "\u201e\u0159\u00e2\u010d\u201c",
    ),
)
"""Read one after the other; what undoes nothing costs one search."""

_TOOLS_PRINT = (
    "[\u0080-\u017f\u0192\u02c6\u02dc\u0400-\u04ff\u2010-\u2027\u202f-\u205e\u20ac\u2100-\u27bf"
    "\ufe0f\ufeff\ufffd\U0001f000-\U0001faff]+"
)
"""Signs in the output of tools: letters, quotation marks, arrows, boxes, pictures."""

_CUT: tuple[tuple[str, str], ...] = (
    ("\u00e2\u20ac", '"'),
    ("\u00e2\u2014", "\u25cf"),
    ("\u00e2\u2022", "\u2550"),
    ("\u00e2\u2020", "\u2190"),
    ("\u0432\u0402", "'"),
)
"""Sequences whose last byte stands for nothing in the wrong encoding and was dropped."""
_DOUBLE_BYTES: tuple[tuple[str, str], ...] = (("gbk", "\u9225"), ("cp932", "\u7ab6"))
"""Encodings that take two bytes for a sign, and the sign that begins every quotation mark."""
_THREE, _FOUR = b"\xe2\xef", b"\xf0"
"""First bytes of the sequences of three and of four bytes that tools print."""
_GOING_ON = bytes(range(0x80, 0xC0))
_TWICE = 2


@cache
def _bytes_of(encoding: str) -> dict[int, int]:
    """The byte that each sign stands for; bytes without a sign stand for themselves."""
    found = {byte: byte for byte in range(0x80, 0x100)} if encoding == "cp1252" else {}
    for byte in range(0x80, 0x100):
        sign = bytes((byte,)).decode(encoding, "ignore")
        if sign:
            found[ord(sign)] = byte
    return found


@cache
def _class(encoding: str, wanted: bytes) -> str:
    signs = (chr(sign) for sign, byte in _bytes_of(encoding).items() if byte in wanted)
    return "[" + "".join(map(re.escape, sorted(signs))) + "]"


@cache
def _alone(encoding: str) -> re.Pattern[str]:
    """One sequence of three bytes or four."""
    on = _class(encoding, _GOING_ON)
    return compiled(f"{_class(encoding, _THREE)}{on}{on}|{_class(encoding, _FOUR)}{on}{on}{on}")


@cache
def _pair(reading: Reading) -> re.Pattern[str]:
    """One sequence of two bytes."""
    return compiled(_class(reading.encoding, reading.pairs) + _class(reading.encoding, _GOING_ON))


@cache
def _whole_line(reading: Reading) -> re.Pattern[str]:
    """A line of which all that is not ASCII is sequences."""
    alone = _alone(reading.encoding).pattern
    return compiled(rf"(?:[\x00-\x7f]++|{_pair(reading).pattern}|{alone})*")


def _undone(encoding: str) -> Callable[[re.Match[str]], str]:
    signs = _bytes_of(encoding)

    def undone(found: re.Match[str]) -> str:
        try:
            text = bytes(signs.get(ord(sign), ord(sign)) for sign in found[0]).decode()
        except ValueError:
            return found[0]
        odd = "".join(sign for sign in text if not sign.isascii())
        return text if compiled(_TOOLS_PRINT).fullmatch(odd) else found[0]

    return undone


def _read_again(line: str, reading: Reading) -> str:
    undone = _undone(reading.encoding)
    if _pair(reading).search(line) and _whole_line(reading).fullmatch(line):
        line = _pair(reading).sub(undone, line)
    read = _alone(reading.encoding).sub(undone, line)
    return line if read == line else _pair(reading).sub(undone, read)


def _of_two_bytes(text: str, encoding: str, sign: str) -> str:
    """A quotation mark took half of the next sign with it; what was lost stands as `?`."""

    def undone(found: re.Match[str]) -> str:
        taken = found[1].encode(encoding, "ignore")
        if len(taken) < _TWICE:
            return "'"
        return (b"\xe2\x80" + taken).decode("utf-8", "ignore")

    return compiled(sign + r"([^\n])").sub(undone, text)


@cache
def _first() -> re.Pattern[str]:
    """The first sign of all that is suspicious: cheap to look for, and few texts hold one."""
    first = (_class(each.encoding, each.pairs + _THREE + _FOUR)[1:-1] for each in READINGS)
    return compiled("[" + "".join((*first, *(sign for _, sign in _DOUBLE_BYTES))) + "]")


@cache
def _suspicious() -> re.Pattern[str]:
    """A first byte and one that goes on, in any of the encodings."""
    pairs = (
        _class(reading.encoding, reading.pairs + _THREE + _FOUR)
        + _class(reading.encoding, _GOING_ON)
        for reading in READINGS
    )
    return compiled("|".join((*pairs, *(sign for _, sign in _DOUBLE_BYTES))))


def in_utf8(text: str) -> str:
    """The text, read as UTF-8 where it was read otherwise, once or twice."""
    for _ in range(_TWICE):
        if not _first().search(text) or not _suspicious().search(text):
            return text
        for encoding, sign in _DOUBLE_BYTES:
            if sign in text:
                text = _of_two_bytes(text, encoding, sign)
        for reading in READINGS:
            if _alone(reading.encoding).search(text) or _pair(reading).search(text):
                text = "\n".join(_read_again(line, reading) for line in text.split("\n"))
    for cut, sign in _CUT:
        text = text.replace(cut, sign)
    return text
