"""Whether the numbers, dates and names of an answer stand in the context it was to rest on.

Rules of this module: without a context nothing is said. What the question says is known as well. A
number that the context may imply in one step, a name that it may know under another form, and all
text that is not English prose is unchecked. Absence is a fact; contradiction is looked for only in
small closed kinds, because words alone show no sign of it (measured: AUROC 0.49 to 0.54).
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.case import ENGLISH_WINDOW, Case, english
from reflection_mcp.tools.judging.finding import at
from reflection_mcp.tools.judging.grounding import (
    both,
    kinds,
    names,
    numbers,
    order,
    origin,
    relation,
)
from reflection_mcp.tools.judging.grounding.dates import Calendar, Day, days, months
from reflection_mcp.tools.judging.grounding.elsewhere import Elsewhere
from reflection_mcp.tools.judging.grounding.unsaid import Unsaid
from reflection_mcp.tools.judging.texts.digits import at_figures, figure_starts
from reflection_mcp.tools.judging.texts.wording import STOP

DATE = "grounding:date"
APART = "grounding:apart"
_OF_NAMES = (names.NAME, APART)
_MAY_BE_UNSAID = (*_OF_NAMES, DATE, numbers.NUMBER, kinds.KIND)
FACTS = 200
"""Days, months and times of an answer that are looked at."""


def check(case: Case) -> Iterator[Check]:
    """Yield one finding for each number, day and name of the answer, if a context was given."""
    if not case.context.strip():
        return
    prose = _INLINE_CODE.sub(lambda code: " " * len(code[0]), case.prose)
    excuse: str | None = None
    elsewhere = Elsewhere(case, calendar := Calendar(case.source))
    unsaid = Unsaid(case)
    for fact in _facts(case, prose, calendar):
        found = _told_elsewhere(fact, elsewhere) if fact.status == "ok" else fact
        if found.status != "wrong":
            yield found
            continue
        if excuse is None:
            excuse = _excuse(case, prose)
        said = found.kind in _MAY_BE_UNSAID and unsaid.covers(found.start or 0, found.end or 0)
        because = (
            "the answer says that this is not told"
            if said
            else excuse or (_no_name(case, found) if found.kind in _OF_NAMES else "")
        )
        if because:
            yield replace(found, status="unchecked", stated="", why=f"Not checked: {because}.")
        else:
            yield found


def _told_elsewhere(found: Check, elsewhere: Elsewhere) -> Check:
    """Return a fact that the context holds, or its fault if that is only told of other things."""
    if found.kind == numbers.NUMBER:
        apart = elsewhere.holds_year(found)
    else:
        apart = found.kind == names.NAME and elsewhere.holds_name(found)
    if not apart:
        return found
    why = "The context holds this only where it speaks of nothing else that the sentence says."
    return replace(found, kind=APART, status="wrong", stated=found.quote, why=why)


def _excuse(case: Case, prose: str) -> str:
    """Return why what is absent from this context cannot be held against this answer, or ""."""
    foreign = not (_in_english(case) and _may_be_english(case, prose))
    if foreign or _foreign(case.context[:FOREIGN]):
        return "another language may write numbers, names and years otherwise"
    if _ASKS_FOR_NEW.search(case.question):
        return "the question asks for more than the context holds"
    lines = case.context[:CODE].split("\n")
    code = sum(map(bool, map(_CODE.match, lines)))
    if code >= LINES_OF_CODE and code >= SHARE_OF_CODE * (len(lines) - 1):
        return "the context is code, which may work out more than it holds"
    return ""


def _no_name(case: Case, found: Check) -> str:
    """Return why a word with a capital need not be a name here, or ""."""
    if _TRANSLATION.search(case.question):
        return "a translation writes names otherwise, and words as names"
    start = case.answer.rfind("\n", 0, found.start or 0) + 1
    line = case.answer[start:].split("\n", 1)[0]
    if not (line.startswith("#") or _ASKS_FOR_A_TITLE.search(case.question)):
        return ""
    line = line.strip(" #*_\"'\u201c\u201d")
    words = [word for word in _WORD.findall(line) if len(word) >= TITLE_WORD]
    capital = sum(word[0].isupper() for word in words)
    if len(words) >= TITLE_WORDS and not line.endswith(".") and capital >= 0.8 * len(words):
        return "a title writes most of its words with a capital"
    return ""


def _in_english(case: Case) -> bool:
    """Tell whether an answer is English once its names are left out: accents are usual in them."""
    if case.english:
        return True
    words = case.prose[:ENGLISH_WINDOW].split()
    bare = " ".join(word for word in words if word.isascii() or not word.istitle())
    return english(bare) and _may_be_english(case, bare)


def _may_be_english(case: Case, prose: str) -> bool:
    """Tell whether words without any that is common in English may be English all the same.

    So may a few of plain letters, and words of the context, whose language is looked at as well.
    """
    window = prose[:ENGLISH_WINDOW]
    if any(word[0] in COMMON for word in _SMALL.finditer(window)):  # the first words tell
        return True
    small = _SMALL.findall(window)
    if prose.isascii() and len(small) < FEW:
        return True
    return bool(small) and case.source.words.issuperset(small)


def _foreign(context: str) -> bool:
    """Tell whether a context is of another language: not only that pieces of it are."""
    if english(context):
        return False
    words = _WORD.findall(context.lower())
    return sum(word in _PLAIN_ENGLISH for word in words) < 0.05 * len(words)


_WORD = re.compile(r"[^\W\d_]+")
_PLAIN_ENGLISH = frozenset("the of and to is that for with by from this are were which as".split())
_SMALL = re.compile(r"(?<![^\W\d_])[a-z]+")
FOREIGN = 6_000
"""Characters of a context in which its language shows."""
TITLE_WORD, TITLE_WORDS = 4, 3
"""Letters of a word that a title writes with a capital, and how many such words make one."""
_ASKS_FOR_A_TITLE = re.compile(
    r"\b(?:titles?|headlines?|headings?|subject line|slogan|tagline|caption|titel|\u00fcberschrift|"
    r"titre|t\u00edtulo|titolo)\b",
    re.IGNORECASE,
)
_TRANSLATION = re.compile(
    r"translat|\b\w{0,4}\u00fcbersetz|traduc|tradui|traduz|tradu\u00e7|vertaal|vertal|overs\u00e6t|"
    r"\u00f6vers\u00e4tt|t\u0142umacz|\u043f\u0435\u0440\u0435\u0432[\u0435\u043e]\u0434|\u00e7evir|"
    r"\u7ffb\u8bd1|\u7ffb\u8b6f|\u7ffb\u8a33|\ubc88\uc5ed",
    re.IGNORECASE,
)
FEW = 5
"""Words from which one of them is common if they are English."""
COMMON = STOP | frozenset("new one two three years many much made called like year first".split())
CODE = 20_000
"""Characters of a context in which code shows."""
LINES_OF_CODE, SHARE_OF_CODE = 3, 0.1
"""Lines of code that make a context code, and their share: a page may show some of its script."""
_CODE = re.compile(
    r"\s{0,40}(?:(?:def|class|for|if|elif|else|while|try|except|with|switch|case|fn|func|function|"
    r"public|private|static|const|let|var|return|import|from|#include|package|use)\b[^.\n]{0,120}"
    r"[:;{)]|[\w.\[\]]{1,60} ?[-+*/]?= ?\S[^\n]{0,120}[;)\]}]|\})\s{0,4}$"
)


def _facts(case: Case, prose: str, calendar: Calendar) -> Iterator[Check]:
    starts = figure_starts(prose)
    told = days(prose, starts=starts)
    in_english = _in_english(case)
    yield from _dates(case, calendar, told, prose)
    yield from _clock_times(case, prose, starts)
    yield from numbers.check(case, prose, told, calendar, in_english=in_english)
    if in_english:
        yield from order.check(case)
        yield from origin.check(case, case.source)
        yield from kinds.check(case)
        yield from relation.check(case)
        yield from both.check(case)
        yield from names.check(case)


_INLINE_CODE = re.compile(r"`[^`\n]{1,200}`")
# Advice, ideas and fiction bring facts of their own.
_ASKS_FOR_NEW = re.compile(
    r"\b(?:suggest\w{0,6}|recommend\w{0,7}|ideas?|brainstorm|imagine|invent|fictional|advice|tips|"
    r"improve|(?:write|tell|compose|create|generate|give)\b[^.?!\n]{0,30}\b(?:story|stories|"
    r"poem|dialogue|examples?)|how (?:can|could|should|do|would) (?:i|we|you|one))\b",
    re.IGNORECASE,
)

# --------------------------------------------------------------------------- dates


def _dates(case: Case, calendar: Calendar, told: list[Day], prose: str) -> Iterator[Check]:
    for day in told[:FACTS]:
        place = day.start, day.end
        written = case.answer[day.start : day.end]
        if case.source.has_figure(written) or (day.day, day.month) in calendar.days:
            yield at(case, *place, DATE, "ok", "The context holds this day.")
        elif calendar.tells_days_otherwise or calendar.may_mean(day):
            why = "Not checked: the context tells days in another way."
            yield at(case, *place, DATE, "unchecked", why)
        else:
            why = "The context does not hold this day."
            yield at(case, *place, DATE, "wrong", why, stated=written)
    for start, end, month in months(prose, told)[:FACTS]:
        # Only a month that the context names in no way is faulted.
        written = case.answer[start:end]
        if case.source.has_figure(written) or month in calendar.months:
            yield at(case, start, end, DATE, "ok", "The context holds this month.")
        elif calendar.may_be_in(month):
            yield at(case, start, end, DATE, "unchecked", "Not checked: told in another way.")
        else:
            why = "The context does not hold this month."
            yield at(case, start, end, DATE, "wrong", why, stated=written)


_CLOCK = re.compile(r"\d(?<![\d:.].)\d?:[0-5]\d(?: ?[ap]\.?m\b)", re.IGNORECASE)
_TELLS_TIME = re.compile(
    r"(?<!\d)\d{1,2}[:.]\d{2}(?!\d)|\d ?[ap]\.?m\b|o'clock|\b(?:noon|midnight|hours?|minutes?|past|"
    r"quarter|half|\d{4} ?(?:hrs|h|utc|gmt))\b",
    re.IGNORECASE,
)


def _clock_times(case: Case, prose: str, starts: list[int]) -> Iterator[Check]:
    """Fault a time of the day, if the context tells none in any form."""
    told = list(islice(at_figures(_CLOCK, prose, starts), FACTS))
    if not told or _TELLS_TIME.search(case.source.text):
        return
    for found in told:
        why = "The context does not hold any time of the day."
        yield at(case, *found.span(), DATE, "wrong", why, stated=found[0])
