"""Names in Python blocks that nothing defines: modules that are not imported, and misspellings.

Rules of this module: a block is read only when it is whole, that is, when it parses and either
imports something or is the only one of an answer that was asked for a program. A name that the
question, the context or any block binds is known. A block without any import may be meant to be put
below some, so a module that it lacks is a hint.
"""

import ast
import builtins
import re
import sys
import warnings
from collections.abc import Iterator

from reflection_mcp.store.records import Check, Severity
from reflection_mcp.tools.judging.case import Block, Case
from reflection_mcp.tools.judging.finding import at

PYTHON = frozenset(("python", "py", "python3"))
LONGEST = 50_000
"""Characters of a block that are read."""
CHARACTER, BLOCK = 3, 100
"""Work to parse a block and to walk through it, and for a character of it."""
ALIASES = {
    "np": "numpy",
    "pd": "pandas",
    "plt": "matplotlib.pyplot",
    "nx": "networkx",
    "sns": "seaborn",
    "tf": "tensorflow",
}
"""Usual aliases of modules."""
_COMMON = frozenset(
    """argparse asyncio base64 collections contextlib copy csv dataclasses datetime decimal
    errno functools glob hashlib heapq html inspect io itertools json logging math multiprocessing
    operator os pathlib pickle random re secrets shlex shutil signal socket sqlite3 statistics
    string struct subprocess sys tempfile threading time traceback unittest urllib uuid
    zipfile""".split()
)
"""Standard modules whose attributes are read often; other names may be variables."""
_BUILTINS = frozenset(dir(builtins)) | {"__file__", "__name__", "__doc__", "self", "cls"}


def check(case: Case) -> Iterator[Check]:
    """Yield each name once that a whole Python block uses and nothing binds."""
    if not case.is_whole:
        return  # what follows may bind any name
    blocks = [b for b in case.blocks if b.language in PYTHON and b.closed]
    read = case.budget.afford(blocks, lambda b: BLOCK + CHARACTER * len(b.body[:LONGEST]))
    trees = [(block, tree) for block in read if (tree := _tree(block)) is not None]
    if not trees or len(trees) < len(blocks):
        return
    bound = set[str]().union(*(_bound(tree) for _, tree in trees))
    if "*" in bound:
        return
    seen: set[str] = set()
    given = frozenset(re.findall(r"\w+", f"{case.context}\n{case.question}"))
    for block, tree in trees:
        if not _is_whole(case, tree, alone=len(trees) == 1):
            continue
        imports = any(isinstance(node, ast.Import | ast.ImportFrom) for node in tree.body)
        for node, why, better in _missing(case, tree, bound):
            if node.id not in seen and node.id not in given:
                seen.add(node.id)
                slip = not better.startswith("import ")
                yield _fault(case, block, node, why, better, "hard" if imports or slip else "hint")


def _tree(block: Block) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(block.body[:LONGEST])
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _bound(tree: ast.Module) -> set[str]:
    """Every name that is bound anywhere in a block, in whichever scope."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names |= {(one.asname or one.name).split(".")[0] for one in node.names}
        elif isinstance(node, ast.MatchMapping):
            names.add(node.rest or "")
        elif isinstance(node, ast.Global | ast.Nonlocal):
            names |= set(node.names)
        elif not isinstance(node, ast.alias):
            # Functions, classes, handlers, patterns, and type parameters from Python 3.12 on.
            names.add(str(getattr(node, "name", "")))
    return names


def _is_whole(case: Case, tree: ast.Module, *, alone: bool) -> bool:
    """Return True if a block is a program of its own and no piece of one."""
    if any(isinstance(node, ast.Import | ast.ImportFrom) for node in tree.body):
        return True
    defines = any(isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef) for n in tree.body)
    asked = re.match(
        r"\W{0,4}(?:please\s)?(?:write|implement|create|give me|code|read|make)\b",
        case.question,
        re.I,
    )
    return (
        alone
        and defines
        and bool(asked)
        and not case.context.strip()
        and "```" not in case.question
    )


def _missing(case: Case, tree: ast.Module, bound: set[str]) -> Iterator[tuple[ast.Name, str, str]]:
    attributes = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Attribute)}
    whole = any(isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef) for n in tree.body)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load):
            continue
        name = node.id
        if name in bound or name in _BUILTINS:
            continue
        if id(node) in attributes and name in _COMMON and name in sys.stdlib_module_names:
            yield node, f"The module {name} is used and never imported.", f"import {name}"
        elif id(node) in attributes and name in ALIASES:
            module = ALIASES[name]
            yield node, f"The name {name} is used and never imported.", f"import {module} as {name}"
        elif (
            whole
            and len(name) > 4
            and case.budget.grant(1, len(bound))
            and (near := _near(name, bound))
        ):
            yield node, f"The name {name} is never defined; {near} is.", near


def _near(name: str, bound: set[str]) -> str:
    """The one bound name that a letter too few or wrong makes of this one."""
    near = [
        one
        for one in bound
        if len(one) > 4 and one != name + "s" and name != one + "s" and _is_slip(name, one)
    ]
    return near[0] if len(near) == 1 else ""


def _is_slip(one: str, other: str) -> bool:
    if abs(len(one) - len(other)) > 1 or one[-1].isdigit() or other[-1].isdigit():
        return False
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    # One letter is left out, put in, or two are the wrong way round.
    swapped = one[:start] + one[start + 1 : start + 2] + one[start : start + 1] + one[start + 2 :]
    return (
        other in (one[:start] + one[start + 1 :], swapped)
        or one == other[:start] + other[start + 1 :]
    )


def _fault(
    case: Case, block: Block, node: ast.Name, why: str, better: str, severity: Severity
) -> Check:
    lines = block.body.splitlines(keepends=True)
    line = lines[node.lineno - 1]
    column = len(line.encode()[: node.col_offset].decode(errors="ignore"))
    start = block.body_start + sum(map(len, lines[: node.lineno - 1])) + column
    kind = "execution:import" if better.startswith("import ") else "execution:name"
    end = start + len(node.id)
    return at(
        case, start, end, kind, "wrong", why, severity=severity, stated=node.id, expected=better
    )
