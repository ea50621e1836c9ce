"""One message in the words of several operating systems, and in several spellings.

Rule of this module: see the package; a row here joins spellings of a word that mean the same in
any message.
"""

from reflection_mcp.tools.identity.rule import Match, Rule

_NOT = {"ca": "cannot", "wo": "will not", "sha": "shall not"}


def _spelled(match: Match) -> str:
    return _NOT.get(match[1].casefold(), f"{match[1]} not")


def _joined(match: Match) -> str:
    return " ".join(filter(None, (*match.groups()[:3], match[6], match[7]))) + "".join(
        filter(None, (match[4], match[5], match[8], match[9]))
    )


SYSTEMS: tuple[Rule, ...] = (
    Rule(
        "connection that is refused, by Windows",
        "actively refused it",
        r"No connection could be made because the target machine actively refused it",
        "Connection refused",
        "connectex: No connection could be made because the target machine actively refused it.",
        "connectex: Connection refused.",
        "it refused it",
    ),
    Rule(
        "connection that is reset, by Windows",
        "forcibly closed by the remote host",
        r"An existing connection was forcibly closed by the remote host",
        "Connection reset by peer",
        "[WinError 10054] An existing connection was forcibly closed by the remote host",
        "[WinError 10054] Connection reset by peer",
        "closed by the remote host",
    ),
    Rule(
        "connection that times out, by Windows",
        "did not properly respond",
        r"A connection attempt failed because the connected party did not properly respond after a "
        r"period of time, or established connection failed because connected host has failed to "
        r"respond",
        "Connection timed out",
        "A connection attempt failed because the connected party did not properly respond after a "
        "period of time, or established connection failed because connected host has failed to "
        "respond",
        "Connection timed out",
        "it did not properly respond",
    ),
    Rule(
        "address that is in use, by Windows",
        "only one usage of each socket address",
        r"Only one usage of each socket address \([^)\n]{1,60}\) is normally permitted",
        "address already in use",
        "bind: Only one usage of each socket address (protocol/network address/port) is normally "
        "permitted.",
        "bind: address already in use.",
        "Only one usage of it",
    ),
    Rule(
        "file that is not there, by Windows",
        "the system cannot find the",
        r"The system cannot find the (?:file|path) specified",
        "No such file or directory",
        "open a.txt: The system cannot find the file specified.",
        "open a.txt: No such file or directory.",
        "The system cannot find it",
    ),
    Rule(
        "call of a socket, by what Go says on each system",
        ": connect: |: connectex: |: getsockopt: ",
        r"(?<=: )(?:connectex|getsockopt): (?=[Cc]onnection|[Nn]o route|[Oo]peration|i/o)",
        "connect: ",
        "dial tcp 10.0.0.7:5432: getsockopt: connection refused",
        "dial tcp 10.0.0.7:5432: connect: connection refused",
        "getsockopt: x",
    ),
)

SPELLINGS: tuple[Rule, ...] = (
    Rule(
        "short form of a word and not",
        "n't",
        r"(?i)\b(ca|wo|sha|could|would|should|does|do|did|is|was|are|were|has|have|had|must|need)"
        r"n't\b",
        _spelled,
        "it couldn't be found",
        "it could not be found",
        "n't",
    ),
    Rule(
        "what cannot be done",
        "unable to |not able to |could not |couldn't |can not ",
        r"(?i)\b(?=[iawcun])(?:(?:(?:is|are|was|were) )?(?:currently )?(?:unable to|not able to)\b|"
        r"(?:could|can) not\b(?= [a-z]))",
        "cannot",
        "it was unable to connect",
        "it cannot connect",
        "it could, not would",
    ),
    Rule(
        "words with and without a hyphen",
        "up-to-date|non-zero|time-out|timed-out|read-only|pre-built|re-use|file name|host name",
        r"(?i)\b(up)-(to)-(date)\b|\b(non|pre|re)-(zero|built|use)\b|\b(read|timed)-(only|out)\b|"
        r"\b(file|host) (name)\b",
        _joined,
        "the lock file is not up-to-date",
        "the lock file is not up to date",
        "a zero",
    ),
)
"""Applied after all rows that read a whole message."""
