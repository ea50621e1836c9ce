"""What a line is: an error, the consequence of one, advice, or anything else.

Rule of this module: a line is judged by the words in it, never by its whole wording, so that lines
of tools that nobody wrote a rule for are judged as well.
"""

from functools import lru_cache

from reflection_mcp.tools.identity.regex import compiled, has_digit
from reflection_mcp.tools.identity.rules.vocabulary import heads, phrases, words

THROWN, MARKED, WORDED, PLAIN, CONSEQUENCE, NOTHING, ADVICE = 4, 3, 2, 1, 0, -1, -2

_INTRODUCED = (
    r"(?:E\s{1,6}|\s{1,6}|Uncaught (?:\(in promise\) )?|\[?Unhandled[\w ]{0,40}[:(] ?"
    r"|Exception in thread \"?[^\" ]{0,80}\"? |[Cc]aused by: |nested exception is "
    r"|\[cause\]: |"
    r"PHP |thrown: |node:internal\S* |Error: (?=[A-Z]\w+Error)|Unhandled exception\. ?"
    r"|Fatal error: Uncaught |\* |java: |(?:ERROR|Error|error|error during build"
    r"|e): ){0,4}"
)
_TYPE = (
    r"((?:[A-Za-z_][\w$]{0,80}(?:\.|::|\\)){0,12}(?:[A-Z_][\w$]{0,80}(?:Error|Exception"
    r"|Warning|Exit|Interrupt|Timeout|Iteration|Violation|NotFound|Undefined\w{0,20}"
    r"|Duplicate\w{0,20}|Failure|Fault)|[a-zA-Z]\w{2,80}(?:error|exception|ERROR|EXCEPTION)(?=\s?:)"
    r"|Error|Exception|panic|fatal error))"
    r"(?:\s?[\[(](?:\w{1,10}: )?([\w$.:]{1,60})[\])])?(?:\s?:\s?(.*)|\s*)$"
)
_IN_BRACKETS = r"(?:\*\* \((?:[A-Z]\w{0,60}\.){0,8}|\((?:\w{1,60}\.){1,8}(?=[A-Z]))(\w{1,60})\) \S"
"""A type of Elixir, or the one that SQLAlchemy wraps."""
_DOTTED = r"(?:[a-z_]\w{0,60}\.){1,10}(?:[A-Z]\w{0,60}\.)?([A-Z][a-z]\w{1,60}): (\S.*)$"
"""An exception whose name does not say so: `django.urls.exceptions.NoReverseMatch: ...`."""
_MARKS = (
    r"\berror\b\s?[:\[(#|]|\berr!|^\[?error\b|npm error|\bfatal\b|^panic|^e\s{2,}"
    r"|\bts\d{4}\b|\be\d{4}\b|\bora-\d|\b[a-z]{2}\d{4}: |panicked at|segmentation fault"
    r"|no rule to make|"
    r"^\S*\s*[a-z]{1,4}\d{3,5}\b(?![:-]\S{16})|\be(?:noent|acces|addrinuse|conn\w+|perm|resolve|inval"
    r"|notfound|timedout|mfile|exist|isdir|notempty|xdev|pipe|usage|target)\b"
    r"|^traceback"
)
_COUNTED = (
    r"(?:found )?(?:\d+|one|some|the following|<\*>) (?:\w+ ){0,2}(?:failed|passed"
    r"|errors?|failures?|problems?|exit)\b.{0,40}$|\[?exit(?:ed)?(?: code)?:? ?-?\d+"
    r"|(?:g?make)(?:\[\d+\])?: \*\*\* (?!no rule)|\S+\.(?:[jt]sx?|py)$"
    r"|.{0,80}\bexit (?:code|status):? \d+\W*$|.{0,400}\bexited with \d+\W*$|task \S{1,80} failed"
    r"|test \S{1,200} \.\.\. failed|tests? run: |.{0,200} <<< (?:failure|error)!"
    r"|\w{1,80} > .{1,120} failed$|\d+ exit\b"
)
_DIAGNOSTIC = (
    r"(?:\w{1,20}: )?[\w./\\:~@+-]{1,200}\.[a-zA-Z]\w{0,7}[:(]\d{1,7}(?:[:,.]\d{1,7})?"
    r"\)?:?\s+\S{2,}"
)
"""A finding of a compiler or linter: file, position, text."""
_CODED = r"(?:[A-Z][a-z]{1,30}){2,8}(?:\.[A-Z]\w{1,60})?: \S+ \S"
"""A code of a service, as clouds write it: `VcpuLimitExceeded: You have requested ...`."""
_LONG = 120
"""So long a line says more than that something failed."""
_NAMED = r"[\"'`]|\w[./\\]\w|\w_\w|[a-z][A-Z]|[A-Z]{2,}\d|\d{3,}"
_ASKS = (
    r"(?:is|are|was|do|does|did|can|could|should|would|has|have|any|what|why|how|who|which|where"
    r"|when|am|may|or)\b"
)
_LETTERS = r"[a-z]+(?:'t)?"
_CODE_LINE = (
    r"\s{4,}\S.*[;{}]$|\s{2,}(?:return|const|let|var|await|import|from|raise|throw|if"
    r"|for|def|class)\b"
)


def type_of(body: str) -> tuple[str, bool]:
    """The exception type that a line names, casefolded, and whether it throws one at all."""
    match = compiled(_INTRODUCED).match(body)
    at = match.end() if match else 0
    head = body[at : at + 400]
    stop = head.find(":")
    first = head if stop < 0 else head[:stop]
    if (
        " " in first.strip()
        and not first.startswith(("fatal error",))
        and "[" not in first
        and "(" not in first
    ):
        return "", False
    if body.startswith(("** (", "(")) and (bracketed := compiled(_IN_BRACKETS).match(body)):
        return bracketed[1].casefold(), True
    found = compiled(_TYPE).match(body, at)
    if not found:
        dotted = compiled(_DOTTED).match(body, at)
        return (dotted[1].casefold(), True) if dotted else ("", False)
    name = found[1].replace("::", ".").replace("\\", ".").rpartition(".")[2]
    if found[2] and (
        found[2].endswith(("Error", "Exception"))
        or (found[2][:1].isupper() and not found[2].isupper() and name == "Error")
    ):
        name = found[2]
    plain = name in ("Error", "Exception", "panic", "fatal error")
    return "" if plain else name.casefold(), True


def is_generic(folded: str, body: str) -> bool:
    """Whether a line names no cause: only words that any failure is told with."""
    if len(body) > 160:
        return False
    generic = words("generic words")
    said = compiled(_LETTERS).finditer(folded)
    return all(word[0] in generic for word in said) and not compiled(_NAMED).search(body)


def _begins(text: str, section: str) -> bool:
    """Whether a text begins with a phrase of a section."""
    by_head = heads(section)
    return text[:2] in by_head and text.startswith(by_head[text[:2]])


def _holds(text: str, section: str) -> bool:
    return any(map(text.__contains__, phrases(section)))


@lru_cache(maxsize=128)
def strength_of(line: str) -> int:
    """How strongly a line says what went wrong: THROWN down to CONSEQUENCE, NOTHING or ADVICE."""
    body = line.strip()
    folded = body.casefold()
    start = folded.lstrip("[(*-\u2022>=#!x\u2716\u00d7| ")
    named, thrown = type_of(body)
    said = compiled(_LETTERS).findall(folded)
    fails = not words("failure words").isdisjoint(said)
    if not named and _is_consequence(body, folded, start, fails):
        return CONSEQUENCE
    if not named and is_generic(folded, body):
        return CONSEQUENCE if fails else NOTHING
    if thrown:
        return THROWN
    if body[-1:] == "?" and compiled(_ASKS).match(folded):
        return ADVICE
    first = start.partition(" ")[0].rstrip(":")
    if first in words("advice words") or _begins(start, "advice") or ": note: " in folded:
        return WORDED if "reject" in folded else ADVICE
    if _holds(folded[:_LONG], "advice inside"):
        return ADVICE
    numbered = has_digit(body)
    marks = fails or numbered or "E" in body
    marked = marks and compiled(_MARKS).search(folded) is not None
    if not marked and (first in words("noise words") or _begins(start, "noise")):
        return NOTHING
    if marked:
        return MARKED
    if fails or (numbered and compiled(_DIAGNOSTIC).match(body)):
        return WORDED
    if ": " in body and compiled(_CODED).match(body):
        return WORDED
    return NOTHING if "ing directory '" in folded else PLAIN


def _is_consequence(body: str, folded: str, start: str, fails: bool) -> bool:
    """Whether a line says that something failed and leaves it to another to say what."""
    if _begins(start, "consequence of any length"):
        return True
    if len(body) < _LONG and _begins(start, "consequence"):
        return True
    if not fails and "exit" not in folded and "run" not in folded and "rr" not in folded:
        return False
    if _holds(folded, "consequence inside"):
        return True
    return compiled(_COUNTED).match(start.removeprefix("error:").lstrip()) is not None


def is_code(line: str) -> bool:
    """Whether a line is source code that a tool shows."""
    return compiled(_CODE_LINE).match(line) is not None
