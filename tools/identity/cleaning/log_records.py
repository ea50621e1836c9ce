"""The head of a log record: the moment, and the fields a logger puts between it and the message.

Rules of this module: a head begins with a moment, or with a level and a moment; then come fields in
any order, each known by its own form. What could be a word of the message is a field only where a
separator of records stands behind it (` - `, ` : `, ` | `).
"""

from reflection_mcp.tools.identity.rule import Shape

LEVEL = (
    r"(?:TRACE|DEBUG|INFO|INFORMATION|NOTICE|WARN(?:ING)?|ERROR|ERR|FATAL|CRITICAL|CRIT|SEVERE|ALERT|"
    r"EMERG|[DWEF](?=/|[ \t][^ \t])|I(?=/|[ \t][^ \ta-z]))(?:/[\w-]{1,30})?(?! \d{2,5} \()"
)
OF_A_WARNING = r"W(?<!\wW)(?:ARN(?:ING)?\b|RN\b|arn\b|/|\d{4} )|w(?<!\ww)arn(?:ing)?\b"
"""How the head of a record says so."""
OF_A_WARNING_IN_FIELDS = (
    r"\"(?:level|severity|levelname|lvl|log\.level|level_name)\": ?"
    r"(?:\"(?:WARN(?:ING)?|[Ww]arn(?:ing)?)\"|40\b)"
)
"""How the field of a record says so."""
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}"
_DAY = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6}"
_CLOCK = r"\d{1,2}:\d\d:\d\d(?:[.,:]\d{1,9})?"
_ZONE = r"(?: ?Z\b| ?[+-]\d\d:?\d\d\b| (?:UTC|GMT|[A-Z]{1,3}S?T)\b)?"

MOMENTS: tuple[Shape, ...] = (
    Shape(
        "ISO 8601",
        r"\d{4}[-/.]\d\d[-/.]\d\d(?:[T ]|, ?)" + _CLOCK + _ZONE,
        "2025-06-01 08:00:11,113",
        "2025-06-01 at eight",
    ),
    Shape(
        "day, month in figures, year",
        r"\d{1,2}[./-]\d{1,2}[./-]\d{4},? " + _CLOCK + r"(?: ?[AaPp][Mm]\b)?" + _ZONE,
        "01/06/2025 08:00:11",
        "01/06/2025 x",
    ),
    Shape(
        "day, month in letters, year",
        r"(?:" + _DAY + r",? )?\d{1,2}[-/ ]" + _MONTH + r"[-/ ]\d{4}[ :]" + _CLOCK + _ZONE,
        "01-Jun-2025 08:00:11",
        "01-Jun-2025 x",
    ),
    Shape(
        "month in letters, day, year",
        _MONTH + r" \d{1,2}, \d{4},? (?:at )?" + _CLOCK + r"(?: ?[AaPp][Mm]\b)?" + _ZONE,
        "Jun 01, 2025 8:00:11 AM",
        "Jun 01, 2025 x",
    ),
    Shape(
        "date of C",
        _DAY + r",? " + _MONTH + r" {1,2}\d{1,2} " + _CLOCK + _ZONE + r" \d{4}",
        "Sun Jun  1 08:00:11 2025",
        "Sun Jun  1 was hot",
    ),
    Shape(
        "year of two figures first",
        r"\d\d/\d\d/\d\d " + _CLOCK,
        "26/06/01 08:00:11",
        "26/06/01 x",
    ),
    Shape("seconds since 1970", r"1\d{9}[.,]\d{1,9}(?=[ \t\]|])", "1748764811.113 x", "1748764811"),
)
"""Ways in which a logger writes the moment of a record."""

_NOT_A_NAME = r"(?!\S{0,100}(?:Error|Exception|Warning|error|warning|fatal)[ \t:])"
FIELDS: tuple[Shape, ...] = (
    Shape(
        "level",
        r"\[?\b" + LEVEL + r"\]?(?:[ \t]?(?:[:|]|-{1,3})(?=[ \t]|$)|(?=[ \t]|$))",
        "ERROR x",
        "ERRORS x",
    ),
    Shape(
        "level between bars",
        r"\|[ \t]" + LEVEL + r"[ \t]{0,8}\|",
        "| ERROR    | x",
        "| x | y",
    ),
    Shape("output stream", r"(?:stdout|stderr) [FP](?=[ \t]|$)", "stderr F x", "stderr: x"),
    Shape("stream of a GitLab job", r"\d\d[OE]\+?(?=[ \t]|$)", "01E x", "01Ex"),
    Shape(
        "program and process",
        r"(?:(?:app|heroku)\[[\w.-]{1,40}\]|(?!g?make\[)[\w.-]{1,60}\[\d{2,8}\]):|"
        r"\w{1,20}\[[0-9a-f]{4,16}\] [a-z]{3}(?= \[)",
        "app[web.1]: x",
        "error[E0405]: x",
    ),
    Shape(
        "program and process of Apple",
        r"[\w.-]{1,60}\[\d{1,8}:[0-9a-fx]{1,12}\](?=[ \t])",
        "Runner[812:4411] x",
        "a[1:2]: x",
    ),
    Shape("process of Erlang", r"<\d{1,6}\.\d{1,9}\.\d{1,6}>(?=[ \t])", "<0.812.0> x", "<0.8> x"),
    Shape(
        "user and database",
        r"[\w.\[\]-]{1,60}@[\w.\[\]-]{1,60}(?=[ \t]{1,4}[A-Z]{3,12}:[ \t])",
        "app@shop FATAL:  x",
        "app@shop is x",
    ),
    Shape(
        "module of Rust",
        _NOT_A_NAME + r"(?!std::|boost::)[a-z_]\w{0,60}(?:::\w{1,60}){1,8}:(?=[ \t])",
        "relay::server: x",
        "std::bad_alloc: x",
    ),
    Shape(
        "file and line, between tabs",
        r"[\w./-]{1,120}\.\w{1,4}:\d{1,7}(?=\t)",
        "http/server.go:42\tx",
        "a.go:42: x",
    ),
    Shape(
        "class and method of java.util.logging",
        r"[A-Za-z][\w$]{0,60}(?:\.[\w$]{1,60}){1,8} [\w<>$]{1,60}$",
        "com.acme.Main main",
        "com.acme.Main main x",
    ),
    Shape(
        "level and connection of nginx",
        r"\[(?:emerg|alert|crit|error|warn|notice|info)\] \d{1,9}#\d{1,9}:(?: \*\d{1,12})?",
        "[error] 31#31: x",
        "[error] 31 x",
    ),
    Shape(
        "process",
        r"\d{1,8}(?=[ \t]{1,8}(?:-{3}[ \t]|\[|" + LEVEL + r"[ \t]))",
        "4411 --- [main] x",
        "4411 files",
    ),
    Shape(
        "request",
        r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=[ \t])",
        "3f2b8c1e-1a2b-4c3d-9e8f-001122334455 x",
        "3f2b8c1e x",
    ),
    Shape(
        "thread or logger in brackets",
        r"(?<![A-Z] - )\[[ \t]{0,40}[\w./:#, $@-]{1,80}\](?!:)",
        "[main] x",
        "[main]: x",
    ),
    Shape("file and line", r"[{(<][\w./-]{1,80}:\d{1,6}[})>]", "{task.py:1824} x", "{a} x"),
    Shape(
        "separator", r"(?<![ \t]{2})(?:-{1,3}|\||:)(?=[ \t])(?! (?:FAIL|PASS|SKIP):)", "- x", "-x"
    ),
    Shape(
        "logger before a colon",
        _NOT_A_NAME + r"[A-Za-z_@][\w.$/:@\[\]-]{0,100}[ \t]{1,40}:(?=[ \t])",
        "o.a.c.c.C.[.[.[/].[servlet]    : x",
        "ValueError : x",
    ),
    Shape(
        "logger before a dash",
        _NOT_A_NAME + r"(?:[A-Za-z_@][\w$]{0,60}(?:[.:/$][\w$<>]{1,60}){1,10}"
        r"(?=[ \t]{1,8}-{1,2}[ \t])|[A-Za-z_][\w.$-]{0,60}(?=[ \t]-[ \t]" + LEVEL + r"[ \t:-]))",
        "c.a.s.OrderService - x",
        "build - failed",
    ),
)
"""What stands between the moment and the message."""
MOST_FIELDS = 9

_MOMENT = "(?:" + "|".join(shape.pattern for shape in MOMENTS) + ")"
_FIELD = "(?:" + "|".join(shape.pattern for shape in FIELDS) + ")"
_NAME = r"(?:\[[\w .:#/-]{1,40}\][ \t]{0,4}(?:\d{1,8}[ \t]{1,4}-[ \t]{1,4})?)"
"""Whose record it is, in front of the moment."""
NAMED = r"[a-z][\w./-]{0,60}: (?=" + _MOMENT + r"[ \t]{1,4}\[?" + LEVEL + r"\b)"
"""The program in front of a record that begins with a moment and a level."""
_INSIDE = r"(?:[ \t]{1,4}" + LEVEL + r"(?:[ \t]{1,4}[\w:./-]{1,100})?(?=\]))?"
"""Level and logger inside the brackets of the moment."""
HEAD = (
    r"(?:[a-z]{3,10}\t)?(?:" + _NAME + r"){0,2}(?:\[?" + LEVEL + r"\]?[:|]?[ \t]{1,4})?[\[(]?"
    + _MOMENT + r"(?=[ \t:|\])]|$)" + _INSIDE + r"[\])]?"
    r"(?:[ \t]{0,12}+" + _FIELD + r"){0," + str(MOST_FIELDS) + r"}[ \t]?"
)  # fmt: skip
"""The whole head, moment first."""
CLOCK_HEAD = (
    r"\[?\d\d:\d\d:\d\d(?:[.,]\d{1,6})?\]?[WEi]?:?(?:[ \t]{1,12}(?:" + _FIELD + r"[ \t]{0,12}){0,"
    + str(MOST_FIELDS) + r"}(?=\S)|[ \t]*$)"
)  # fmt: skip
"""A head that tells the time of day only."""
