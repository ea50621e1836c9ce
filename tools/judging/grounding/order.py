"""Which of two came first, by the dates of the context.

Rules of this module: only a question that offers two by name and asks for the first (or the older,
or the last) of them is looked at, and only an answer that says no more than which it was, or how
many years lie between. The date
of each is the first year the context gives behind its name, where that is told as a birth or a
beginning. Where a name or a date is missing, or both are of one year, nothing is said.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.finding import at
from reflection_mcp.tools.judging.texts.numbers import UNITS
from reflection_mcp.tools.judging.texts.source import fold
from reflection_mcp.tools.judging.texts.wording import signs

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
_RANKS = frozenset("first earlier earliest later last older oldest elder younger youngest".split())
"""One of these stands in every question of that kind, which is quick to tell."""
_OFFERED = re.compile(
    r"^(?:[^,:?]{0,120}[,:])?\s*(?P<one>[^,:?]{2,80}?),? or (?P<two>[^,:?]{2,80}?)\s*\??$"
)
_CAPITALS = r"[^\W\d_a-z][\w'\u2019.-]{0,30}(?: [^\W\d_a-z][\w'\u2019.-]{0,30}){0,5}"
_BETWEEN = re.compile(
    rf"\b[Bb]etween (?:[a-z]{{1,20}} ){{0,4}}(?P<one>{_CAPITALS}) and (?P<two>{_CAPITALS})\b"
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
    if len(case.question) > QUESTION or _RANKS.isdisjoint(signs(question.lower())):
        return
    asked = _ASKED.search(question)
    if asked is None:
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
    start = len(case.answer) - len(case.answer.lstrip())
    end = len(case.answer.rstrip())
    told = _distance(case.answer)
    years_apart = abs(options[0].year - options[1].year)
    if told is not None and abs(told - years_apart) > 1:
        why = f"The context dates them {options[0].year} and {options[1].year}."
        expected = f"{years_apart} years apart"
        yield at(
            case, start, end, KIND, "wrong", why, stated=f"{told} years apart", expected=expected
        )
        return
    chosen = _chosen(case.answer, options, late=late)
    if chosen is None:
        return
    option, other, late = chosen
    if (option.year > other.year) is late:
        yield at(case, start, end, KIND, "ok", "The dates of the context say so.")
    else:
        why = f"The context dates them {option.year} and {other.year}: it is the other way round."
        stated = " ".join(option.words)
        yield at(
            case, start, end, KIND, "wrong", why, stated=stated, expected=" ".join(other.words)
        )


_APART = re.compile(
    r"\b(?P<same>same (?:age|year|day|time))\b"
    r"|\b(?:(?P<figure>\d{1,3})|(?P<word>[a-z]{1,10})) years? (?:\w{1,12} )?"
    r"(?:younger|older|before|after|later|earlier|apart|prior)\b",
    re.IGNORECASE,
)


def _distance(answer: str) -> int | None:
    """Return how many years the answer says lie between the two; None if it does not say."""
    found = _APART.search(answer[:QUESTION])
    if found is None:
        return None
    if found["figure"]:
        return int(found["figure"])
    if found["same"]:
        return 0
    word = found["word"].lower()
    return 1 if word == "a" else UNITS.get(word)


def _offered(question: str, asked: re.Match[str]) -> list[tuple[str, ...]] | None:
    """Return the words of the two names: behind what is asked, or before it."""
    between = _BETWEEN.search(question)
    if between:
        return _both(_words(between["one"]), _words(between["two"]))
    behind = question[asked.end() :].strip()
    text = behind if " or " in behind else question[: asked.start()].strip()
    found = _OFFERED.match(text)
    if found is None or text.count(" or ") != 1:
        return None
    one = _words(_LEAD.sub("", found["one"]) if text != behind else found["one"])
    return _both(one, _words(re.sub(r"\s(?:was|is|were)$", "", found["two"])))


def _both(one: tuple[str, ...], two: tuple[str, ...]) -> list[tuple[str, ...]] | None:
    return [one, two] if one and two and one[-1] != two[-1] else None


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
