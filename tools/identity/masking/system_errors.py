"""Numbers of errors of an operating system, which differ from system to system.

Rule of this module: a number goes only where a system really gives it to the words beside it; the
name that the standard has for the error (`econnrefused`) stands for it then. A number that no
system gives to those words is another error, and stays.
"""

import re
from typing import NamedTuple

from reflection_mcp.tools.identity.rule import ANY_DIGIT, Match, Rule


class SystemError(NamedTuple):
    """One error: its words, the first of which stand for all, and its numbers.

    `numbers` are those of Linux, of macOS and the BSDs, and of the sockets of Windows; `windows`
    are those that Windows gives otherwise, which are other errors elsewhere.
    """

    name: str
    words: tuple[str, ...]
    numbers: tuple[int, ...]
    windows: tuple[int, ...] = ()


ERRORS: tuple[SystemError, ...] = (
    SystemError("enoent", ("no such file or directory",), (2,), (2, 3)),
    SystemError("eacces", ("permission denied",), (13,)),
    SystemError("eexist", ("file exists",), (17,)),
    SystemError("eagain", ("resource temporarily unavailable",), (11, 35, 10035)),
    SystemError("edeadlk", ("resource deadlock avoided",), (35, 11)),
    SystemError("enametoolong", ("file name too long",), (36, 63)),
    SystemError("enotempty", ("directory not empty",), (39, 66)),
    SystemError("eloop", ("too many levels of symbolic links",), (40, 62)),
    SystemError("eaddrinuse", ("address already in use",), (98, 48, 10048)),
    SystemError(
        "eaddrnotavail",
        ("cannot assign requested address", "can't assign requested address"),
        (99, 49, 10049),
    ),
    SystemError("enetunreach", ("network is unreachable",), (101, 51, 10051)),
    SystemError("econnreset", ("connection reset by peer",), (104, 54, 10054)),
    SystemError("etimedout", ("connection timed out", "operation timed out"), (110, 60, 10060)),
    SystemError("econnrefused", ("connection refused",), (111, 61, 10061)),
    SystemError("ehostunreach", ("no route to host",), (113, 65, 10065)),
    SystemError(
        "enoname",
        (
            "name or service not known",
            "nodename nor servname provided, or not known",
            "name does not resolve",
        ),
        (2, 8),
    ),
)
_BY_WORDS = {words: error for error in ERRORS for words in error.words}
"""What a pattern without case finds may be none of them: it takes a Turkish `\u0131` for an `i`."""
_BY_WINDOWS = (
    "access is denied|winerror|getaddrinfo failed|actively refused it|forcibly closed|"
    "did not properly respond|only one usage of|system cannot find"
)
"""Words that rows before these turn into the words of the table."""
_NEEDS = f"{ANY_DIGIT} {'|'.join(_BY_WORDS)}|{_BY_WINDOWS}"
_WORDS = "|".join(sorted(map(re.escape, _BY_WORDS), key=len, reverse=True))


def _denied(match: Match) -> str:
    return (
        "[Errno 13] Permission denied" if match[0][0] == "[" else "Permission denied (os error 13)"
    )


def _in_front(match: Match) -> str:
    label, number, between, words = match.groups()
    error = _BY_WORDS.get(words.casefold())
    windows = "win" in label.casefold()
    if not error or int(number) not in error.numbers + (error.windows if windows else ()):
        return match[0]
    label = label.casefold().replace("winerror", "errno") if windows else label
    return f"{label}{error.name}{between}{error.words[0]}"


def _behind(match: Match) -> str:
    words, between, number = match.groups()
    error = _BY_WORDS.get(words.casefold())
    if not error or int(number) not in error.numbers:
        return match[0]
    return f"{error.words[0]}{between}{error.name})"


SYSTEM_ERRORS: tuple[Rule, ...] = (
    Rule(
        "access that is denied, by Windows",
        "access is denied",
        r"\[WinError 5\] Access is denied|Access is denied\.? \(os error 5\)",
        _denied,
        "PermissionError: [WinError 5] Access is denied: 'a.txt'",
        "PermissionError: [Errno 13] Permission denied: 'a.txt'",
        "HTTP 403: Access is denied",
    ),
    Rule(
        "file that is there, by Windows",
        "winerror 183",
        r"\[WinError 183\] Cannot create a file when that file already exists",
        "[Errno 17] File exists",
        "[WinError 183] Cannot create a file when that file already exists: 'a'",
        "[Errno 17] File exists: 'a'",
        "[WinError 183]",
    ),
    Rule(
        "directory that holds something, by Windows",
        "winerror 145",
        r"\[WinError 145\] The directory is not empty",
        "[Errno 39] Directory not empty",
        "[WinError 145] The directory is not empty: 'a'",
        "[Errno 39] Directory not empty: 'a'",
        "[WinError 145]",
    ),
    Rule(
        "host that nobody knows, by Windows",
        "errno 11001",
        r"\[Errno 11001\] getaddrinfo failed",
        "[Errno -2] Name or service not known",
        "socket.gaierror: [Errno 11001] getaddrinfo failed",
        "socket.gaierror: [Errno -2] Name or service not known",
        "[Errno 11002] getaddrinfo failed",
    ),
    Rule(
        "number of an operating system's error",
        _NEEDS,
        r"(?i)(\[?(?:errno|winerror|os error|error)[ \]=:]{0,3})-?(\d{1,5})(?!\d)"
        r"(\]?[^\n]{0,90}?)\b(" + _WORDS + ")",
        _in_front,
        "[Errno 61] Connection refused",
        "[Errno econnrefused] connection refused",
        "[Errno 99] Connection refused",
    ),
    Rule(
        "number of an operating system's error, behind its words",
        _NEEDS,
        r"(?i)\b(" + _WORDS + r")(\.? \((?:os error |errno[ =:]{0,2})?)-?(\d{1,5})\)",
        _behind,
        "Connection refused (os error 61)",
        "connection refused (os error econnrefused)",
        "Connection refused (os error 99)",
    ),
)
