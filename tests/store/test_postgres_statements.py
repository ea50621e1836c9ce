"""Every statement that the PostgreSQL store can send names one tenant, in each table it asks.

That is what lets a cluster which shards by tenant answer it on one machine, and what keeps tenants
apart even where row level security is off. PostgreSQL's own parser reads the statements.
"""

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from reflection_mcp.store import postgres
from reflection_mcp.store.postgres.schema import MIGRATIONS, TABLES
from tests.requirements import requirement
from tests.rows import each_row

Node = dict[str, Any]


def parsed(sql: str) -> list[Node]:
    """The statements of a script as PostgreSQL reads them."""
    parse_sql: Any = import_module("pglast").parse_sql
    return [each.stmt(skip_none=True) for each in parse_sql(sql)]


def statements() -> dict[str, str]:
    """The statements of all modules, by the name of their constant."""
    found: dict[str, str] = {}
    store = Path(str(postgres.__file__)).parents[1]
    for path in sorted([*store.glob("sql/*.py"), *store.glob("postgres/*.py")]):
        module = import_module(f"reflection_mcp.store.{path.parent.stem}.{path.stem}")
        for name in made_of_statements(ast.parse(path.read_bytes())):
            value: Any = getattr(module, name)
            texts: list[str] = [value] if isinstance(value, str) else [*value]
            if isinstance(value, dict):
                texts = [*cast("dict[object, str]", value).values()]
            found |= {
                f"{path.parent.stem}.{path.stem}.{name}.{number}": sql
                for number, sql in enumerate(texts)
            }
    return found


def made_of_statements(module: ast.Module) -> Iterator[str]:
    """The constants of a module that are statements, or groups of them."""
    makers = {"Statement"} | {
        each.name
        for each in module.body
        if isinstance(each, ast.FunctionDef) and getattr(each.returns, "id", "") == "Statement"
    }
    for each in module.body:
        if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name):
            calls = (node for node in ast.walk(each.value) if isinstance(node, ast.Call))
            if makers & {getattr(call.func, "id", "") for call in calls}:
                yield each.targets[0].id


def parts_of(value: object) -> Iterator[Node]:
    """Every node of a parsed statement."""
    if isinstance(value, dict):
        node = cast("Node", value)
        if "@" in node:
            yield node
        for each in node.values():
            yield from parts_of(each)
    elif isinstance(value, list | tuple):
        for each in cast("list[object]", value):
            yield from parts_of(each)


def asked(node: Node) -> Iterator[Node]:
    """The tables that one level of a query asks, without those of its parts."""
    froms = [
        node.get("relation"),
        *(node.get("fromClause") or ()),
        *(node.get("usingClause") or ()),
    ]
    while froms:
        each = froms.pop()
        if each and each["@"] == "RangeVar":
            yield each
        elif each and each["@"] == "JoinExpr":
            froms += [each["larg"], each["rarg"]]


def called(table: Node) -> str:
    """The name under which a query knows a table."""
    alias: Node | None = table.get("alias")
    return str(table["relname"] if alias is None else alias["aliasname"])


def conditions(node: Node) -> Iterator[Node]:
    """The conditions that all hold for what one level of a query finds."""
    left = [node.get("whereClause")]
    joins = list(node.get("fromClause") or ())
    while joins:
        each = joins.pop()
        if each["@"] == "JoinExpr":
            left.append(each.get("quals"))
            joins += [each["larg"], each["rarg"]]
    while left:
        each = left.pop()
        if each and each["@"] == "BoolExpr" and each["boolop"]["name"] == "AND_EXPR":
            left += each["args"]
        elif each:
            yield each


def is_first(value: Node | None) -> bool:
    """Whether a value is `$1`."""
    return value is not None and value["@"] == "ParamRef" and value["number"] == 1


def tenants(node: Node) -> set[str]:
    """The names under which one level of a query asks for the tenant `$1`."""
    return {
        each["lexpr"]["fields"][0]["sval"]
        for each in conditions(node)
        if each["@"] == "A_Expr"
        and each["name"][0]["sval"] == "="
        and each["lexpr"]["@"] == "ColumnRef"
        and each["lexpr"]["fields"][-1]["sval"] == "tenant"
        and is_first(each.get("rexpr"))
    }


def first_value(node: Node) -> Node | None:
    """The value that an INSERT puts into its first column."""
    chosen: Any = node["selectStmt"]
    if chosen.get("valuesLists"):
        values: list[Node] = chosen["valuesLists"][0]
        return values[0]
    first: Node = chosen["targetList"][0]["val"]
    return first


def without_a_tenant(sql: str) -> list[str]:
    """The tables of a statement that it asks for more than the tenant `$1`."""
    loose: list[str] = []
    for node in parts_of(parsed(sql)):
        if node["@"] == "InsertStmt":
            table = node["relation"]["relname"]
            if table in TABLES and not (
                node["cols"][0]["name"] == "tenant" and is_first(first_value(node))
            ):
                loose.append(table)
        elif node["@"] in ("SelectStmt", "UpdateStmt", "DeleteStmt"):
            named = tenants(node)
            loose += [
                table["relname"]
                for table in asked(node)
                if table["relname"] in TABLES and called(table) not in named
            ]
    return loose


SENT = statements()


@requirement("team:sealed")
@each_row("name", SENT)
def test_a_statement_names_its_tenant_in_every_table(name: str) -> None:
    assert without_a_tenant(SENT[name]) == []


@each_row(
    "sql",
    [
        "SELECT FROM reflection r WHERE r.rid = $2",
        "SELECT FROM reflection r JOIN standing s ON s.rid = r.rid WHERE r.tenant = $1",
        "SELECT FROM reflection r WHERE r.tenant = $1 OR r.rid = $2",
        "DELETE FROM vote v USING vote o WHERE v.tenant = $1 AND o.rid = v.rid",
        "WITH x AS (UPDATE tally t SET shown = 1) SELECT FROM x",
        "SELECT 1 WHERE EXISTS(SELECT FROM veto v WHERE v.place = $1)",
        "INSERT INTO link(rid, tenant) VALUES($1, $2)",
        "INSERT INTO link(tenant, rid) SELECT t.place, 1 FROM tag t WHERE t.tenant = $1",
    ],
)
def test_a_statement_that_names_none_is_noticed(sql: str) -> None:
    assert without_a_tenant(sql)


@requirement("team:shards")
def test_the_tenant_leads_every_key() -> None:
    for script in MIGRATIONS:
        for node in parsed(script):
            keys = [
                [key["sval"] for key in each["keys"]]
                for each in parts_of(node)
                if each["@"] == "Constraint" and each.get("keys")
            ]
            if node["@"] == "IndexStmt" and node["accessMethod"] == "btree":
                keys.append([node["indexParams"][0]["name"]])
            assert {key[0] for key in keys} <= {"tenant"}, script
