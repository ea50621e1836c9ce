"""Addresses of machines, and the ports behind them.

Rule of this module: a host that has a name keeps it, this machine is `<loopback>` however it is
called, any other bare address is `<ip>`. A port stays where it names a service.
"""

import re

from reflection_mcp.tools.identity.ports import PORTS_OF_SERVICES, ROUND_PORTS, WELL_KNOWN_PORTS
from reflection_mcp.tools.identity.rule import ANY_DIGIT, Match, Rule, compiled, in_base_16

LOOPBACK = "<loopback>"
_LOCAL_NAMES = frozenset(("localhost", "127.0.0.1", "0.0.0.0", "::1", "[::1]", "::", "[::]"))


def masked_host(name: str) -> str:
    """The name of a host as it is kept."""
    name = name.casefold()
    if name in _LOCAL_NAMES:
        return LOOPBACK
    if compiled(r"\d{1,3}(?:\.\d{1,3}){3}|\[?[0-9a-f:]*:[0-9a-f:.]*\]?").fullmatch(name):
        return "<ip>"
    return name


_FILES = (
    r"\.(?:[cm]?[jt]sx?|py|go|java|kts?|cc?|cpp|hp?p?|rb|php|cs|json|ya?ml|toml|vue|"
    r"svelte|css|html?|lua|exs?|"
    r"zig|hs|swift|sql|txt|log|rs|erl|scala|dart|tf|xml|vim|m|mm|r|jl|nim|d|f90|sh|bash|ps1|md):?$"
)


def is_file_name(text: str) -> bool:
    """Whether a text ends with the name of a file, by its ending, and maybe a colon."""
    return compiled(_FILES, re.IGNORECASE).search(text) is not None


_HOST_BEFORE = r"(?:<loopback>|<ip>|(?<![\w./\\-])[a-z][\w-]{0,60}(?:\.[a-z][\w-]{0,60}){0,6})\Z"
_LONGEST_HOST = 7 * 62
"""Characters that a host has at most, and the one before it."""


def _port_of_host(match: Match) -> str:
    if match[0][1:] in WELL_KNOWN_PORTS:
        return match[0]
    before = match.string[max(0, match.start() - _LONGEST_HOST) : match.start()]
    host = before[before.rfind(" ") + 1 :]
    if is_file_name(host) or not compiled(_HOST_BEFORE).search(host):
        return match[0]
    kept = match[0][1:] in ROUND_PORTS and host.endswith((LOOPBACK, "<ip>"))
    return match[0] if kept else ":<n>"


def _named_port(match: Match) -> str:
    before, port = match[1], match[2]
    return before + (port if port in PORTS_OF_SERVICES else "<n>")


def _person(match: Match) -> str:
    return match[0] if is_file_name(match[1]) else f"<user>@{match[1]}"


HOSTS: tuple[Rule, ...] = (
    Rule(
        "this machine",
        "localhost|127.0.0.1|0.0.0.0|::1|[::]|:::\\d|'::|\"::",
        r"\b(?:localhost|127\.0\.0\.1|0\.0\.0\.0)\b(?!\.\w)|\[::1?\]|"
        r"(?<![\w:])::1(?![\w:])|(?<![\w:])::1(?=:\d{2,5}\b)|(?<![\w:])::(?=:\d{2,5}\b)|(?<=['\"])::(?=['\"])",
        LOOPBACK,
        "connect ECONNREFUSED 127.0.0.1:6379",
        "connect ECONNREFUSED <loopback>:6379",
        "std::string",
    ),
    Rule(
        "network address",
        r"\d.\d",
        r"[0-9](?<![\w.][0-9])\d{0,2}(?:\.\d{1,3}){3}(?![\w.])(?:/\d{1,2}\b)?",
        "<ip>",
        "no route to 10.20.1.8",
        "no route to <ip>",
        "version 1.2.3",
    ),
    Rule(
        "network address, version 6",
        f"{ANY_DIGIT} {in_base_16(':')}",
        r"[0-9a-fA-F](?<![\w:.][0-9a-fA-F])[0-9a-fA-F]{0,3}:(?:[0-9a-fA-F]{1,4}:){2,6}"
        r":?[0-9a-fA-F]{1,4}(?![\w:])",
        "<ip>",
        "no route to fe80:1:2:3:4:5:6:7",
        "no route to <ip>",
        "10:20:30",
    ),
    Rule(
        "network address, version 6, shortened",
        "::",
        r"(?<![\w:.])(?:(?:[23][0-9a-fA-F]{3}|[fF][cdeCDE][0-9a-fA-F]{2}|64:ff9b)"
        r"(?::[0-9a-fA-F]{1,4}){0,6}::(?:[0-9a-fA-F]{1,4}(?::[0-9a-fA-F]{1,4}){0,6})?|"
        r"::ffff:(?:\d{1,3}(?:\.\d{1,3}){3}|<ip>))(?:%[\w.-]{1,20})?(?![\w:])",
        "<ip>",
        "no route to fe80::8a2e:370:7334%eth0",
        "no route to <ip>",
        "fade::into::b64",
    ),
    Rule(
        "address of a person",
        "@",
        r"(?<![\w.+@/<-])[\w.+-]{1,64}@((?:[A-Za-z][\w-]{0,60}\.){1,5}[A-Za-z]{2,24})"
        r"(?![\w(/:@-]|\.\w)",
        _person,
        "550 mailbox of ana@shop.example is full",
        "550 mailbox of <user>@shop.example is full",
        "run@cart.js",
    ),
    Rule(
        "port after a host",
        r":\d\d",
        r":\d{2,5}\b(?![.:]\d|\w|:)",
        _port_of_host,
        "dial tcp db:5432",
        "dial tcp db:5432",
        "a.py:5:3",
    ),
    Rule(
        "port, named",
        f"{ANY_DIGIT} port",
        r"(?i)(\bport['\"]?[ \t]?[:=]?[ \t]?['\"]?)(\d{2,5})\b",
        _named_port,
        "port 34567 is taken",
        "port <n> is taken",
        "airport 12345",
    ),
)
