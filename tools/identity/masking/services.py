"""How databases, web servers and containers dress up one and the same message.

Rule of this module: as in `reporters`, a row takes off what was put around the message; its code,
and the name of what it is about, stay.
"""

from reflection_mcp.tools.identity.rule import ANY_DIGIT, Rule

SERVICES: tuple[Rule, ...] = (
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
        "socket at which the daemon of Docker was sought",
        "docker daemon",
        r"(?im)(connect to the Docker daemon) at (?:unix|npipe):(?=\S{0,200}docker)"
        r"\S{1,300}?(?=\.?(?:[ \t]|$))",
        r"\1",
        "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is it running?",
        "Cannot connect to the Docker daemon. Is it running?",
        "Cannot connect to the Docker daemon at tcp://localhost:2375. Is it running?",
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
        "lengths of a conversation",
        "maximum context length",
        r"(?i)(maximum context length) is [^\n]{1,400}",
        r"\1",
        "This model's maximum context length is 128000 tokens. However, you requested 131224",
        "This model's maximum context length",
        "the context is long",
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
        r"(?m)^[ \t]*"
        r"(?:ERROR|(?:Operational|Programming|Integrity|Data|Internal|NotSupported|Interface|"
        r"Database|MySQL\w{0,20})Error:|(?:MySql|MySQL\w{0,40}|mysqli_sql_|SQL)Exception:|"
        r"SQLSTATE\[\w{5}\])[ \t]*[\[(]?(\d{4})"
        r"(?:\][: ]?|,|)[ \t]?(?:\(\w{5}\)(?: at line \d{1,7})?:?|['\"])?[ \t]*(?=[A-Z'\"])",
        r"mysql error \1: ",
        "ERROR 1045 (28000): Access denied for user",
        "mysql error 1045: Access denied for user",
        "ERROR 404 not found",
    ),
    Rule(
        "MySQL's code, behind what passes it on",
        r"error \d\d\d\d (",
        r"ERROR(?<=: ERROR) (\d{4}) \(\w{5}\):[ \t]+(?=[A-Z'\"])",
        r"mysql error \1: ",
        "restore: ERROR 1045 (28000): Access denied for user",
        "restore: mysql error 1045: Access denied for user",
        "restore: ERROR 1045 (x): Access denied",
    ),
    Rule(
        "pod of a deployment",
        "-",
        r"-(?<=[a-z0-9]-)(?:[0-9a-f]{7,10}-[a-z0-9]{5}(?![a-z0-9])|"
        r"[bcdfghj-np-tv-xz2456789]{5}(?=_[a-z0-9-]{1,63}\())",
        "-<id>",
        "in pod worker-6f7c9d5b8d-x2x7k",
        "in pod worker-<id>",
        "x-1f-x2x7k",
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
        "nginx and its level",
        "nginx: [",
        r"(?m)^[ \t]*nginx: \[\w{1,10}\] ",
        "",
        'nginx: [emerg] unknown directive "prox" in shop.conf:3',
        'unknown directive "prox" in shop.conf:3',
        "nginx: [x y]",
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
)
