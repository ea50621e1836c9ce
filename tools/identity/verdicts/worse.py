"""Whether lines tell of a failure by themselves: what stands beside it may then go.

Rule of this module: a line that says only that something ended, or that nothing was wrong, is no
failure told. Whoever leaves lines out asks first whether what would be left tells one.
"""

from collections.abc import Sequence

from reflection_mcp.tools.identity.rule import compiled
from reflection_mcp.tools.identity.verdicts.endings import only_ended
from reflection_mcp.tools.identity.verdicts.reading import is_plain, text_of
from reflection_mcp.tools.identity.verdicts.runners import is_empty
from reflection_mcp.tools.identity.verdicts.symptoms import tells_of_failure

_NOTHING_WRONG = (
    r"(?i)\b(?:no|0|zero|without(?: any)?) (?:\w{1,20} )?(?:errors?|failures?|failed|problems?|"
    r"issues?|conflicts?)\b|\b(?:errors?|fail(?:ed|ures?)|problems?|missing|skipped)['\"]?[:=] ?0\b"
)
_TYPED = r"(?:Exception in thread \S{1,80} )?(?:[\w$]{1,80}\.){0,10}\w{1,80}(?:Error|Exception)\b"
"""Begins an exception with a name of its own, which tells more than that something ended."""
_ONLY_ENDED = (
    r"(?i)\b(?:exit(?:ed|s)?|ended|finished|terminated|returned)\b.{0,40}?\b(?:code|status|signal)"
    r"\W{0,3}-?\w{1,10}\W{0,3}$"
)
_LEVEL = r"(?i)\W{0,3}(?:error|err|fatal|critical|severe)\W{1,3}"
_EMPTY_FIELD = (
    r"[ \t]*['\"]?[a-z_]\w{0,40}['\"]?: (?:null|undefined|true|false|-?\d{1,12}|\[[ ,nul]*\]),?$"
)
"""A property of an object that holds nothing to read."""


def _says_more(line: str) -> bool:
    """Whether a line says more than that something ended, or that nothing was wrong."""
    if compiled(_TYPED).match(line.strip()):
        return True
    return not (
        only_ended(line)
        or compiled(_NOTHING_WRONG).search(line)
        or compiled(_ONLY_ENDED).search(line)
        or compiled(_EMPTY_FIELD).match(line)
        or is_empty(compiled(_LEVEL).sub("", line.strip(), count=1))
    )


def tells_one(lines: Sequence[str]) -> bool:
    """Whether one of the lines is a message that tells of a failure."""
    text = text_of(tuple(lines))
    return any(
        at not in text.stack.lines
        and (tells_of_failure(line) or at in text.raised)
        and _says_more(line)
        and is_plain(text, at)
        and not text.hinted(at)  # last: it is found out of all lines above, too
        for at, line in enumerate(lines)
    )
