"""Check that the code in an answer can be parsed, one finding for each fenced block.

Rules of this module: the language is what the fence says, or JSON where JSON was asked for. A block
that repeats the question, or that the text before it calls wrong, is not the answer's own code and
is left alone. A block that was never closed is the business of `truncation`.
"""

import re
from collections.abc import Callable, Iterator

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.case import Block, Case
from reflection_mcp.tools.judging.completeness.demands import asks_for_json
from reflection_mcp.tools.judging.finding import at
from reflection_mcp.tools.judging.syntax.json_blocks import read_json
from reflection_mcp.tools.judging.syntax.purpose import purpose
from reflection_mcp.tools.judging.syntax.python_blocks import read_python
from reflection_mcp.tools.judging.syntax.reading import ParseResult, unclear
from reflection_mcp.tools.judging.syntax.yaml_blocks import read_yaml

BLOCK, CHARACTER = 500, 5
"""Work to parse a block of code and to ask what a broken one is for, and for a character of it."""
READ_AGAIN = 2_000
"""Characters of what was given that are searched for a block by a unit of work."""

READERS: dict[str, Callable[[str], ParseResult]] = {
    "python": read_python,
    "json": read_json,
    "yaml": read_yaml,
}
LANGUAGES = {
    "python": "python", "py": "python", "python3": "python", "py3": "python",
    "json": "json",
    "yaml": "yaml", "yml": "yaml",
}  # fmt: skip
"""The word after a fence, and the parser for it."""

_DIFF = re.compile(r"^-.{0,400}\n\+", re.MULTILINE)
_PSEUDO_CODE = re.compile(r"pseudo(?<!\wpseudo)[- ]?code\b")


def check(case: Case) -> Iterator[Check]:
    """Yield one finding for each block whose language is known, and for JSON that was asked for."""
    pseudo = bool(case.blocks) and _is_pseudo_code(case)
    json_wanted = asks_for_json(case.question)
    for block in case.blocks:
        language = LANGUAGES.get(re.split(r"[:,;]", block.language)[0], "")
        if not language and not block.language and json_wanted and _looks_like_json(block.body):
            language = "json"
        if not language or not block.body.strip():
            continue
        work = BLOCK + CHARACTER * len(block.body) + len(case.view(_given)) // READ_AGAIN
        read = case.budget.grant(1, work) == 1
        yield from _block(case, block, language, read=read, pseudo=pseudo)
    if json_wanted and case.is_whole and not case.blocks and _looks_like_json(case.answer):
        yield from _bare_json(case)


def _looks_like_json(text: str) -> bool:
    return text.lstrip()[:1] in ("{", "[")


def _is_pseudo_code(case: Case) -> bool:
    return any(_PSEUDO_CODE.search(text) for text in (case.question.lower(), case.answer.lower()))


def _block(case: Case, block: Block, language: str, *, read: bool, pseudo: bool) -> Iterator[Check]:
    kind = f"syntax:{language}"
    enough = "enough code was read in this answer"
    reason = _left_alone(case, block, pseudo=pseudo) if read else enough
    if reason:
        yield at(case, block.start, block.end, kind, "unchecked", f"Not checked: {reason}.")
        return
    reading = READERS[language](block.body)
    if reading.result == "broken" and (reason := purpose(case, block, reading)):
        reading = unclear(reason)
    if reading.result == "broken":
        start, end = _line_span(block, reading.line)
        why = f"The {language} block does not parse, line {reading.line}: {reading.message}."
        yield at(case, start, end, kind, "wrong", why, stated=reading.message)
    elif reading.result == "whole":
        yield at(case, block.start, block.end, kind, "ok", f"The {language} block parses.")
    else:
        why = f"Not checked: {reading.message}."
        yield at(case, block.start, block.end, kind, "unchecked", why)


def _left_alone(case: Case, block: Block, *, pseudo: bool) -> str:
    if not block.closed:
        return "the block is not closed"
    if _is_given(case, block.body.split()):
        return "it repeats what was given"
    if _DIFF.search(block.body):
        return "it is a diff"
    return "it is pseudo-code" if pseudo else ""


def _is_given(case: Case, words: list[str]) -> bool:
    body = " ".join(words)
    return len(body) > 20 and body in case.view(_given)


def _given(case: Case) -> str:
    """Question and context, with single spaces."""
    return " ".join(f"{case.question}\n{case.context}".split())


def _line_span(block: Block, line: int) -> tuple[int, int]:
    lines = block.body.split("\n")
    line = min(line, len(lines))
    start = block.body_start + sum(len(text) + 1 for text in lines[: line - 1])
    return start, start + len(lines[line - 1])


def _bare_json(case: Case) -> Iterator[Check]:
    reading = read_json(case.answer)
    end = len(case.answer)
    if reading.result == "broken":
        line = case.lines[min(reading.line, len(case.lines)) - 1]
        why = f"JSON was asked for and the answer does not parse: {reading.message}."
        yield at(case, line.start, line.start + len(line.text), "syntax:json", "wrong", why)
    elif reading.result == "whole":
        yield at(case, 0, end, "syntax:json", "ok", "The answer parses as JSON.")
    else:
        yield at(case, 0, end, "syntax:json", "unchecked", f"Not checked: {reading.message}.")
