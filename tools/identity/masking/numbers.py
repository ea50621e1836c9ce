"""Quantities, versions and numbers.

Rule of this module: a number goes unless a row of `kept_numbers` says that it is a code, or it
stands in a name that is one (`TS2304`, `utf-8`).
"""

from reflection_mcp.tools.identity.masking.drawn import without_drawn
from reflection_mcp.tools.identity.masking.kept_numbers import is_chosen, stays
from reflection_mcp.tools.identity.ports import PORTS_OF_SERVICES, WELL_KNOWN_PORTS
from reflection_mcp.tools.identity.rule import ANY_DIGIT, Match, Rule, compiled


def _version(match: Match) -> str:
    return match[0] if stays(match) else "<version>"


def _number(match: Match) -> str:
    return match[0] if stays(match) else "<n>"


_CODE_TOKEN = (
    r"[A-Z]{1,10}(?:-[A-Z]{2,10}){0,2}[-_]?\d{2,6}[A-Z]?|[A-Z][A-Z0-9]{0,9}_[A-Z0-9_]{2,60}|"
    r"(?:sha|md|utf|base|ascii|latin|iso|x|i|u|f|int|uint|float|amd|arm|http|ipv|py|"
    r"python|node|es|vue|next|bs|rgb|log|"
    r"oauth|s|k|c|h|cp|gb|big|win|std|cc|vp|mp|lib\w{0,20})-?_?\d{1,4}(?:[_-]\d{1,2})?|"
    r"CVE-\d{4}-\d{4,7}|(?:RUSTSEC|GO)-\d{4}-\d{4}|PYSEC-\d{4}-\d{1,5}|"
    r"GHSA(?:-[0-9a-z]{4}){3}|SNYK-[A-Z]{2,20}-[A-Z\d]{1,60}-\d{5,9}|[a-z]{2}(?:-gov)?-[a-z]{4,9}-\d"
)
_CODE_KEY = (
    r"(?i)(?:\w{0,30}[_.-])?"
    r"(?:(?:exit|status|error|sql)?_?(?:code|status|state)|errno|rc|ret|signal)"
)
"""Before `=`: what stands behind it is a code."""

_TIME_UNIT = (
    r"ns|us|\u00b5s|\u03bcs|ms|s|secs?|seconds?|mins?|minutes?|m|h|hrs?|hours?|d|days?|weeks?|"
    r"(?:milli|micro|nano)(?:s|sec|secs|seconds?)"
)
_UNIT = (
    _TIME_UNIT + r"|[KMGTkmg]i?[Bb]?|[Bb]ytes?|(?:[Kk]ilo|[Mm]ega|[Gg]iga)bytes?|[KMT]o|octets?|B|%"
)
_NO_ADVISORY = r"(?<!GHSA-[0-9a-z]{4}-[0-9a-z]{4}-[0-9]{3}[ghm])"
"""The number of a vulnerability may end in figures and what looks like a unit."""


def _token(match: Match) -> str:
    """Counters and ids inside a name go (`worker-42`, `blk_-123`); codes and names stay."""
    parts = compiled(r"([:=,;/#@%.])").split(match[0])
    for at in range(0, len(parts), 2):  # between two parts stands the sign that parts them
        part = parts[at]
        if not part or part.isalpha() or compiled(_CODE_TOKEN).fullmatch(part):
            continue
        if part in WELL_KNOWN_PORTS and parts[at - 1] == ":":
            continue
        key = parts[at - 2] if at > 1 and parts[at - 1] == "=" else ""
        if key and compiled(_CODE_KEY).fullmatch(key):
            continue
        if part in PORTS_OF_SERVICES and compiled(r"(?i)(?:\w*_)?port").fullmatch(key):
            continue
        parts[at] = compiled(r"(?<=[-_])-?\d+(?![a-z])|\d{4,}").sub("<n>", without_drawn(part))
    token = "".join(parts)
    return match[0] if token == match[0] or is_chosen(match) else token


NUMBERS: tuple[Rule, ...] = (
    Rule(
        "number of a process or thread",
        f"{ANY_DIGIT} pid|tid",
        r"(?i)\b(p?pid|tid)([:=#] ?)\d{1,9}\b",
        r"\1\2<n>",
        "WORKER TIMEOUT (pid:23)",
        "WORKER TIMEOUT (pid:<n>)",
        "stupid:23",
    ),
    Rule(
        "quantity",
        ANY_DIGIT,
        r"[0-9](?<![\w.<][0-9])\d{0,20}(?:[.,]\d{1,9}){0,4}(?:e[-+]\d{1,3})?[ \t]?(?:"
        + _UNIT
        + rf"){_NO_ADVISORY}"
        + r"(?:(?![\w])|(?=(?<=[hmd])\d{1,2}(?:\.\d{1,9})?[hms]))(?:(?:,? (?:and )?|(?<=[hmd]))"
        r"\d{1,20}(?:[.,]\d{1,9})?[ \t]?(?:" + _TIME_UNIT + r")(?![A-Za-z]))*",
        "<quantity>",
        "timed out after 2m 0.0s",
        "timed out after <quantity>",
        "v2.0",
    ),
    Rule(
        "duration, by ISO 8601",
        r"pt\d|p\dd",
        r"\bP(?:\d{1,4}D)?(?:T(?=\d)(?:\d{1,6}H)?(?:\d{1,6}M)?(?:\d{1,9}(?:\.\d{1,9})?S)?)?"
        r"(?<=[DHMS])\b",
        "<quantity>",
        "timed out after PT1M30S",
        "timed out after <quantity>",
        "PDS or PTX3",
    ),
    Rule(
        "version",
        r"\d.\d",
        r"[v0-9](?:(?<=v)[0-9]|(?<=[@=v\s\"'^~(:<>/-][0-9]))\d{0,8}\.\d{1,9}(?:\.[\w+-]{1,40})*(?![\w.]*\()",
        _version,
        "bar v0.5.10 is too old",
        "bar <version> is too old",
        "v-model",
    ),
    Rule(
        "version without a dot",
        r"v\d",
        r"v(?<![\w/]v)\d{1,9}\b",
        _version,
        "unable to find version v4",
        "unable to find version <version>",
        "ipv4",
    ),
    Rule(
        "number inside a name",
        ANY_DIGIT,
        r"\b[A-Za-z_](?<!<[A-Za-z_])(?=[^\s\d]{0,200}+\d)"
        r"[\w@#$%:=,;/+.-]{0,200}\d[\w@#$%:=,;/+.-]{0,200}",
        _token,
        "worker-42 lost blk_-123",
        "worker-<n> lost blk_<n>",
        "TS2304 utf-8",
    ),
    Rule(
        "number",
        ANY_DIGIT,
        r"[0-9](?<![\w.<][0-9])(?<!\w[-+][0-9])\d{0,39}(?:[.,_']\d{1,40}){0,8}(?!\w)",
        _number,
        "expected 3 arguments, exit code 2",
        "expected <n> arguments, exit code 2",
        "E0432",
    ),
)
