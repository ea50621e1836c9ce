"""Whether lines tell of a failure by themselves: what stands beside it may then go.

Rule of this module: a line that says only that something ended, or that nothing was wrong, is no
failure told. Whoever leaves lines out asks first whether what would be left tells one.
"""

from collections.abc import Sequence

from reflection_mcp.tools.identity.rule import compiled
from reflection_mcp.tools.identity.verdicts.reading import Text, is_exception, is_plain
from reflection_mcp.tools.identity.verdicts.runners import is_empty
from reflection_mcp.tools.identity.verdicts.symptoms import tells_of_failure

_NOTHING_WRONG = (
    r"(?i)\b(?:no|0|zero|without(?: any)?) (?:\w{1,20} )?(?:errors?|failures?|failed|problems?|"
    r"issues?|conflicts?)\b|\b(?:errors?|fail(?:ed|ures?)|problems?|missing|skipped)['\"]?[:=] ?0\b"
)


def tells_one(lines: Sequence[str]) -> bool:
    """Whether one of the lines is a message that tells of a failure."""
    text = Text(lines)
    return any(
        (tells_of_failure(line) or is_exception(line))
        and at not in text.stack.lines
        and not compiled(_NOTHING_WRONG).search(line)
        and is_plain(text, at)
        and not is_empty(line.strip())
        and not text.hinted[at]  # last: whoever asks it of one line has it found out of all
        for at, line in enumerate(lines)
    )
