"""A command line as the words that a shell would see.

Rule of this module: what only a shell can read (several lines, groups, an open quotation) is not
read at all, since a guess would take two commands for one.
"""

import shlex
from dataclasses import dataclass

OPERATORS = ("&&", "||", "|", ";", "&")
"""The words that stand between two commands."""
_BEFORE, _AFTER = "`'\"([{<“", "`'\".,;:!?)]}>”"


@dataclass(frozen=True, slots=True)
class CommandLine:
    """A command line as words, and as commands without the files that they read or write;
    `chained` when only `&&` joins them."""

    words: tuple[str, ...]
    commands: tuple[tuple[str, ...], ...]
    chained: bool
    writes: bool


def read(command: str) -> CommandLine | None:
    """Return a command line split into commands, None for what only a shell can read."""
    words = _words(command)
    if words is None:
        return None
    commands: list[list[str]] = [[]]
    chained, writes, target = True, False, False
    for place, word in enumerate(words):
        if target:
            target = False
        elif set(word) <= set("<>&") and word not in ("&&", "&"):
            writes = writes or (">" in word and words[place + 1 : place + 2] != ["/dev/null"])
            target = True
        elif word in ("&&", "||", "|", ";"):
            commands.append([])
            chained = chained and word == "&&"
        elif set(word) <= set("();<>|&"):
            return None
        else:
            commands[-1].append(word)
    return CommandLine(tuple(words), tuple(map(tuple, commands)), chained, writes)


def _words(command: str) -> list[str] | None:
    if "\n" in command.strip():
        return None
    reader = shlex.shlex(command, posix=True, punctuation_chars=True)
    reader.whitespace_split, reader.commenters = True, ""
    try:
        found = list(reader)
    except ValueError:  # a quotation that does not end
        return None
    merged = ["2", ">&", "1"]  # errors among the output: shows more, and changes nothing
    kept: list[str] = []
    for word in found:
        kept.append(word)
        if kept[-3:] == merged:
            del kept[-3:]
    return kept or None


def follows(failed: str, again: str, advice: str) -> bool:
    """Return True if a command is another one as advice asks for: what it has beyond it stands in
    the advice, and something of it is left.

    Args:
        failed: the command that failed.
        again: the other one.
        advice: the words of a lesson.
    """
    before, after = read(failed), read(again)
    if before is None or after is None:
        return False
    old, new = set(before.words), set(after.words)
    fresh = new.difference(old, OPERATORS)
    said = {word.lstrip(_BEFORE).rstrip(_AFTER) for word in advice.split()}
    return bool(fresh) and fresh <= said and bool(old & new)
