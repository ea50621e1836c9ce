"""Check that quotes, brackets and blocks of shell scripts and of the C family are closed.

Rules of this module: there is no parser for these here, and no process may be started, so only the
certain faults are found: what is opened and never closed. A block that closes everything is
unclear, not whole. Where a dialect could read a character differently, the block is unclear as
well.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from reflection_mcp.tools.judging.syntax.reading import ParseResult, elided, unclear

LIMIT = 40_000
"""Characters that are read."""

BALANCED = unclear("only quotes and brackets were looked at")


def _signs(pattern: re.Pattern[str], body: str) -> Iterator[tuple[str, int, int]]:
    """Yield the signs outside of comments, with place and line; `/*` if it is never closed."""
    place = 0
    while sign := pattern.search(body, place):
        place = sign.end()
        if sign[0] == "/*" and (end := body.find("*/", place)) >= 0:
            place = end + 2
        else:
            yield sign[0], sign.start(), body.count("\n", 0, sign.start()) + 1


# --------------------------------------------------------------------------- shell


class _Word(NamedTuple):
    text: str
    line: int


_SHELL_TOKEN = re.compile(
    r"\\.|(?<![^\s;&|(){}])#[^\n]*|'[^']*'|\$'(?:[^'\\]|\\.)*'|\"|'|`|\$\(\(|\$\(|\$\{|<<<|<<-?|"
    r"\n|;;|&&|\|\||[;&|(){}!]|[^\s\\'\"`$;&|(){}#<!]+|\$|<|#",
    re.DOTALL,
)
_PROMPT = re.compile(r"^\s{0,8}(?:[$%>] |\w{1,30}@[\w.-]{1,40}[:$])", re.MULTILINE)
_HERE_DOCUMENT = re.compile(r"<<-?\s{0,4}['\"\\]?\w")
_OPENERS = {"if": "fi", "case": "esac", "do": "done"}
_CLOSERS = {closer: opener for opener, closer in _OPENERS.items()}
# A keyword counts only where a command may begin.
_BEFORE_COMMAND = frozenset(
    ("\n", ";", ";;", "&&", "||", "|", "&", "(", "{", "!", "then", "do", "else", "elif", "if",
     "while", "until", ")", "")
)  # fmt: skip


def read_shell(body: str) -> ParseResult:
    """Look for quotes that are never closed, and for `if`, `case` and `do` without their ends."""
    if len(body) > LIMIT:
        return unclear(f"longer than {LIMIT} characters")
    if elided(body.replace("${", "")) or _PROMPT.search(body):
        return unclear("a session at the prompt, or something left out")
    if _HERE_DOCUMENT.search(body):
        return unclear("a here-document")
    words = _shell_words(body)
    if isinstance(words, ParseResult):
        return words
    return _blocks(words)


def _shell_words(body: str) -> list[_Word] | ParseResult:
    words: list[_Word] = []
    place, line = 0, 1
    while token := _SHELL_TOKEN.search(body, place):
        text, place = token[0], token.end()
        here, line = line, line + text.count("\n")
        if text in ('"', "$("):
            end = (_double_quoted if text == '"' else _substituted)(body, place)
            if end is None:
                return unclear("a substitution that is not read")
            if end < 0:
                return ParseResult("broken", f"{text} is never closed", here)
            line += body.count("\n", place, end)
            place = end
            words.append(_Word('""', here))
        elif text == "'":
            return ParseResult("broken", "' is never closed", here)
        elif text == "`" or text.startswith(("$(", "${")):
            return unclear("a substitution")
        elif not text.startswith("#"):
            words.append(_Word(text, here))
    return words


def _double_quoted(body: str, place: int) -> int | None:
    """Return where a double-quoted string ends, -1 for never, None if it is not read."""
    while place < len(body):
        sign = body[place]
        if sign == "\\":
            place += 1
        elif sign == '"':
            return place + 1
        elif sign == "`" or body.startswith("$((", place):
            return None
        elif body.startswith("$(", place):
            end = _substituted(body, place + 2)
            if end is None or end < 0:
                return None
            place = end - 1
        place += 1
    return -1


_PLAIN = re.compile(
    r"[^()'\"`\\$#]+|\$(?!\()|\\.|'[^']*'|\"(?:[^\"\\`$]|\\.|\$(?!\())*\"", re.DOTALL
)


def _substituted(body: str, place: int) -> int | None:
    """Return where a plain substitution ends, None for one with others or with comments inside."""
    begin = place
    while plain := _PLAIN.match(body, place):
        place = plain.end()
    return place + 1 if body.startswith(")", place) and "case" not in body[begin:place] else None


_MIDDLE = frozenset(("then", "else", "elif", "do"))


def _blocks(words: list[_Word]) -> ParseResult:
    if words and words[0].text in _MIDDLE:
        return unclear("a branch without its beginning")
    opened: list[_Word] = []
    before = ""
    for word in words:
        if before in _BEFORE_COMMAND:
            if word.text in _OPENERS:
                opened.append(word)
            elif word.text in _CLOSERS:
                if not opened or opened[-1].text != _CLOSERS[word.text]:
                    return ParseResult("broken", f"{word.text} closes nothing", word.line)
                opened.pop()
        before = word.text
    if opened:
        last = opened[-1]
        return ParseResult("broken", f"{last.text} is never closed", last.line)
    return BALANCED


# --------------------------------------------------------------------------- languages with braces

_BRACE_TOKEN = re.compile(
    r"//[^\n]*|/\*|\"\"\"|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`|[()\[\]{}\"'/]|#[^\n]*"
)
# The spread of JavaScript, and what stands between angle brackets behind a type.
_NO_ELISION = re.compile(r"\.\.\.(?=[\w\[{(])|(?<=\w)<[\w, ?\[\]]{1,60}>")
_PAIRS = {")": "(", "]": "[", "}": "{"}


def read_braces(body: str) -> ParseResult:
    """Look for brackets that are never closed in a language of the C family.

    Where a sign may open a literal that ends elsewhere (a regular expression, a template, markup,
    a lifetime, a macro), the block is unclear.
    """
    if len(body) > LIMIT:
        return unclear(f"longer than {LIMIT} characters")
    if body.rstrip().endswith(("(", "[", "{", ",")):
        return unclear("it ends where something is opened")
    if elided(_NO_ELISION.sub("", body)):
        return unclear("something was left out")
    opened: list[tuple[str, int]] = []
    for text, place, line in _signs(_BRACE_TOKEN, body):
        if text == "/*":
            return ParseResult("broken", "a comment is never closed", line)
        if text in ("/", "`", "'", '"', '"""') or text.startswith("#"):
            if text != "/" or not _divides(body, place):
                return unclear("a literal that may hold brackets")
        elif text in _PAIRS.values():
            opened.append((text, line))
        elif text in _PAIRS:
            if not opened or opened[-1][0] != _PAIRS[text]:
                return ParseResult("broken", f"{text} closes nothing", line)
            opened.pop()
    if opened:
        sign, line = opened[-1]
        return ParseResult("broken", f"{sign} is never closed", line)
    return BALANCED


def _divides(body: str, place: int) -> bool:
    """Return True if a slash stands behind a value, and so divides by what follows."""
    before = body[max(0, place - 40) : place].rstrip()
    return before[-1:].isalnum() or before[-1:] in (")", "]", "_")
