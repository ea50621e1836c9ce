"""Recognition of fragments: blocks of Python that are no whole piece of a program.

Rule of this module: a fragment is excused only if the least that may surround it makes it parse: a
branch with the beginning of its statement, a signature or a decorator with what it belongs to. A
fragment that is still broken then stays broken.
"""

import ast
import re
import textwrap
import warnings

_BRANCHES = (
    (re.compile(r"(?:else|elif)\b"), "if x:\n    pass\n"),
    (re.compile(r"(?:except|finally)\b"), "try:\n    pass\n"),
)
_CASE = re.compile(r"case\b")
_SIGNATURE = re.compile(r"(?:(?:async )?def|class)\b")


def is_branch(body: str) -> bool:
    """Return True if the block begins with else, elif, except, finally or case, and is whole."""
    code = _code(body)
    start = code[0] if code else ""
    if _CASE.match(start):
        inner = textwrap.indent(_with_body(body), "    ")
        return _parsed(f"match x:\n{inner}") is not None
    return any(
        word.match(start) and _parsed(opening + _with_body(body)) is not None
        for word, opening in _BRANCHES
    )


def is_signature(body: str) -> bool:
    """Return True if the block is nothing but signatures, headers or decorators."""
    code = _code(body)
    if code and all(_SIGNATURE.match(line.strip()) for line in code):
        return all(_parsed(f"{line.strip()} pass") is not None for line in code)
    tree = _parsed(_with_body(body))
    if tree is None or not code:
        return False
    # What has a body of its own is a header; the one statement without is what was put in.
    simple = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.stmt)
        and not isinstance(node, ast.Match | ast.Try)
        and not hasattr(node, "body")
    ]
    return len(simple) == 1


def is_inside(body: str) -> bool:
    """Return True if the block is what stands between the brackets of a dictionary or a call."""
    return any(_parsed(f"{opening}{body}\n{closing}") for opening, closing in ("{}", ("f(", ")")))


def _code(body: str) -> list[str]:
    """The lines that hold code."""
    return [line for line in body.split("\n") if line.strip() and not line.lstrip().startswith("#")]


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
