"""Whether one error is told in passing, in a sentence that quotes the message of the other.

Rule of this module: the whole line is quoted, or all of it but the type or the file in front, it
says enough to be known again, and the words around it name no other error. Where it begins and ends
a sign says so, since a longer message that begins with the same words is another one.
"""

from collections.abc import Sequence

from reflection_mcp.store.records import Pattern
from reflection_mcp.tools.identity.keys import verdict_of
from reflection_mcp.tools.identity.rule import compiled
from reflection_mcp.tools.identity.tokens import NEGATIONS, content, names_type, tokens
from reflection_mcp.tools.identity.verdicts.noise import is_generic

_ENOUGH = 3
"""So many words of content make a line that is known again within a sentence."""
_FILE = r"[\w-]{1,80}\.[a-z]\w{0,4}(?=[\s:,)])"
_IN_FRONT = r"(\S{1,120}): (?=\S)"
_FILE_NAME = r"[\w-]{1,80}\.[a-z]\w{0,4}$"
_MOST_SHARED = 0.4
"""A line that shares more of its words with the talk is told in it, in words that may differ."""
_BEGINS = (
    r"(?:^|['\"(:;,!?>=\[]|\.{1,3}|\s-{1,2}|\b(?:saying|says|said|error|message|gets?|got|getting|gives?|"
    r"gave|with|hits?|sees?|seeing|threw|throws|prints?|reports?|only|then|just))\s*$"
)
_BEGINS_TYPED = r"(?:^|[^\s\]]\s+|['\"(:;,!?>=\[.-])$"
"""What stands before a line that is quoted; before the type of an exception a space is enough."""
_NAMES = r"\w[/@_]\w|\w{2}\.\w{2}|'[^']{2,80}'"
"""A host, a path or a quoted name: who names one in front of a colon tells of that."""
_STATUS = r" ?\(status \d{3}\b"
"""What a reply told with its message: the line that is quoted may have come with another one."""
_ENDS = r"['\"]|[.,;:!?)\]]+(?:\s|$)|\s*$|\s+(?:-{1,2}|=>|->)\s|\s+\("


def _quotable(line: str) -> tuple[str, ...]:
    """A line, and what is left of it without the type or the file in front: people leave it out."""
    in_front = compiled(_IN_FRONT).match(line)
    if in_front is None or not (names_type(in_front[1]) or compiled(_FILE_NAME).match(in_front[1])):
        return (line,)
    return line, line[in_front.end() :]


def _says_enough(line: str) -> bool:
    words = len(set(filter(content, tokens(line))))
    return words >= _ENOUGH and " " in line and not is_generic(line)  # a name alone says nothing


def _around(sentence: str, line: str) -> str | None:
    """What a sentence says around the line it quotes; None if it does not quote it."""
    if line not in sentence or line == sentence or not _says_enough(line):
        return None
    before, _, after = sentence.partition(line)
    typed = names_type(tokens(line)[0])
    begins = _BEGINS_TYPED if typed else _BEGINS
    ends = compiled(_ENDS).match(after) or (line.endswith("}") and after.startswith(" "))
    if not compiled(begins).search(before) or not ends or compiled(_STATUS).match(after):
        return None
    if before.endswith(": ") and not typed and compiled(_NAMES).search(before):
        return None  # the cause of another failure, which may be that of many
    if after.startswith(": ") and not names_type(line) and NEGATIONS.intersection(tokens(after)):
        return None  # not words around it, but the reason behind it, which may be another
    return f"{before} {after}"


def _is_talk(around: str, others: Sequence[str]) -> bool:
    """Whether words around a quoted line name no other error, and are no other line reworded."""
    words = set(tokens(around))
    return not any(map(names_type, words)) and not any(
        len(words.intersection(said)) > _MOST_SHARED * len(said)
        for said in map(set, map(tokens, others))
    )


def _names_another_file(around: str, file: str) -> bool:
    """Whether the words around a quoted line place it in another file than where it is known."""
    named = compiled(_FILE).findall(around) if file else []
    return bool(named) and file not in named


def _tells(sentence: str, line: str, lines: Sequence[str], file: str) -> bool:
    """Whether a sentence is talk around one of the lines, or around what is left of it."""
    for quoted in _quotable(line):
        around = _around(sentence, quoted)
        if around is not None:
            front = line[: -len(quoted)].removesuffix(": ") if quoted != line else ""
            known = front if compiled(_FILE_NAME).match(front) else file
            others = [other for other in lines if other != line and _says_more(other, line)]
            return _is_talk(around, others) and not _names_another_file(around, known)
    return False


def _says_more(line: str, quoted: str) -> bool:
    """Whether a line says anything that does not stand in the one that is quoted."""
    return not set(filter(content, tokens(line))) <= set(tokens(quoted))


def told_in_passing(mine: Pattern, theirs: Pattern) -> bool:
    """Whether one side is one sentence that quotes the first or the last line of the other."""
    for telling, told in ((mine, theirs), (theirs, mine)):
        sentence, lines = verdict_of(telling), verdict_of(told)
        if len(sentence) != 1:
            continue
        file = (told.location or "").partition(":")[0]
        for line in (*lines[:1], *lines[-1:]):
            if _tells(sentence[0], line, lines, file):
                return True
    return False
