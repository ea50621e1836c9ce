"""Claims of an answer about a run: that it went well, that it failed, or how much of it.

Rules of this module: a claim is a statement about the whole of something that has already happened.
A plan, a condition, a wish, a question, a quotation, a part of a run ("the remaining tests") and
another run ("on main") are none. What is not understood is not read as a claim.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal

from reflection_mcp.tools.judging.case import Case, Piece
from reflection_mcp.tools.judging.evidence.rows import read, row_of_command, tool_rows
from reflection_mcp.tools.judging.texts.numbers import UNITS

LONGEST = 600
"""Characters of a sentence that are read; nobody claims in longer ones."""
MOST = 400
"""Sentences that are read."""

Says = Literal["pass", "fail", "part"]


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim and the sentence it stands in.

    `about` names its subjects (tests, types, lint, build, install, deploy, push, any, problems) and
    `tool` the tool that it names. `counts` may have passed, failed and total; a claim that says no
    more than how many is a `part`.
    """

    about: frozenset[str]
    says: Says
    start: int
    end: int
    tool: str = ""
    counts: Mapping[str, int] = field(default_factory=dict[str, int])


Phrase = tuple[str, ...]


class Lexicon:
    """Phrases that are looked up at a place of a sentence, the longest first."""

    def __init__(self, phrases: Iterable[tuple[str, str]]) -> None:
        self._rows: dict[str, list[tuple[Phrase, set[str]]]] = {}
        merged: dict[Phrase, set[str]] = {}
        for text, label in phrases:
            merged.setdefault(tuple(words(text)), set()).add(label)
        for phrase, labels in sorted(merged.items(), key=lambda row: -len(row[0])):
            self._rows.setdefault(phrase[0], []).append((phrase, labels))

    def at(self, row: Sequence[str], place: int) -> tuple[int, set[str]]:
        """Return how many words of the phrase stand here, and its labels; 0 for none."""
        if place < len(row):
            for phrase, labels in self._rows.get(row[place], ()):
                if tuple(row[place : place + len(phrase)]) == phrase:
                    return len(phrase), labels
        return 0, set()

    def anywhere(self, row: Sequence[str]) -> bool:
        """Return True if one of the phrases stands in a row of words."""
        return any(self.at(row, place)[0] for place in range(len(row)))


_WORDS = re.compile(r"\u2026\w{1,40}\u2026|[a-z\d]+(?:[-'\u2019.][a-z\d]+)*|[^\s\w]")


def words(text: str) -> list[str]:
    """Return the words and signs of a text in lower case; "don't" ends in a word of its own."""
    row: list[str] = []
    for word in _WORDS.findall(text.lower().replace("\u2019", "'")):
        for ending in ("n't", "'ll", "'d", "'ve", "'s"):
            if word.endswith(ending) and word != ending:
                row += [word.removesuffix(ending), ending]
                break
        else:
            row.append(word)
    return row


def _phrases(text: str) -> list[str]:
    return [phrase.strip() for phrase in text.replace("\n", " ").split(",") if phrase.strip()]


@cache
def _lexicon(*path: str) -> Lexicon:
    """The phrases of one table of `claims.toml`, labelled with the name of their list."""
    table: Any = read("claims")
    for name in path:
        table = table[name]
    lists: Mapping[str, str] = {"": table} if isinstance(table, str) else table
    return Lexicon((phrase, label) for label, text in lists.items() for phrase in _phrases(text))


_PLAIN = frozenset("make yarn cargo ninja helm rails cmake biome black".split())
"""Tools whose names are words, too: read as a tool only in code."""


@cache
def _tool_words() -> Lexicon:
    names = ((text, row.name) for row in tool_rows() for text in row.commands)
    return Lexicon((t, n) for t, n in names if " " in t or (len(t) > 3 and t not in _PLAIN))


# --------------------------------------------------------------------------- sentences

_CODE = re.compile(r"`([^`\n]{1,200})`")
_QUOTE = re.compile(
    r"\"[^\"\n]{1,300}\"|\u201c[^\u201d\n]{1,300}\u201d|\u00ab[^\u00bb\n]{1,300}\u00bb"
)
_ITEM = re.compile(r"\s{0,12}(?:[-*+]|\d{1,3}[.)])\s")
_STRONG = re.compile(r"\*\*|__|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)")


def claims_of(case: Case) -> Iterator[Claim]:
    """Yield what the prose of the answer claims."""
    listed = False
    for sentence in case.sentences[:MOST]:
        line_start = case.prose.rfind("\n", 0, sentence.start) + 1
        line = case.prose[line_start : sentence.end]
        if not _ITEM.match(line):
            listed = line.rstrip("* _").endswith(":") and _lexicon("void", "above").anywhere(
                words(line)
            )
        elif listed or "[ ]" in line[:12]:
            continue
        text = sentence.text
        if line.lstrip().startswith(">") or text.endswith("?") or len(text) > LONGEST:
            continue
        yield from _of_sentence(sentence)


def _of_sentence(sentence: Piece) -> Iterator[Claim]:
    text = _QUOTE.sub(" \u2026quote\u2026 ", sentence.text)
    row = words(_STRONG.sub(" ", _CODE.sub(_code, text)))
    counted = [*_counted(row)]
    found = [*_good(row), *counted] or [*_bad(row)]
    tested = any("tests" in one[2] for one in counted)
    claimed = {place for one in found for place in range(one[0], one[1])}
    rest = ["" if place in claimed else word for place, word in enumerate(row)]
    for at, end, about, tool, says, counts in found:
        if says == "pass" and _lexicon("void", "contrast").anywhere(rest[end:]):
            continue
        if tested and "any" in about:
            about = {"tests"}  # "the run is clean: 14 passed" speaks of one run
        if not _void(row, at, end, says, counted=bool(counts)):
            yield Claim(frozenset(about), says, sentence.start, sentence.end, tool, counts)


_Found = tuple[int, int, set[str], str, Says, dict[str, int]]


@cache
def _tool_names() -> frozenset[str]:
    """The first words of the commands that are known: "the Gradle build" is the build."""
    return frozenset(text.split()[0] for row in tool_rows() for text in row.commands)


def _code(match: re.Match[str]) -> str:
    row = row_of_command(match[1])
    if row is None:
        return " \u2026code\u2026 "
    return f" \u2026tool{tool_rows().index(row)}\u2026 "


def _is_scoped(row: Sequence[str], end: int) -> bool:
    """Return True if the words after a claim narrow it: "passes in `a.py`", "works with Node
    20"."""
    if not _lexicon("void", "scope").at(row, end)[0]:
        return False
    after = row[end + 1] if end + 1 < len(row) else ""
    return not (after[:1].isdigit() or _lexicon("void", "whole").at(row, end + 1)[0])


def _void(row: Sequence[str], at: int, end: int, says: Says, *, counted: bool) -> bool:
    sentence_start = _last(row, at, (";", "\u2014"))
    clause_start = max(sentence_start, _last(row, at, (",", ":", "but", "\u2013", "(")))
    if _lexicon("void", "sentence").anywhere(row[sentence_start:at]):
        return True
    opening = next((word for word in row if word[0].isalnum()), "")
    if row.index(opening) < at and _lexicon("void", "imperatives").at([opening], 0)[0]:
        return True
    if counted and _lexicon("void", "counted").anywhere(row[clause_start:at]):
        return True
    if says == "pass" and _is_scoped(row, end):
        return True
    clause = [word for word in row[clause_start:at] if not (counted and word == "only")]
    return _lexicon("void", "clause").anywhere(clause) or _lexicon("void", "after").anywhere(
        row[end:]
    )


def _last(row: Sequence[str], at: int, marks: Sequence[str]) -> int:
    return next((place + 1 for place in range(at - 1, -1, -1) if row[place] in marks), 0)


# --------------------------------------------------------------------------- that it went well

_BOUNDARY = frozenset(".,;:!()|\u2014\u2013-\u2026#*\u2705\u2714\u2713\U0001f389")


def _subject(row: Sequence[str], place: int) -> tuple[int, set[str], str]:
    """Return the number of words that name a subject here, its topic, and its tool."""
    if row[place].startswith("\u2026tool"):
        tool = tool_rows()[int(row[place][5:-1])]
        return 1, set(tool.about), tool.name
    length, names = _tool_words().at(row, place)
    if length:
        name = next(iter(names))
        return length, set(next(tool.about for tool in tool_rows() if tool.name == name)), name
    length, about = _lexicon("subjects").at(row, place)
    return length, about, ""


def _number(word: str) -> int | None:
    if word.isdecimal() and len(word) < 8:
        return int(word)
    return UNITS.get(word)


def _whole(row: Sequence[str], place: int) -> bool:
    """Return True if the words in front of a subject do not narrow it."""
    if place == 0 or row[place - 1] in _BOUNDARY:
        return True
    before = row[place - 1]
    if before == "new":
        return bool({"existing", "old", "both"} & set(row[:place]))
    if _lexicon("between", "determiners").at(row, place - 1)[0]:
        return True
    return (
        _number(before) is not None
        or before in _tool_names()
        or before in ("but", "i", "ran", "n't")
    )


def _good(row: Sequence[str]) -> Iterator[_Found]:
    for place, word in enumerate(row):
        length, about, tool = _subject(row, place)
        if length and _whole(row, place):
            yield from _succeeded(row, place, place + length, about, tool)
        if word == "it":
            at = _skipped(row, place + 1)
            done, about = _lexicon("it").at(row, at)
            if done and _follows(row, at + done):
                yield place, at + done, about, "", "pass", {}
        deed, about = _lexicon("deeds").at(row, place)
        if deed and _done_by_me(row, place):
            yield place, place + deed, about, "", "pass", {}
        yield from _faultless(row, place)


def _succeeded(
    row: Sequence[str], start: int, at: int, about: set[str], tool: str
) -> Iterator[_Found]:
    joined: set[str] = set()
    at += at < len(row) and row[at] in (":", "|")
    while at < len(row):
        done, labels = _said_of(row, at, about | joined, "success")
        if done:
            if "all" not in labels:
                about, joined = about & labels, joined & labels
            plural = bool({"are", "pass", "were", "have", "both"} & set(row[start : at + 1]))
            if _follows(row, at + done) and (not joined or plural):
                counts = _total(row, start)
                yield start, at + done, about | joined, tool, "pass", counts
            return
        other, more, _ = _subject(row, at)
        if other and row[at - 1] in ("and", "&", "the", ","):
            joined |= more
            at += other
            continue
        step = _lexicon("between", "words").at(row, at)[0] or int(
            row[at] in ("&", "the") or row[at] in "\u2705\u2714\u2713\ufe0f"
        )
        if not step:
            return
        at += step


def _said_of(row: Sequence[str], at: int, about: set[str], table: str) -> tuple[int, set[str]]:
    length, labels = _lexicon(table).at(row, at)
    return (length, labels) if labels & (about | {"all"}) else (0, set())


def _total(row: Sequence[str], start: int) -> dict[str, int]:
    number = _number(row[start - 1]) if start else None
    whole = start > 1 and row[start - 2] in ("all", "the", "both") and "all" in row[:start]
    return {"total": number} if number is not None and whole else {}


def _skipped(row: Sequence[str], at: int) -> int:
    while at < len(row) and (step := _lexicon("between", "words").at(row, at)[0]):
        if _lexicon("it").at(row, at)[0]:
            break
        at += step
    return at


def _follows(row: Sequence[str], at: int) -> bool:
    return (
        at >= len(row) or row[at] in _BOUNDARY or bool(_lexicon("after", "follow").at(row, at)[0])
    )


def _done_by_me(row: Sequence[str], place: int) -> bool:
    before = [word for word in row[max(0, place - 4) : place] if word not in _ADVERBS]
    if not before:
        return place < 3
    return before[-1] in ("i", "we") or (before[-1] in ("and", ",") and row[0] in ("i", "we"))


_ADVERBS = frozenset(
    "have 've has successfully now just also already then done . , : \u2705".split()
)


def _faultless(row: Sequence[str], place: int) -> Iterator[_Found]:
    """ "no type errors", "without errors", "none of the tests fail", "nothing failed"."""
    none = _lexicon("faults", "none").at(row, place)[0]
    if none:
        at = place + none
        at += _lexicon("faults", "beside").at(row, at)[0]
        kind, about = _lexicon("faults", "kinds").at(row, at)
        tool = ""
        if not kind:
            kind, about, tool = _subject(row, at) if at < len(row) else (0, set[str](), "")
        noun = _lexicon("faults", "nouns").at(row, at + kind)[0]
        if noun:
            near = about or _nearest(row, place)
            yield place, at + kind + noun, near, tool, "pass", {}
    nobody = _lexicon("faults", "nobody").at(row, place)[0]
    if nobody:
        at = place + nobody
        length, about, tool = _subject(row, at) if at < len(row) else (0, set[str](), "")
        fails = _lexicon("faults", "fail").at(row, at + length)[0]
        if fails:
            yield place, at + length + fails, about or {"tests"}, tool, "pass", {}


def _nearest(row: Sequence[str], place: int) -> set[str]:
    """Return the topic of the words before; any topic, when they name none."""
    for at in range(place - 1, max(-1, place - 8), -1):
        length, about, _ = _subject(row, at)
        if length:
            return about
        if row[at] == "it" and place - at < 3:
            return {"build"} if row[at + 1 : at + 2] in (["compiles"], ["builds"]) else {"any"}
    return {"any"}


# --------------------------------------------------------------------------- that it failed


def _bad(row: Sequence[str]) -> Iterator[_Found]:
    for place in range(len(row)):
        length, about, tool = _subject(row, place)
        at = _skipped_to_failure(row, place + length) if length else 0
        if at:
            yield place, at, about, tool, "fail", {}


def _skipped_to_failure(row: Sequence[str], at: int) -> int:
    while at < len(row):
        done = _lexicon("failure", "all").at(row, at)[0]
        if done:
            return at + done
        step = _lexicon("between", "words").at(row, at)[0]
        if not step:
            return 0
        at += step
    return 0


# --------------------------------------------------------------------------- how much of it


def _counted(row: Sequence[str]) -> Iterator[_Found]:
    for place, word in enumerate(row):
        number = _number(word)
        if number is None or (
            place and row[place - 1] in ("other", "remaining", "/", "of", "first", "last", "line")
        ):
            continue
        at, total = place + 1, None
        unit, named = _lexicon("numbers", "units").at(row, at)[0], False
        named = bool(unit)
        at += unit
        for link in (("of", "the"), ("of",), ("/",), ("out", "of", "the"), ("out", "of")):
            if tuple(row[at : at + len(link)]) == link:
                total = _number(row[at + len(link)]) if at + len(link) < len(row) else None
                if total is not None:
                    at += len(link) + 1
                break
        unit = _lexicon("numbers", "units").at(row, at)[0]
        named = named or bool(unit)
        at += unit
        kind, about = _lexicon("faults", "kinds").at(row, at)
        at += kind
        while step := _lexicon("between", "words").at(row, at)[0]:
            at += step
        done, roles = _lexicon("numbers").at(row, at)
        roles = roles - {"units"}
        if not roles or not (named or total is not None or _follows(row, at + done)):
            continue
        role = min(roles)
        everything = (
            place > 0
            and row[place - 1] in ("all", "the")
            and "all" in row[max(0, place - 2) : place]
        )
        counts = {"failed": number} if role in ("failed", "errors") else {"passed": number}
        if total is not None:
            counts["total"] = total
        elif everything and role == "passed":
            counts = {"total": number}
        subject = about or (
            {"tests"} if role != "errors" else _nearest(row, place) - {"any"} or {"problems"}
        )
        says: Says = "part"
        if role != "passed":
            says = "fail" if number else "pass"
        elif everything or total == number:
            says = "pass"
        elif total is not None:
            says = "fail"
        yield place, at + done, subject, "", says, counts
