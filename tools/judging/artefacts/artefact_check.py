"""Check of names that the answer writes as code against complete lists in the context.

Rules of this module: precision before recall. A name that stands anywhere in the context or the
question is known; one that the answer makes, proposes or denies is none of its faults; the options
of other programs, placeholders and `--help` are left alone.
"""

import re
from collections.abc import Collection, Iterator, Mapping

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.artefacts import listings, mentions
from reflection_mcp.tools.judging.artefacts.mentions import Mention
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.finding import at

UNIVERSAL = frozenset(("--help", "--version", "--verbose", "--quiet"))
"""Options that nearly every program has, whether its page says so or not."""
MOST_FAULTS = 8
"""Findings of one answer; more say nothing new."""
AT_ONCE = 3
"""Options or paths that are held against a name by a unit of work."""
READ_AGAIN = 2_000
"""Characters that are searched for a name by a unit of work."""


def check(case: Case) -> Iterator[Check]:
    """Yield the names that a listing lacks, each once."""
    seen: set[tuple[str, str]] = set()
    readers = (_options, _paths, _tests, _columns, _parameters)
    for reader in readers if case.context.strip() else (_paths,):
        for one in reader(case):
            if (one.kind, one.quote) not in seen and len(seen) < MOST_FAULTS:
                seen.add((one.kind, one.quote))
                yield one


# --------------------------------------------------------------------------- absence


def _is_known(case: Case, name: str) -> bool:
    """Return True if a name stands in the context or the question, or nobody can look any more."""
    work = 1 + (len(case.context) + len(case.question)) // READ_AGAIN
    return not case.budget.grant(1, work) or name in case.context or name in case.question


def _can_compare(case: Case, listed: Collection[str]) -> bool:
    """Return True if there is work left to hold a name against all that is listed."""
    return case.budget.grant(1, 1 + len(listed) // AT_ONCE) == 1


def _is_open(case: Case, mention: Mention, name: str) -> bool:
    """Return True if a name that a listing lacks is asserted, and occurs nowhere else."""
    return not mentions.is_new(case, mention.sentence) and not _is_known(case, name)


def _fault(case: Case, mention: Mention, name: str, kind: str, where: str) -> Check:
    """Return the finding that something has no such name, at the place where it is said."""
    begin = case.answer.find(name, max(0, mention.start - 1))
    begin = begin if begin >= 0 else mention.start
    why = f"{where} has no “{name}”."
    return at(case, begin, begin + len(name), f"artefact:{kind}", "wrong", why, stated=name)


# --------------------------------------------------------------------------- options


def _options(case: Case) -> Iterator[Check]:
    """Options of the program that the context is a page about."""
    page = listings.page_of(case.context) if "--" in case.answer else None
    if page is None:
        return
    program = page.program.split()
    for mention in mentions.commands(case):
        for words in mentions.calls(mention.text):
            if list(words[: len(program)]) != program or mentions.is_new(case, mention.sentence):
                continue
            for word in words[len(program) : words.index("--") if "--" in words else None]:
                option = listings.OPTION.match(word)
                if (
                    option
                    and _is_missing(case, option[0].lower(), page)
                    and not _is_known(case, option[0])
                ):
                    where = f"The page about {page.program}"
                    yield _fault(case, mention, option[0], "option", where)
    for span in mentions.spans(case):
        option = listings.OPTION.match(span.text)
        alone = option and not re.search(r"`[a-z][\w.-]* ", span.sentence)
        missing = option and alone and _is_missing(case, option[0].lower(), page)
        if option and missing and _is_open(case, span, option[0]):
            yield _fault(case, span, option[0], "option", f"The page about {page.program}")


def _is_missing(case: Case, option: str, page: listings.Page) -> bool:
    if not page.options or option in UNIVERSAL or not _can_compare(case, page.options):
        return False
    bare = option.removeprefix("--no-").removeprefix("--")
    # A long option may be cut short, and may be turned round.
    return not any(
        bare in (one[2:], one.removeprefix("--no-")) or one.startswith(option)
        for one in page.options
    )


# --------------------------------------------------------------------------- files


_FILE = re.compile(r"(?:[\w@.+-]+/)+[\w@+-][\w@.+-]*\.[a-zA-Z]{1,5}")
_PLACEHOLDER = re.compile(
    r"(?:^|/)(?:path/to|your|my|some|foo|bar|example|xxx)|^(?:node_modules|dist|build|target|out|\.venv|venv|site-packages|https?:|www\.|[a-z]+\.(?:com|org|io|dev|net)/)|\.\./",
    re.I,
)


def _paths(case: Case) -> Iterator[Check]:
    """Files that the tree of the context, or the project, does not have."""
    spans = [span for span in mentions.spans(case) if "/" in span.text]
    tree = listings.tree_of(case.context) if case.context and spans else frozenset[str]()
    known, where = (tree, "The tree") if tree else (case.project or frozenset[str](), "The project")
    if not known:
        return
    names = {path.rstrip("/").rpartition("/")[2] for path in known}
    folders = {part for path in known for part in path.split("/")[:-1]}
    work = mentions.asks_for_work(case.question)
    for span in spans:
        path = listings.clean_path(span.text.strip())
        if not _FILE.fullmatch(path) or _PLACEHOLDER.search(path):
            continue
        if not _can_compare(case, known) or _is_there(path, known):
            continue
        moved = path.rpartition("/")[2] in names
        inside = path.split("/")[0] in folders
        # A file that is not there may be meant to be made; one in another folder is not.
        if (work or not tree) and not (moved and inside):
            continue
        if (inside or moved) and _is_open(case, span, path):
            yield _fault(case, span, span.text.strip().split(":")[0], "path", where)


def _is_there(path: str, known: frozenset[str]) -> bool:
    if path in known:
        return True
    # Either side may begin higher up.
    return any(one.endswith(f"/{path}") or path.endswith(f"/{one}") for one in known if "." in one)


_TEST = re.compile(
    r"(?:[\w./-]+::)+[\w\[\]-]+|test_\w+|[A-Za-z]\w*(?:Test|Spec)\.\w+|(?:[\w@.-]+/)+[\w@.-]+\.\w{1,4}(?::\d{1,6})?"
)
_LOG = re.compile(
    r"^(?:.{0,40}\b(?:FAILED|FAIL|ERROR|Traceback|failures?:)\b|[ \t]{1,20}at )", re.M
)
_WHICH = re.compile(r"\b(?:which|where|what|list|name)\b(?!.{0,80}\bwhy\b)", re.I)
_THEN_FAILS = re.compile(
    r"[`)]{0,3} (?:\w{2,12} ){0,2}(?:fail(?:s|ed|ing)?|crash(?:es|ed)|errors?|errored|raise[sd])\b"
)
_FAILS_IN = re.compile(
    r"\b(?:fail(?:s|ed|ure)?|crash(?:es|ed)?|raised|error|exception) (?:is |was |occurs )?"
    r"(?:in|at|from|by) `?$"
)


def _is_said_to_fail(case: Case, span: Mention) -> bool:
    end = span.start + len(span.text)
    after, before = case.prose[end : end + 50], case.prose[max(0, span.start - 50) : span.start]
    return bool(_THEN_FAILS.match(after) or _FAILS_IN.search(before))


def _tests(case: Case) -> Iterator[Check]:
    """Tests and files that are said to have failed and that the log does not name."""
    spans = [span for span in mentions.spans(case) if _TEST.fullmatch(span.text.strip(" ()"))]
    if not spans or not _LOG.search(case.context[: listings.LIMIT]):
        return
    # The log says which one failed; why it did may be in a file that no log names.
    asked = bool(_WHICH.search(case.question)) and mentions.tells_failure(case.question)
    for span in spans:
        name = span.text.strip().rstrip("()")
        if not asked and not _is_said_to_fail(case, span):
            continue
        if mentions.is_new(case, span.sentence):
            continue
        plain = re.sub(r":\d+$", "", name)
        last = re.split(r"::|\.(?=\w+$)" if "/" not in plain else "::", plain)[-1]
        by_name = ("::" in plain or "/" not in plain) and _is_known(case, last)
        if not by_name and not _is_known(case, plain) and not _PLACEHOLDER.search(plain):
            yield _fault(case, span, plain, "test", "The log")


# --------------------------------------------------------------------------- schemas

SQL = frozenset(("sql", "postgresql", "mysql", "sqlite", "plpgsql", "psql", ""))
_QUERY = re.compile(r"\s*(?:select|update|insert|delete)\b", re.I)
_SQL_STRING = re.compile(r"'(?:[^']|'')*'|--[^\n]*|/\*.*?\*/", re.S)
_FROM = re.compile(
    r"\b(?:from|join|update|into)\s+([a-z_][\w.]*)(?!\w*\s*\()(?:\s+(?:as\s+)?([a-z_]\w*))?", re.I
)
_DOTTED = re.compile(r"(?<![\w.])([a-z_]\w*)\.([a-z_]\w*)(?![\w(.])", re.I)
_PLAIN_SELECT = re.compile(
    r"\bselect\s+((?:[a-z_]\w*\s*,\s*)*[a-z_]\w*)\s+from\s+([a-z_]\w*)\s*(?!\s*,|\w*\s*join)", re.I
)
_SELECTED = re.compile(r"\s*SELECT\s([^;']{1,1000}?)\sFROM\s")
_SMALL = re.compile(
    r"(?:^|[,(*+/-]|\b(?:DISTINCT|WHEN|THEN|ELSE|BY))\s{0,20}([a-z_][a-z_\d]*)(?![\w(.])"
)
_ROUTINE = re.compile(r"\b(?:function|procedure|trigger|declare|begin)\b|\$\$|:=", re.I)
_OF_THE_SYSTEM = frozenset("rowid _rowid_ oid ctid xmin xmax tableoid rownum level".split())
"""Columns that a table has without being given them."""
_COMPARED = re.compile(
    r"\b(?:where|and|or|set)\s+(?!(?:not|exists|true|false|null|case)\b)([a-z_]\w*)\s*"
    r"(?:=|<|>|!=|is\b|in\b|like\b|ilike\b)",
    re.I,
)
_INSERT = re.compile(r"\binsert\s+into\s+([a-z_]\w*)\s*\(([\w\s,]+)\)", re.I)
_MADE = re.compile(
    r"\b(?:add\s+(?:column\s+)?(?:if\s+not\s+exists\s+)?|as\s+|rename\s+(?:column\s+)?\w+\s+to\s+)([a-z_]\w*)",
    re.I,
)
_NO_ALIAS = frozenset(
    """where on set values select join left right inner outer cross full order group limit using as
    natural union having returning default""".split()
)


def _columns(case: Case) -> Iterator[Check]:
    """Columns that the tables of the schema do not have."""
    spans = [span for span in mentions.spans(case) if "." in span.text or " " in span.text]
    if not (case.blocks or spans):
        return
    schema = listings.schema_of(case.context)
    if not schema:
        return
    made = {name.lower() for name in _MADE.findall(case.answer)}
    made |= {column for columns in listings.schema_of(case.answer).values() for column in columns}
    code = [Mention(one.body, one.body_start) for one in case.blocks if one.language in SQL]
    queries = (
        span
        for span in spans
        if _QUERY.match(span.text) and not mentions.is_new(case, span.sentence)
    )
    for query in (*code, *queries):
        for statement in query.text[:20_000].split(";"):
            for table, column in _used(_SQL_STRING.sub("''", statement), schema):
                if not any(column.lower() in names for names in (schema[table], made, {table})):
                    mention = Mention(statement, query.start)
                    yield _fault(case, mention, column, "column", f"The table {table}")


def _used(statement: str, schema: Mapping[str, frozenset[str]]) -> Iterator[tuple[str, str]]:
    """Each column with the table that it is taken from, as far as the statement says which."""
    aliases: dict[str, str] = {}
    for table, alias in _FROM.findall(statement):
        name = table.split(".")[-1].lower()
        short = alias.lower() if alias and alias.lower() not in _NO_ALIAS else name
        # One name for two tables, as in subqueries, is nobody's.
        aliases[short] = "" if aliases.get(short, name) != name else name
        aliases.setdefault(name, name)
    for alias, column in _DOTTED.findall(statement):
        table = aliases.get(alias.lower(), "")
        if table in schema:
            yield table, column
    for inside, table in (
        (i, t) for i, t in _PLAIN_SELECT.findall(statement) if len(set(aliases.values())) == 1
    ):
        if table.lower() in schema:
            yield from ((table.lower(), column.strip()) for column in inside.split(","))
    table = next(iter(aliases.values()), "") if len(set(aliases.values())) == 1 else ""
    # With keywords in capitals, small words in what is selected are columns.
    alone = table in schema and statement.count("SELECT") == statement.count("FROM") == 1
    if selected := _SELECTED.match(statement) if alone else None:
        yield from ((table, one) for one in _SMALL.findall(selected[1]))
    if table in schema and not _ROUTINE.search(statement):
        compared = _COMPARED.findall(statement)
        yield from ((table, one) for one in compared if one.lower() not in _OF_THE_SYSTEM)
    for table, inside in _INSERT.findall(statement):
        if table.lower() in schema:
            yield from ((table.lower(), column.strip()) for column in inside.split(","))


# --------------------------------------------------------------------------- parameters

_CALL = re.compile(r"(?<![\w.])(?<!def )([A-Za-z_]\w{2,60})\(")
_KEYWORD = re.compile(r"\s*([a-z_]\w{1,60})\s*=(?!=)")


def _parameters(case: Case) -> Iterator[Check]:
    """Keywords that a call gives to a function whose signature has none of that name."""
    if "=" not in case.answer or mentions.asks_for_work(case.question):
        return
    functions = listings.signatures_of(case.context)
    functions -= listings.signatures_of(case.answer) if functions else frozenset()
    code = [Mention(one.body, one.body_start) for one in case.blocks]
    for piece in (*code, *mentions.spans(case)) if functions else ():
        for called in _CALL.finditer(piece.text):
            if called[1] not in functions:
                continue
            # A bracket that is never closed is read to its end.
            if not case.budget.grant(1, min(len(piece.text) - called.end(), listings.LONGEST)):
                return
            for part in listings.parts_at_commas(piece.text, called.end())[0]:
                keyword = _KEYWORD.match(part)
                if keyword and _is_open(case, piece, keyword[1]):
                    where = f"The signature of {called[1]}"
                    yield _fault(case, piece, keyword[1], "parameter", where)
