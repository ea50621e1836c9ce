"""Whether words about a form are said to whoever answers, and of the answer.

Rules of this module: a demand stands in an order to the answerer, in a statement about the answer,
or set off from the rest ("In one word: ..."). A question about a form, a statement about something
of the asker's, what code or a tool is to do, and what a part of the sentence says of another thing
ask nothing of the answer. In doubt nothing is asked. Every row of `form` and `length` goes by it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from reflection_mcp.tools.judging.requests.moods import (
    ABOUT_ANSWER,
    MODAL,
    ORDER,
    ClausePart,
    pieces,
)
from reflection_mcp.tools.judging.requests.nouns import CODE, OWN_ANSWER, TEXT, TEXT_NOUN, by_a_tool
from reflection_mcp.tools.judging.requests.wording import RequestPhrase, anywhere, opening

LENGTHS = frozenset(("words", "sentences", "paragraphs", "lines", "characters"))

# --------------------------------------------------------------------------- the whole question

_MENDS = opening(
    r"(?:fix|debug|refactor|implement|deploy|configure|install|compile|run)\b",
    example="Fix it",
    counter="It was fixed",
)


@dataclass(frozen=True, slots=True)
class Scene:
    """What the clauses of a question are about: is something asked, ordered, or to be coded?"""

    asks: bool
    orders: bool
    codes: bool


def scene(clauses: Sequence[str]) -> Scene:
    """Look at all clauses of a question; words in quotation marks are blanked in them."""
    asks = orders = codes = False
    for clause in clauses:
        for piece in pieces(clause):
            asks |= piece.mood == "question"
            if piece.mood == "order":
                orders = True
                codes |= piece.makes and bool(CODE.found(clause, piece.body))
            codes |= bool(_MENDS.found(clause, piece.head))
    return Scene(asks, orders, codes)


# --------------------------------------------------------------------------- one demand

_JOINS = opening(
    r"(?:with|in|of|using|having|to)\s+(?:an? )?$",
    example="with a ",
    counter="with ten ",
)


def addressed(clause: str, around: Scene, at: int, end: int, what: str) -> bool:
    """Tell whether the words of `clause` from `at` to `end` are a demand on this answer.

    Args:
        clause: one clause of the question, words in quotation marks blanked.
        around: what the question as a whole is about.
        at, end: where the words of the demand stand.
        what: the kind of demand.
    """
    if around.codes and what in LENGTHS and not OWN_ANSWER.found(clause):
        return False
    found = [piece for piece in pieces(clause) if piece.start <= at]
    for piece in reversed(found):
        if piece.mood == "question":
            return _asks_for(clause, piece, at, end, what)
        if piece.mood == "statement":
            return _of_the_answer(clause, piece.head, around)
        if piece.mood == "wish":
            return _wished(clause, piece, around, at, end)
        if piece.mood == "order":
            return _ordered(clause, piece, at, end, what)
        if piece.head >= at or _JOINS.found(clause[piece.head : at]):
            return _set_off(clause, found, at, end)
    return False


_DENIES = opening(
    r"(?:[\w']{1,20} ){0,3}?(?:do not|don't|never|not(?! only)|avoid|without|refrain|no need|"
    r"\w{2,8}n't|cannot)\b",
    example="Please do not ",
    counter="Please not only ",
)
_AND = anywhere(
    r"\b(?:and|but|then)\s",
    example="Do not use commas and ",
    counter="Do not use sand ",
)
_CHOICE = opening(
    r"\s*(?:,\s*)?or\b",
    example=", or YAML",
    counter=", ordered",
)


def denied(clause: str, at: int) -> bool:
    """Tell whether the words at this place are said of what the answer is not to have or do."""
    piece = [piece for piece in pieces(clause) if piece.start <= at][-1]
    said = clause[min(piece.head, at) : at]
    return bool(_DENIES.found(_AND.pattern.split(said)[-1]))


def leaves_a_choice(clause: str, end: int) -> bool:
    """Tell whether something else will do as well: "in JSON or YAML"."""
    return bool(_CHOICE.found(clause, end))


# --------------------------------------------------------------------------- by the mood

_DEFINES = opening(
    r"(?:what|who)(?:'s| is| are| was| were) (?!\w{1,20}(?:est|ed)\b|the \w{1,20}(?:est|ed)\b)"
    r"(?:\w{1,20} ){1,5}$",
    example="What is rain ",
    counter="What is the longest tale ",
)
_CLOSING = opening(r"[\s?.!]*$", example="?", counter="? Why")
_WITHIN = opening(r"in(?:side)?\b", example="in one sentence", counter="at most one")


def _asks_for(clause: str, piece: ClausePart, at: int, end: int, what: str) -> bool:
    """Of a question only "What are the three ...?" and "What is rain in one sentence?" count."""
    if what == "items":
        return at == piece.head
    if what not in LENGTHS or not _CLOSING.found(clause[end:]):
        return False
    return bool(_WITHIN.found(clause, at) and _DEFINES.found(clause[piece.head : at]))


_FRAGMENT = opening(
    r"(?:in|within|using|without|as|no|not|all)\b",
    example="in one word",
    counter="one word",
)
_MARKED = opening(r"\s*(?:[,:.!?)]|$)", example=": why", counter=" at most")


def _set_off(clause: str, found: Sequence[ClausePart], at: int, end: int) -> bool:
    """Tell whether words that begin a piece bind the answer: "What is it, in one word?"."""
    first = len(found) == 1
    own = bool(_FRAGMENT.found(clause, at))
    if any(piece.mood == "question" for piece in pieces(clause)):
        return bool(_MARKED.found(clause[end:])) and (own or first)
    return first or own or any(piece.mood in ("order", "wish") for piece in found)


_BACK = anywhere(
    r"\b(?:how|why|which|what|is|can|does)\b[^.?]{0,80}\b(?:it|this|that)\b|\bhow\?",
    example="It must start with a capital, how do I check it",
    counter="How must the answer start",
)
"""A question that comes back to what was spoken of."""


def _of_the_answer(clause: str, head: int, around: Scene) -> bool:
    about = ABOUT_ANSWER.found(clause, head)
    if not about:
        return False
    if about["own"]:
        return True
    # "It must start with ..." may be said of a thing that a question or some code is about.
    return not around.codes and (around.orders or not around.asks) and not _BACK.found(clause)


_WHOSE = opening(
    rf"(?:\w{{1,20}} ){{1,6}}?{MODAL}\b",
    example="my ids to start with",
    counter="many ids in JSON",
)


def _wished(clause: str, piece: ClausePart, around: Scene, at: int, end: int) -> bool:
    """Tell whether "I want ..." and "make sure that ..." speak of the answer."""
    if ABOUT_ANSWER.found(clause, piece.body):
        return _of_the_answer(clause, piece.body, around)
    between = clause[piece.body : at]
    verb = ORDER.found(between)
    if piece.body >= at or between.lower() in ("you ", "to ") or (verb and verb["forms"]):
        return True
    if _WHOSE.found(clause[piece.body : end]) or by_a_tool(clause):
        return False
    return not _elsewhere(between) and not CODE.found(between)


_REPORTED = anywhere(
    r"\b(?:says?|said|complains?|reads?|states?|shows?|reports?|warns?|told|tells|error|warning)\b"
    r"[^:;.]{0,30}:\s*$",
    example="The guide says: ",
    counter="Note: ",
)
_PART = opening(
    r"(?:not )?(?:contain(?:s|ing)|has|have|having)\b|not contain",
    example="containing the word",
    counter="contained in a word",
)
_HOLDS = anywhere(
    rf"\b{TEXT_NOUN}s?(?:,? (?:that|which))?(?: \w+n't| does| do)?\s*$",
    example="a tale that ",
    counter="the files ",
)
_ADJUNCT = opening(
    r"(?:in|within|using|use)\b", example="in two sentences", counter="two sentences"
)
_WRITING = anywhere(
    r"\b(?:writ|say|summari|limit|split|cut|fit|trunc|shorten|put|express|compos|match|restrict|"
    r"check|valid|count|generat|creat|us(?:e|ing)\b|make)",
    example="how to split it",
    counter="why it rains",
)


def _ordered(clause: str, piece: ClausePart, at: int, end: int, what: str) -> bool:
    """Tell whether the object of an order is the answer, and the demand said of that object."""
    if _REPORTED.found(clause[: piece.start]):
        return False
    makes_a_thing = piece.makes and what != "items"
    if makes_a_thing and CODE.found(clause, piece.body):
        return False
    if makes_a_thing and what != "language" and by_a_tool(clause):
        return False
    if piece.body >= at:  # the demand is the order itself
        return True
    between, said = clause[piece.body : at], clause[at:end]
    if _PART.found(said):
        return bool(_HOLDS.found(between))
    if what in LENGTHS and piece.makes and not _ADJUNCT.found(said):
        return bool(TEXT.found(clause[piece.body : end])) and not _elsewhere(between)
    if what in LENGTHS and not piece.makes and _ADJUNCT.found(said):
        return not (_elsewhere(between) and _WRITING.found(between))
    return not _elsewhere(between)


# --------------------------------------------------------------------------- of another thing

_RELATIVE = anywhere(
    rf"\b{TEXT_NOUN}s?,? (?:that|which|where|in which)"
    r"(?: (?:the|also|must|should|does|do|can|only|is|to be)){0,4}\s*$",
    example="a tale in which the ",
    counter="a tale in which cats ",
)
_DESCRIBES = anywhere(
    r"\b(?:that|which|who) (?:is|are|was|were|am)\b",
    example="a poem that is sad",
    counter="a poem that shows names",
)
_OTHERS = anywhere(
    r"\b(?:how|why|what|when|where|whether|if|who|whom|whose|which|that|because)\b",
    example="words whose lengths add up",
    counter="words of a tale",
)
_INFINITIVE = RequestPhrase(  # in small letters: "to Rome" is no doing
    re.compile(
        r"\bto (?!(?:the|an?|my|your|his|her|our|their|its|me|us|him|them|it|this|that|these|those|"
        r"some|any|every|each|all|no|one|two|three|be)\b)(?![a-z]{1,20}(?<!s)s\b)[a-z]{2,20}\b|"
        r"\bto\s*$"
    ),
    example="words to print",
    counter="a poem to cats",
)


def _elsewhere(between: str) -> bool:
    """Tell whether what follows these words of an order is said of another thing or doing."""
    plain = _DESCRIBES.pattern.sub("", _RELATIVE.pattern.sub("", between))
    return bool(_OTHERS.found(plain) or _INFINITIVE.found(plain))
