"""Whether a line says only that something ended badly, with the code it ended with.

Rule of this module: what a line says beside that must not sound like a failure of its own. A code
above 255 is no exit code, so that the status of an HTTP reply is none.
"""

from functools import lru_cache

from reflection_mcp.tools.identity.rule import Shape, any_of, compiled
from reflection_mcp.tools.identity.verdicts.marks import holds_any
from reflection_mcp.tools.identity.verdicts.symptoms import tells_of_failure

_CODE = r"[\[('\"]{0,2}-?(?:25[0-5]|2[0-4]\d|1\d\d|\d{1,2})(?![\w.%/]*\w)"
_NONZERO = r"(?:an? )?(?:non-?zero )?"

ENDED: tuple[Shape, ...] = (
    Shape(
        "code of an exit",
        r"\b(?:non-?zero )?(?:exit|return)[ -]?(?:status|code|value)(?: of| was| is)?[:=]? {0,2}"
        + _CODE
        + r"|\b(?:rc|exit_?code|exit_?status|exit)[:=] ?"
        + _CODE,
        "exec: 'make docs': exit status 2",
        "the exit code of make is not known",
    ),
    Shape(
        "end with a code",
        r"\b(?:exit(?:ed|s)?|return(?:ed|s)|quit|died) (?:with |on )?"
        + _NONZERO
        + r"(?:status |code |value )?"
        + _CODE
        + r"(?= exit status| ?[^\w ]|$)",
        "step 'docs' returned 2",
        "the query returned 2 rows",
    ),
    Shape(
        "end with a status",
        r"\b(?:ended|finished|failed|fails|completed|terminated) (?:\w{1,20} )?(?:with |by )"
        + _NONZERO
        + r"(?:exit |return )?(?:status|code|value):? {0,2}"
        + _CODE,
        "Command failed with status (1): [rake docs]",
        "Request failed with status code 404",
    ),
    Shape(
        "code that is not zero",
        r"\bnon-?zero (?:exit |return )?(?:status|code|value)\b|"
        r"\b(?:bad|unexpected) (?:command )?(?:exit|return) (?:status|code)\b",
        "msg: non-zero return code",
        "a value that is not zero",
    ),
    Shape(
        "no good end",
        r"\bdid(?: not|n't) (?:exit|complete|finish|end|terminate)(?: successfully| cleanly)\b",
        "process didn't exit successfully: 'build-script'",
        "it did not exit",
    ),
    Shape(
        "code that is all that an exception says",
        r"\b\w{0,40}(?:process|exit|command)\w{0,40}(?:error|exception): " + _CODE + "$",
        "ChildProcessError: 2",
        "ParseError: 2",
    ),
    Shape(
        "code that was expected to be another",
        r"\bexpected (?:the )?(?:process|command|script|program) to exit with \W?\d{1,3}\W{1,3}"
        r"(?:but )?(?:received|got) \W?-?\d{1,3}\b",
        "Expected process to exit with [0], but received '2'",
        "expected to exit with grace",
    ),
    Shape(
        "command that failed, without a word why",
        r"\b(?:command|process|script|program|recipe) (?:'[^'\n]{1,400}'|\"[^\"\n]{1,400}\") "
        r"(?:has )?(?:failed|aborted|crashed)(?=[.!]?$)",
        "The command './docs.sh' failed.",
        "The command './docs.sh' failed: no such file",
    ),
)
"""Parts of lines, tested without case."""

_ENDED = any_of(ENDED, before=r"(?i)\b(?=\w)")
"""Each part begins with a word: where none does, no row is tried."""
_OF_ANY_END = (
    r"(?i)\b(?:errors?|fail(?:ed|ures?|s)?|fatal|panic(?:ked)?|unhandled|uncaught|aborted|exited|"
    r"exceptions?|(?:\w{1,80}\.){0,6}\w{0,80}(?:error|exception|failure|exit))\b"
)
_NO_EXIT = r"(?i)\bassert|^E[ \t]|\bhttps?\b|\brequest|\bresponse|\bupstream\b|\bapi\b"
"""A test that looks at a code, and replies that have one."""

_ALONE = (
    "exit", "zero", "returned ", "returns ", "process", "command", "script", "program", "recipe",
    "did not ", "didn't ", "quit ", "died ", "rc:", "rc=",
)  # fmt: skip
_TOGETHER = (("return", " with ", " by "), ("status", "code", "value"))
"""A part of a line that is looked for holds one of the words alone, or one of each of these."""
_MARKS = (
    "xit", "eturn", "rc", "tatus", "ode", "alue", "died", "quit", "did", "ommand", "rocess",
    "cript", "rogram", "ecipe",
)  # fmt: skip
"""One of them stands in each part of a line that is looked for; capitals apart."""


def may_end(text: str) -> bool:
    """Whether a line of a text may say that something ended; outside ASCII case is not so plain."""
    small = text.lower()
    return (
        not text.isascii()
        or holds_any(small, _ALONE)
        or (holds_any(small, _TOGETHER[0]) and holds_any(small, _TOGETHER[1]))
    )


@lru_cache(maxsize=512)  # one line of a text is asked about several times
def only_ended(line: str) -> bool:
    """Whether a line says only that something ended badly, with a code."""
    if not may_end(line) or not (holds_any(line, _MARKS) or line.isupper()):
        return False
    rest, ends = _ENDED.subn(" ", line)
    return (
        ends > 0
        and compiled(_NO_EXIT).search(line) is None
        and not tells_of_failure(compiled(_OF_ANY_END).sub(" ", rest))
    )
