"""Warnings that lessons give of commands and files, and actions that follow a lesson.

Rules: a lesson warns of a command or a file that it names as what to avoid, or as what went wrong,
and never of what it recommends. A command that is not quoted counts where the lesson says never to
run it and names its program and sub-command. An action follows a lesson when it has something that
the lesson names and the failed action lacked.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache

from reflection_mcp.tools.data_files import words as word_file
from reflection_mcp.tools.learning.action_forms import SOME_TEXT, ActionForm, forms, is_data

LONGEST = 2_000  # characters of a text that are read
_WORD = re.compile(r"[^\s`'\"()\[\]{}<>“”,;]+")
_QUOTED = re.compile(r"`([^`\n]{2,200})`")
_PATH = re.compile(r"(?<![\w/.@-])[\w@./-]{1,200}\.[A-Za-z]\w{0,9}(?![\w/])")
_CLAUSE = re.compile(r"[.;:](?=\s|$)|,\s|\n")
_AROUND = ".,:;!?"


def follows_advice(action: ActionForm, advice: str, before: ActionForm) -> bool:
    """Return True if an action has something that the advice names and the failed one lacked."""
    fresh = action.whole - before.whole
    said = _said(advice)
    return any(
        word in said
        or any(word.startswith(each) for each in said if is_data(each) and len(each) > 4)
        for word in fresh
        if word != SOME_TEXT and any(map(str.isalnum, word))
    )


@lru_cache(maxsize=500)
def _said(advice: str) -> frozenset[str]:
    """The words of an advice in their normal form."""
    found: set[str] = set()
    for word in _WORD.findall(advice[:LONGEST]):
        for part in word.split("="):
            plain = part.rstrip(_AROUND)
            found |= {plain, plain.rstrip("/").rpartition("/")[2]}
    return frozenset(found - {""})


def warns_of(lesson: str, strategy: str, action: ActionForm) -> bool:
    """Return True if a lesson warns of an action that does not follow it."""
    for form, advice in _warnings(lesson, strategy):
        if (form.kind, form.heading) == (action.kind, action.heading) and _is_it(form, action):
            return not follows_advice(action, advice, form)
    return False


def _is_it(form: ActionForm, action: ActionForm) -> bool:
    if form.kind == "edit":
        return len(form.sure) < 2 or form.sure == action.sure
    as_root = "sudo" not in form.whole or "sudo" in action.whole
    return as_root and form.operands | form.flags <= action.operands | action.flags


@lru_cache(maxsize=500)
def _warnings(lesson: str, strategy: str) -> tuple[tuple[ActionForm, str], ...]:
    """The commands and files that a lesson warns of, each with the advice that may be followed."""
    found: list[tuple[ActionForm, str]] = []
    for text, is_lesson in ((lesson, True), (strategy, False)):
        for clause in _clauses(text[:LONGEST]):
            found += ((form, strategy or lesson) for form in _of_clause(clause, is_lesson))
            for form, exception in _in_plain_words(clause):
                # What else stands in the warning itself says where it holds, not what to do.
                rest = lesson.replace(clause, " ")
                found.append((form, f"{strategy or rest} {exception}"))
    return tuple(found)


def _in_plain_words(clause: str) -> Iterator[tuple[ActionForm, str]]:
    """A command with its sub-command that a clause says never to run, without quoting it, and what
    the clause makes an exception of: in "never run git push without --tags" that is `--tags`."""
    known = _known()
    words = [word.rstrip(_AROUND) for word in clause.split()]
    spoken = [word.casefold().replace("\u2019", "'") for word in words]
    for place, word in enumerate(spoken):
        if word in known["condition"]:  # "if you do not run npm install"
            return
        if not _forbids(spoken, place):
            continue
        start = place + 1
        while start < len(spoken) and spoken[start] in known["carry-out"]:
            start += 1
        ends = (n for n in range(start, len(spoken)) if spoken[n] in known["circumstance"])
        end = next(ends, len(spoken))
        exception = words[end:] if "without" in spoken[end : end + 1] else []
        for form in forms("bash", " ".join(words[start:end])):
            if form.verb:
                yield form, " ".join(exception)
        return


def _forbids(spoken: list[str], place: int) -> bool:
    """Return True if the word at this place says not to do what follows."""
    known = _known()
    told_not_to = spoken[place] == "not" and known["bid"].intersection(spoken[:place][-1:])
    return bool(told_not_to) or spoken[place] in known["forbid"]


def _clauses(text: str) -> Iterator[str]:
    """The parts of a text between full stops and commas outside quoted commands."""
    hidden = _QUOTED.sub(lambda found: "`" + "_" * len(found[1]) + "`", text)
    start = 0
    for end in (*(found.end() for found in _CLAUSE.finditer(hidden)), len(text)):
        yield text[start:end]
        start = end


def _of_clause(clause: str, is_lesson: bool) -> Iterator[ActionForm]:
    for quoted in _QUOTED.finditer(clause):
        if _avoids(clause[: quoted.start()], clause[quoted.end() :], is_lesson):
            yield from forms("bash", quoted[1])
    known = _known()
    before = _QUOTED.sub("", clause)
    for path in _PATH.finditer(before):
        spoken = set(_spoken(before[: path.start()]))
        if spoken & known["avoid"] and spoken & known["change"]:
            yield from forms("edit", path[0])


def _spoken(text: str) -> list[str]:
    return [word.strip(_AROUND).casefold().replace("\u2019", "'") for word in text.split()]


def _avoids(before: str, after: str, is_lesson: bool) -> bool:
    """Return True if the words around a command say not to run it, or what it does wrong."""
    known = _known()
    left, right = _spoken(before), _spoken(after)
    for place in reversed(range(len(left))):
        if left[place] in known["avoid"]:
            return True
        if left[place] in known["recommend"]:  # "do not use", "never run"
            return bool(known["avoid"].intersection(left[max(0, place - 2) : place]))
    named_first = is_lesson and bool(right) and not left
    return named_first and not known["recommend"].intersection(right[:3])


@cache
def _known() -> Mapping[str, frozenset[str]]:
    return word_file(__package__ or "", "warnings.words")
