"""What a log, a container or a listing puts in front of each line.

Rule of this module: a prefix is known by its own form alone (time, level, container), never by the
words that follow. Prefixes that could also be part of a message count only when most lines carry
them.
"""

from collections.abc import Iterable

from reflection_mcp.tools.identity.cleaning.heads import end_of_head, without_tail
from reflection_mcp.tools.identity.cleaning.log_records import (
    CLOCK_HEAD,
    HEAD,
    MOMENTS,
    NAMED,
    OF_A_WARNING,
)
from reflection_mcp.tools.identity.cleaning.majorities import without_common, without_numbers
from reflection_mcp.tools.identity.cleaning.shared import ENDED, tag_of, without_tags
from reflection_mcp.tools.identity.expression import Expression
from reflection_mcp.tools.identity.rule import Shape, Shapes, compiled
from reflection_mcp.tools.identity.warned import WARNED

PREFIXES: tuple[Shape, ...] = (
    Shape(
        "BuildKit", r"#\d{1,4} (?:\[[^\]\n]{1,60}\] )?\d{1,6}\.\d{1,4} ", "#14 0.332 x", "#14 done"
    ),
    Shape("moment of Buildkite", r"_bk;t=\d{1,16}", "_bk;t=1709051112221$ make", "_bk;t=x"),
    Shape("compose", r"[+A-Za-z][\w.@+-]{1,80}+[ \t]{0,20}[|\u2502](?: |$)", "api-1  | x", "a |b"),
    Shape(
        "stern",
        r"[a-z0-9-]{1,80}-[0-9a-f]{8,10}-[a-z0-9]{5}[ \t]{1,4}[a-z0-9][\w.-]{0,40}[ \t]",
        "orders-7d9d8bd4c6-j5w2q app x",
        "orders-7d9d8bd4c6 is x",
    ),
    Shape("dagger", r"\d{1,4} {0,4}: \[\d[\d.]{0,8}m?s\] \| ", "12  : [0.5s] | x", "12 : x | y"),
    Shape("pod of Argo", r"[a-z][a-z0-9-]{2,60}-\d{6,12}: ", "wf-x7k2p-1234567: x", "wf-12: x"),
    Shape(
        "act",
        r"\[[\w .-]{1,40}/[\w ./-]{1,60}\][ \t]{1,6}\|(?: |$)",
        "[CI/build]   | x",
        "[1]   | x",
    ),
    Shape(
        "step of Cloud Build",
        r"Step #\d{1,3}(?: - \"[^\"\n]{1,80}\")?: ",
        'Step #2 - "Deploy": x',
        "Step 2: x",
    ),
    Shape(
        "issue of Azure Pipelines",
        r"##vso\[task\.logissue [^\]\n]{0,200}\]",
        "##vso[task.logissue type=error]x",
        "##vso[task.complete]x",
    ),
    Shape("server-sent event", r"data: ?(?=\{\")", 'data: {"error": "x"}', "data: x"),
    Shape("git's remote", r"remote:(?:[ \t]{1,20}|$)", "remote: error: x", "remote x"),
    Shape(
        "seconds since the start",
        r"\[ {0,8}\d{1,8}\.\d{3,9}\] (?:[\w.-]{1,40}\[\d{1,8}\]: ?)?",
        "[   12.331874] cloud-init[811]: x",
        "[12] x",
    ),
    Shape(
        "log of Chromium or Flutter",
        r"\[(?:\d{1,8}:){0,2}(?:\d{4}/\d{6}(?:\.\d{1,6})?:)?(?:VERBOSE|INFO|WARNING|ERROR|FATAL)"
        r"(?:-?\d{1,2})?:[\w./-]{1,80}\(\d{1,6}\)\] ",
        "[ERROR:flutter/runtime/dart_vm_initializer.cc(41)] x",
        "[ERROR] x",
    ),
    Shape(
        "level and command of Capistrano",
        r"(?:DEBUG|INFO|WARN|ERROR|FATAL)[ \t]{1,4}\[[0-9a-f]{8}\][ \t]{1,12}",
        "DEBUG [3f2b8c1e] x",
        "DEBUG [x] x",
    ),
    Shape(
        "tag of a request",
        r"\[[0-9a-f]{8}-[0-9a-f-]{27}\] ",
        "[3f2b8c1e-1a2b-4c3d-9e8f-001122334455] x",
        "[3f2b8c1e] x",
    ),
    Shape("machine of Vagrant", r"(?:==> [\w.-]{1,40}|default): ", "==> default: x", "==> x"),
    Shape("command of Capistrano", r"(?: {6})?(?<= {6})0\d (?=\S)", "      01 x", "01 x"),
    Shape(
        "level in brackets",
        r"\[(?:error|ERROR|Error|critical|CRITICAL|fatal|FATAL|crit|err|ERR)\]:?[ \t]",
        "[error] x",
        "[errors] x",
    ),
    Shape(
        "program and level",
        r"[a-z][\w.-]{1,30}+:? \[(?:error|ERROR|critical|CRITICAL|fatal|FATAL)\]:? ",
        "gunicorn [CRITICAL] x",
        "the [main] x",
    ),
    Shape(
        "heading of a report",
        r"(?i:actual|observed|current) (?:results?|behaviou?r): (?=\S{1,80} \S)",
        "Actual result: x is y",
        "Actual result: 3",
    ),
    Shape("level of java.util.logging", r"SEVERE: ", "SEVERE: x", "SEVERE x"),
    Shape("kubectl logs --prefix", r"\[pod/[^\]\s]{1,200}\][ \t]", "[pod/a-1/api] x", "[pods] x"),
    Shape(
        "syslog",
        r"(?:<\d{1,3}>\d? ?)?(?:(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) {1,2}\d{1,2} "
        r"\d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)) "
        r"[\w.:-]{1,80} [\w./()-]{1,80}\[\d{1,8}\]: ?",
        "Jun  1 08:00:11 web1 api[4411]: x",
        "Jun 1 was bad",
    ),
    Shape(
        "web server",
        r"\[(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} \d\d [\d:.]{8,16} \d{4}"
        r"\] \[[\w:-]{1,40}\]"
        r"(?: \[pid [\d:tid ]{1,30}\])?(?: \[client [^\]\s]{1,60}\])? ",
        "[Tue Nov 04 09:13:22.118 2025] [php:warn] [pid 4411] [client 10.0.0.7:51123] x",
        "[Tue] x",
    ),
    Shape(
        "program before a log record",
        NAMED,
        "flutter: 2026-03-09 20:11:45.120 SEVERE x",
        "error: 2026-03-09 20:11:45 is over",
    ),
    Shape("log record", HEAD, "2025-06-01 08:00:11,113 ERROR [app.main] x", "2025-06-01 x"),
    Shape(
        "logcat",
        r"\d\d-\d\d \d\d:\d\d:\d\d\.\d{1,6}(?:[ \t]+\d{1,6}){0,2}[ \t]+[A-Z][/ ][\w.]{1,60} ?: ",
        "04-14 09:52:33.963 E/App: x",
        "04-14 E/App: x",
    ),
    Shape(
        "klog",
        r"[EWIF]\d{4} \d\d:\d\d:\d\d\.\d{1,9}[ \t]+\d{1,8} [\w.-]{1,80}:\d{1,6}\] ",
        "E0601 08:00:11.113332    4411 run.go:74] x",
        "E0432 x",
    ),
    Shape(
        "time of day, twelve hours",
        r"\[?\d{1,2}:\d\d:\d\d ?[AaPp][Mm]\]?:?[ \t]+(?=\S)",
        "8:00:11 PM [vite] x",
        "8:00 PM x",
    ),
    Shape(
        "output channel of an editor",
        r"\[(?:Error|Warn(?:ing)?|Info|Debug|Trace)[ \t]{1,4}- \d{1,2}:\d\d:\d\d(?: ?[AP]M)?\] ",
        "[Error - 8:00:11 AM] x",
        "[Error] x",
    ),
    Shape("log record of today", CLOCK_HEAD, "[08:00:11] x", "08:00 x"),
    Shape(
        "build tool's tag",
        r"\[(?:java|javac|exec|stderr|stdout)\][ \t]",
        "[javac] x",
        "[main] x",
    ),
    Shape(
        "logging, without a time",
        r"(?:DEBUG|INFO|WARNING|ERROR|CRITICAL):[a-z_][\w.]{0,60}:(?=\S|[ \t]|$)",
        "ERROR:root:x",
        "ERROR: root",
    ),
    Shape("box", r"[\u2577\u2502\u2575](?:[ \t]|$)", "\u2502 x", "3 \u2502 x"),
    Shape("CI command", r"##\[(?:error|warning)\]", "##[error]x", "## [a]"),
    Shape(
        "CI annotation",
        r"::(?:error|warning)(?: [^:\n]{0,200})?::",
        "::error file=a.py,line=3::x",
        "a::error::b",
    ),
    Shape(
        "logcat, brief",
        r"[VDIWEF]/[\w.-]{1,40} {0,5}\( {0,6}\d{1,7}\): ?",
        "I/flutter ( 1234): x",
        "I/flutter: x",
    ),
    Shape(
        "progress of curl",
        r"[ \t\d:.kMG-]{0,200}+(?<=[ \t\d:.kMG-]{20})(?=curl: \(\d)",
        "  0     0    0     0    0 --:--:-- --:--:--     0curl: (6) x",
        "curl: (6) x",
    ),
    Shape(
        "provisioner of Terraform",
        r"[\w.\[\]\"'-]{1,200} \((?:local|remote)-exec\):(?: |$)",
        "null_resource.docs (local-exec): x",
        "null_resource.docs: x",
    ),
    Shape("console of a browser", r"\(index\):\d{1,6} ", "(index):1 x", "(index) x"),
    Shape(
        "log of a Lambda",
        r"\[(?:ERROR|WARNING|INFO)\][ \t]" + MOMENTS[0].pattern + r"[ \t][0-9a-f-]{36}[ \t]",
        "[ERROR]\t2026-01-07T10:11:12.131Z\t1a9f0d5e-7b1c-91f4-3f0e-2a5b8c7d9e10\tx",
        "[ERROR] x",
    ),
    Shape("pm2", r"\d{1,3}\|[\w.-]{1,40}[ \t]{0,20}\|(?: |$)", "0|web  | x", "0|1"),
    Shape(
        "logger of Ruby",
        r"[DIWEFA], \[[\dT:. -]{10,40}#\d{1,9}\] {1,3}[A-Z]{3,8} -- [\w:]{0,60}: "
        r"(?:\[[0-9a-f-]{8,36}\] ?)?",
        "F, [2024-03-01T10:11:12.131 #7] FATAL -- : x",
        "F, [x]",
    ),
    Shape(
        "event of Kubernetes",
        r"(?:Warning|Normal)[ \t]+\w{1,60}[ \t]+(?:\d{1,6}[smhd]){1,4}"
        r"(?: \(x\d{1,7} over (?:\d{1,6}[smhd]){1,4}\))?[ \t]+[\w-]{1,60}[ \t]+(?=\S)",
        "Warning  Failed  38s (x3 over 80s)  kubelet  Error: ErrImagePull",
        "Warning: 38s kubelet",
    ),
    Shape(
        "section of a GitLab job",
        r"section_(?:start|end):\d{1,12}:[a-z_]{1,60}(?:\[[\w,=-]{1,60}\])?",
        "section_end:1709461872:step_script",
        "section_end: x",
    ),
    Shape(
        "job and step",
        r"[\w(][^\t]{0,80}+\t[^\t]{1,80}+\t\ufeff?(?=\d{4}-\d\d-\d\dT)|"
        r"[a-z][\w-]{0,30}+[ \t]+(?:UNKNOWN STEP|[\w -]{1,40})\t(?=\d{4}-\d\d-\d\dT)",
        "build (ubuntu-latest, 20)\tRun tests\t2025-06-01T08:00:11.113Z x",
        "build\tx",
    ),
)

FOUND = Shape(
    "line of a log, found in it",
    r"[\w./-]{1,100}\.(?:log|out)(?::\d{1,7}:|-\d{1,7}-)",
    "logs/build.log:118:x",
    "build.log: 118: x",
)
"""What `grep` puts in front; it begins as any line does, and few texts hold such a place."""
_PLACE_IN_A_LOG = Expression(r"\.(?:log|out)[:-]\d")
_CLOCK = r":\d\d:\d\d"
A_MOMENT = rf"[0-9](?:{_CLOCK}|\d{{9}}[.,]|:\d\d ?[AP]M\b)"
"""What a text holds, if a line of it begins with a moment."""
_AT_A_COLON = Expression(r":(?<=[0-9]:)\d\d(?::\d\d| ?[AP]M\b)")
_AT_A_POINT = Expression(r"\.(?<=[0-9]\d{9}\.)")
_AT_A_COMMA = Expression(r",(?<=[0-9]\d{9},)")
"""The same, by a sign of it that is rarer than digits are."""
_SECONDS = r"1\d{9}[.,]"
"""These or a clock are in every line that begins with a prefix with a moment."""
TIMED = tuple(row for row in PREFIXES if _CLOCK in row.pattern)
"""The prefixes with a moment in them; they are the dear ones, and most texts have no moment."""
_BLANKS = r"[ \t]{0,20}+"
"""In front of a prefix; none is given back, or each row would be tried at each of them."""
_BARRED = frozenset(("compose", "dagger", "act", "pm2"))
"""Prefixes with a bar in them."""
_WORDS = frozenset(
    (
        "stern",
        "pod of Argo",
        "program and level",
        "provisioner of Terraform",
        "job and step",
        "progress of curl",
    )
)
"""Prefixes that begin as any line does, or are dear to try at each."""
_TAIL_OF_A_NAME = Expression(r"-(?:[0-9a-f]{8,10}-[a-z0-9]{5}[ \t]|\d{6,12}: |exec\):)")
_LEVEL = Expression(r"\[(?:error|ERROR|critical|CRITICAL|fatal|FATAL)\]")
_YEAR = r"\t\ufeff?\d{4}-"
"""One of the three, or what curl calls itself, stands in a line with one of them."""
_TIMELESS_ROWS = tuple(row for row in PREFIXES if row not in TIMED)
_BEGINS = (
    r"(?=[#(0:=ACDEFINOSVW\[_acdors\u2502\u2575\u2577])"
    "(?![A-Za-z][a-z](?<!Ac|Cu|No|Ob|St|Wa|ac|cu|da|de|ob|re|se))"
)
"""So begins each of those that have neither a bar nor such a word; most lines do not."""
_PREFIXES = Shapes(PREFIXES, before=_BLANKS)
_TIMELESS = Shapes(_TIMELESS_ROWS, before=_BLANKS)


def _behind_a_break(rows: Iterable[Shape], begins: str = "") -> Expression:
    """Finds a prefix at the beginning of a line that stands behind a line break."""
    return Expression(rf"(?m)\n{_BLANKS}{begins}(?:{'|'.join(row.pattern for row in rows)})")


_WITH_A_BAR = _behind_a_break(row for row in _TIMELESS_ROWS if row.name in _BARRED)
_WITH_A_WORD = _behind_a_break(row for row in _TIMELESS_ROWS if row.name in _WORDS)
_PLAIN = _behind_a_break(
    (row for row in _TIMELESS_ROWS if row.name not in _BARRED | _WORDS), _BEGINS
)


def holds_moment(text: str) -> bool:
    """Whether a line of a text may begin with a moment; asked of every text."""
    return (
        _AT_A_COLON.search(text) is not None
        or _AT_A_POINT.search(text) is not None
        or _AT_A_COMMA.search(text) is not None
    )


def _holds_word(text: str) -> bool:
    """Whether a text holds what stands in a prefix that begins as any line does."""
    return (
        "curl: (" in text
        or ("\t" in text and compiled(_YEAR).search(text) is not None)
        or ("[" in text and _LEVEL.search(text) is not None)
        or ("-" in text and _TAIL_OF_A_NAME.search(text) is not None)
    )


def _may_begin(text: str) -> bool:
    """Whether a line behind a line break has a prefix without a moment; asked of every text."""
    return (
        _PLAIN.search(text) is not None
        or (("|" in text or "\u2502" in text) and _WITH_A_BAR.search(text) is not None)
        or (_holds_word(text) and _WITH_A_WORD.search(text) is not None)
    )


def _taken_off(lines: list[str], timed: bool, warned: set[int]) -> list[str]:
    """The lines without the prefix of each that has one; they themselves if none has.

    Args:
        lines: lines of a text.
        timed: whether a line may hold a moment.
        warned: takes the numbers of the lines whose prefix says that they are warnings.
    """
    bare = lines
    for at, line in enumerate(lines):
        if not line:
            continue
        clock = timed and (compiled(_CLOCK).search(line) or compiled(_SECONDS).search(line))
        found = (_PREFIXES if clock else _TIMELESS).match(line)
        end = found.end() if found else 0
        if timed and (not end or compiled(A_MOMENT).search(line, 0, end)):
            end = max(end_of_head(line, end), end_of_head(line) if line[0] == "[" else 0)
        if end:
            if compiled(OF_A_WARNING).search(line, 0, end):
                warned.add(at)
            bare = lines.copy() if bare is lines else bare
            bare[at] = without_tail(line[end:]) if timed and "  " in line else line[end:]
    return bare


def without_prefixes(lines: list[str]) -> list[str]:
    """The lines without what was put in front of them, three layers deep at most.

    They themselves come back, if nothing was.
    """
    text = "\n".join(lines)
    timed = holds_moment(text)
    if ENDED in text:
        lines = without_tags(lines)
        text = "\n".join(lines)
    if (".log" in text or ".out" in text) and _PLACE_IN_A_LOG.search(text):
        lines = [compiled(FOUND.pattern).sub("", line, count=1) for line in lines]
        text = "\n".join(lines)
    warned: set[int] = set()
    for _ in range(3):
        begun = lines
        if timed or _may_begin(f"\n{text}"):
            lines = _taken_off(lines, timed, warned)
        spoken = [*filter(str.strip, lines)]
        bare = without_common(lines, spoken)
        if bare is begun:
            if tag := tag_of(spoken):
                bare = [
                    line[found.end() :] if (found := tag.match(line)) else line for line in lines
                ]
            bare = without_numbers(lines, spoken) if bare is lines else bare
            if bare is lines:
                break
        lines = bare
        text = "\n".join(lines)
    return _marked(lines, warned) if len(lines) > 1 else lines


def _marked(lines: list[str], warned: set[int]) -> list[str]:
    """The lines with a mark in front of what a record calls a warning; JSON has its own field."""
    for at in warned:
        if lines[at].strip() and not lines[at].startswith("{"):
            lines[at] = WARNED + lines[at]
    return lines
