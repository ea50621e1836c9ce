"""Code in an answer: inline pieces, commands, and the sentence around them."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from reflection_mcp.tools.data_files import data_text
from reflection_mcp.tools.judging.case import Case

MOST = 300
"""Pieces of code that are looked at."""
LONGEST_SENTENCE = 4_000
"""Characters of a sentence that are looked at."""
READ = 10
"""Characters of a sentence that are read by a unit of work."""
LONGEST = 400
"""Characters of a line that are looked at."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A piece of code, where it stands in the answer, and the sentence it stands in."""

    text: str
    start: int
    sentence: str = ""


_SPAN = re.compile(r"`([^`\n]{1,200})`")
_BARE_PATH = re.compile(
    r"(?<![\w./:@`-])(?:[\w@.-]{1,60}/){1,8}[\w@-]{1,60}\.[a-z]{1,5}(?::\d{1,6})?\b"
)
SHELLS = frozenset(
    ("", "sh", "bash", "shell", "zsh", "console", "terminal", "shellsession", "text")
)


def spans(case: Case) -> tuple[Mention, ...]:
    """Return the inline code of the prose, and paths that stand there bare."""
    return case.view(_spans)


def _spans(case: Case) -> tuple[Mention, ...]:
    found: list[Mention] = []
    for sentence in case.sentences:
        text = sentence.text[:LONGEST_SENTENCE]
        for pattern, group in ((_SPAN, 1), (_BARE_PATH, 0)):
            for match in pattern.finditer(text):
                found.append(Mention(match[group], sentence.start + match.start(group), text))
        if len(found) > MOST:
            break
    return tuple(found[:MOST])


def commands(case: Case) -> tuple[Mention, ...]:
    """Return the command lines of the answer, in blocks and inline."""
    return tuple(_commands(case))[:MOST]


def _commands(case: Case) -> Iterator[Mention]:
    for block in case.blocks:
        if block.language not in SHELLS:
            continue
        at, held, begin = block.body_start, "", block.body_start
        for line in block.body.split("\n"):
            begin = begin if held else at
            held += line.removesuffix("\\")
            at += len(line) + 1
            if line.endswith("\\") and len(held) < LONGEST:
                continue
            if held.strip() and len(held) < LONGEST and not held.lstrip().startswith("#"):
                yield Mention(held, begin)
            held = ""
    for span in spans(case):
        if " " in span.text:
            yield span


_LAUNCHERS = frozenset("sudo time env $ > % npx bunx uvx command exec doas".split())


def calls(line: str) -> Iterator[tuple[str, ...]]:
    """Yield the words of each command of a line, without what starts it."""
    without = re.sub(r"'[^']*'|\"[^\"]*\"", " \u2026 ", line)
    for part in re.split(r"\|\|?|&&|;|\$\(", without):
        words = part.split()
        while words and (words[0] in _LAUNCHERS or re.fullmatch(r"\w+=\S*", words[0])):
            del words[0]
        if words:
            yield (words[0].split("/")[-1], *words[1:])


@cache
def _words(name: str) -> re.Pattern[str]:
    text = data_text("reflection_mcp.tools.judging.artefacts", "words.toml")
    phrases = (phrase.strip() for phrase in tomllib.loads(text)[name].split(","))
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, phrases))})(?!\w)|n['\u2019]t\b", re.I)


def is_new(case: Case, text: str) -> bool:
    """Return True if a text proposes something that need not be there yet, or says it is not.

    A sentence with many pieces of code is read once; what there is no work left for counts as new.
    """
    known = case.view(_read_sentences)
    if text not in known:
        read = case.budget.grant(1, 1 + len(text) // READ)
        known[text] = not read or bool(_words("proposals").search(_SPAN.sub("`", text)))
    return known[text]


def _read_sentences(_: Case) -> dict[str, bool]:
    """Sentences, and whether they propose something; none at first."""
    return {}


def asks_for_work(question: str) -> bool:
    """Return True if what is asked for may make something new."""
    return bool(_words("work").search(question[:2_000]))


def tells_failure(text: str) -> bool:
    """Return True if a text speaks of something that failed."""
    return bool(_words("failing").search(text[:2_000]))
