"""The head of a log record, whoever wrote it: fields in any order, then the message.

Rules of this module: a field is known by its form, and a head by a moment among its first fields.
What could be a word of the message is a field only where the head goes on behind it, or where a
sign of logs ends it.
"""

from reflection_mcp.tools.identity.cleaning.log_records import LEVEL, MOMENTS
from reflection_mcp.tools.identity.rule import Shape, compiled

_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_DAY = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"
_CLOCK = r"\d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?(?: ?[AaPp][Mm]\b)?"
_ZONE = r"(?: ?Z\b| ?[+-]\d\d:?\d\d\b| (?:UTC|GMT|[A-Z]{1,3}S?T)\b)?"
_SMALL = (
    r"(?:trace|debug|info|notice|warn(?:ing)?|error|err|fail|fatal|critical|crit|severe|alert|"
    r"Trace|Debug|Info|Information|Warn(?:ing)?|Error|Fatal|Critical|INF|WRN|DBG|FTL|ERRO|WARN|"
    r"FATA)"
)
_KEY = (
    r"(?:pid|tid|jid|bid|class|host|caller|logger|thread|module|service|app|"
    r"component|request_id|trace_id|span_id|source|file|line|queue|worker|tags|elapsed)"
)
_ON = r"(?=[ \t:|\])>-]|$)"
"""A field ends before a blank or a sign that parts fields."""

MORE_MOMENTS: tuple[Shape, ...] = (
    *MOMENTS,
    Shape(
        "month and day",
        rf"(?:{_DAY},? )?{_MONTH}[ -]{{1,2}}\d{{1,2}}(?:[ -]\d{{4}})? {_CLOCK}{_ZONE}",
        "Jun 01 08:00:11",
        "Jun 01 was hot",
    ),
    Shape(
        "day of the week and ISO 8601",
        rf"{_DAY} \d{{4}}-\d\d-\d\d {_CLOCK}(?: [A-Z]{{3,5}}\b|{_ZONE})",
        "Sun 2025-06-01 08:00:11 CEST",
        "Sun 2025-06-01 x",
    ),
    Shape(
        "day, month, year of two figures",
        rf"\d{{1,2}}[./-]\d{{1,2}}[./-]\d\d,? {_CLOCK}",
        "01/06/25 08:00:11",
        "01/06/25 x",
    ),
    Shape(
        "figures without signs between",
        rf"(?:20)?\d{{6}}[ T_-](?:{_CLOCK}|\d{{6}}(?:\.\d{{1,6}})?Z?\b){_ZONE}",
        "250601 08:00:11",
        "250601 x",
    ),
    Shape("time of day", _CLOCK + _ZONE, "08:00:11.113", "08:00"),
    Shape("time of day, twelve hours", r"\d{1,2}:\d\d ?[AP]M\b", "8:00AM", "8:00"),
    Shape(
        "time since the start",
        r"(?:T?\+\d{1,7}(?:\.\d{1,9})? ?m?s\b|\[ {0,6}\+?\d{1,6}\.\d{1,6} ?s?\])",
        "+12.33s",
        "12.33s",
    ),
)
"""Ways to write a moment that are believed in front of other fields only."""
_A_MOMENT = "(?:" + "|".join(shape.pattern for shape in MORE_MOMENTS) + ")"

HEAD_FIELDS: tuple[Shape, ...] = (
    Shape("moment", _A_MOMENT + _ON, "08:00:11 x", "08 x"),
    Shape(
        "brackets with a moment in them",
        r"[\[({<](?:[^\[\](){}<>\n]{0,40}[ \t,:])??"
        + _A_MOMENT
        + r"[^\[\](){}<>\n]{0,60}[\])}>]:?",
        "[E 250601 08:00:11 web:1789] x",
        "[E web?] x",
    ),
    Shape("priority and version of syslog", r"<\d{1,3}>(?:1(?= ))?", "<27>1 x", "<27?> y"),
    Shape(
        "level and logger of Python, without a time",
        r"(?:DEBUG|INFO|WARNING|ERROR|CRITICAL):[a-z_][\w.]{0,60}:(?=\S)",
        "ERROR:root:x",
        "ERRORS:root:x",
    ),
    Shape("level", LEVEL + r"(?=[ \t:|\]]|$)(?! \d{1,5} \()", "ERROR x", "ERROR 1045 (28000): x"),
    Shape(
        "level in brackets",
        r"[\[(<|][ \t]{0,2}(?:" + LEVEL + "|" + _SMALL + r")[ \t]{0,8}[\])>|]",
        "[error    ] x",
        "[errors?] x",
    ),
    Shape(
        "level in small letters, before a moment or another field",
        _SMALL
        + r":?(?=[ \t]{1,4}(?:[\[(]|\w{3} {1,2}\d|\w{3}-\d|\d{2}))(?=[^\n]{0,30}\d:\d\d:\d\d)",
        "error: Jul-03-2026 00:39:18: x",
        "error: 08 x",
    ),
    Shape(
        "program and process",
        r"(?!g?make\[)[A-Za-z_][\w./@-]{0,60}\[\d{1,9}(?:[:.]\w{1,12})?\]",
        "api[4411]: x",
        "make[1]: y",
    ),
    Shape(
        "process and role",
        r"\d{1,8}:[A-Z](?=[ \t])",
        "4411:M x",
        "4411:M: x",
    ),
    Shape("pair", _KEY + r"=(?:\"[^\"\n]{0,80}\"|[^\s\"]{1,80})", "pid=4411 x", "x=4411"),
    Shape(
        "brackets",
        r"(?<![A-Z] - )(?<!: )[\[({<][\w./:#@$%, =+*-]{1,80}[\])}>](?!:\d)",
        "[main] x",
        "[what?] x",
    ),
    Shape(
        "stream",
        r"(?:stdout|stderr|STDOUT|STDERR)(?: [FP]\b)?(?=[ \t:|])",
        "STDERR x",
        "stderrs x",
    ),
    Shape(
        "span or thread of Rust",
        r"(?:\w{1,40}\{[^{}\n]{0,200}\}|ThreadId\(\d{1,5}\)):?",
        "request{id=7}: x",
        "request: x",
    ),
    Shape(
        "logger in a column, and its colon",
        r"(?![\w.$/:@-]{0,100}(?:Error|Exception|Warning|error|warning|fatal)\b)"
        r"[A-Za-z_@][\w.$/:@-]{0,100}[ \t]{2,40}:(?=[ \t])",
        "a.b.OrderService   : x",
        "what   :x",
    ),
    Shape(
        "name that a sign of logs follows",
        r"(?![\w.$/:@-]{0,100}(?:Error|Exception|Warning|error|warning|fatal)\b)"
        r"[A-Za-z_@][\w.$/:@-]{0,100}(?=[ \t]{0,40}(?:\||\t\d\d|>[ \t]| -{1,2}[ \t]|[ \t]:[ \t]))",
        "app.main:run - x",
        "app: x",
    ),
    Shape(
        "name of a logger, in words with dots",
        r"(?<=[A-Z\d\])][ \t])(?:[a-z_]\w{0,40}\.){1,8}(?!(?:py|js|ts|rb|go|rs|sh|c|h|so|exe|lld|"
        r"gold|bfd|yml|yaml|json|xml|"
        r"toml|txt|php|pl|java|cpp|cc|gradle|log|cfg|conf|mk|sql|tf|jar|rpm|"
        r"deb)\b)[a-z_]\w{0,40}:(?=[ \t])",
        "ERROR app.main: x",
        "a.py: x",
    ),
    Shape(
        "labels of Loki",
        r"\{\w{1,60}=\"[^\"\n]{0,200}\"(?:, ?\w{1,60}=\"[^\"\n]{0,200}\"){0,12}\}",
        '{app="till", pod="a-1"} x',
        '{"app": 1} x',
    ),
    Shape(
        "stream of CloudWatch",
        r"(?:[\w.-]{1,80}/){1,4}(?:\[\$?\w{1,20}\])?[0-9a-f]{8,40}(?=[ \t])",
        "ecs/till/9a8b7c6d5e4f x",
        "ecs/till/main x",
    ),
    Shape("name before JSON", r"[\w.-]{1,60}: (?=\{\"\w)", 'kube.till: {"x', "till: x"),
    Shape(
        "channel and level of Monolog",
        r"[a-z][\w-]{0,30}\.(?:DEBUG|INFO|NOTICE|WARNING|ERROR|CRITICAL|ALERT|"
        r"EMERGENCY):(?=[ \t]|$)",
        "production.ERROR: x",
        "production.Error: x",
    ),
    Shape(
        "number between fields",
        r"\d{1,9}(?=[ \t]{1,8}(?:-{1,3}[ \t]|\[|" + LEVEL + r"[ \t:]))",
        "4411 --- x",
        "4411 files",
    ),
    Shape(
        "machine and program",
        r"(?=[a-z\d.-]{0,60}[\d.-])[a-z][\w.-]{1,60}[ \t]"
        r"(?!(?:error|warning|fatal|panic|note)\b)[\w./@-]{1,60}(?:\[\d{1,8}\])?:(?=[ \t]|$)",
        "web-1 api: x",
        "the api: x",
    ),
    Shape(
        "machine, program, process and message of RFC 5424",
        r"[\w.:-]{1,80} [\w./@-]{1,60} (?:-|\d{1,9}) (?:-|[\w.-]{1,32}) "
        r"(?:-|(?:\[[\w.-]{1,32}(?:@\d{1,10})?(?: [\w.-]{1,40}=\"[^\"\n]{0,100}\"){0,12}\]){1,4})"
        r"(?=[ \t]|$)",
        "web-1 api 4411 - - x",
        "web-1 api 4411 is x",
    ),
    Shape(
        "sign that parts fields",
        r"(?<![ \t]{2})(?:-{1,3}|\||:|>|#|\u00bb|\u2022)(?=[ \t\[(]|$)(?! (?:FAIL|PASS|SKIP):)",
        "- x",
        "-x",
    ),
    Shape("bar without blanks", r"\|(?=[A-Z])", "|ERROR|x", "|x"),
)
"""What stands in the head of a record."""
_MOST_FIELDS = 12
_FIRST = 100
"""Signs of a line among which its moment stands."""

_IN_A_MOMENT = r"[0-9+](?:(?<=[0-9])(?::[0-5][0-9]|[0-9]{5}|[0-9]?\.[0-9])|(?<=\+)[0-9])"
"""What every moment holds; few lines do, and to look for a head in each of them is dear."""

_FIELD = "|".join(shape.pattern for shape in HEAD_FIELDS)
_HEAD = rf"(?:[ \t]{{0,12}}+(?:{_FIELD})){{1,{_MOST_FIELDS}}}[ \t]?"
_MOMENT = "|".join(shape.pattern for shape in MORE_MOMENTS)


def end_of_head(line: str, begun: int = 0) -> int:
    """Where the head of a record ends in a line.

    Args:
        line: a line of a log.
        begun: where the part of the head ends that is known by its own form; 0 if none is. Without
            one, a moment is needed, and 0 is the answer if there is none.
    """
    if not begun and not compiled(_IN_A_MOMENT).search(line, 0, _FIRST):
        return 0
    found = compiled(_HEAD).match(line, begun)
    if found is None:
        return begun
    if begun or compiled(_MOMENT).search(line, 0, min(found.end(), _FIRST)):
        return found.end()
    return 0


_PAIR = r"[a-z_]\w{0,40}=[^\s=]{1,80}"
_TAIL = (
    rf"(?<![ \t])[ \t]{{2,60}}(?:(?:\[[\w.:-]{{1,60}}\][ \t]+)?{_PAIR}(?:[ \t]+{_PAIR}){{0,12}}|"
    r"[\w-]{1,60}\.py:\d{1,6})$"
)
_MEANT = r" (?:error|err|exc\w*|reason|code|status|exit\w*|errno|msg|message)="


def without_tail(line: str) -> str:
    """A record without the fields that a logger sets behind the message, apart from it."""
    found = compiled(_TAIL).search(line)
    return line if found is None or compiled(_MEANT).search(found[0]) else line[: found.start()]
