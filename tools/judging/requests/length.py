"""The counts and lengths that a question asks for.

Rules of this module: a figure is a demand only where the words before it make it one ("write",
"in", "at least") and none says that it is of something given ("these two sentences"). A figure
without a bound is loose: too few is a fault, a few too many is not.
"""

import re

from reflection_mcp.tools.judging.requests.demands import Demand, Rule, What
from reflection_mcp.tools.judging.requests.nouns import by_a_tool

NUMBER_WORDS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30,
    "fifty": 50, "a single": 1, "a couple of": 2, "a dozen": 12, "a hundred": 100,
}  # fmt: skip
_N = r"(?:\d{1,5}|" + "|".join(NUMBER_WORDS) + r")"

BOUNDS: tuple[tuple[str, str], ...] = (
    (
        "least",
        r"at least|no fewer than|not fewer than|no less than|not less than|(?:a )?minimum of",
    ),
    (
        "most",
        r"at most|no more than|not more than|(?:a )?maximum of|max|up to|within|no longer than",
    ),
    ("above", r"more than|over|longer than"),
    ("below", r"fewer than|less than|under|below|shorter than"),
    ("about", r"around|about|approximately|roughly|nearly|some"),
    ("exact", r"exactly|precisely|only|just"),
)
_AFTER: tuple[tuple[str, str], ...] = (
    ("least", r"or more|or longer|minimum|at least|at a minimum"),
    ("most", r"or less|or fewer|or under|or shorter|maximum|max|at most|tops"),
)
_BOUND = "|".join(pattern for _, pattern in BOUNDS)
_AFTERS = "|".join(pattern for _, pattern in _AFTER)

_MAKES = (
    r"(?:write|generate|create|compose|give|provide|produce|craft|make|construct|draft|add|tell|"
    r"come up with|formulate|form|develop|prepare|output|return)"
)
_TEXT = (
    r"(?:answer|response|reply|output|essay|story|poem|summary|text|letter|e-?mail|article|post|"
    r"paragraph|rap|song|blog post|resume|riddle|description|explanation|proposal|ad|tweet|review|"
    r"speech|dialogue|report|message|bio|introduction|conclusion|caption|it)"
)
_MUST = r"(?:should|must|needs? to|has to|have to|shall)"

# --------------------------------------------------------------------------- lengths

_UNITS: dict[str, What] = {
    "word": "words", "sentence": "sentences", "paragraph": "paragraphs", "line": "lines",
    "character": "characters", "bullet": "bullets", "bullet point": "bullets",
    "section": "sections",
}  # fmt: skip
# Between the figure and the unit; "more" and "additional" say that other text may stand around.
_KIND_OF = (
    r"(?:(?:more|additional|further|short|brief|long|simple|complete|full|concise|new|different|"
    r"separate|distinct|original|rhyming|well-written|markdown|unique)\s+){0,2}"
)
_ASKED_BEFORE = (
    rf"(?:\b(?:in|within|using|to)|\b{_MAKES}(?: me| us)?(?: an?(?: short| brief)?| another| the)?|"
    rf"\b(?:length|minimum|maximum|total|limit(?:ed)?|limit it|word count|keep it) (?:of|to|is|at)|"
    rf"\b{_TEXT} (?:of|with|that is|in|containing|having|that (?:has|contains))(?: an?)?|"
    rf"\b{_MUST} (?:be|contain|have|include|consist of|use|span)(?: an?)?|\bconsists? of|^)"
)
_OF_A_TEXT = re.compile(
    rf"\b(?:{_MAKES}|{_TEXT}|{_MUST}|use|using|in|limit|keep|summari[sz]e|describe|explain)\b",
    re.IGNORECASE,
)
_NOT_GIVEN = (
    r"(?! (?:each|per|apiece|of code|from|above|below|that (?:was|were|are)|into|given|in each|"
    r"for each))"
)
_LENGTH = re.compile(
    rf"(?P<before>{_ASKED_BEFORE})\s*(?:(?P<bound>{_BOUND})\s+)?"
    rf"(?<![\w.,$%-])(?P<n>{_N})(?:\s?(?:-|\u2013|to|and)\s?(?P<upper>\d{{1,5}}))?"
    rf"(?:\s+|-)(?P<kind>{_KIND_OF})"
    rf"(?P<unit>word|sentence|paragraph|line|character|bullet point|bullet|section)s?\b(?!')"
    rf"{_NOT_GIVEN}"
    rf"(?:\s+(?:long\s+|in length\s+)?(?P<after>{_AFTERS}))?",
    re.IGNORECASE,
)
# The figure needs no verb before it when it has a bound.
_BOUNDED = re.compile(
    rf"(?P<before>)\b(?P<bound>{_BOUND})\s+(?P<n>{_N})(?P<upper>)(?:\s+|-)(?P<kind>{_KIND_OF})"
    rf"(?P<unit>word|sentence|paragraph|line|character|bullet point|bullet|section)s\b(?!')"
    rf"{_NOT_GIVEN}(?P<after>)",
    re.IGNORECASE,
)
WORDS_LEAST = 20
"""A figure of words below this, without a bound, may be a list of words ("write five words")."""


def _length(match: re.Match[str]) -> Demand | None:
    unit = " ".join(match["unit"].lower().split())
    what = _UNITS[unit]
    value = number(match["n"])
    if re.search(r"\b(?:each|every|per)\b", match.string, re.IGNORECASE) or value == 0:
        return None
    if not _OF_A_TEXT.search(match.string):
        return None
    bound = _bound_of(match["bound"], BOUNDS) or _bound_of(match["after"], _AFTER)
    inside = match["before"].lower().split()[-1:] in (["in"], ["within"])
    if what in ("words", "characters") and not bound and value < WORDS_LEAST and not inside:
        return None
    if what == "lines" and re.search(
        r"\bcode|program|script|function\b", match.string, re.IGNORECASE
    ):
        return None
    least, most, loose = limits(value, bound, match["upper"])
    if match["kind"].lower().startswith(("more", "additional", "further", "new")):
        most = None
    return Demand(what=what, said=match[0].strip(), least=least, most=most, loose=loose)


def number(text: str) -> int:
    """Return the value of a figure or of a number word that the patterns know."""
    low = " ".join(text.lower().split())
    return NUMBER_WORDS[low] if low in NUMBER_WORDS else int(low)


def _bound_of(text: str | None, table: tuple[tuple[str, str], ...]) -> str:
    for name, pattern in table:
        if text and re.fullmatch(pattern, text, re.IGNORECASE):
            return name
    return ""


def limits(value: int, bound: str, upper: str | None = None) -> tuple[int | None, int | None, bool]:
    """Return least, most and whether the figure is a loose one."""
    if upper:
        return value, int(upper), bound == "about"
    return {
        "least": (value, None, False),
        "most": (None, value, False),
        "above": (value + 1, None, False),
        "below": (None, value - 1, False),
        "about": (value, value, True),
        "exact": (value, value, False),
    }.get(bound, (value, value, True))


# --------------------------------------------------------------------------- items

_ITEM_VERB = (
    r"(?:list|name|give|provide|suggest|write|generate|create|identify|describe|come up with|"
    r"think of|mention|state|outline|find|propose|recommend|brainstorm|make|compile|offer|share|"
    r"present|explain|tell|produce|devise|design|formulate|develop|supply|draft|compose|show|"
    r"construct|what are|what were|discuss|cite|enumerate|invent|pick|choose|select|predict)"
)
_FILLER = (
    r"(?:(?:me|us|out|down|at least|exactly|up to|about|the|top|main|a list of|a set of|"
    r"a total of|list of|lists of|the names of|names of|examples of|another|any|some|your|"
    r"please|first|best|most important|with|briefly|a collection of|a bulleted list of|"
    r"a numbered list of|bulleted list of|numbered list of)\s+){0,4}?"
)
_NOT_ITEMS = frozenset(
    """words word sentences sentence paragraphs paragraph lines line characters letters syllables
    minutes hours days weeks months years seconds percent dollars euros pounds people persons times
    digits degrees stanzas verses sections bullets bullet pages miles points plus minus divided
    parts sides answers responses""".split()
)
_ITEMS = re.compile(
    rf"\b(?P<verb>{_ITEM_VERB})\s+(?P<filler>{_FILLER})(?P<n>{_N})(?![\w.,/%:-])\s+"
    rf"(?P<rest>[A-Za-z][^,.;:?!\n]{{0,80}})",
    re.IGNORECASE,
)
ITEMS_MOST = 50
"""A larger figure is hardly ever a number of items to be listed."""
_NOUN_WITHIN = 7
"""Words after the figure in which the plural must stand: "five of the most important elements"."""
_NO_PLURAL = re.compile(r"(?:is|was|as|has|its|this|plus|us|thus|does|\w{1,30}ss)$", re.IGNORECASE)


def _items(match: re.Match[str]) -> Demand | None:
    value = number(match["n"])
    following = match["rest"].split()
    if not 2 <= value <= ITEMS_MOST or following[0].lower() in _NOT_ITEMS:
        return None
    if re.search(r"\b(?:each|every|per)\b", match.string, re.IGNORECASE):
        return None
    if not _is_request(match.string, match.start()):
        return None
    plural = next((word for word in following[:_NOUN_WITHIN] if _plural(word)), "")
    if not plural or plural.lower() in _NOT_ITEMS:
        return None
    if _worked_out(match["verb"].lower(), " ".join(following), match.string):
        return None
    filler = match["filler"].lower()
    bound = next((b for b, p in BOUNDS if re.search(rf"\b(?:{p})\b", filler)), "")
    least, most, loose = limits(value, bound)
    return Demand(what="items", said=match[0][:80].strip(), least=least, most=most, loose=loose)


_PICKS = frozenset(("find", "choose", "pick", "select", "predict", "construct", "identify"))
_DOES = _PICKS | {"create", "generate", "make", "show", "produce", "design", "develop"}
_HOW_MANY = re.compile(r"\b(?:how many|the probability)\b", re.IGNORECASE)
_MACHINES = re.compile(
    r"(?:\w{1,20} ){0,3}(?:rows|records|files|folders|directories|users|processes|tables|columns|"
    r"commits|branches|containers|images|pods|packages|entries|documents|keys|logs|threads|"
    r"devices|copies|uuids|guids|ids|tokens|passwords)\b",
    re.IGNORECASE,
)
_FIGURES = re.compile(
    r"(?:[\w-]{1,20} ){0,3}(?:integers|numbers|digits|primes|values|roots|solutions|factors|"
    r"angles|fractions|multiples|squares|vectors|matrices|coordinates)\b",
    re.IGNORECASE,
)
_BOUND_BY = re.compile(
    r"\b(?:whose|such that|so that|that (?:add|sum|multiply|total|differ|divide|are|have)|which|"
    r"with (?:an? |the )?(?:sum|product|difference|total|average|mean))\b",
    re.IGNORECASE,
)


def _worked_out(verb: str, things: str, clause: str) -> bool:
    """Tell whether the things are got by steps, whose list is as long as the way to them."""
    if by_a_tool(clause) and (verb in _DOES or _MACHINES.match(things)):
        return True
    if (verb in _DOES and _MACHINES.match(things)) or _HOW_MANY.search(clause):
        return True
    if _FIGURES.match(things):
        return verb in _PICKS or bool(_BOUND_BY.search(things))
    return verb in _PICKS and bool(re.search(r"\b(?:whose|such that|so that)\b", things))


# What may stand before the verb of a request; "and" and "then" only behind another request.
_REQUEST_LEAD = re.compile(
    r"(?:^|[,;:\u2013-]\s|\b(?:please|also|now|you|you to|me|help me|kindly|just|to me)\s|"
    r"^\W{0,4}(?:\w{1,12}[.):]))[\"'*\s]*$",
    re.IGNORECASE,
)
_ANOTHER = re.compile(r"\b(?:and|then|or)\s+$", re.IGNORECASE)
_BEGINS = re.compile(
    rf"\W{{0,4}}(?:please|can you|could you|would you|i (?:want|need|would like)|{_ITEM_VERB}|"
    r"compare|"
    r"analy[sz]e|define|summari[sz]e|read|research|look|take|use|consider|choose|evaluate)\b",
    re.IGNORECASE,
)


def _is_request(clause: str, verb: int) -> bool:
    before = clause[:verb]
    if _REQUEST_LEAD.search(before[-60:] if len(before) > 60 else before):
        return True
    return bool(_ANOTHER.search(before[-12:]) and _BEGINS.match(clause))


def _plural(word: str) -> bool:
    low = word.lower()
    return low in (
        "people",
        "children",
        "women",
        "men",
        "mice",
        "criteria",
        "phenomena",
        "data",
    ) or (low.endswith("s") and not _NO_PLURAL.match(word))


LENGTH_RULES = (
    Rule("length", _LENGTH, _length, "Summarise it in two sentences.",
         "Combine these two sentences into one.", needs=tuple(_UNITS)),
    Rule("bounded length", _BOUNDED, _length, "Your answer should use less than 50 words.",
         "The page had over 100 words that I forgot.", needs=tuple(_UNITS)),
    Rule("number of items", _ITEMS, _items, "List three ways to cope with stress.",
         "Compare the two recipes."),
)  # fmt: skip
