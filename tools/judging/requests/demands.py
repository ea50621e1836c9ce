"""Demands of a question on the form of its answer: a count, a length, words, a form.

Rules of this module: a demand is read only from words that leave no choice ("in exactly 3
sentences"), in an order to the answerer, in a statement about the answer, or where it opens or
closes a question. What is quoted, given as input, said of somebody else's text, of code or of
what a tool makes, or bound to a condition is no demand. In doubt nothing is asked; requests in
other languages than English are not read.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from reflection_mcp.tools.judging.requests.clauses import QUOTED, clauses
from reflection_mcp.tools.judging.texts.languages import LANGUAGE_NAMES

What = Literal[
    "items", "words", "sentences", "paragraphs", "lines", "characters", "json", "language",
    "keyword", "forbidden",
]  # fmt: skip
LENGTHS = frozenset(("words", "sentences", "paragraphs", "lines", "characters"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Demand:
    """One demand on the form of the answer.

    `least` and `most` bound a count; `loose` marks a figure that was given without a bound, or as a
    rough one. `texts` are the words or the language it names, of which one is enough where `either`
    is set; `said` is how it was worded.
    """

    what: What
    said: str
    least: int | None = None
    most: int | None = None
    loose: bool = False
    texts: tuple[str, ...] = ()
    either: bool = False


class Rule(NamedTuple):
    """One wording of a demand: a pattern, and the function that reads a match (None: no demand)."""

    name: str
    pattern: re.Pattern[str]
    make: Callable[[re.Match[str]], Demand | None]
    example: str
    counter_example: str


# --------------------------------------------------------------------------- who is meant

_MAKES = (
    r"(?:write|generate|create|compose|give|provide|produce|craft|make|construct|draft|add|tell"
    r"|come up with|formulate|develop|prepare|output|return|convert|format|express|present|put)"
)
_TELLS = (
    r"(?:read|do|explain|describe|summari[sz]e|outline|discuss|define|compare|answer|respond"
    r"|reply|speak"
    r"|list|name|suggest|mention|identify|state|recommend|propose|offer|share|translate|rewrite"
    r"|keep|limit|use|using|include|contain|avoid|never|do not|don't|must|in|within|at most|no more"
    r"|what are|think of|brainstorm|enumerate|cite|invent|pick|choose|select|find|show|predict)"
)
TEXT = (
    r"(?:answer|response|reply|essay|story|poem|summary|text|letter|e-?mail|article|post|paragraph"
    r"|song|riddle|description|explanation|tweet|review|speech|report|message|caption|sentence|ad"
    r"|haiku|headline|slogan|note|abstract|joke|fable|tale|guide|biography|bio)"
)
_LEAD = re.compile(
    r"\W{0,6}(?:\d{1,2}[.)]\s*)?(?:(?:please|kindly|also|and|but|then|now|finally|so|just|hi|hello"
    r"|make sure|be sure|ensure|(?:can|could|would|will) you|you (?:must|should|are)|to|that"
    r"|(?:i|we)(?:'d| would)? (?:want|need|like)(?: you)?(?: to)?)\b\W{1,3}){0,4}",
    re.IGNORECASE,
)
_ORDER = re.compile(rf"(?:{_MAKES}|{_TELLS}|not allowed)\b", re.IGNORECASE)
_ABOUT_ANSWER = re.compile(
    rf"(?:(?P<own>your)|the|this|it)(?: \w{{1,20}}){{0,2}}? ?{TEXT}?\b[^,;:]{{0,24}}?"
    r"\b(?:should|must|needs? to|has|have|contains?|to)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"(?:how|why|what(?! are)|what's|when|where|who|which|is|are|was|were|do (?:i|you|we"
    r"|they|the)|does|did|can"
    r"|could|should|has|have)\b",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(
    r"\b(?:how|why|what|when|where|whether|if|whose|because|(?:that|which)(?! (?:is|are|has|have"
    r"|contains?|includes?)\b)|to (?!(?:the|an?|my|me|us|your|it|this|be|use|include|answer)\b)"
    r"[a-z]{2,20})\b"
)
_CODE = re.compile(
    r"\b(?:regex|regexp|function|script|program|code|quer(?:y|ies)|endpoint|api|class|method"
    r"|librar(?:y|ies)|parser?|rule|selector|command|macro|formula|test|loop|component|css|html"
    r"|sql|app|schema|validator|pipeline|form|field|workflow|filter|passwords?|usernames?)\b"
    rf"(?! {TEXT}\b)",
    re.IGNORECASE,
)
_TOOL = re.compile(
    r"\b(?:in|with|using|via|by|from|through|on|my) (?:an? |the |my )?(?:bash|shell|powershell"
    r"|python|pandas|numpy|java|javascript|typescript|node|go|rust|ruby|php|perl|c|sql|postgres"
    r"|mysql|sqlite|excel|linux|docker|kubernetes|kubectl|git|curl|jq|awk|sed|grep|vim|css|html"
    r"|react|django|flask|regex|loop|script|command|lambda|servlet|top)(?![\w+#-])",
    re.IGNORECASE,
)


def _is_meant(clause: str, at: int, end: int, what: What, *, asks: bool) -> bool:
    """Return True if the words of a clause from `at` to `end` are a demand on this answer.

    `asks` tells whether another clause is a question, which "it" and "the output" may be about.
    """
    lead = _LEAD.match(clause)
    head = min(lead.end() if lead else 0, at)
    between = clause[head:at]
    if what != "items" and (_CODE.search(clause[:end]) or _CODE.search(clause[end : end + 30])):
        return False
    if _ASKS.match(clause, head):
        closes = not clause[end:].strip(" ?.!")
        defines = re.match(r"(?:what|who)(?:'s| is| are) ", clause[head:], re.IGNORECASE)
        return what in LENGTHS and closes and bool(defines) and clause[at:end][:2].lower() == "in"
    about = _ABOUT_ANSWER.match(clause, head)
    if about and not _ORDER.match(clause, head):
        return bool(about["own"]) or not asks
    if at > head and not _ORDER.match(clause, head):
        return False
    return not (_ELSEWHERE.search(between) or (what != "items" and _TOOL.search(clause)))


_DENIES = re.compile(
    r"\b(?:not(?! only)|never|avoid|without|cannot|you (?:can|may))\b|n't\b", re.IGNORECASE
)
_CHOICE = re.compile(r"\s*(?:,\s*)?or\b", re.IGNORECASE)


def _is_free(clause: str, match: re.Match[str], what: What) -> bool:
    """Return True if a demand is what the answer is not to have, or may have."""
    names = what in ("keyword", "forbidden")
    denied = not names and _DENIES.search(_COURTESY.sub("", clause[: match.end()]))
    return bool(denied or _CHOICE.match(clause, match.end()))


_COURTESY = re.compile(r"\b(?:can|could) you\b|\b(?:not|n't|no) (?:more|less|fewer) than\b", re.I)


# --------------------------------------------------------------------------- figures

NUMBER_WORDS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "fifty": 50,
    "a single": 1, "a dozen": 12,
}  # fmt: skip
_N = r"(?:\d{1,5}|" + "|".join(NUMBER_WORDS) + r")"
_BOUNDS = {
    "least": r"at least|no fewer than|no less than|(?:a )?minimum of",
    "most": r"at most|no more than|not more than|(?:a )?maximum of|max|up to|within",
    "above": r"more than|over|longer than",
    "below": r"fewer than|less than|under|below|shorter than",
    "about": r"around|about|approximately|roughly|nearly|some",
    "exact": r"exactly|precisely|only|just",
}
_AFTER = {"least": r"or more|minimum|at least", "most": r"or (?:less|fewer)|maximum|max|at most"}
_BOUND = "|".join(_BOUNDS.values())
_LENGTH = re.compile(
    rf"(?P<before>\b(?:in|within|using|use|to|of|with|(?:should|must) (?:be|have|contain)|{_MAKES}"
    rf"(?: me)?(?: an?| the)?)\s+|^\W{{0,3}}|(?={_BOUND}))(?:(?P<bound>{_BOUND})\s+)?"
    rf"(?<![\w.,$%-])(?P<n>{_N})(?:\s?(?:-|\u2013|to)\s?(?P<upper>\d{{1,5}}))?(?:\s+|-)"
    r"(?:(?:short|brief|long|simple|complete|full|concise)\s+){0,2}"
    r"(?P<unit>word|sentence|paragraph|line|character)s?\b(?!')"
    r"(?! (?:each|per|of code|from|above|below|that|into|given|were|in each|for each))"
    rf"(?:\s+(?P<after>{'|'.join(_AFTER.values())}))?",
    re.IGNORECASE,
)
_UNITS: dict[str, What] = {
    "word": "words", "sentence": "sentences", "paragraph": "paragraphs", "line": "lines",
    "character": "characters",
}  # fmt: skip
WORDS_LEAST = 20
"""A figure of words below this, without a bound, may be a list of words ("write five words")."""
_EACH = re.compile(r"\b(?:each|every|per|how many)\b", re.IGNORECASE)


def _length(match: re.Match[str]) -> Demand | None:
    what = _UNITS[match["unit"].lower()]
    value = number(match["n"])
    bound = _bound_of(match["bound"], _BOUNDS) or _bound_of(match["after"], _AFTER)
    inside = match["before"].lower().split()[-1:] in (["in"], ["within"])
    short = what in ("words", "characters") and not bound and value < WORDS_LEAST and not inside
    if _EACH.search(match.string) or value == 0 or short:
        return None
    least, most, loose = limits(value, bound, match["upper"])
    return Demand(what=what, said=match[0].strip(), least=least, most=most, loose=loose)


def number(text: str) -> int:
    """Return the value of a figure or of a number word that the patterns know."""
    small = " ".join(text.lower().split())
    return NUMBER_WORDS[small] if small in NUMBER_WORDS else int(small)


def _bound_of(text: str | None, table: dict[str, str]) -> str:
    fits = (name for name, words in table.items() if text and re.fullmatch(words, text.lower()))
    return next(fits, "")


def limits(value: int, bound: str, upper: str | None = None) -> tuple[int | None, int | None, bool]:
    """Return least, most and whether the figure is a loose one."""
    if upper:
        return value, int(upper), bound == "about"
    return {
        "least": (value, None, False),
        "most": (None, value, False),
        "above": (value + 1, None, False),
        "below": (None, value - 1, False),
        "exact": (value, value, False),
    }.get(bound, (value, value, True))


_ITEMS = re.compile(
    r"\b(?P<verb>list|name|give|provide|suggest|write|generate|create|identify|describe"
    r"|come up with"
    r"|think of|mention|state|outline|find|propose|recommend|brainstorm|make|offer|share|explain"
    r"|tell|design|draft|compose|show|what are|discuss|cite|enumerate|invent|pick|choose"
    r"|select|predict)"
    r"\s+(?P<filler>(?:(?:me|us|out|at least|exactly|up to|about|the|top|main|a list of|a set of"
    r"|some|examples of|another|your|first|best|most important)\s+){0,4}?)"
    rf"(?P<n>{_N})(?![\w.,/%:-])\s+(?P<rest>[A-Za-z][^,.;:?!\n]{{0,80}})",
    re.IGNORECASE,
)
ITEMS_MOST = 50
"""A larger figure is hardly ever a number of items to be listed."""
_NOUN_WITHIN = 7
"""Words after the figure in which the plural must stand: "five of the most important elements"."""
_NOT_ITEMS = frozenset(
    """words word sentences sentence paragraphs paragraph lines line characters letters syllables
    minutes hours days weeks months years seconds percent dollars euros pounds people persons times
    digits degrees stanzas verses sections bullets bullet pages miles points plus minus divided
    parts sides answers responses""".split()
)
_NO_PLURAL = re.compile(r"(?:is|was|as|has|its|this|plus|us|thus|does|\w{1,30}ss)$", re.IGNORECASE)
_IRREGULAR = frozenset(("people", "children", "women", "men", "criteria", "phenomena", "data"))
_PICKS = frozenset(("find", "choose", "pick", "select", "predict", "identify"))
_DOES = _PICKS | {"create", "generate", "make", "show", "design"}
_OF_A_MACHINE = re.compile(
    r"(?:\w{1,20} ){0,3}(?:rows|records|files|folders|directories|users|processes|tables|columns"
    r"|commits|branches|containers|images|pods|packages|entries|documents|keys|logs|threads"
    r"|devices|copies|ids|tokens|passwords|cards|balls)\b",
    re.IGNORECASE,
)
_OF_FIGURES = re.compile(
    r"(?:[\w-]{1,20} ){0,3}(?:integers|numbers|digits|primes|values|roots|solutions|factors"
    r"|angles|fractions|multiples|squares|vectors|matrices|coordinates)\b",
    re.IGNORECASE,
)
_BOUND_BY = re.compile(r"\b(?:whose|such that|that (?:add|sum|multiply|total|differ))\b")


def _items(match: re.Match[str]) -> Demand | None:
    value, following = number(match["n"]), match["rest"].split()
    verb, things = match["verb"].lower(), " ".join(following)
    plural = next((word for word in following[:_NOUN_WITHIN] if _is_plural(word)), "")
    if not 2 <= value <= ITEMS_MOST or _EACH.search(match.string) or not plural:
        return None
    if following[0].lower() in _NOT_ITEMS or plural.lower() in _NOT_ITEMS:
        return None
    # What is worked out is found in steps, whose list is as long as the way to them.
    tool = _TOOL.search(match.string)
    made = (verb in _DOES and (_OF_A_MACHINE.match(things) or tool)) or (
        tool and _OF_A_MACHINE.match(things)
    )
    figures = _OF_FIGURES.match(things) and (verb in _PICKS or _BOUND_BY.search(things))
    if made or figures or (verb in _PICKS and _BOUND_BY.search(things)):
        return None
    least, most, loose = limits(value, _bound_within(match["filler"].lower()))
    said = match[0][:80].strip()
    return Demand(what="items", said=said, least=least, most=most, loose=loose)


def _bound_within(filler: str) -> str:
    found = (name for name, words in _BOUNDS.items() if re.search(rf"\b(?:{words})\b", filler))
    return next(found, "")


def _is_plural(word: str) -> bool:
    small = word.lower()
    return small in _IRREGULAR or (small.endswith("s") and not _NO_PLURAL.match(word))


# --------------------------------------------------------------------------- words and forms

_ONE = r"(?:\"[^\"\n]{1,200}\"|'[^'\"\n]{1,200}?'(?!\w))"
_WORDS = r"(?:the |these |both |any of )?(?:key ?)?(?:words?|phrases?|terms?|letters?)"
_LIST = rf"(?P<texts>{_ONE}(?:(?:\s*,)?\s+(?:(?:and|or)\s+)?{_ONE}){{0,19}})"
_KEYWORD = re.compile(
    r"(?:(?P<no>(?:\b(?:not|never|avoid|without)|n't)\b[^.\n]{0,24}?)|\b)"
    r"(?:includ(?:e|es|ing)|contain(?:s|ing)?|us(?:e|es|ing)|mention(?:s|ing)?|avoid|without)"
    rf" (?:the use of )?{_WORDS}:? {_LIST}",
    re.IGNORECASE,
)


def _keyword(match: re.Match[str]) -> Demand | None:
    texts = tuple(one.strip("\"',.") for one in re.findall(_ONE, match["texts"]))
    denied = bool(match["no"]) or match[0].lower().startswith(("avoid", "without"))
    held = re.match(r"(?:not )?contain|(?:do not|don't) contain", match[0], re.IGNORECASE)
    if held and not re.search(rf"\b{TEXT}\b", match.string[: match.start()], re.IGNORECASE):
        return None  # of a file or a name
    either = bool(re.search(r"\bor\b|/", re.sub(_ONE, " ", match["texts"])))
    if not all(texts) or (match["no"] or "").lower().startswith("not only"):
        return None
    if not denied and re.match(r"\s*(?:,\s*)?(?:or\b|/)", match.string[match.end() :]):
        return None
    what: What = "forbidden" if denied else "keyword"
    return Demand(what=what, said=match[0].strip(), texts=texts, either=either and not denied)


_JSON = re.compile(
    r"\b(?:return|respond|reply|answer|output|give|provide|format(?:ted)?|write|generate|convert"
    r"|present|list)\b(?:[^\n]{0,120}?\b(?:in|as|into|to|only|with|an?))?\s+(?:an? )?"
    r"(?:(?:valid|single|raw|strict)\s+)?JSON\b"
    r"(?! (?:file|parser|schema|library|web|is|are|was)|[^.\n]{0,9}\bor\b)",
    re.IGNORECASE,
)
_LANGUAGE = re.compile(
    rf"\b(?:(?:answer|respond|reply|speak)\b[^\n,:]{{0,30}}?\bin|(?:your|the) {TEXT}"
    rf" (?:should|must)[^\n,:]{{0,20}}?\bin|(?:write|explain)(?: (?:me|it|this|that|your|the"
    rf"|an?|{TEXT})){{0,6}}? in"
    rf"|translate\b[^\n]{{0,160}}?\b(?:in)?to) (?P<language>{'|'.join(LANGUAGE_NAMES)})"
    r"(?= language\b| only\b|\s*(?:[.,;:!?)]|$)| (?:with|without|using|please)\b)",
    re.IGNORECASE,
)


def _json(match: re.Match[str]) -> Demand:
    return Demand(what="json", said=match[0].strip())


def _language(match: re.Match[str]) -> Demand:
    return Demand(what="language", said=match[0].strip(), texts=(match["language"].lower(),))


RULES = (
    Rule("length", _LENGTH, _length, "Summarise it in two sentences.",
         "Combine these two sentences into one."),
    Rule("number of items", _ITEMS, _items, "List three ways to cope with stress.",
         "Compare the two recipes."),
    Rule("words", _KEYWORD, _keyword, "Use the words 'stars' and 'light'.",
         "What does the word 'light' mean?"),
    Rule("JSON", _JSON, _json, "Return it as JSON.",
         "Write a function that reads a file and returns it as JSON."),
    Rule("language", _LANGUAGE, _language, "Translate this sentence into French.",
         "Write about cooking in Thai cuisine."),
)  # fmt: skip


def read(question: str, rules: tuple[Rule, ...] = RULES) -> tuple[Demand, ...]:
    """Return what the question asks for by these rules, each demand once, in their order."""
    parts = list(clauses(question))
    asking = [bool(_ASKS.match(part, lead.end())) for part in parts if (lead := _LEAD.match(part))]
    found: dict[tuple[object, ...], Demand] = {}
    for rule in rules:
        for clause in parts:
            blank = QUOTED.sub(lambda quote: " " * len(quote[0]), clause)
            for match in rule.pattern.finditer(clause if rule.make is _keyword else blank):
                demand = rule.make(match)
                at, end = match.start(), match.end()
                if demand is None or _is_free(blank, match, demand.what):
                    continue
                if _is_meant(blank, at, end, demand.what, asks=any(asking)):
                    key = (demand.what, demand.texts, demand.least, demand.most)
                    found.setdefault(key, demand)
    return tuple(found.values())


def asks_for_json(question: str) -> bool:
    """Return True if the question asks for JSON as the answer."""
    return "json" in question.lower() and bool(read(question, RULES[3:4]))
