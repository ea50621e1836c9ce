"""The form of an action that stays the same in another wording: other paths, order, quotes, prefix.

Rules: a command line is taken apart into commands, each without what only starts it (`sudo`,
`FOO=1`, `cd app &&`). A path is its last part, a flag stands apart from its value, and a text with
spaces is some text. Words directly after a flag may be its value, so they count as `loose`. An edit
is its file; any other call is its arguments.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, cast

from reflection_mcp.tools.data_files import words as word_file
from reflection_mcp.tools.learning.command_line import read
from reflection_mcp.tools.learning.fix_candidates import COMMAND_TOOLS, OUTPUT_ONLY

EDITS = frozenset("edit write notebookedit multiedit".split())
"""Tools that change a file, whose input is its path."""
LONGEST_KEPT = 4_000
"""Characters of a tool call whose form is kept in memory."""
MOST_WORDS = 60
"""Words of one command that are looked at; what is longer carries data."""
MOST_COMMANDS = 12
SOME_TEXT = "*"
_FLAG = re.compile(r"-{1,2}[A-Za-z]|\+[a-z]")
_SET = re.compile(r"\w{1,60}=")
_DATA = re.compile(r"[\d./:$@=\\]|[A-Z]")
_NAMES_SOMEBODY = ("-u", "-g")  # of sudo: the next word is a user or a group
_VERSION = re.compile(r"(?<=.)[@:](?:latest|[v~^]?\d[\w.+-]*|HEAD)$")


@dataclass(frozen=True, slots=True)
class ActionForm:
    """An action without what its wording adds.

    `heading` is the program, the file name or the tool; `sure` are its operands in their order,
    `loose` those that may be the value of a flag, `flags` its options. `whole` are all words of
    its line, with prefixes, but not the folder that it changes to.
    """

    heading: str
    kind: str
    told: str
    sure: tuple[str, ...] = ()
    loose: tuple[str, ...] = ()
    flags: frozenset[str] = frozenset()
    whole: frozenset[str] = frozenset()

    @property
    def operands(self) -> frozenset[str]:
        """All words that are no options."""
        return frozenset((*self.sure, *self.loose))

    @property
    def verb(self) -> str:
        """The first operand, where it names what the program is to do."""
        first = self.sure[0] if self.sure else ""
        return "" if is_data(first) else first


def is_data(word: str) -> bool:
    """Return True if a word is rather a value than a name that the program defines."""
    return bool(_DATA.search(word)) or word == SOME_TEXT


def forms(tool: str, content: str) -> tuple[ActionForm, ...]:
    """Return the actions of a tool call; none for what cannot be read."""
    if len(content) > LONGEST_KEPT:
        return _forms.__wrapped__(tool.casefold(), content)
    return _forms(tool.casefold(), content)


@lru_cache(maxsize=2_000)
def _forms(tool: str, content: str) -> tuple[ActionForm, ...]:
    if tool in EDITS:
        parts = [part for part in re.split(r"[/\\]", content.strip()) if part]
        if not parts:
            return ()
        path = tuple(parts[-2:])
        return (ActionForm(parts[-1], "edit", content.strip(), path, whole=frozenset(parts)),)
    if tool not in COMMAND_TOOLS:
        return _call(tool, content)
    return tuple(_commands(content))


# --------------------------------------------------------------------------- commands


def _commands(line: str, deep: bool = True) -> Iterator[ActionForm]:
    """The commands of a line; a text that a shell is given is read as a line of its own."""
    found = read(line[:LONGEST_KEPT])
    if found is None:
        return
    known = _known()
    words_of = (each for each in found.commands if each[:1] and each[0] not in known["folders"])
    everything = frozenset(_normal(p) for each in words_of for word in each for p in _parts(word))
    for command in found.commands[:MOST_COMMANDS]:
        words = _started(command, known)
        if not words:
            continue
        program = _short(words[0].rpartition("/")[2])
        text = next((word for word in words[1:] if not word.startswith("-")), "")
        if program in known["shells"] and text:
            if deep and " " in text:
                yield from _commands(text, deep=False)
                continue
            program, words = text.rpartition("/")[2], words[words.index(text) :]
        if program and program not in known["folders"] and program not in known["quiet"]:
            yield _command(program, words[1:MOST_WORDS], everything, line, known)


def _command(
    program: str,
    words: Sequence[str],
    everything: frozenset[str],
    line: str,
    known: Mapping[str, frozenset[str]],
) -> ActionForm:
    sure: list[str] = []
    loose: list[str] = []
    flags: set[str] = set()
    after_flag = False
    for word in words:
        if word == "--":
            after_flag = False
        elif _FLAG.match(word):
            name, given, value = word.partition("=")
            if name not in OUTPUT_ONLY:
                flags.add(name)
                loose += [_normal(value)] if given else []
            after_flag = not given and name not in OUTPUT_ONLY
        elif word in known["wholes"] or word.endswith("/..."):
            after_flag = False
        else:
            for part in _parts(word):
                (loose if after_flag else sure).append(_short(_normal(part)))
            after_flag = False
    sure = [word for word in sure if not word.isdecimal()]
    return ActionForm(
        program, "command", line, tuple(sure), tuple(loose), frozenset(flags), everything
    )


def _started(words: Sequence[str], known: Mapping[str, frozenset[str]]) -> Sequence[str]:
    """The words from the program on: without assignments, and what only starts it."""
    rest = list(words)
    while rest and (rest[0] in known["wrappers"] or _SET.match(rest[0])):
        wraps = rest.pop(0) in known["wrappers"]
        while wraps and rest and (rest[0].startswith("-") or rest[0][:1].isdigit()):
            if rest.pop(0) in _NAMES_SOMEBODY:
                del rest[:1]
    return rest


def _parts(word: str) -> tuple[str, ...]:
    """A word, or the name and the value of `name=value`."""
    name, given, value = word.partition("=")
    plain = given and name and value and not any(map(str.isspace, word))
    return (name, value) if plain else (word,)


def _normal(word: str) -> str:
    """A word without its folder and version; some text is as good as another."""
    if any(map(str.isspace, word)):
        return SOME_TEXT
    last = word.rstrip("/").rpartition("/")[2] or word
    plain = _VERSION.sub("", last)
    return plain.rpartition(":")[2] if plain.startswith(":") else plain


def _short(word: str) -> str:
    return _shortened().get(word, word)


@cache
def _known() -> Mapping[str, frozenset[str]]:
    return word_file(__package__ or "", "command_forms.words")


@cache
def _shortened() -> Mapping[str, str]:
    return dict(cast("tuple[str, str]", tuple(each.split("="))) for each in _known()["short"])


# --------------------------------------------------------------------------- other calls


def _call(tool: str, content: str) -> tuple[ActionForm, ...]:
    try:
        given: Any = json.loads(content)
    except (ValueError, RecursionError):
        given = content
    leaves = tuple(sorted(set(_leaves(given, "")))[:MOST_WORDS])
    return (ActionForm(tool, "call", content, leaves, whole=frozenset(leaves)),) if leaves else ()


def _leaves(value: object, name: str, depth: int = 8) -> Iterator[str]:
    if isinstance(value, dict) and depth:
        for key, inner in cast("dict[str, object]", value).items():
            yield from _leaves(inner, key, depth - 1)
    elif isinstance(value, list) and depth:
        for inner in cast("list[object]", value):
            yield from _leaves(inner, name, depth - 1)
    elif isinstance(value, str | int | float) and not isinstance(value, bool) and value != "":
        text = str(value)
        yield f"{name}={SOME_TEXT if any(map(str.isspace, text)) else text[:200]}"
