"""Code of an answer that is run on request, and its results as findings."""

import ast
import re
import warnings
from collections.abc import Iterator, Sequence

from reflection_mcp.store.records import Check, Status
from reflection_mcp.tools.judging.case import Block, Case
from reflection_mcp.tools.judging.finding import short, whole
from reflection_mcp.tools.ports import Snippet, Trial

MOST = 6
"""Snippets of one answer that are run."""
LONGEST = 20_000
"""Characters of a snippet."""
LANGUAGES = {
    "python": "python", "py": "python", "python3": "python", "bash": "bash", "sh": "bash",
    "shell": "bash", "javascript": "javascript", "js": "javascript",
}  # fmt: skip
_SAID = re.compile(
    r"`([A-Za-z_]\w*\([^`\n]{0,120}\))` (?:now |correctly |therefore |then )?"
    r"(?:returns|gives|yields|is|evaluates to|comes to|==|->|\u2192) `?([^`\n,;]{1,80}?)`?"
    r"(?=[,;.]?(?:\s|$))"
)
_COMMENTED = re.compile(
    r"^(?:print\()?([A-Za-z_]\w*\(.{0,120}\))\)?[ \t]{1,80}#[ \t]*+"
    r"(?:=>|->|\u2192|returns|Output:|prints)?[ \t]*+(\S(?:.{0,78}\S)?)[ \t]{0,8}$",
    re.M,
)
_PLACEHOLDER = re.compile(r"<[^<>\s&|\d]{1,60}>|\.\.\.")
_PROMPTED = re.compile(r"^\s*\$ ", re.M)


def snippets_of(case: Case) -> tuple[Snippet, ...]:
    """Return what can be run of an answer: whole blocks of the languages that are known here."""
    return tuple(_snippets(case))[:MOST]


def _snippets(case: Case) -> Iterator[Snippet]:
    python: list[Block] = []
    for block in case.blocks:
        language = LANGUAGES.get(block.language, "")
        if not block.closed or not block.body.strip() or len(block.body) > LONGEST:
            continue
        if language == "python":
            python.append(block)
        elif language and not (_PROMPTED.search(block.body) or _PLACEHOLDER.search(block.body)):
            yield Snippet(language=language, code=block.body, start=block.start)
    code = "\n\n".join(block.body for block in python)
    examples = tuple(_examples(case, code))
    if (
        python
        and _parses(code)
        and (examples or ">>> " in code or re.search(r"^\s*assert ", code, re.M))
    ):
        yield Snippet(language="python", code=code, examples=examples, start=python[0].start)


def _parses(code: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _examples(case: Case, code: str) -> Iterator[tuple[str, str]]:
    """Calls of the answer's own functions with the literal that they are said to return."""
    own = set(re.findall(r"^def (\w+)\(", code, re.M))
    said = [*_SAID.findall(case.prose), *_COMMENTED.findall(code)]
    for call, value in said:
        if call.split("(")[0] in own and _parses(call) and _is_literal(value):
            yield call, value


def _is_literal(text: str) -> bool:
    try:
        ast.literal_eval(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError, TypeError):
        return False
    return True


def findings(snippets: Sequence[Snippet], trials: Sequence[Trial]) -> Iterator[Check]:
    """Yield what the trials of snippets prove, and say what was run.

    Args:
        snippets: what was run of it.
        trials: what came of each, in the same order.
    """
    for snippet, trial in zip(snippets, trials, strict=True):
        kind = f"execution:{snippet.language}"
        for fault in trial.faults:
            why = f"{fault} ({trial.ran}; {trial.limits})."
            yield whole(kind, "wrong", why, stated=short(fault))
        if not trial.faults:
            status: Status = "ok" if trial.ran else "unchecked"
            why = f"Ran {trial.ran} ({trial.limits})." if trial.ran else f"Not run: {trial.why}."
            yield whole(kind, status, why, stated=trial.ran)
