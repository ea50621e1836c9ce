"""The category of an error or a lesson, one word chosen by rule.

The first row of `category.rules` whose pattern matches decides. The rows go from what names itself
(a timeout says so) to what is only circumstance. If no row matches, the category is `unknown`,
which is an answer.
"""

import re
from dataclasses import dataclass

_STATUS = r"(?:http(?:/\d(?:\.\d)?)?|status|code|error|returned|response)\W{0,3}"
"""The text before an HTTP status; a bare number may be anything."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryRule:
    """A category, the words that show it, and texts that do and do not have it."""

    category: str
    pattern: str
    example: str
    counter_example: str


_HELD = r"(?:disk|storage|space|block|inode|file|descriptor|memory|swap|cpu|volume|mailbox)s?"
"""Things of which a machine has a limited amount; a quota of anything else is one of requests."""

RULES: tuple[CategoryRule, ...] = (
    CategoryRule(
        category="resource",
        pattern=rf"\b(?:{_HELD}|file.?system)[ -]quota"
        rf"|quota (?:exceeded|reached) (?:on|for) {_HELD}\b|quota exceeded on device"
        r"|quotaexceedederror|\bedquot\b|exceeded quota:",
        example="OSError: [Errno 122] Disk quota exceeded",
        counter_example="API quota exceeded: 10 calls a minute",
    ),
    CategoryRule(
        category="rate_limit",
        pattern=r"rate.?limit|too many (?:concurrent |api )?requests|429 too|throttl|"
        + _STATUS
        + r"429\b|quota (?:has been |was |is )?(?:exceeded|reached|exhausted)"
        r"|exceeded your (?:\w+ )?quota|insufficient.quota",
        example="HTTP 429 Too Many Requests",
        counter_example="the interest rate has a legal limit of 429 cents",
    ),
    CategoryRule(
        category="timeout",
        pattern=r"time[sd]?.?out|timeouterror|deadline exceeded|etimedout|" + _STATUS + r"504\b",
        example="ReadTimeout: The read operation timed out",
        counter_example="ValueError: time data does not match format",
    ),
    CategoryRule(
        category="auth",
        pattern=r"unauthori[sz]ed|authentication"
        r"|invalid (?:api.?key|credentials|password|access token)"
        r"|" + _STATUS + r"401\b|login failed|bad credentials|expired token|token (?:has )?expired",
        example="401 Unauthorized: invalid API key",
        counter_example="SyntaxError: invalid token '}'",
    ),
    CategoryRule(
        category="permission",
        pattern=r"permission|forbidden|access (?:is )?denied|"
        + _STATUS
        + r"403\b|eacces|eperm|not permitted"
        r"|read-only",
        example="PermissionError: [Errno 13] Permission denied",
        counter_example="the deniable claim was granted",
    ),
    CategoryRule(
        category="dependency",
        pattern=r"no module named|modulenotfound|cannot find module|could not resolve dependen"
        r"|unresolved import|package .{0,60}not found|no matching distribution|eresolve"
        r"|importerror|undefined reference to|classnotfound|noclassdeffound|missing dependency",
        example="ModuleNotFoundError: No module named 'yaml'",
        counter_example="KeyError: 'module'",
    ),
    CategoryRule(
        category="syntax",
        pattern=r"syntax ?error|indentationerror|parse error|unexpected (?:token|indent|end of)"
        r"|unterminated|taberror|jsondecodeerror",
        example="SyntaxError: unexpected EOF while parsing",
        counter_example="AssertionError: unexpected result",
    ),
    CategoryRule(
        category="network",
        pattern=r"connection (?:refused|reset|aborted|error|closed)|\beconn|\benotfound|getaddrinfo"
        r"|name or service not known|could not resolve host|network is unreachable|\bdns\b|\bssl\b"
        r"|certificate|broken pipe|" + _STATUS + r"502\b|" + _STATUS + r"503\b",
        example="curl: (6) Could not resolve host: example.com",
        counter_example="the parts are connected",
    ),
    CategoryRule(
        category="resource",
        pattern=r"out of memory|memoryerror|\boom\b|no space left|disk (?:is )?full|enospc"
        r"|\be[mn]file\b|\benomem\b|too many (?:open files|(?:open )?connections|clients)"
        r"|connection slots are reserved"
        r"|cannot allocate memory|oomkilled|heap out of|stack overflow|recursionerror"
        r"|database is locked"
        r"|address already in use|eaddrinuse|deadlock",
        example="OSError: [Errno 28] No space left on device",
        counter_example="there is space left in the margin",
    ),
    CategoryRule(
        category="not_found",
        pattern=r"not found|no such file|enoent|"
        + _STATUS
        + r"404\b|does not exist|doesn't exist|filenotfound"
        r"|unknown (?:command|option|host|column|revision)|cannot find",
        example="FileNotFoundError: [Errno 2] No such file or directory: 'a.txt'",
        counter_example="ValueError: found two",
    ),
    CategoryRule(
        category="validation",
        pattern=r"validation|valueerror|invalid (?:argument|value|input|literal|type|request)"
        r"|is not (?:a )?valid|typeerror|expected .{1,60} (?:got|but)|"
        + _STATUS
        + r"400\b|"
        + _STATUS
        + r"422\b|not null"
        r"|constraint|missing required",
        example="ValueError: invalid literal for int() with base 10: 'x'",
        counter_example="the disabled user was restored",
    ),
    CategoryRule(
        category="data",
        pattern=r"keyerror|indexerror|unicode(?:de|en)codeerror|nullpointer|corrupt|malformed"
        r"|undefined is not|of undefined|of null|attributeerror|nil pointer|out of (?:range|bounds)"
        r"|no such (?:column|table)",
        example="KeyError: 'user_id'",
        counter_example="all keys were present",
    ),
    CategoryRule(
        category="logic",
        pattern=r"assert|expected|wrong (?:answer|result|value)|off.by.one|infinite loop|mismatch"
        r"|test.{0,20}failed|failed.{0,20}test",
        example="AssertionError: assert 3 == 4",
        counter_example="hello world",
    ),
)

_COMPILED = tuple((rule.category, re.compile(rule.pattern, re.IGNORECASE)) for rule in RULES)
LOOKED_AT = 4000  # characters: a verdict stands near an end, and the input may be long


def categorise(text: str) -> str:
    """Return the category of an error or a lesson, `unknown` when no row matches."""
    looked_at = text if len(text) <= LOOKED_AT else text[: LOOKED_AT // 2] + text[-LOOKED_AT // 2 :]
    return next((name for name, rule in _COMPILED if rule.search(looked_at)), "unknown")
