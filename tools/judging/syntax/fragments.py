"""Recognition of fragments: blocks of Python that are only a part of a program.

Rule of this module: a fragment is excused only if the least that may surround it makes it parse: a
branch with the beginning of its statement, a signature or a decorator with what it belongs to. A
fragment that is still broken then stays broken.
"""

import ast
import re
import textwrap
import warnings

_DEFINES = ("def ", "async def ", "class ")
_BRANCH = re.compile(r"(?:else|elif|except|finally|case)\b")


def is_fragment(body: str) -> bool:
    """Return True if a block is a branch, a header, or a piece of a dictionary or of a call."""
    whole = _with_body(body)
    around = [f"{{{body}\n}}", f"f({body}\n)"]
    if any(_BRANCH.match(line) for line in _code(body)[:1]):
        around += [f"if x:\n    pass\n{whole}", f"try:\n    pass\n{whole}"]
        around += [f"match x:\n{textwrap.indent(whole, '    ')}"]
    return any(map(_parsed, around)) or _is_header(whole) or _is_signatures(body)


def _code(body: str) -> list[str]:
    """The lines that hold code."""
    return [line for line in body.split("\n") if line.strip() and not line.lstrip().startswith("#")]


def _is_header(whole: str) -> bool:
    """Return True if nothing but what was put behind a block is a statement of its own."""
    tree = _parsed(whole)
    nodes = ast.walk(tree) if tree else ()
    return sum(isinstance(node, ast.stmt) and not hasattr(node, "body") for node in nodes) == 1


def _is_signatures(body: str) -> bool:
    """Return True for headers of functions and classes, as documentation lists them: below each
    other or one on several lines, with or without a colon at the end or "def" in front."""
    code = [line.strip() for line in _code(body)]
    for heads in (code, [" ".join(code)]):
        bare = [head.removesuffix(":") for head in heads]
        named = [head if head.startswith(_DEFINES) else f"def {head}" for head in bare]
        if all(_parsed(f"{head}: pass") for head in named):
            return True
    return False


def _with_body(body: str) -> str:
    """Put the least after a block that ends in a header or in a decorator."""
    code = _code(body)
    last = code[-1] if code else ""
    indent = " " * (len(last) - len(last.lstrip()))
    if last.lstrip().startswith("@"):
        return f"{body}\n{indent}def f(): pass\n"
    if last.rstrip().endswith(":"):
        return f"{body}\n{indent}    pass\n"
    return body


def _parsed(text: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
