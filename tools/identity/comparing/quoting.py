"""Whether one error is told in passing, in a sentence that quotes the message of the other.

Rule of this module: the whole line is quoted, it says enough to be known again, and the words
around it name no other error. Where it begins and ends a sign says so, since a longer message that
begins with the same words is another one.
"""

from collections.abc import Sequence

from reflection_mcp.store.records import Pattern
from reflection_mcp.tools.identity.keys import verdict_of
from reflection_mcp.tools.identity.rule import compiled
from reflection_mcp.tools.identity.tokens import content, names_type, tokens
from reflection_mcp.tools.identity.verdicts.noise import is_generic

_ENOUGH = 3
"""So many words of content make a line that is known again within a sentence."""
_BEGINS = (
    r"(?:^|['\"(:;,!?>=\[\]]|\.{1,3}|\s-{1,2}|\b(?:saying|says|said|error|message|gets?|got|getting|gives?|"
    r"gave|with|hits?|sees?|seeing|threw|throws|prints?|reports?|only|then|just))\s*$"
)
_BEGINS_TYPED = r"(?:^|[\s'\"(:;,!?>=\[\].-])$"
"""What stands before a line that is quoted; before the type of an exception a space is enough."""
_ENDS = r"['\"]|[.,;:!?)\]]+(?:\s|$)|\s*$|\s+(?:-{1,2}|=>|->)\s|\s+\("


def _says_enough(line: str) -> bool:
    return not is_generic(line) and len(set(filter(content, tokens(line)))) >= _ENOUGH


def _quotes(sentence: str, line: str) -> bool:
    at = sentence.find(line)
    if at < 0 or len(line) == len(sentence):
        return False
    before, after = sentence[:at], sentence[at + len(line) :]
    typed = names_type(tokens(line)[0])
    begins = compiled(_BEGINS_TYPED if typed else _BEGINS).search(before)
    if not begins or not compiled(_ENDS).match(after):
        return False
    return not any(map(names_type, (*tokens(before.rstrip(".")), *tokens(after))))


def told_in_passing(mine: Pattern, theirs: Pattern) -> bool:
    """Whether one side is one sentence that quotes the first or the last line of the other."""
    sides: Sequence[list[str]] = (verdict_of(mine), verdict_of(theirs))
    for sentence, lines in (sides, sides[::-1]):
        if len(sentence) == 1 and any(
            _says_enough(line) and _quotes(sentence[0], line) for line in (*lines[:1], *lines[-1:])
        ):
            return True
    return False
