"""Check that the names of an answer are in its context.

Rules of this module: a name that the source may have in another form is unchecked, and so is a
country or a people, which its towns may imply. Where the source does not write capitals as English
does, nothing is reported.
"""

import re
from collections.abc import Iterator
from functools import cache

from reflection_mcp.store.records import Check, Status
from reflection_mcp.tools.data_files import data_text
from reflection_mcp.tools.judging.case import Case, Piece
from reflection_mcp.tools.judging.finding import at
from reflection_mcp.tools.judging.texts.names import Name, counts, names
from reflection_mcp.tools.judging.texts.source import Source, fold

NAME = "grounding:name"
FACTS = 200
"""Names of an answer that are looked at."""
SENTENCE, CHARACTER = 60, 5
"""Work to look for names in a sentence, and in a character of it."""


def check(case: Case) -> Iterator[Check]:
    """Yield one finding for each name of an English answer."""
    source = case.source
    if not source.cased:
        return
    seen: set[tuple[str, ...]] = set()
    alone = len(case.sentences) == 1
    if alone:
        yield from _sole(case)
    for sentence in case.budget.afford(case.sentences, _cost):
        text, start = _without_label(sentence)
        for name in names(text, start, alone=alone):
            status, why = known(name, source)
            if name.words not in seen and _is_prose(case, name):
                seen.add(name.words)
                stated = name.written if status == "wrong" else ""
                yield at(case, name.start, name.end, NAME, status, why, stated=stated)
            if len(seen) == FACTS:
                return


def _cost(sentence: Piece) -> int:
    return SENTENCE + CHARACTER * len(sentence.text)


_ASKS_FOR_A_NAME = re.compile(r"\b(?:who|whom|whose|where|which|(?:is|was|are) the name)\b", re.I)
_SOLE = re.compile(r"\W{0,3}(?:the )?([A-Z][^\W\d_]{4,30})\W{0,3}")


def _sole(case: Case) -> Iterator[Check]:
    """Yield a fault if the answer is one word that names something the context does not know."""
    found = _SOLE.fullmatch(case.answer.strip())
    if found is None or not _ASKS_FOR_A_NAME.search(case.question[:2_000]):
        return
    word = fold(found[1])
    named = word in peoples() and case.source.words.isdisjoint(peoples())
    if counts(found[1]) and not (case.source.has_word(word) or case.source.has_like(word) or named):
        start = case.answer.index(found[1])
        why = "The context does not hold this name."
        yield at(case, start, start + len(found[1]), NAME, "wrong", why, stated=found[1])


def _is_prose(case: Case, name: Name) -> bool:
    """Return True if a name stands outside of inline code."""
    line = case.answer.rfind("\n", 0, name.start) + 1
    return case.answer.count("`", line, name.start) % 2 == 0


# "- **Market Share:** ...": what stands before the colon is the writer's own heading.
_LABEL = re.compile(
    r"[\s>*+\u2022-]{0,8}(?:\d{1,3}[.)]\s{0,4})?(?:\*\*[^*\n]{1,80}\*\*:?|[^:*|\n.]{1,60}:)(?=\s|$)"
)


def _without_label(sentence: Piece) -> tuple[str, int]:
    """Return what of a line may hold names, and where it begins; nothing of headings and tables."""
    text = sentence.text
    if text.startswith(("#", "|")):
        return "", sentence.start
    label = _LABEL.match(text)
    end = label.end() if label else 0
    return text[end:], sentence.start + end


def known(name: Name, source: Source) -> tuple[Status, str]:
    """Return whether a source knows a name of the answer, and the reason in a sentence."""
    missing = [word for word in dict.fromkeys(name.words) if not source.has_word(word)]
    missing = [word for word in missing if not source.has_like(word)]
    if not missing:
        return "ok", "The context holds this name."
    if source.has_initials(name.written):
        return "ok", "The context holds this name in another form."
    written = set(name.written.split())
    missing = [
        word for word in missing
        if not (word.upper() in written and source.spells_out(word))
    ]  # fmt: skip
    if not missing:
        return "ok", "The context holds the words that these letters stand for."
    if _place(name) in peoples() or peoples().issuperset(missing):
        return "unchecked", "Not checked: it may be where the places of the context lie."
    if name.opens and missing == [name.words[0]]:
        return "unchecked", "Not checked: its first word may owe its capital to the sentence."
    if len(missing) == 1 and len(name.words) > SPLIT:
        return "unchecked", "Not checked: the context holds a part of this long name."
    if len(missing) < len(set(name.words)):
        return "wrong", f"The context does not hold {missing[0]!r} of this name."
    return "wrong", "The context does not hold this name."


@cache
def peoples() -> frozenset[str]:
    """Return the countries, continents and peoples of the world, in small letters."""
    lines = data_text("reflection_mcp.tools.judging.grounding", "peoples.txt").split("\n")
    rows = " ".join(line for line in lines if not line.startswith("#"))
    return frozenset(word.strip() for word in rows.split(","))


SPLIT = 4
"""Words of a name above which a missing one may belong to its description."""


def _place(name: Name) -> str:
    """Return a name as a country or state is called in the table of them."""
    words = " ".join(fold(re.sub(r"['\u2019]s\b", "", name.written)).replace("-", " ").split())
    return words.removeprefix("the ").removesuffix(" city")
