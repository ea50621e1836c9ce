"""Pieces with digits in them: which are data and which name the fault.

Rule of this module: a number is data unless a word before it says that it is a code (exit, status,
errno, port ...) or it is part of a name that people give (`int64`, `TS2304`, `utf-8`).
"""

from functools import lru_cache

from reflection_mcp.tools.identity.regex import compiled, has_digit
from reflection_mcp.tools.identity.rules.vocabulary import words

DATA = "<*>"
EPHEMERAL = 32_768
"""Ports from here on are drawn by the system (RFC 6056; Linux begins here)."""
LOOPBACK = frozenset(
    ("localhost", "127.0.0.1", "0.0.0.0", "::1", "[::1]", "::", "host.docker.internal")
)

_NAMED = (
    r"[A-Z]{1,10}[-_]?\d{2,6}[A-Z]?|v\d{3}|[A-Z]{2,10}(?:-[A-Z0-9]{2,10}){0,2}-\d{2,7}|GHSA(?:-\w{4}){3}|"
    r"(?:sha|md|utf|base|ascii|latin|iso|x|i|u|f|int|uint|float|complex|amd|arm|http"
    r"|ipv|py|python|node|es|vue|next|bs|rgb|log|oauth|s|k|c|h|win|jdk|cuda|cu|gpt"
    r"|lib\w{0,20})-?_?\d{1,3}(?:_\d{2})?|log4j\d?"
)
"""Names that end in a number: TS2304, ORA-00942, E0382, int64, utf-8."""
_VERSION = r"[v=~^<>]{0,3}\d{1,10}(?:\.\d{1,10}){1,5}(?:[-+.]?[A-Za-z][\w.+-]{0,60})?|v\d{1,4}"
_RELEASE = r"v\d{1,3}(?:\.\d{1,3}){1,2}"
_HEX = (
    r"(?:@?0[xX][0-9a-fA-F]{1,40})|(?=[0-9a-fA-F]{0,63}\d)(?=\d{0,63}[a-fA-F])[0-9a-fA"
    r"-F]{7,64}|[0-9A-F]{8}"
)
_UUID = r"(?i)\{?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\}?"
_REQUEST = (
    r"(?:req|org|msg|toolu|run|job|cus|sess|call|chatcmpl|proj|acct|pod|i|vpc|subnet"
    r"|sg|ami|arn|evt|ch|pi|sub|user)[_-](?=\w{0,40}\d)[A-Za-z0-9_-]{4,80}"
    r"|sk-[\w*-]{1,80}"
)
_SHARED_OBJECT = r"([A-Za-z][\w+]*(?:-[A-Za-z][\w+]*)*?)(?:-[\d.]+)?\.so(?:\.\d+)*"
_DRAWN = (
    r"(?<![A-Za-z0-9])(?:[A-Za-z]{0,20}\d{1,20}[A-Za-z]{1,20}\d{1,20}[A-Za-z]{1,20}\d\w{0,60}"
    r"|(?=\w{6})(?![A-Za-z]{2,9}\d[A-Za-z]{2,9}\d\b|[A-Za-z]{2,9}\d[A-Za-z]{2,9}\d_)[A-Za-z]{1,20}\d{1,20}[A-Za-z]{1,20}\d{1,20}[A-Za-z]{0,20})(?![A-Za-z0-9"
    r"])|(?<=\w-)(?=[a-z]{0,4}\d)[bcdfghjklmnpqrstvwxz24-9]{5}(?![\w.-])"
)
"""Letters and digits in turn, or the random suffix without vowels that Kubernetes gives a pod: no
person chooses such a name."""
_COUNTED = r"(?<=[-_.#])\d{1,60}(?![A-Za-z])|\d{3,60}"
_LONG_COUNT = r"\d{3,60}"
_QUANTITY = (
    r"[-+]?\d{1,20}(?:[.,]\d{1,20})*(?:ns|us|ms|s|sec|secs|m|min|h|d"
    r"|[KMGTkmgt]i?[Bb]?|B|bytes|%|x|px|px|em|k|Hz|GHz|st|nd|rd|th)"
)
_STAMP = (
    r"\d{4}[-/]\d\d[-/]\d\d(?:[T _]\d\d[:_]\d\d(?:[:_]\d\d)?(?:[.,_]\d{1,9})?(?:Z"
    r"|[+-]\d\d:?\d\d)?)?"
    r"|(?<![\d.:])\d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?(?![\d:])"
    r"|\d{1,2}-(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}-\d{2,4}"
)


def without_stamps(text: str) -> str:
    """The text with data in place of dates and times of day."""
    return compiled(_STAMP).sub(DATA, text)


def port_of(digits: str) -> str:
    """A port that names a service as it is, a drawn one as data."""
    return digits if int(digits) < EPHEMERAL else DATA


def statuses_compared(line: str) -> bool:
    """Whether an assertion compares two statuses of HTTP, or one with a word for it."""
    numbers = [
        number
        for number in compiled(r"(?<![\d.])\d{3}(?!\.?\d)").findall(line)
        if number in words("statuses")
    ]
    return len(numbers) > 1 or (
        len(numbers) == 1
        and compiled(r"(?i)^\W*(?:expected|received|actual|got|left|right|status)\b").match(line)
        is not None
    )


def is_status(number: str, after: str) -> bool:
    """Whether a number is a status of HTTP, by the word after it (`404 Not Found`)."""
    return (
        len(number) == 3 and number[0] in "45" and after.casefold() in words("words after a status")
    )


@lru_cache(maxsize=128)
def names_itself(piece: str, quoted: bool = False) -> str:
    """A piece of letters and digits: a code or a name stays, what is counted or drawn is data."""
    if not has_digit(piece):
        return piece
    if ".so" in piece and (shared := compiled(_SHARED_OBJECT).fullmatch(piece)):
        return f"{shared[1]}.so"
    bare = piece.lstrip("+-")
    if bare.isdigit() or bare.replace(".", "").replace(",", "").replace("_", "").isdigit():
        return DATA
    if compiled(_NAMED).fullmatch(piece) or (quoted and compiled(_RELEASE).fullmatch(piece)):
        return piece
    for shape in (_VERSION, _QUANTITY, _UUID, _HEX, _REQUEST):
        if compiled(shape).fullmatch(piece):
            return DATA
    if piece[0].isdigit() and "." not in piece and "_" not in piece:
        return DATA
    if "@" in piece[1:]:
        name, _, version = piece.rpartition("@")
        return f"{names_itself(name)}@{names_itself(version)}" if version else piece
    drawn = compiled(_DRAWN).sub(DATA, piece)
    if "." in drawn or "-" in drawn:
        parts = compiled(r"([.-])").split(drawn)
        if any(compiled(_HEX).fullmatch(part) for part in parts):
            drawn = "".join(DATA if compiled(_HEX).fullmatch(part) else part for part in parts)
        elif all(
            part == "" or part in ".-" or compiled(_NAMED).fullmatch(part) or not has_digit(part)
            for part in parts
        ):
            return drawn
    return compiled(_LONG_COUNT if quoted and piece[0].isalpha() else _COUNTED).sub(DATA, drawn)
