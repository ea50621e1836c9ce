"""What PostgreSQL says, by version and by client.

Rule of this module: see the package. A client's own type in front of what the server said goes
only where it is one that a client gives to those very words: they say by themselves what failed,
and the same words under another type are another error.
"""

from typing import NamedTuple

from reflection_mcp.tools.identity.rule import Match, Rule


class Said(NamedTuple):
    """Some words of the server, and the types under which clients pass on just these.

    `needs`, `example` and `becomes` are as in `Rule`; the words are never touched.
    """

    name: str
    needs: str
    types: str
    words: str
    example: str
    becomes: str
    keeps: str


_ANY_WORDS = (
    r"DatabaseError|DBAPIError|Postgres(?:Error|Exception)|P(?:SQL|G)Exception|SQLException|"
    r"NpgsqlException|QueryFailedError|SequelizeDatabaseError|DatabaseException|StatementInvalid|"
    r"PG::\w{1,40}|ActiveRecord::\w{1,40}|[Ee]rror|ERROR|FATAL|fatal"
)
"""Types that clients give to whatever the server says, and its own words for how grave it is."""
_GRAMMAR = r"ProgrammingError|SQLSyntaxErrorException|BadSqlGrammarException"

_SAID: tuple[Said, ...] = (
    Said(
        "table or the like, in the words of PostgreSQL, by client",
        'relation "|table "|index "|sequence "',
        _GRAMMAR + r"|(?:Undefined|Duplicate)Table(?:Error)?",
        r"(?:relation|table|index|sequence) \"",
        'sqlalchemy.exc.ProgrammingError: (psycopg2.errors.UndefinedTable) relation "a" does not '
        "exist",
        'relation "a" does not exist',
        'UndefinedColumn: relation "a" does not exist',
    ),
    Said(
        "column, in the words of PostgreSQL, by client",
        'column "',
        _GRAMMAR + r"|(?:Undefined|Duplicate|Ambiguous)Column(?:Error)?",
        r"column \"",
        'psycopg2.errors.UndefinedColumn: column "total" does not exist',
        'column "total" does not exist',
        'UndefinedTable: column "total" does not exist',
    ),
    Said(
        "any other object, in the words of PostgreSQL, by client",
        'type "|schema "|constraint "|operator|extension "|cursor "|statement "|collation "|'
        'trigger "|language "|function |from-clause|no unique|cannot drop',
        _GRAMMAR + r"|(?:Undefined|Duplicate)(?:Function|Object|Schema|PreparedStatement|Cursor)"
        r"(?:Error)?|InvalidSchemaName(?:Error)?|InvalidSqlStatementName|InvalidForeignKey"
        r"(?:Error)?|WrongObjectType(?:Error)?|DependentObjectsStillExist(?:Error)?|"
        r"InvalidColumnReference(?:Error)?|InternalError|OperationalError|NotSupportedError",
        r"(?:function|type|schema|constraint|operator|extension|cursor|prepared statement|"
        r"collation|trigger|language) \"|operator does not exist|function [\w.]{1,100}\(|missing "
        r"FROM-clause|there is no unique|cannot drop ",
        "psycopg2.errors.UndefinedFunction: function total(text) does not exist",
        "function total(text) does not exist",
        "TypeError: function total(text) does not exist",
    ),
    Said(
        "syntax, in the words of PostgreSQL, by client",
        "syntax error at",
        _GRAMMAR + r"|(?:Postgres)?SyntaxError(?:OrAccessError)?",
        r"syntax error at",
        'psycopg2.errors.SyntaxError: syntax error at or near "form"',
        'syntax error at or near "form"',
        "ValueError: syntax error at or near 'a'",
    ),
    Said(
        "right that is missing, in the words of PostgreSQL, by client",
        "denied for|must be owner",
        _GRAMMAR + r"|InsufficientPrivilege(?:Error)?",
        r"permission denied for|must be owner of",
        "psycopg.errors.InsufficientPrivilege: permission denied for table orders",
        "permission denied for table orders",
        "PermissionError: permission denied for table orders",
    ),
    Said(
        "constraint that refused, in the words of PostgreSQL, by client",
        "duplicate key value|null value in|on table|new row for",
        r"IntegrityError|SequelizeUniqueConstraintError|DataIntegrityViolationException|"
        r"DuplicateKeyException|ConstraintViolationException|(?:Unique|NotNull|ForeignKey|Check|"
        r"Exclusion)Violation(?:Error)?",
        r"duplicate key value violates|null value in column|(?:insert or update|update or delete) "
        r"on table|new row for relation",
        "asyncpg.exceptions.NotNullViolationError: null value in column 'total'",
        "null value in column 'total'",
        "DataError: null value in column 'total'",
    ),
    Said(
        "value that does not fit, in the words of PostgreSQL, by client",
        "value too long|invalid input|division |field overflow",
        r"DataError|DataIntegrityViolationException|DivisionByZero(?:Error)?|"
        r"StringDataRightTruncation(?:Error)?|InvalidTextRepresentation(?:Error)?|"
        r"NumericValueOutOfRange(?:Error)?",
        r"value too long for|invalid input (?:syntax|value)|sql: division by zero|"
        r"numeric field overflow",
        "psycopg2.errors.DivisionByZero: sql: division by zero",
        "sql: division by zero",
        "ZeroDivisionError: division by zero",
    ),
    Said(
        "server that cannot go on, in the words of PostgreSQL, by client",
        "deadlock|could not serialize|statement|transaction is aborted|password auth|pg_hba|"
        'too many clients|connection slots|terminating connection|role "|database "',
        r"OperationalError|InternalError|(?:DeadlockDetected|SerializationFailure|QueryCanceled|"
        r"InFailedSqlTransaction|InFailedSQLTransaction|InvalidPassword|InvalidCatalogName|"
        r"InvalidAuthorizationSpecification|TooManyConnections|AdminShutdown|UndefinedObject)"
        r"(?:Error)?|TransactionRollbackError",
        r"(?:role|database) \"|deadlock detected|canceling statement|could not serialize|current "
        r"transaction is aborted|password authentication failed|no pg_hba\.conf entry|sorry, too "
        r"many clients|remaining connection slots|terminating connection",
        "psycopg2.errors.DeadlockDetected: deadlock detected",
        "deadlock detected",
        "RuntimeError: deadlock detected",
    ),
)


def _row(said: Said) -> Rule:
    """The row that takes off the client's words in front of those of the server."""
    pattern = (
        r"(?m)^[ \t]*(?:(?:psql:(?:\S{1,200}:\d{1,7}:)? ?|pq: |\(?(?:[a-z_]\w{0,60}\.){0,6}(?:"
        + f"{said.types}|{_ANY_WORDS}"
        + r")\)?:?|<class '[\w.]{1,120}'>:|\d[0-9A-Z]{4}:)[ \t]{1,4}){1,6}(?="
        + f"{said.words})"
    )
    return Rule(said.name, said.needs, pattern, "", said.example, said.becomes, said.keeps)


def _message(match: Match) -> str:
    return (match[1] or match[2]).replace("\\'", "'")


def _encryption(match: Match) -> str:
    return f"{match[1]}{'no' if match[2] == 'off' else 'SSL'} encryption"


DIVISION: tuple[Rule, ...] = (
    Rule(
        "division in a statement, whose words are those of any language",
        "division by zero",
        r"((?:\bDivisionByZero(?:Error)?\)?:?|\bERROR: ) )(?=division by zero)",
        r"\1sql: ",
        "ERROR:  division by zero",
        "ERROR:  sql: division by zero",
        "ERROR: division by zero",
    ),
)
"""Asked before all others: the two blanks behind its level are the server's."""

POSTGRES: tuple[Rule, ...] = (
    Rule(
        "fields of a message, by pg8000",
        "{'s': '",
        r"\{'S': '[^'\n]{1,40}', (?:'V': '\w{1,10}', )?'C': '\w{5}', "
        r"'M': (?:'((?:[^'\\\n]|\\.){1,1000})'|\"([^\"\n]{1,1000})\")[^\n]*",
        _message,
        "DatabaseError: {'S': 'ERROR', 'V': 'ERROR', 'C': '42P01', 'M': 'relation \"a\" does not "
        "exist', 'P': '15', 'F': 'parse_relation.c'}",
        'DatabaseError: relation "a" does not exist',
        "{'S': 'ERROR', 'M': 'it failed'}",
    ),
    *map(_row, _SAID),
    Rule(
        "state of SQL behind a message",
        "sqlstate",
        r"(?<=\S) \(SQLSTATE:? ?[0-9A-Z]{5}\)",
        "",
        'relation "a" does not exist (SQLSTATE 42P01)',
        'relation "a" does not exist',
        "SQLSTATE 42P01",
    ),
    Rule(
        "kind of a table that is refused, before PostgreSQL 11",
        "permission denied for relation|must be owner of relation",
        r"(?<=permission denied for )relation\b|(?<=must be owner of )relation\b",
        "table",
        "permission denied for relation orders",
        "permission denied for table orders",
        "relation orders",
    ),
    Rule(
        "encryption of a connection, before PostgreSQL 14",
        "pg_hba.conf",
        r"(no pg_hba\.conf entry for [^\n]{1,200}, )SSL (off|on)",
        _encryption,
        'no pg_hba.conf entry for host "a", user "b", database "c", SSL off',
        'no pg_hba.conf entry for host "a", user "b", database "c", no encryption',
        "SSL off",
    ),
    Rule(
        "connections that are kept, by version of PostgreSQL",
        "remaining connection slots",
        r"(?<=remaining connection slots are reserved for )(?:non-replication superuser "
        r"connections|roles with the SUPERUSER attribute|roles with privileges of [^\n]{1,80})",
        "superusers",
        "remaining connection slots are reserved for non-replication superuser connections",
        "remaining connection slots are reserved for superusers",
        "remaining connection slots",
    ),
    Rule(
        "extension that is not there, before PostgreSQL 13",
        "extension control file",
        r"could not open extension control file \"[^\"\n]{1,300}?([\w-]{1,60})\.control\": No such "
        r"file or directory",
        r'extension "\1" is not available',
        'could not open extension control file "/usr/share/postgresql/12/extension/vector.control"'
        ": No such file or directory",
        'extension "vector" is not available',
        "could not open extension control file",
    ),
)
