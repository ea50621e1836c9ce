"""What the server of a database, cache or queue says, by version and by client.

Rule of this module: see the package. A client's own type in front of what the server said goes
only where the server's words say by themselves what failed.
"""

from reflection_mcp.tools.identity.rule import Match, Rule

_SAID_BY_REDIS = (
    r"(?:MISCONF|WRONGTYPE|NOAUTH|READONLY|OOM|LOADING|MOVED|ASK|CLUSTERDOWN|BUSY|NOSCRIPT|"
    r"EXECABORT|MASTERDOWN|NOREPLICAS|WRONGPASS|NOPERM|BUSYGROUP|NOGROUP|CROSSSLOT|TRYAGAIN|"
    r"UNKILLABLE|NOTBUSY|ERR) \S"
)
_SAID_BY_RABBIT = (
    r"(?:PRECONDITION_FAILED|ACCESS_REFUSED|NOT_FOUND|RESOURCE_LOCKED|NOT_ALLOWED|"
    r"COMMAND_INVALID|CHANNEL_ERROR|RESOURCE_ERROR|FRAME_ERROR|SYNTAX_ERROR|NOT_IMPLEMENTED|"
    r"INTERNAL_ERROR|CONNECTION_FORCED|CONTENT_TOO_LARGE)"
)


def _mysql_refused(match: Match) -> str:
    return f"MySQL server on '{match[1]}' (connection refused)"


def _aws(match: Match) -> str:
    code, said = match[1] or match[5], match[3] or match[6]
    operation = match[2] or match[4]
    return f"api error {code}: {said} (operation {operation})"


def _mysql_code(match: Match) -> str:
    return f"mysql error {match[1] or match[2]}: "


def _rabbit_code(match: Match) -> str:
    return f"{match[1].upper()} - "


def _elasticsearch(match: Match) -> str:
    return f"{match[1] or match[3] or match[5] or match[6]}: {match[2] or match[4] or ''}"


def _unfit(match: Match) -> str:
    return "document_parsing_exception" + (":" if ":" in match[0] else "")


def _shell_of_sqlite(match: Match) -> str:
    """The type that clients give to what the shell says without one."""
    return "IntegrityError: " if match[1] else "OperationalError: "


DATABASES: tuple[Rule, ...] = (
    Rule(
        "server that gives the manual of MySQL",
        "check the manual",
        r"(?<=check the manual that corresponds to your )(?:MySQL|MariaDB) server version",
        "server version",
        "check the manual that corresponds to your MariaDB server version for the right syntax",
        "check the manual that corresponds to your server version for the right syntax",
        "check the manual",
    ),
    Rule(
        "MySQL's code, behind a state and its reason",
        "sqlstate[",
        r"(?:(?:\b[\w\\]{1,80}\\)?(?:PDO|Query|Driver|UniqueConstraintViolation)Exception: )?"
        r"SQLSTATE\[\w{5}\]:? (?:\[(\d{4})\] |"
        r"[A-Z][\w ]{3,60}: (\d{4}) )",
        _mysql_code,
        "SQLSTATE[42S02]: Base table or view not found: 1146 Table 'shop.orders' doesn't exist",
        "mysql error 1146: Table 'shop.orders' doesn't exist",
        "SQLSTATE[42P01]: Undefined table: 7 ERROR",
    ),
    Rule(
        "MySQL's code, by its own tools",
        "got error: ",
        r"(?m)^[ \t]*mysql\w{1,20}: Got error: (\d{4}): (['\"]?)([^\n]{3,600})\2 when "
        r"(?:trying to connect|using LOCK TABLES|executing [^\n]{1,200}|doing [^\n]{1,60})$",
        r"mysql error \1: \3",
        'mysqldump: Got error: 1045: "Access denied for user" when trying to connect',
        "mysql error 1045: Access denied for user",
        "mysqldump: Got error: 1045",
    ),
    Rule(
        "server of MySQL that refused, by client",
        "mysql server on",
        r"MySQL server on '([^':\n]{1,200})(?::\d{1,5})?' \((?:111|61|10061|\[Errno econnrefused\] "
        r"[^)\n]{1,60})\)",
        _mysql_refused,
        "Can't connect to MySQL server on 'db:3306' (111)",
        "Can't connect to MySQL server on 'db' (connection refused)",
        "MySQL server on 'db'",
    ),
    Rule(
        "what SQLite says, by its shell",
        "near line |in prepare, ",
        r"(?m)^[ \t]*(?:Parse error|Runtime error|Error):?"
        r"(?: in prepare,| (?:near|on) line \d{1,7}:) "
        r"(?=no such |near \"|([A-Z ]{4,20} constraint failed)|duplicate column|ambiguous column|"
        r"table |incomplete input|attempt to write)",
        _shell_of_sqlite,
        "Parse error near line 3: no such column: email",
        "OperationalError: no such column: email",
        "Error: near line 3: x",
    ),
    Rule(
        "place that the shell of SQLite points at",
        "error here",
        r"(?m)^[^\n]{1,400}\n[ \t]{0,200}\^--- error here$",
        "",
        "no such column: email\n  select email from t;\n         ^--- error here",
        "no such column: email\n",
        "error here",
    ),
    Rule(
        "what SQLite says, by client",
        "sqlite_|sqlite3::|sqliteexception",
        r"(?:\b(?:[\w.]{1,80}SQLiteException: |SQLite3::\w{1,40}: )?\[?SQLITE_[A-Z_]{2,40}(?:: |\] "
        r"(?:SQL error or missing database|[A-Z][\w ,.'-]{3,120}?) \((?=no such|near|table|UNIQUE|"
        r"FOREIGN|NOT NULL|database)))|[ ]\(code \d{1,5}(?: SQLITE_[A-Z_\[\]\d]{2,40})?\)"
        r"(?::? ?,? while compiling:[^\n]*)?",
        "",
        "SQLITE_BUSY: database is locked",
        "database is locked",
        "code: 'SQLITE_BUSY'",
    ),
    Rule(
        "what MongoDB says of a duplicate, by client and version",
        "e11000",
        r"(?m)^(?:(?!\b(?!Mongo|Bulk_?Write|Write|DuplicateKey)\w{1,60}"
        r"(?:Error|Exception)\b)[^\n]){0,200}?\bE11000 duplicate key error "
        r"(?:collection|index): ([\w-]{1,100}\.[\w-]{1,100})(?:\.\$| index: )"
        r"([\w.-]{1,100}) dup key: \{[^\n]*",
        r"E11000 duplicate key error in \1, index \2",
        "MongoServerError: E11000 duplicate key error collection: shop.users index: email_1 dup "
        'key: { email: "a" }',
        "E11000 duplicate key error in shop.users, index email_1",
        "E11000 duplicate key",
    ),
    Rule(
        "node that must not be written to, before MongoDB 5",
        "not master",
        r"(?i)\bnot master\b(?: and slaveOk=false)?",
        "not primary",
        "not master and slaveOk=false",
        "not primary",
        "the master",
    ),
    Rule(
        "what Redis says, by client",
        "|".join(
            f"{name}: "
            for name in (
                "responseerror",
                "replyerror",
                "errorreply",
                "simpleerror",
                "commanderror",
                "dataexception",
                "commandexecutionexception",
                "serverexception",
                "redisexception",
                "accesscontrolexception",
                "[errorreply",
                "readonlyerror",
                "authenticationerror",
                "outofmemoryerror",
                "busyloadingerror",
                "(error) ",
            )
        ),
        r"(?m)^[ \t]*(?:(?:(?:[\w.]{1,100}\.|\w{1,40}::|\w{1,40}\\[\w\\]{1,80})?(?:Response|Reply|"
        r"Command|Simple|ReadOnly|Authentication|OutOfMemory|BusyLoading|JedisData|"
        r"JedisAccessControl|RedisCommandExecution|RedisServer|Server|Redis)?(?:Error|Exception|"
        r"ErrorReply): |\(error\) )){1,3}(?=" + _SAID_BY_REDIS + ")",
        "",
        "redis.exceptions.ResponseError: WRONGTYPE Operation against a key",
        "WRONGTYPE Operation against a key",
        "ResponseError: index_not_found_exception",
    ),
    Rule(
        "what Redis could not save, by version",
        "misconf",
        r"(?<=MISCONF )(?:Redis|Valkey) is configured to save RDB snapshots, but[^\n]*",
        "configured to save RDB snapshots, cannot persist",
        "MISCONF Redis is configured to save RDB snapshots, but is currently not able to persist "
        "on disk.",
        "MISCONF configured to save RDB snapshots, cannot persist",
        "MISCONF x",
    ),
    Rule(
        "node that only reads, before Redis 5",
        "read only slave",
        r"(?<=read only )slave\b",
        "replica",
        "READONLY You can't write against a read only slave.",
        "READONLY You can't write against a read only replica.",
        "a slave",
    ),
    Rule(
        "password that is wrong, by version of Redis",
        "wrongpass",
        r"(?<=WRONGPASS invalid username-password pair) or user is disabled",
        "",
        "WRONGPASS invalid username-password pair or user is disabled.",
        "WRONGPASS invalid username-password pair.",
        "WRONGPASS x",
    ),
    Rule(
        "arguments of a command that Redis does not know, since version 5",
        "with args beginning with",
        r"(?i)(?<=unknown command )['`\"]([\w.]{1,60})['`\"], with args beginning with:[^\n]*",
        r"'\1'",
        "ERR unknown command 'FOO', with args beginning with: 'a' 'b'",
        "ERR unknown command 'FOO'",
        "with args beginning with",
    ),
    Rule(
        "command that a user of Redis may not run, by version",
        "noperm",
        r"NOPERM (?:this user|User \S{1,60}) has no permissions to run the '([^'\n]{1,60})' command"
        r"(?: or its subcommand)?",
        r"NOPERM no permissions to run the '\1' command",
        "NOPERM this user has no permissions to run the 'set' command or its subcommand",
        "NOPERM no permissions to run the 'set' command",
        "NOPERM x",
    ),
    Rule(
        "what RabbitMQ says, by client",
        "precondition|access_refused|not_found|resource_|not_allowed|command_invalid|channel_error|"
        "frame_error|syntax_error|connection_forced",
        r"(?m)^[^\n]{0,200}?(?:\(?\b(?:4|5|3)\d\d\b,?|reply-text=|Reason:)[^\n]{0,60}?\b"
        r"(?=" + _SAID_BY_RABBIT + r" - )",
        "",
        'Channel closed by server: 406 (PRECONDITION-FAILED) with message "PRECONDITION_FAILED - a',
        "PRECONDITION_FAILED - a",
        "PRECONDITION_FAILED - a",
    ),
    Rule(
        "what RabbitMQ says, in its own log",
        "caused a ",
        r"(?m)^[^\n]{0,200}?\boperation [a-z.-]{3,40} caused a (?:channel|connection) exception "
        r"([a-z_]{5,30}): (?=\S)",
        _rabbit_code,
        "operation queue.declare caused a channel exception not_found: no queue 'a' in vhost '/'",
        "NOT_FOUND - no queue 'a' in vhost '/'",
        "operation queue.declare caused a channel exception",
    ),
    Rule(
        "numbers behind what RabbitMQ says",
        "class-id=|class_id",
        r",? (?:class-id|ClassId)=\d{1,5}, ?(?:method-id|MethodId)=\d{1,5}\)?",
        "",
        "reply-text=NOT_FOUND - no queue 'a', class-id=50, method-id=10)",
        "reply-text=NOT_FOUND - no queue 'a'",
        "class-id=a",
    ),
    Rule(
        "what Elasticsearch says, by client",
        "_exception",
        r"\b(?:elasticsearch\d?\.(?:exceptions\.)?)?(?:NotFound|(?:Bad)?Request|Conflict|Transport|"
        r"Api|Authentication|Authorization)(?:Error|Exception): (?:\w{1,40}(?:Error|Exception))?"
        r"\(\d{3}, ['\"](\w{3,80}_exception)['\"], ['\"]"
        r"((?:[^'\"\\\n]|\\.){1,500})['\"][^)\n]{0,200}\)|"
        r"\[\w{1,20}/[\w.]{1,60}\] failed: \[(\w{3,80}_exception)\] ([^\n]{1,500})|"
        r"(?m:^[ \t]*)(?:ResponseError: (\w{3,80}_exception)(?:\n[ \t]*Root causes:)?\n[ \t]*\5: |"
        r"type: (\w{3,80}_exception)\n)",
        _elasticsearch,
        "NotFoundError: NotFoundError(404, 'index_not_found_exception', 'no such index [a]', a)",
        "index_not_found_exception: no such index [a]",
        "index_not_found_exception: x",
    ),
    Rule(
        "node of Kafka that does not answer, by version",
        "may not be available",
        r"(?<=could not be established\. )(?:Broker|Node) may not be available",
        "Node is away",
        "Connection to node -1 (db/10.0.0.1:9092) could not be established. Broker may not be "
        "available.",
        "Connection to node -1 (db/10.0.0.1:9092) could not be established. Node is away.",
        "it may not be available",
    ),
    Rule(
        "topic that a node of Kafka does not have, by client",
        "unknown topic or partition|does not host this topic",
        r"(?:Broker: )?Unknown topic or partition|This server does not host this topic-partition",
        "unknown topic or partition",
        "This server does not host this topic-partition.",
        "unknown topic or partition.",
        "an unknown topic",
    ),
    Rule(
        "what a service of AWS says, by client",
        "when calling the |api error ",
        r"(?:\b(?:botocore\.[\w.]{1,100}|ClientError|\w{1,60}denied): )?"
        r"(?:An error occurred )?\((\w{1,80})\) when calling the "
        r"(\w{1,80}) operation(?: \(reached max retries: \d{1,3}\))?: ([^\n]*)|"
        r"operation error [\w ]{1,60}: (\w{1,80}), (?:https response error StatusCode: \d{1,3}, "
        r"RequestID: [\w-]{0,60}, (?:HostID: [^,\n]{0,120}, )?)?api error (\w{1,80}): ([^\n]*)",
        _aws,
        "operation error S3: PutObject, https response error StatusCode: 403, RequestID: 7A, "
        "HostID: x/y=, api error AccessDenied: Access Denied",
        "api error AccessDenied: Access Denied (operation PutObject)",
        "api error AccessDenied: Access Denied",
    ),
    Rule(
        "call around what a service of AWS says, by its client for Go",
        "operation error ",
        r"operation error [\w ]{1,60}: \w{1,80}, https response error StatusCode: \d{1,3}, "
        r"RequestID: [\w-]{0,60}, (?:HostID: [^,\n]{0,120}, )?(?!api error)",
        "",
        "operation error DynamoDB: PutItem, https response error StatusCode: 400, RequestID: 7A, "
        "ConditionalCheckFailedException: The conditional request failed",
        "ConditionalCheckFailedException: The conditional request failed",
        "operation error DynamoDB: PutItem",
    ),
    Rule(
        "table in front of a key, since MySQL 8.0.19",
        "for key ",
        r"(?<= for key )(['\"])([\w-]{1,64})\.([\w-]{1,64})\1",
        r"\1\3\1 (of \2)",
        "Duplicate entry <data> for key 'users.email_unique'",
        "Duplicate entry <data> for key 'email_unique' (of users)",
        "Duplicate entry <data> for key 'email_unique'",
    ),
    Rule(
        "document that does not fit its mapping, before Elasticsearch 8.8",
        "mapper_parsing_exception|document_parsing_exception",
        r"\bmapper_parsing_exception\b|\bdocument_parsing_exception(?:: \[\d{1,7}:\d{1,7}\](?= ))?",
        _unfit,
        "document_parsing_exception: [1:23] failed to parse field [price]",
        "document_parsing_exception: failed to parse field [price]",
        "parsing_exception",
    ),
    Rule(
        "column that Spark cannot resolve, since version 3.4",
        "[unresolved_column",
        r"\[UNRESOLVED_COLUMN[\w.]{0,40}\] A column,? (?:variable,? )?or function parameter with "
        r"name ['`\"]([\w.]{1,120})['`\"] cannot be resolved",
        r"Column '\1' does not exist",
        "[UNRESOLVED_COLUMN.WITH_SUGGESTION] A column or function parameter with name 'amount' "
        "cannot be resolved.",
        "Column 'amount' does not exist.",
        "[UNRESOLVED_COLUMN]",
    ),
)
