"""Which of two came first, by the dates of the context.

Rules of this module: only a question that offers two by name and asks for the first (or the older,
or the last) of them is looked at, and only an answer that says no more than which it was. The date
of each is the first year the context gives behind its name, where that is told as a birth or a
beginning. Where a name or a date is missing, or both are of one year, nothing is said.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.finding import at
from reflection_mcp.tools.judging.source import fold

KIND = "grounding:date"
QUESTION = 300
"""Characters of a question that offers two by name; longer ones tell a story."""
REACH = 240
"""Characters behind a name in which its date stands."""

_BEGUN = r"(?:released|founded|formed|established|published|opened|created|started|launched|made)"
_RANK = r"(?:first|earlier|earliest|later|last)"
_ASKED = re.compile(
    rf"\b(?:born {_RANK}|older|oldest|elder|younger|youngest|"
    rf"(?P<begun>{_BEGUN}|came out|come out) {_RANK})\b[,:]?",
    re.IGNORECASE,
)
_OFFERED = re.compile(
    r"^(?:[^,:?]{0,120}[,:])?\s*(?P<one>[^,:?]{2,80}?),? or (?P<two>[^,:?]{2,80}?)\s*\??$"
)
_LEAD = re.compile(
    r"^(?:(?:who|which|what|was|is|were|between)\b|(?:\w{1,20} ){0,4}(?:was|is|came)\b)\s*",
    re.IGNORECASE,
)
_LATER = frozenset("younger youngest later last after newer latest".split())
_EARLIER = frozenset("first older oldest elder earlier earliest before prior".split())
# What an answer may say besides the two names without saying anything else.
_PLAIN = (
    _LATER
    | _EARLIER
    | frozenset(
        """is was the one of two them actually born released founded formed established published
        opened created started launched made came out than in film movie book album song band
        magazine company sir dame""".split()
    )
)
_WORD = re.compile(r"[^\W_]+")
_YEAR = re.compile(r"(?<![\d.,-])(1\d{3}|20\d{2})(?!\d)")
_BORN = re.compile(r"\bborn\b[^;)]*$|\([^)]*$")
# Directly behind the name, or as what it is: "is a 1979 film", "(1979)".
_DATED = re.compile(r"\b(?:is|was) an?\s*$|^[\W_]{0,6}\($")
_OTHER_DATE = re.compile(
    r"\b(?:died|death|d\.|married|remade|re-?released|reissued|fl\.|by|with|and|son|daughter|"
    r"brother|sister|father|mother|wife|husband|novel|book)\b"
)


class _Option(NamedTuple):
    words: tuple[str, ...]
    year: int


def check(case: Case) -> Iterator[Check]:
    """Yield a finding on the one of two that the answer says came first."""
    question = case.question[:QUESTION]
    asked = _ASKED.search(question)
    if asked is None or len(case.question) > QUESTION or not case.english:
        return
    offered = _offered(question, asked)
    if offered is None:
        return
    context = fold(case.context)
    years = [_year(words, context, asked["begun"]) for words in offered]
    if years[0] is None or years[1] is None or years[0] == years[1]:
        return
    options = [_Option(words, year) for words, year in zip(offered, years, strict=True) if year]
    late = not _LATER.isdisjoint(_WORD.findall(asked[0].lower()))
    chosen = _chosen(case.answer, options, late=late)
    if chosen is None:
        return
    start = len(case.answer) - len(case.answer.lstrip())
    end = len(case.answer.rstrip())
    option, other, late = chosen
    if (option.year > other.year) is late:
        yield at(case, start, end, KIND, "ok", "The dates of the context say so.")
    else:
        why = f"The context dates them {option.year} and {other.year}: it is the other way round."
        stated = " ".join(option.words)
        yield at(
            case, start, end, KIND, "wrong", why, stated=stated, expected=" ".join(other.words)
        )


def _offered(question: str, asked: re.Match[str]) -> list[tuple[str, ...]] | None:
    """Return the words of the two names: behind what is asked, or before it."""
    behind = question[asked.end() :].strip()
    text = behind if " or " in behind else question[: asked.start()].strip()
    found = _OFFERED.match(text)
    if found is None or text.count(" or ") != 1:
        return None
    both = [_words(_LEAD.sub("", found["one"]) if text != behind else found["one"])]
    both.append(_words(re.sub(r"\s(?:was|is|were)$", "", found["two"])))
    return both if all(both) and both[0][-1] != both[1][-1] else None


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(fold(text)))


def _pattern(words: tuple[str, ...]) -> str:
    return r"\b" + r"[\W_]{1,6}".join(map(re.escape, words)) + r"\b"


def _year(words: tuple[str, ...], context: str, begun: str | None) -> int | None:
    """Return the first year behind a name, if it is told as that of its birth or beginning.

    Args:
        words: of the name.
        context: in small plain letters.
        begun: how the question calls the beginning; None for a birth.
    """
    place = re.search(_pattern(words), context)
    if place is None and begun is None:
        # "Joe Manganiello" is Joseph Michael Manganiello; the last word of a title is no name.
        place = re.search(_pattern(words[-1:]), context)
    near = context[place.end() : place.end() + REACH] if place else ""
    year = _YEAR.search(near)
    if year is None:
        return None
    between = near[: year.start()]
    if begun is None:
        told = _BORN.search(between)
    else:
        verb = begun.lower() if "out" not in begun.lower() else "released"
        told = _DATED.search(between) or re.search(rf"\b{verb}\b[^.;]{{0,60}}$", between)
    return int(year[1]) if told and not _OTHER_DATE.search(between) else None


def _chosen(
    answer: str, options: list[_Option], *, late: bool
) -> tuple[_Option, _Option, bool] | None:
    """Return whom the answer names, the other, and whether it calls the first of them later."""
    text = " ".join(_words(answer))
    places: list[tuple[int, int]] = []
    for number, option in enumerate(options):
        full = f" {' '.join(option.words)} "
        short = f" {option.words[-1]} "
        name = full if full in f" {text} " else short
        if name in f" {text} ":
            places.append((f" {text} ".index(name), number))
            text = f" {text} ".replace(name, " , ", 1).strip()
    rest = {word for word in text.split() if word != "," and not word.isdigit()}
    firsts = set(options[0].words) | set(options[1].words)
    if not places or not rest - firsts <= _PLAIN:
        return None
    if len(places) == 2 and not rest & {"than", "before", "after"}:
        return None
    says = [not rest.isdisjoint(_EARLIER), not rest.isdisjoint(_LATER)]
    if all(says):
        return None
    if any(says):
        late = says[1]
    number = min(places)[1]
    return options[number], options[1 - number], late
