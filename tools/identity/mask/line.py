"""The canonical form of one line.

Rule of this module: what a piece is, is decided by its shape and the word before it, not by the
wording of a tool; only the slots and wordings of the rule files know tools.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from reflection_mcp.tools.identity.mask.numbers import (
    DATA,
    LOOPBACK,
    is_status,
    names_itself,
    port_of,
    statuses_compared,
    without_stamps,
)
from reflection_mcp.tools.identity.mask.paths import path_masked, url_masked
from reflection_mcp.tools.identity.mask.wordings import reworded
from reflection_mcp.tools.identity.regex import compiled, has_digit
from reflection_mcp.tools.identity.rules.vocabulary import phrases, words

_SPLIT = r"([=,;#()\[\]{}<>\"'|!?&*]+|:+(?!\\)|\.{2,}|(?<=\w)\.(?=$|[\s,;:)]))"
_AT_LINE = (
    r"(?i)[,;(]?\s?(?:\b(?:on|at|in|near) )?\b(?:line|row"
    r"|ln)s?\s?[:#]?\s?\d{1,7}(?:-\d{1,7})?(?:(?:,| and|:)? ?(?:col(?:umn)?"
    r"|char(?:acter)?|position)?[:.]? ?\d{1,7})?\)?"
    r"|,? \(?(?:at )?col(?:umn)? \d{1,7}\)?|\bat (?:character|char|position"
    r"|offset) \d{1,9}"
)
_DRIVE = r"(?<![A-Za-z])[A-Za-z]:(?=[\\/])(?!//)"
_WINDOWS = r"(?:(?<![A-Za-z])[A-Za-z]:)[\\/]{1,2}(?:[\w.@+~$%{}() -]{1,80}[\\/]{1,2})+"
_REMOTE = r"(?:\b[\w.-]{1,60}@)?\b([\w-]{1,60}(?:\.[\w-]{1,60}){1,6}):[\w./~-]{1,200}\.git\b"
_ADDRESS = (
    r"\[?(?:[0-9a-fA-F]{1,4}:){2,7}[0-9a-fA-F]{0,4}\]?(?=:\d{2,5}\b|\]|$)"
    r"|(?<![\w:])::1?(?![\w:])"
)
_MAIL = (
    r"(?<![\w.+-])(?!git@)[\w.+-]{1,80}@[\w-]{1,80}(?:\.[\w-]{1,40}){0,3}\.[a-z]{2,12}"
    r"\b(?!\.\d)"
)
_GIT_USER = r"\bgit@"
_TAIL = (
    r"\s{0,3}\((?:(?:[/~.]|[A-Za-z]:)?[^()\s]{0,200}[\\/][^()\s]{0,200}\.\w{1,6}(?::\d"
    r"+)?|(?:[/~]|[A-Za-z]:[\\/])[^()\s]{1,300}"
    r"|_\w{1,40}\.c:\d{1,6})(?:\)?['\")\s.>]{0,4}$|\)(?=[.,]\s))"
)
"""A file in brackets at the end of a message: where it was raised from."""
_SHAPE = r"\b[1-9]\d{0,8}(?:x\d{1,9}){1,6}\b"
_HIDDEN = (
    r"(?<![\w.*])(?:(?:[xX]{1,12}|\*{1,12})\.){2,4}[xX*]{1,12}(?![\w.])"
    r"|(?<!\w)[xX]{3,40}(?!\w)|(?<=[\s/])\*{3,40}(?=[\s/])"
)
"""What somebody hid before pasting."""
_SIGN = (
    r"(?:(?<=[^\w'\"]['\"])(?=[^\w\s'\"]{1,3}['\"](?!\w))"
    r"|(?<=expected )(?=[^\w\s'\"<]{1,2}(?:[, ]|$)))([^\w\s'\"]{1,3})"
)
"""A sign that a parser stumbled over, in quotes or behind `expected`."""
_LEAST_DIGEST = 18
_DIGEST = (
    r"(?i:\b(?:sha-?\d{1,3}|md5|h1)[:-])[A-Za-z0-9+/_-]{16,100}={0,2}"
    r"|(?<![\w+/-])(?=[A-Za-z0-9]{32})(?=\w{0,100}\d)(?=\w{0,100}[a-z])(?=\w{0,100}[A-Z])[A-Za-z0-9]{32,100}(?![\w+/-])"
)
"""What was computed from some bytes, or drawn, in more letters than a name has."""
_IP = r"\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]{1,4}"
_QUERY = r"(?<=[\w/])\?[\w%.~\[\]-]{1,60}=[^\s'\")\]]{0,500}"
_RUNS = r"<\*>(?:(?: ?[,x/:-] ?| )?<\*>)+"


_AT_FILE = (
    r"(?i)(\.([a-z]\w{0,14})['\"]?)(?::\d{1,7}(?::\d{1,7})?(?:-\d{1,7}(?::\d{1,7})?)?(?![\d.])"
    r"|\s?\(\d{1,7}(?:,\s?\d{1,7}){0,3}\)|:\[\d+,\d+\]|: \(\d+, \d+\)|#L\d{1,7}|:\s\d{1,7}(?=: ))"
)
"""A position behind what may be the name of a file."""


_RELEASE = (
    r"[\"'`(]{0,2}(?P<sign>[<>=~^!]{1,2}|go|v)?\d{1,3}(?P<dotted>(?:\.\d{1,4}){1,2})?"
    r"(?:,?[<>=~^!]{1,2}\d{1,3}(?:\.\d{1,4}){0,2}){0,2}[\"'`).,:;]{0,4}"
)
_MOST_RELEASES = 4
"""A line with more versions is a list of what exists."""


def _misfits(line: str) -> bool:
    """Whether a line says that versions do not fit: the one it asks for is then part of the
    error."""
    return any(map(line.casefold().__contains__, phrases("misfit inside")))


def _releases(chunks: Sequence[str]) -> frozenset[int]:
    """The places of the versions that such a line asks for; the one that this machine has is
    data."""
    found: list[int] = []
    for at, chunk in enumerate(chunks):
        if not has_digit(chunk) or not (match := compiled(_RELEASE).fullmatch(chunk)):
            continue
        before = chunks[at - 1] if at else ""
        named = "_" not in before and (
            before[:1].isupper() or before.rstrip(":").endswith(("ersion", "ersions", "rotocol"))
        )
        if not (match["sign"] or match["dotted"] or named or (chunk[0] == "(" and ")" in chunk)):
            continue
        follows = chunks[at + 1].casefold() if at + 1 < len(chunks) else ""
        if follows in words("words after an owner") | words("units") or _is_owned(
            chunks[max(0, at - 4) : at]
        ):
            continue
        found.append(at)
    return frozenset(found if len(found) <= _MOST_RELEASES else ())


def _is_owned(before: Sequence[str]) -> bool:
    """Whether the words before a version say that this machine has it."""
    for word in reversed(before):
        bare = word.strip("\"'`.,:;()").casefold()
        if bare in words("words of a want"):
            return False
        if bare in words("words of an owner"):
            return True
    return False


def _without_position(match: re.Match[str]) -> str:
    return match[1] if match[2].casefold() in words("extensions") else match[0]


def _word_of(text: str) -> str:
    """The last word of some text, as a code word is written."""
    word = text.rstrip(" :=-#([{'\"<").rpartition(" ")[2]
    return word.lstrip("([{'\"<").casefold()


def _pieces(chunk: str, before: str, rest: str, after: str, statuses: bool) -> str:
    """A chunk with digits or slashes in it, piece by piece."""
    parts = compiled(_SPLIT).split(chunk)
    out: list[str] = []
    word = before
    kept = addressed = False
    for at, piece in enumerate(parts):
        if at % 2 or not piece:
            out.append(piece)
            continue
        mark = out[-1] if out else ""
        if "/" in piece or "\\" in piece:
            after_it = "".join(parts[at + 1 :]) + " " + rest
            if word in words("code words") and piece[0].isdigit():
                out.append(piece)
                continue
            piece = path_masked(piece, after_it, word) if piece.strip("/\\") else piece
        elif piece in LOOPBACK:
            piece = "<lo>"
        elif has_digit(piece):
            number = piece.lstrip("-+")
            if number.isdigit() and len(number) <= 6:
                host = out[-2] if len(out) > 1 and mark == ":" else ""
                if mark == ":::":
                    host, out[-1] = "<lo>", "<lo>:"
                if (statuses and len(number) == 3) or (
                    piece[0] == "-" and not rest and at == len(parts) - 1
                ):
                    pass
                elif (
                    word in words("code words")
                    or word == "port"
                    or mark == "(#"
                    or (kept and mark.startswith((" (", "(")))
                ):
                    piece = port_of(piece) if word == "port" else piece
                elif (before == "<address>" and len(number) > 1) or (
                    host
                    and (
                        host == "<lo>"
                        or (host == DATA and addressed)
                        or "." in host
                        or (len(number) > 3 and host[-1:].isalpha())
                    )
                    and len(number) > 1
                ):
                    piece = port_of(piece)
                elif not (is_status(number, after) and at >= len(parts) - 2):
                    piece = DATA
                kept = piece != DATA
            elif word == "no_pubkey":
                pass
            elif piece[:2] in ("0x", "0X") or (len(piece) == 8 and piece.isalnum()):
                code = word in words("code words") or piece.casefold().startswith(
                    ("0x800", "0xc00")
                )
                piece = piece if code and len(piece) in (8, 10) else names_itself(piece)
            else:
                addressed = compiled(_IP).fullmatch(piece) is not None
                piece = names_itself(piece, mark[-1:] in ("'", '"'))
        if piece and piece != DATA:
            word = piece.casefold() if piece.replace("_", "").isalpha() else word if kept else ""
            word = word.rpartition("_")[2]
        out.append(piece)
    return "".join(out)


def _canonical(line: str) -> str:
    if "://" in line:
        line = url_masked(line)
    if "xx" in line or "X.X" in line or "x.x" in line or "***" in line:
        line = compiled(_HIDDEN).sub(DATA, line)
    if "@" in line:
        line = compiled(_REMOTE).sub(r"\1", line)
        line = compiled(_GIT_USER).sub("", compiled(_MAIL).sub(DATA, line))
    if ":\\" in line or ":/" in line:
        line = compiled(_WINDOWS).sub("//", line) if " " in line else compiled(_DRIVE).sub("", line)
    numbers = has_digit(line)
    if "(" in line and ("/" in line or "\\" in line or ".c:" in line):
        line = compiled(_TAIL).sub("", line)
    if numbers:
        line = (
            compiled(_AT_LINE).sub("", line)
            if "l" in line or "L" in line or "at c" in line
            else line
        )
        line = compiled(_AT_FILE).sub(_without_position, line)
        if ":" in line or "-" in line or "/" in line:
            line = without_stamps(line)
            if "::" in line or line.count(":") > 2:
                line = compiled(_ADDRESS).sub("<lo>", line)
        if "?" in line and "=" in line:
            line = compiled(_QUERY).sub("", line)
        if "x" in line:
            line = compiled(_SHAPE).sub(DATA, line)
        if len(line) > _LEAST_DIGEST:
            line = compiled(_DIGEST).sub(DATA, line)
    out: list[str] = []
    chunks = line.split()
    statuses = numbers and statuses_compared(line)
    wanted = _releases(chunks) if numbers and _misfits(line) else frozenset[int]()
    word = before = ""
    for at, chunk in enumerate(chunks):
        if at in wanted:
            before, word = word, ""
            out.append(chunk)
            continue
        if chunk.isalpha():
            if chunk.casefold() in words("units") and out and out[-1].endswith(DATA):
                continue
            word, before = chunk.casefold(), word
            out.append("<lo>" if word == "localhost" else chunk)
            continue
        if "/" in chunk or "\\" in chunk or "localhost" in chunk or has_digit(chunk):
            after = chunks[at + 1] if at + 1 < len(chunks) else ""
            code = word if word not in ("with", "of", "was", "is", "version") else before
            chunk = _pieces(
                chunk,
                code,
                " ".join(chunks[at + 1 : at + 4]),
                after.strip(".,:;)(").casefold(),
                statuses,
            )
            if chunk[-1:] == "," and ("<lo>" in chunk or DATA in chunk) and chunk[0] in "(['\"":
                before, word = word, "<address>"
                out.append(chunk)
                continue
        out.append(chunk)
        before, word = word, _word_of(chunk)
    return " ".join(out)


_ADVISED = (
    r"(?<=[.!)]) {1,2}(?:Either|[Ss]ee|[Vv]isit|[Pp]lease|[Ff]or (?:more|further|details"
    r"|information)|[Rr]ead|[Cc]heck"
    r"|[Cc]onsider|[Tt]ry|[Rr]efer|[Ll]earn|[Rr]un|If you|[Mm]ake sure|Did you"
    r"|You (?:can|may|might|should)"
    r"|[Uu]se|Perhaps|Maybe) .*$|,? [Pp]lease (?:make|check|read|see|consult|try|file"
    r"|run|verify|ensure) .*$"
)
_LEAST_SAID = 24
"""So many characters are left of a line before the advice at its end goes."""


def _unadvised(line: str) -> str:
    """A line without the advice that ends it."""
    match = compiled(_ADVISED).search(line, _LEAST_SAID)
    return line[: match.start()] if match else line


@lru_cache(maxsize=128)
def masked(line: str) -> str:
    """The canonical form of one line: casefolded, without quotes, data as `<*>`."""
    line = (
        compiled(_SIGN).sub(r"<\1>", line)
        if "'" in line or '"' in line or "expected" in line
        else line
    )
    line = _canonical(reworded(_unadvised(line)))
    line = line.replace("'", "").replace('"', "").replace("**", "")
    if DATA in line:
        line = compiled(_RUNS).sub(DATA, line)
        line = line.replace(f"({DATA})", "").replace("(<lo>)", "")
    line = " ".join(line.replace("::", ":").split() if ":: " in line else line.split()).strip(
        " .|,;_"
    )
    if line[:1] == "[" and line[-1:] == "]" and line.count("[") == 1:
        line = line[1:-1].strip(" .")
    return line.casefold()
