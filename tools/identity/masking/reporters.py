"""How databases, services, shells and package managers dress up one and the same message.

Rule of this module: a row takes off what the reporter put around the message, or brings the
wordings of several clients of one service to one form. The message and its code stay.
"""

import re

from reflection_mcp.tools.identity.rule import ANY_DIGIT, Match, Rule, compiled

_ERRNO = {
    "connection refused": "econnrefused",
    "connection timed out": "etimedout",
    "operation timed out": "etimedout",
    "address already in use": "eaddrinuse",
    "connection reset by peer": "econnreset",
    "no route to host": "ehostunreach",
    "network is unreachable": "enetunreach",
    "cannot assign requested address": "eaddrnotavail",
    "can't assign requested address": "eaddrnotavail",
    "directory not empty": "enotempty",
    "too many levels of symbolic links": "eloop",
    "file name too long": "enametoolong",
    "resource temporarily unavailable": "eagain",
    "resource deadlock avoided": "edeadlk",
    "no such file or directory": "enoent",
    "permission denied": "eacces",
    "name or service not known": "enoname",
    "nodename nor servname provided, or not known": "enoname",
}
"""Errors whose number depends on the operating system; the words say which one it is."""


_ERRNO_NUMBER = (
    r"-?(?:111|61|10061|110|60|10060|98|48|10048|104|54|10054|113|65|10065|101|51|10051|"
    r"99|49|10049|39|66|40|62|36|63|11|35|2|13|8|11001)"
)


def _errno(match: Match) -> str:
    return f"{match[1]}{_ERRNO[match[3].casefold()]}{match[2]}{match[3]}"


_BODY = r"\{ ?['\"](?:error|type|message|code|status|detail|errors)['\"] ?: ?[^\n]{2,4000}\}"
_BODY_MESSAGE = (
    r"['\"](?:message|detail|msg|error_description)['\"] ?: ?(?:\"((?:[^\"\\\\]|"
    r"\\\\.){1,2000})\"|'((?:[^'\\\\]|\\\\.){1,2000})')"
)
_BODY_CODE = r"['\"](?:type|code|status|reason)['\"] ?: ?['\"]?([\w.-]{1,80})"


def _body(match: Match) -> str:
    """The message of a JSON body inside a line, and its codes in brackets."""
    message = compiled(_BODY_MESSAGE).search(match[0])
    if message is None:
        return match[0]
    codes = dict.fromkeys(
        code for code in compiled(_BODY_CODE).findall(match[0]) if code != "error"
    )
    return f"{message[1] or message[2]} ({', '.join(codes)})" if codes else message[1] or message[2]


_SHELL = r"(?im)^(?:[\w./-]{0,60}/)?-?(?:ba|z|da|k|a|fi)?sh(?:\.exe)?: (?:(?:line )?\d{1,7}: )?"


def _command(match: Match) -> str:
    return f"command not found: {match[1] or match[2]}"


def _run(match: Match) -> str:
    message, name = (match[1], match[2]) if match[1] else (match[4], match[3])
    return f"{message}: {name}"


REPORTERS: tuple[Rule, ...] = (
    Rule(
        "body of a reply inside a line",
        "message|detail|msg",
        _BODY,
        _body,
        'Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
        "Error: 529 Overloaded (overloaded_error)",
        '{"id": 3}',
    ),
    Rule(
        "announcement of a retry",
        "retry|attempt|try again|trying again",
        r"(?im)[ \t]*[\u00b7|,;.-]?[ \t]*\(?(?:retrying|will retry|retry|trying again|"
        r"please (?:try|retry) again)\b[^\n]{0,60}?\b(?:in|after|later)\b[^\n]{0,80}$|"
        r"[ \t]*\(attempt \d{1,4}(?:/| of )\d{1,4}\)",
        "",
        "Overloaded, retrying in 2 seconds",
        "Overloaded",
        "retry failed",
    ),
    Rule(
        "where to read on",
        "for more information|for further|read the docs|see documentation|see "
        "http|documentation for|for details|troubleshoot",
        r"(?i)[ \t]*[;,.]?[ \t]*\(?(?:for (?:more|further) (?:information|details|help)|"
        r"(?:please )?(?:read|see|check|consult|refer to) (?:the |our )?"
        r"(?:docs?|documentation|manual|log|http\S{0,300})|for documentation)\b[^\n)]{0,400}\)?",
        "",
        "quota exceeded. For more information on this error, read the docs: "
        "https://x.example/errors",
        "quota exceeded",
        "information",
    ),
    Rule(
        "self-signed",
        "self signed",
        r"(?i)\bself signed\b",
        "self-signed",
        "certificate verify failed: self signed certificate",
        "certificate verify failed: self-signed certificate",
        "signed by itself",
    ),
    Rule(
        "npm, before and after version 10",
        "npm",
        r"(?im)^[ \t]*npm (?:err!|error)(?=[ \t]|$)",
        "npm error",
        "npm ERR! code E404",
        "npm error code E404",
        "npm warn error",
    ),
    Rule(
        "yarn's and pnpm's sign",
        "err_pnpm",
        r"(?m)^[ \t\u2009]*(?:ERR_PNPM_(?=\w))",
        "ERR_PNPM_",
        " ERR_PNPM_NO_MATCHING_VERSION  No matching version",
        "ERR_PNPM_NO_MATCHING_VERSION  No matching version",
        "code ERR_PNPM_FETCH_404",
    ),
    Rule(
        "word of the log level",
        "",
        r"(?m)^[ \t]*(?:\[?(?:ERROR|FATAL|CRITICAL|SEVERE)\]?[:|]?|\u2716|\u00d7|\u274c|"
        r"\u25cf|\u2502)[ \t]{1,20}(?=[^\s\d(])",
        "",
        "ERROR: No matching distribution found",
        "No matching distribution found",
        "FATAL",
    ),
    Rule(
        "connection refused by PostgreSQL, before version 14",
        "could not connect to server",
        r"could not connect to server: ([^\n]{1,200})\n[ \t]*Is the server running (?"
        r":on host|locally)? ?(\"[^\"\n]{1,200}\")[^\n]{0,80}\n?[^\n]{0,60}"
        r"\bon port (\d{1,5})\?",
        r"connection to server at \2, port \3 failed: \1",
        "could not connect to server: Connection refused\n\tIs the server running on "
        'host "db" and accepting\n\tTCP/IP connections on port 5432?',
        'connection to server at "db", port 5432 failed: Connection refused',
        "could not connect to server: x",
    ),
    Rule(
        "question of PostgreSQL's client",
        "is the server running",
        r"(?m)^[ \t]*Is the server running (?:on that host|"
        r"locally) and accepting[^\n]*(?:\n[ \t]*TCP/IP connections[^\n]*)?",
        "",
        "failed: refused\n\tIs the server running on that host and accepting TCP/IP connections?",
        "failed: refused\n",
        "Is the server running",
    ),
    Rule(
        "connection refused by PostgreSQL, since version 14",
        "connection to server",
        r"(connection to server at \"[^\"\n]{1,200}\") \([0-9a-fA-F.:]{3,45}"
        r"\)(, port \d{1,5} failed: )",
        r"\1\2",
        'connection to server at "db" (172.21.0.2), port 5432 failed: Connection refused',
        'connection to server at "db", port 5432 failed: Connection refused',
        "connection to server at localhost",
    ),
    Rule(
        "command not found, by shell",
        "not found",
        _SHELL + r"(?:command not found: ([^\s:]{1,200})|([^\s:]{1,200}): (?:command )?not found)$",
        _command,
        "bash: line 3: kubectl: command not found",
        "command not found: kubectl",
        "bash: package not found",
    ),
    Rule(
        "program that did not start, by shell",
        "sh: ",
        _SHELL + r"(?:(permission denied|no such file or directory|is a directory): (\S{1,300})|"
        r"(\S{1,300}): (permission denied|no such file or directory|is a directory))$",
        _run,
        "bash: line 3: ./deploy.sh: Permission denied",
        "Permission denied: ./deploy.sh",
        "ssh: Permission denied",
    ),
    Rule(
        "dependency tree of npm, by version",
        "eresolve",
        r"ERESOLVE (?:unable to resolve dependency tree|could not resolve)",
        "ERESOLVE could not resolve",
        "npm error ERESOLVE unable to resolve dependency tree",
        "npm error ERESOLVE could not resolve",
        "code ERESOLVE",
    ),
    Rule(
        "where the daemon of Docker was sought",
        "docker daemon",
        r"(?i)(connect to the Docker daemon) at \S{1,300}?(?=\.?(?:[ \t]|$))",
        r"\1",
        "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is it running?",
        "Cannot connect to the Docker daemon. Is it running?",
        "Cannot connect to the Docker daemon.",
    ),
    Rule(
        "answer of PostgreSQL behind its address",
        "connection to server at",
        r"(?m)(?:^[ \t]*psql: )?(?:error: )?connection to server at [^\n]{1,200}?"
        r" failed: (?=FATAL)",
        "",
        'psql: error: connection to server at "db", port 5432 failed: FATAL:  no database "a"',
        'FATAL:  no database "a"',
        'connection to server at "db", port 5432 failed: refused',
    ),
    Rule(
        "npm passing on what gyp says",
        "gyp err!",
        r"(?im)^[ \t]*(?:npm (?:err!|error) )?gyp (?:err!|error)[ \t]+(?:stack[ \t]+at [^\n]*)?",
        "gyp: ",
        "npm error gyp ERR! find Python",
        "gyp: find Python",
        "gyp: find Python",
    ),
    Rule(
        "lengths of a conversation",
        "maximum context length",
        r"(?i)(maximum context length) is [^\n]{1,400}",
        r"\1",
        "This model's maximum context length is 128000 tokens. However, you requested 131224",
        "This model's maximum context length",
        "the context is long",
    ),
    Rule(
        "advice behind a message",
        ". |! |; ",
        r"(?m)(?<=[^\n]{20}[.!;]) (?:You (?:can|may|might|should|need)|Please|Try|"
        r"Consider|Make sure|"
        r"Use|Run|If (?:you|an?|the|this|your)|Did you|Is the)\b[^\n]{3,400}$",
        "",
        "Unable to locate credentials. You can configure credentials by running 'aws configure'",
        "Unable to locate credentials.",
        "It failed. You can run",
    ),
    Rule(
        "number of an operating system's error",
        "|".join(_ERRNO),
        r"(?i)(\[?(?:errno|error|os error|winerror)[ \]=:]{0,3})"
        + _ERRNO_NUMBER
        + r"(?!\d)(\]?[^\n]{0,60}?)\b("
        + "|".join(sorted(map(re.escape, _ERRNO), key=len, reverse=True))
        + ")",
        _errno,
        "[Errno 61] Connection refused",
        "[Errno econnrefused] Connection refused",
        "[Errno 61] Unknown",
    ),
    Rule(
        "type that a database driver wraps around the server's message",
        "error|exception|undefined|duplicate",
        r"(?m)^[ \t]*(?:[\w.]{0,80}\.)?(?:ProgrammingError|DatabaseError|PostgresError|"
        r"PSQLException|PG::\w{1,40}|QueryFailedError|"
        r"SQLSyntaxErrorException|SQLException|Undefined(?:Table|Column|Function|Object)|"
        r"Duplicate(?:Table|Column|Object)):[ \t]+(?:ERROR:[ \t]+)?"
        r"(?=(?:relation|column|table|function|type|schema|syntax error|ORA-|database|"
        r"constraint)\b)",
        "",
        'psycopg2.errors.UndefinedTable: relation "orders" does not exist',
        'relation "orders" does not exist',
        "ProgrammingError: cannot adapt type",
    ),
    Rule(
        "statement that PostgreSQL shows",
        "statement|line ",
        r"(?m)^[ \t]*(?:STATEMENT: |LINE \d{1,5}: )[^\n]{0,1000}",
        "",
        "STATEMENT:  SELECT id FROM orders",
        "",
        "a STATEMENT: x",
    ),
    Rule(
        "place in a statement",
        " at character |zeichen|car\u00e1cter|caract\u00e8re",
        r"(?i)[ \t](?:at character|bei Zeichen|en car\u00e1cter|au caract\u00e8re) \d{1,7}",
        "",
        "does not exist at character 31",
        "does not exist",
        "at character x",
    ),
    Rule(
        "MySQL's code, by client",
        f"{ANY_DIGIT} (|[",
        r"(?m)^[ \t]*(?:ERROR|\w{0,60}(?:Error|Exception):|"
        r"SQLSTATE\[\w{5}\])[ \t]*[\[(]?(\d{4})(?:\][: ]?|,|)[ \t]?(?:\(\w{5}\)"
        r"(?: at line \d{1,7})?:?|['\"])?[ \t]*(?=[A-Z'\"])",
        r"mysql error \1: ",
        "ERROR 1045 (28000): Access denied for user",
        "mysql error 1045: Access denied for user",
        "ERROR 404 not found",
    ),
    Rule(
        "text an editing tool could not find",
        "to replace not found|did not appear verbatim",
        r"(?i)(?:String to replace not found in file\b[^\n]*(?:\nString:[^\n]*)?|"
        r"No replacement was performed, old_str [^\n]{0,600}"
        r" did not appear verbatim in [^\n]*)",
        "string to replace not found in file",
        "No replacement was performed, old_str 'a' did not appear verbatim in /app/cart.py.",
        "string to replace not found in file",
        "String not found",
    ),
    Rule(
        "pod of a deployment",
        "-",
        r"(?<=[a-z0-9])-(?:[0-9a-f]{7,10}-[a-z0-9]{5}(?![a-z0-9])|"
        r"[bcdfghj-np-tv-xz2456789]{5}(?=_[a-z0-9-]{1,63}\())",
        "-<id>",
        "in pod worker-6f7c9d5b8d-x2x7k",
        "in pod worker-<id>",
        "x-1f-x2x7k",
    ),
    Rule(
        "depth of make",
        "make[",
        r"(?m)^([ \t]*g?make)\[\d{1,3}\]:",
        r"\1:",
        "make[2]: *** No rule to make target 'a'",
        "make: *** No rule to make target 'a'",
        "make: [2]",
    ),
    Rule(
        "process id of a sanitizer",
        "==",
        r"(?m)^[ \t]*==\d{1,9}==[ \t]?(?:ERROR: )?",
        "",
        "==4411==ERROR: AddressSanitizer: heap-use-after-free",
        "AddressSanitizer: heap-use-after-free",
        "a == b",
    ),
    Rule(
        "web server passing on what PHP says",
        "fastcgi sent in stderr",
        r"(?m)(?:\d{1,9}#\d{1,9}: )?(?:\*\d{1,12} )?FastCGI sent in stderr: \"(?:PHP message: )?"
        r"([^\n]{1,4000}?)(?:\" while [^\n]*|$)",
        r"\1",
        '*7 FastCGI sent in stderr: "PHP message: PHP Fatal error: x" while reading',
        "PHP Fatal error: x",
        "FastCGI sent in stderr",
    ),
    Rule(
        "side of rsync that met it, since version 3.2",
        "rsync: [",
        r"rsync: \[(?:sender|receiver|generator|Receiver|client|server)\] ",
        "rsync: ",
        'rsync: [receiver] mkstemp "a" failed: Permission denied (13)',
        'rsync: mkstemp "a" failed: Permission denied (13)',
        "rsync: [x] failed",
    ),
    Rule(
        "nginx and its level",
        "nginx: [",
        r"(?m)^[ \t]*nginx: \[\w{1,10}\] ",
        "",
        'nginx: [emerg] unknown directive "prox" in shop.conf:3',
        'unknown directive "prox" in shop.conf:3',
        "nginx: [x y]",
    ),
    Rule(
        "login shell and make of GNU, by name",
        "-bash: |-zsh: |-sh: |gmake: ",
        r"(?m)^[ \t]*(?:-(?=(?:ba|z)?sh: )|g(?=make: ))",
        "",
        "gmake: *** No rule to make target 'a'",
        "make: *** No rule to make target 'a'",
        "a-bash: x",
    ),
    Rule(
        "letter of apt",
        "e: |n: |w: ",
        r"(?m)^[EWN]: (?=[A-Z])",
        "",
        "E: Unable to locate package curl-dev",
        "Unable to locate package curl-dev",
        "e: a.kt: x",
    ),
    Rule(
        "command not found, in a script",
        "not found",
        r"(?m)^([ \t]*[\w./-]{1,200}): (?:line )?\d{1,7}: (?:command not found: ([^\s:]{1,200})|"
        r"([^\s:]{1,200}): (?:command )?not found)$",
        lambda match: f"{match[1]}: command not found: {match[2] or match[3]}",
        "deploy.sh: line 3: jq: command not found",
        "deploy.sh: command not found: jq",
        "deploy.sh: jq not found",
    ),
    Rule(
        "variable that is not set, in a script",
        "unbound variable|parameter not set",
        r"(?m)(?:line )?\d{1,7}: (\w{1,100}): (?:unbound variable|parameter not set)$",
        r"\1: unbound variable",
        "a.sh: 3: TAG: parameter not set",
        "a.sh: TAG: unbound variable",
        "a.sh: unbound variable",
    ),
    Rule(
        "project in which MSBuild met it",
        "proj]|proj::",
        r"[ \t]\[[^\]\n]{1,300}\.\w{2,3}proj(?:::[^\]\n]{1,100})?\]",
        "",
        "a.cs(3,9): error CS0103: The name 'x' does not exist [/src/shop/shop.csproj]",
        "a.cs(3,9): error CS0103: The name 'x' does not exist",
        "cannot open [shop.csproj",
    ),
    Rule(
        "sign that a linter can mend it",
        "[*]",
        r"(?<=[A-Z]\d{3} )\[\*\] ",
        "",
        "a.py:3:8: F401 [*] 'os' imported but unused",
        "a.py:3:8: F401 'os' imported but unused",
        "list [*] is empty",
    ),
    Rule(
        "layer that BuildKit copies from",
        "checksum of ref ",
        r"(?<=checksum of ref )\S{1,120}(?=:[ \t])",
        "<id>",
        'failed to calculate checksum of ref moby::6l0rxkq2: "/go.sum": not found',
        'failed to calculate checksum of ref <id>: "/go.sum": not found',
        "the checksum of ref",
    ),
    Rule(
        "connection that Laravel names since version 10",
        "(connection: ",
        r"\(Connection: \w{1,60}, (?=SQL: )",
        "(",
        "Unknown column 'a' in 'where clause' (Connection: mysql, SQL: select 1)",
        "Unknown column 'a' in 'where clause' (SQL: select 1)",
        "(Connection: close)",
    ),
    Rule(
        "depth of the solver of Cabal",
        "[__",
        r"(?m)^[ \t]*\[__\d{1,3}\] ",
        "",
        "[__0] rejecting: aeson-2.1.0.0",
        "rejecting: aeson-2.1.0.0",
        "see [__0]",
    ),
    Rule(
        "root of a workspace of pnpm",
        "<root>",
        r"<ROOT>[/\\]",
        "",
        "not up to date with <ROOT>/package.json",
        "not up to date with package.json",
        "<ROOT>",
    ),
    Rule(
        "empty value in a report",
        ": [|: {|: null|: none|: ''|:[|:{|:null",
        r"(?i),?[ \t]?['\"]\w{1,60}['\"][ \t]?:[ \t]?(?:\[\]|\{\}|null\b|None\b|''|\"\")",
        "",
        '"rc": 126, "results": []',
        '"rc": 126',
        '"results": [1]',
    ),
)
