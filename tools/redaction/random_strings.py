"""Strings random enough to be a key although nothing says so, and strings that only look it.

Rules of this module:

- Names are made of words, random strings are not. Cut at every change between small letters,
  capitals and digits, a name falls into pieces of four characters and more, a base-62 string into
  pieces of two (62 characters change class at six of ten places). `is_random` separates them.
- An identifier stays readable: hexadecimal digests, UUIDs, and strings after `id`, `hash`,
  `sha256:` and the like. One alphabet of letters alone, or one case with digits, is what ids are
  made of (ULID, base 32, pod names), so without a label it takes all three classes, or a length
  that no id has.
- Base64 that decodes to `user:password` is a credential however short.
"""

import re
from base64 import b64decode
from binascii import Error
from collections.abc import Iterator

from reflection_mcp.tools.redaction.letter_pairs import odd_share
from reflection_mcp.tools.regex import compiled

SHORTEST, LONGEST = 20, 256
"""Shorter strings are ids of every kind; longer ones are images, source maps and other payload."""

ODD, WORD = 0.42, 0.15
"""Share of odd pairs (`letter_pairs`): random base 62 has 0.8 on average, a word at most this."""
LONG_OF_ONE_CASE = 40
"""Of one case: a base-32 digest has up to 59 characters but neither 0, 1, 8 nor 9, a UUID 32, an id
of a node 25."""
WORDLESS = 3.0
"""Characters per piece: random base 62 has 1.9 on average, camelCase with digits 3.2 and more."""

_PIECES = r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+"
_HEXADECIMAL = r"(?:0x)?(?:[0-9a-f]+|[0-9A-F]+)(?:-[0-9a-fA-F]+)*"
_ID_OF_ONE_CASE = r"[a-z2-7]+|[A-Z2-7]+|[a-z]{2,12}1[02-9ac-hj-np-z]+"  # base 32, a payment address
_CANDIDATE = r"(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{16,}+={0,2}"
_DOTTED = r"\.[\w-]{6,10}+\.([\w-]{25,256}+)"
_MAIL_KEY = r"(?:[0-9a-z]{32}-us\d{1,2}|[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8})"
_LICENCE = r"(?:[0-9A-Z]{5}-){4}[0-9A-Z]{5}"
_CODED_PAIR = r"[\w.@+-]{2,64}:[!-~]{4,200}"

_IDENTIFIES = (
    r"(?:(?:(?<![A-Za-z])id|(?-i:Id|ID)|requestid|userid)(?:-2)?|hash|digest|checksum|fingerprint|etag|if-(?:none-)?match|cursor|revision|commit|cid|arn"
    r"|\|1\|(?:[A-Za-z0-9+/]{27}=\|)?"  # a host of known_hosts, salt and digest
    r"|public_?key|ssh-\w{3,20}|sha\d{0,3}|md5|h1|integrity|base64,|\?b\?|sha-256;|trace\w{0,12}|span)"
    r"(?:_encoded)?[\"'\])>]{0,2}(?:[ \t]{0,3}[:=,-]|[ \t])?[ \t]{0,3}"
    r"(?:[\"']?W/\\{0,3}(?=[\"']))?[\"'(\[]?"  # a weak entity tag has a mark of its own
)
_NAMES_SOMETHING = (
    r"(?:sha\d{1,3}-|AAAA[BCE]3NzaC1|AAAAE2Vj"  # digests, public ssh keys
    r"|_+Z|_R[NIC]"  # mangled C++ and Rust names
    r"|(?:msg|toolu|req|run|chatcmpl|resp|thread|asst|evt|cus|pi|ch|sub|in|price|prod|acct|txn|pm"
    r"|seti|cs|file|batch|call|conv|step|org|usr|user|srvtoolu|msgbatch|proj|vs|dpl|prj|team)[_-]"
    r"|[a-z]{2,12}_01)"
)
_PUBLIC_BLOCK = r"-----BEGIN (?![A-Z0-9 ]{0,40}PRIVATE)[A-Z0-9 ]{3,40}-----[^-]{0,65536}+"
_JOINED = r"(?<==)[\w+/-]{12,256}={0,2}|[.:|~=][\w+/-]{20,256}={0,2}"
_THREE = r"(?=[^0-9]*[0-9])(?=[^a-z]*[a-z])[^A-Z]*[A-Z]"
_ASSIGNED = (
    r"(?<![\w.-])(?![\w.-]*(?i:id|ids|hash|tag|ref|node|pod|name|container|image|version|commit|cursor"
    r"|next|digest|sha|host|path|file|url|uri|key|token|request|trace|span|build)[\"'\])]?\s*[:=])"
    r"[A-Za-z][\w.-]{2,40}[\"'\])]?[ \t]{0,4}(?::=|=>|[:=])[ \t]{0,4}[\"'`]?\Z"
)
_IDENTIFIES_RULE = rf"(?i:{_IDENTIFIES})\Z"


def random_strings(text: str) -> Iterator[tuple[str, int, int]]:
    """Kind, start and end of each unlabelled string that is too random to be a name."""
    for match in compiled(_DOTTED).finditer(text):  # Discord, Terraform Cloud
        first = compiled(r"[\w-]{14,30}\Z").search(text, max(0, match.start() - 31), match.start())
        if first and _has_random_ends(first[0], match[1]):
            yield "dotted-token", first.start(), match.end()
    public = [match.span() for match in compiled(_PUBLIC_BLOCK).finditer(text)]
    end = 0
    for match in compiled(_CANDIDATE).finditer(text):
        kind = _kind(match[0]) if match.start() >= end else ""
        if not kind and match.start() >= end and is_long_of_one_case(match[0], SHORTEST):
            kind = "random-string" if _is_assigned(text, match.start()) else ""
        if kind and not _is_public(text, match.start(), match.end(), public):
            end = _end(text, match.end())
            yield kind, match.start(), end


def _has_random_ends(first: str, last: str) -> bool:
    """Return True if the first and the last part of a dotted token are random; one may lack a
    digit."""
    parts = (first, last)
    return is_random(last) or (any(map(is_random, parts)) and min(map(odd_share, parts)) >= ODD)


def _end(text: str, end: int) -> int:
    """Return the end of the last random string of those that are joined to one that ends here."""
    while (more := compiled(_JOINED).match(text, end)) and is_random(more[0]):
        end = more.end()
    return end


def _kind(candidate: str) -> str:
    if len(candidate) > LONGEST:
        return ""
    if compiled(_MAIL_KEY).fullmatch(candidate):  # Mailchimp, Mailgun
        return "mail-key"
    if compiled(_LICENCE).fullmatch(candidate) and odd_share(candidate) >= ODD:
        return "licence-key"
    if len(candidate.rstrip("=")) >= SHORTEST and is_random(candidate):
        return (
            ""
            if compiled(r"[^\"{}:=]* [^\"{}:=]*", re.ASCII).fullmatch(_decoded(candidate))
            else "random-string"
        )
    if is_long_of_one_case(candidate):
        return "random-string"
    return "basic-auth" if is_coded_pair(candidate) else ""


def is_random(string: str) -> bool:
    """Return True if a string has a part with capitals, small letters and digits, and no words.

    `_` and `-` separate the parts: in a random string they are long, in a name short.
    """
    if string.islower() or string.isupper() or is_hexadecimal(string):
        return False
    part = max(re.split("[_-]", string), key=len)
    if "/" in part and sum(map(str.isdigit, part)) < 2:
        return False
    if len(part) < SHORTEST // 2 or not has_three_classes(part):
        return False
    if piece_length(part) > WORDLESS or piece_length(string) > WORDLESS or odd_share(part) < ODD:
        return False
    if "/" in string and any(len(w) >= 4 and odd_share(w) < WORD for w in string.split("/")):
        return False  # a path
    return odd_share(string) >= ODD


def _is_assigned(text: str, start: int) -> bool:
    """Return True if a string is the value of a name that says nothing of what it is."""
    return compiled(_ASSIGNED).search(text, max(0, start - 60), start) is not None


def is_long_of_one_case(string: str, least: int = LONG_OF_ONE_CASE) -> bool:
    """Return True if a string of digits and letters of one case is too long for an id."""
    return (
        len(string) >= least
        and string.isalnum()
        and (string.islower() or string.isupper())
        and not is_hexadecimal(string)
        and not compiled(_ID_OF_ONE_CASE).fullmatch(string)
        and piece_length(string) <= WORDLESS
        and odd_share(string) >= ODD
    )


def has_three_classes(part: str) -> bool:
    """Return True if a string has digits, small letters and capitals."""
    return compiled(_THREE).match(part) is not None


def piece_length(string: str) -> float:
    """Characters per run of one class: the larger, the more a string is made of words."""
    pieces = compiled(_PIECES).findall(string)
    return sum(map(len, pieces)) / max(len(pieces), 1)


def is_hexadecimal(string: str) -> bool:
    """Return True if a string is a digest, a UUID or another number in base 16."""
    return compiled(_HEXADECIMAL).fullmatch(string) is not None


def is_coded_pair(string: str) -> bool:
    """Return True if a string is base64 of `user:password`."""
    return compiled(_CODED_PAIR, re.ASCII).fullmatch(_decoded(string)) is not None


def _decoded(string: str) -> str:
    """Return the text of a string that is base64 of ASCII, else an empty text."""
    if len(string) % 4:
        return ""
    try:
        return b64decode(string, validate=True).decode("ascii")
    except (Error, ValueError):
        return ""


def identifies(text: str, start: int) -> bool:
    """Return True if the text before a string, or its beginning, says that it identifies
    something."""
    if compiled(_NAMES_SOMETHING).match(text, start):
        return True
    return compiled(_IDENTIFIES_RULE).search(text, max(0, start - 48), start) is not None


def _is_public(text: str, start: int, end: int, public: list[tuple[int, int]]) -> bool:
    if (
        text[end : end + 1] == "~"
        or text[start] == "/"
        or text[start - 1 : start] in ("/", "~", ".", "\\")
    ):
        return True  # a path; base64 may begin with a slash, but then it needs a label
    if any(begin < start < finish for begin, finish in public):
        return True
    return identifies(text, start)
