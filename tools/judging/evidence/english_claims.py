"""Claims of an English sentence about a run: that it went well, failed, or how much of it did.

Rules of this module: a claim is a statement about the whole of something that has already happened.
A plan, a condition, a wish, a part of a run ("the remaining tests") and another run ("on main") are
none. What is not understood is not read as a claim.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache

from reflection_mcp.tools.judging.case import Piece
from reflection_mcp.tools.judging.evidence.claim import Claim, Says
from reflection_mcp.tools.judging.evidence.lexicon import lexicon, tool_words, words
from reflection_mcp.tools.judging.evidence.rows import row_of_command, tool_rows
from reflection_mcp.tools.judging.texts.numbers import UNITS

_CODE = re.compile(r"`([^`\n]{1,200})`")
_QUOTE = re.compile(
    r"\"[^\"\n]{1,300}\"|\u201c[^\u201d\n]{1,300}\u201d|\u00ab[^\u00bb\n]{1,300}\u00bb"
)
_STRONG = re.compile(r"\*\*|__|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)")


def of_sentence(sentence: Piece) -> Iterator[Claim]:
    """Yield what an English sentence claims."""
    text = _QUOTE.sub(" \u2026quote\u2026 ", sentence.text)
    row = words(_STRONG.sub(" ", _CODE.sub(_code, text)))
    counted = [*_counted(row)]
    found = [*_good(row), *counted] or [*_bad(row)]
    tested = any("tests" in one[2] for one in counted)
    claimed = {place for one in found for place in range(one[0], one[1])}
    rest = ["" if place in claimed else word for place, word in enumerate(row)]
    for at, end, about, tool, says, counts in found:
        if says == "pass" and lexicon("void", "contrast").anywhere(rest[end:]):
            continue
        if tested and "any" in about:
            about = {"tests"}  # "the run is clean: 14 passed" speaks of one run
        if not _void(row, at, end, says, counted=bool(counts)):
            place = sentence.start, sentence.end
            yield Claim(frozenset(about), says, *place, tool, counts, _parts(row[at - 1 : end]))


def _parts(row: Sequence[str]) -> frozenset[str]:
    return frozenset(word for word in row if lexicon("between", "parts").at([word], 0)[0])


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
    if not lexicon("void", "scope").at(row, end)[0]:
        return False
    after = row[end + 1] if end + 1 < len(row) else ""
    of_all = after[:1].isdigit() and "of" not in row[end + 2 : end + 3]
    return not (of_all or lexicon("void", "whole").at(row, end + 1)[0])


def _void(row: Sequence[str], at: int, end: int, says: Says, *, counted: bool) -> bool:
    sentence_start = _last(row, at, (";", "\u2014"))
    clause_start = max(sentence_start, _last(row, at, (",", ":", "but", "\u2013", "(")))
    if lexicon("void", "sentence").anywhere(row[sentence_start:at]):
        return True
    if lexicon("void", "label").anywhere(row[: _last(row, at, (":",))]):
        return True
    opening = next((word for word in row if word[0].isalnum()), "")
    if row.index(opening) < at and lexicon("void", "imperatives").at([opening], 0)[0]:
        return True
    if counted and lexicon("void", "counted").anywhere(row[clause_start:at]):
        return True
    if says == "pass" and _is_scoped(row, end):
        return True
    clause = [word for word in row[clause_start:at] if not (counted and word == "only")]
    return lexicon("void", "clause").anywhere(clause) or lexicon("void", "after").anywhere(
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
    length, names = tool_words().at(row, place)
    if length:
        name = next(iter(names))
        return length, set(next(tool.about for tool in tool_rows() if tool.name == name)), name
    length, about = lexicon("subjects").at(row, place)
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
    of = place - 1 - (before in _ARTICLES)
    if row[of] == "of" and not _WHOLE & set(row[max(0, of - 2) : of]):
        return False  # none of the tests, 86 % of our tests
    if before == "new":
        return bool({"existing", "old", "both"} & set(row[:place]))
    if lexicon("between", "determiners").at(row, place - 1)[0]:
        return True
    return (
        (_number(before) is not None and row[place - 2] in _WHOLE and not _of(row, place - 1))
        or before in _tool_names()
        or before in ("but", "i", "ran", "n't")
    )


_ARTICLES = frozenset(("the", "our", "your", "my"))
_WHOLE = frozenset(("all", "the", "both", "each", "every"))


def _of(row: Sequence[str], place: int) -> bool:
    """Return True if a number is what others are a part of: "4 of 5", "46 of the 48"."""
    before = row[max(0, place - 2) : place]
    return before[-1:] in (["of"], ["/"]) or before in (["of", "the"], ["of", "all"])


def _good(row: Sequence[str]) -> Iterator[_Found]:
    for place, word in enumerate(row):
        length, about, tool = _subject(row, place)
        if length and _whole(row, place):
            yield from _succeeded(row, place, place + length, about, tool)
        if word == "it":
            at = _skipped(row, place + 1)
            done, about = lexicon("it").at(row, at)
            if done and _follows(row, at + done):
                yield place, at + done, about, "", "pass", {}
        deed, about = lexicon("deeds").at(row, place)
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
            if "all" in labels:
                about, joined = about - {"deployed"}, joined - {"deployed"}
            else:
                about, joined = about & labels, joined & labels
            if not about | joined:
                return
            plural = bool({"are", "pass", "were", "have", "both"} & set(row[start : at + 1]))
            if _follows(row, at + done) and (not joined or plural):
                topics = {"deploy" if one == "deployed" else one for one in about | joined}
                yield start, at + done, topics, tool, "pass", _total(row, start)
            return
        other, more, _ = _subject(row, at)
        if other and row[at - 1] in ("and", "&", "the", ","):
            joined |= more
            at += other
            continue
        step = lexicon("between", "words").at(row, at)[0] or int(
            row[at] in ("&", "the") or row[at] in "\u2705\u2714\u2713\ufe0f"
        )
        if not step:
            return
        at += step


def _said_of(row: Sequence[str], at: int, about: set[str], table: str) -> tuple[int, set[str]]:
    length, labels = lexicon(table).at(row, at)
    return (length, labels) if labels & (about | {"all"}) else (0, set())


def _total(row: Sequence[str], start: int) -> dict[str, int]:
    number = _number(row[start - 1]) if start else None
    whole = start > 1 and row[start - 2] in ("all", "the", "both") and "all" in row[:start]
    return {"total": number} if number is not None and whole else {}


def _skipped(row: Sequence[str], at: int) -> int:
    while at < len(row) and (step := lexicon("between", "words").at(row, at)[0]):
        if lexicon("it").at(row, at)[0]:
            break
        at += step
    return at


def _follows(row: Sequence[str], at: int) -> bool:
    return at >= len(row) or row[at] in _BOUNDARY or bool(lexicon("after", "follow").at(row, at)[0])


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
    none = lexicon("faults", "none").at(row, place)[0]
    if none:
        at = place + none
        at += lexicon("faults", "beside").at(row, at)[0]
        kind, about = lexicon("faults", "kinds").at(row, at)
        tool = ""
        if not kind:
            kind, about, tool = _subject(row, at) if at < len(row) else (0, set[str](), "")
        noun = lexicon("faults", "nouns").at(row, at + kind)[0]
        if noun:
            near = about or _nearest(row, place)
            yield place, at + kind + noun, near, tool, "pass", {}
    nobody = lexicon("faults", "nobody").at(row, place)[0]
    if nobody:
        at = place + nobody
        length, about, tool = _subject(row, at) if at < len(row) else (0, set[str](), "")
        fails = lexicon("faults", "fail").at(row, at + length)[0]
        if fails:
            yield place, at + length + fails, about or {"tests"}, tool, "pass", {}


_FILE = re.compile(r"[a-z][\w-]{0,60}\.[a-z]{1,4}")


def _nearest(row: Sequence[str], place: int) -> set[str]:
    """Return the topic of the words before; any topic, when they name none, and no topic that a run
    speaks of for one file."""
    for at in range(place - 1, max(-1, place - 8), -1):
        if _FILE.fullmatch(row[at]):
            return set()
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
        done = lexicon("failure", "all").at(row, at)[0]
        if done:
            return at + done
        step = lexicon("between", "words").at(row, at)[0]
        if not step:
            return 0
        at += step
    return 0


# --------------------------------------------------------------------------- how much of it


_OF_OTHERS = frozenset("other remaining first last line".split())


def _counted(row: Sequence[str]) -> Iterator[_Found]:
    """ "12 tests passed", "2 of the 14 fail", "no more than 3 type errors"."""
    for place, word in enumerate(row):
        number = _number(word)
        if number is None or _of(row, place) or (place and row[place - 1] in _OF_OTHERS):
            continue
        unit = _length(row, place + 1, "units")
        suites = _length(row, place + 1 + unit, "suites")
        total, at = _total_behind(row, place + 1 + unit + suites)
        suites_behind = _length(row, at, "suites")
        at += suites_behind
        unit_behind = _length(row, at, "units")
        at += unit_behind
        kind, about = lexicon("faults", "kinds").at(row, at)
        at += kind
        while step := lexicon("between", "words").at(row, at)[0]:
            at += step
        done, roles = lexicon("numbers").at(row, at)
        role = min(roles - {"units", "suites"}, default="")
        named = unit or unit_behind or total is not None
        if not role or not (named or _follows(row, at + done)):
            continue
        if suites or suites_behind:
            about = {"suites"}
        elif not about and role in ("errors", "problems"):
            about = _nearest(row, place) - {"any"} or {"problems"}
        before = row[max(0, place - 2) : place]
        everything = before[-1:] == ["all"] or before == ["all", "the"]
        says, counts = _said_by_count(role, number, total, everything=everything)
        yield place, at + done, about or {"tests"}, "", says, counts


def _length(row: Sequence[str], at: int, table: str) -> int:
    return lexicon("numbers", table).at(row, at)[0]


def _total_behind(row: Sequence[str], at: int) -> tuple[int | None, int]:
    """Return the number behind "of", "out of the" or a slash, and where to go on."""
    end = at + (row[at : at + 1] == ["out"])
    if row[end : end + 1] not in (["of"], ["/"]):
        return None, at
    end += 1 + (row[end + 1 : end + 2] == ["the"])
    total = _number(row[end]) if end < len(row) else None
    return total, at if total is None else end + 1


def _said_by_count(
    role: str, number: int, total: int | None, *, everything: bool
) -> tuple[Says, dict[str, int]]:
    if role != "passed":
        counted = "failed" if role == "problems" else role
        says: Says = "fail" if number else "pass"
        if total is None:
            return says, {counted: number}
        # "one of the two errors" is not all of them
        return says, {"failed": number, "total": total} if role == "failed" else {counted: total}
    if total is not None:
        says = "pass" if everything or total == number else "fail"
        return says, {"passed": number, "total": total}
    return ("pass", {"total": number}) if everything else ("part", {"passed": number})
