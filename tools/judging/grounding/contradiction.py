"""Check for a setting of the context to which the answer gives another value.

Rules of this module: a setting is a line of the context that gives one name one number
("line-length = 88", "proxy_read_timeout 60s;"). The answer contradicts it where it says of that
name, in a plain statement, that it is another number. Advice, conditions, comparisons and what is
said of a default or of another version are no such statements; a name with two values says nothing.
"""

import re
from collections.abc import Iterator, Mapping

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.finding import at

KIND = "grounding:contradiction"
SETTINGS = 400
"""Settings of a context that are read."""
STATEMENTS = 100
"""Statements of an answer about a number that are read."""
WINDOW = 100_000
"""Characters of a context and of an answer that are read."""
_SETTING = re.compile(
    r"^[ \t]{0,40}\"?([A-Za-z][\w.-]{3,40})\"?(?:[ \t]{0,20}[:=][ \t]{0,8}|[ \t]{1,8})"
    r"[\"']?(\d{1,9}(?:\.\d{1,6})?)[ ]?([A-Za-z%]{0,5})[\"']?[;,]?[ \t]{0,8}"
    r"(?:(?:#|//)[^\n]{0,200})?$",
    re.MULTILINE,
)
_STATED = re.compile(
    r"`?\b([A-Za-z][\w.-]{1,40}(?: [a-z]{2,20}){0,2})`? "
    r"(?:is|was|are|equals|defaults to|is set to)"
    r" `?(\d{1,9}(?:\.\d{1,6})?)(?: ?([A-Za-z%]{1,8}))?\b(?![\w]|[.,-]\d)"
)
_NOT_PLAIN = re.compile(
    r"\b(?:should|could|would|must|can|may|might|if|when|once|after|before|until|unless|instead"
    r"|set (?!to)|raise|lower|increase|reduce|change|use|make|try|put|recommend\w{0,3}"
    r"|suggest\w{0,3}|than|from|e\.g|example|say|typical\w{0,2}|usual\w{0,2}|normal\w{0,2}"
    r"|elsewhere|other|another|not|previous\w{0,2}|old|new|version|then|will|becomes?|suppose|let)"
    r"\b|\?",
    re.IGNORECASE,
)
_DEFAULT = re.compile(r"\bdefaults?\b", re.IGNORECASE)


def check(case: Case) -> Iterator[Check]:
    """Yield a fault for each setting of the context that the answer gives another value."""
    settings = _settings(case.context[:WINDOW])
    if not settings:
        return
    of_defaults = _DEFAULT.search(case.context[:WINDOW]) is not None
    stated = _STATED.finditer(case.prose[:WINDOW])
    for _, found in zip(range(STATEMENTS), stated, strict=False):
        value = settings.get(_key(found[1]))
        if value is None or _same(value, found[2], found[3] or ""):
            continue
        start = max(case.prose.rfind(mark, 0, found.start()) for mark in ("\n", ". ", "! ", "; "))
        sentence = case.prose[start + 1 : found.end()]
        if _NOT_PLAIN.search(sentence) or (_DEFAULT.search(sentence) and not of_defaults):
            continue
        why = f"The context says {value[2]}."
        yield at(case, *found.span(), KIND, "wrong", why, stated=found[2])


def _settings(context: str) -> Mapping[str, tuple[str, str, str]]:
    """Return the number, the unit and the line of each setting that has one value."""
    found: dict[str, tuple[str, str, str] | None] = {}
    for _, line in zip(range(SETTINGS), _SETTING.finditer(context), strict=False):
        key, value = _key(line[1]), (line[2], line[3], f"\u201c{line[0].strip()}\u201d")
        known = found.setdefault(key, value)
        if known is not None and known[:2] != value[:2]:
            found[key] = None
    return {key: value for key, value in found.items() if value is not None}


def _key(name: str) -> str:
    """Return a name without case and without what joins its words."""
    words = re.sub(r"[\W_]", "", name).lower()
    return words.removeprefix("the").removeprefix("default")


def _same(value: tuple[str, str, str], number: str, unit: str) -> bool:
    """Return True if a number is that of a setting, or cannot be compared with it."""
    own, other = value[1].lower(), unit.lower()
    comparable = not own or not other or own[:1] == other[:1]
    return not comparable or float(value[0]) == float(number)
