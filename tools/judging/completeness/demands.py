"""Demands of a question on the form of its answer: a number of items, or JSON.

Rules of this module: a demand is read only from words that leave no choice ("list three ways"), in
an order to the answerer. What is quoted, given as input, said of code or of what a tool makes, or
bound to a condition is no demand. In doubt nothing is asked; requests in other languages than
English are not read.
"""

import re
from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple


class Demand(NamedTuple):
    """One demand on the form of the answer.

    `least` and `most` bound a count; `loose` marks a figure that was given without a bound, or as a
    rough one; `said` is how it was worded.
    """

    what: Literal["items", "json"]
    said: str
    least: int | None = None
    most: int | None = None
    loose: bool = False


class Rule(NamedTuple):
    """One wording of a demand: a pattern, and the function that reads a match (None: no demand)."""

    name: str
    pattern: re.Pattern[str]
    make: Callable[[re.Match[str]], Demand | None]
    example: str
    counter_example: str


# --------------------------------------------------------------------------- clauses

QUESTION_LIMIT = 8_000
"""Characters of a question that are searched for demands; a longer one is mostly input."""
CLAUSE_LIMIT = 600
"""Characters of one clause; keeps the patterns, which look ahead inside a clause, linear."""
_INPUT = re.compile(
    r"(?:^[ \t]{0,8}|(?<=[.!?:] ))(?:input|text|passage|article|context|sentences?|paragraph|data"
    r"|code|document|email|story|source|excerpt|transcript|output|original)\s{0,4}:",
    re.IGNORECASE | re.MULTILINE,
)
_FENCED = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_QUOTED = re.compile(r"\"[^\"\n]{1,400}\"|(?<!\w)'[^'\n]{1,200}'(?!\w)")
_STRAIGHT = str.maketrans("\u201c\u201d\u2018\u2019", "\"\"''")
_CLAUSE_END = re.compile(r"(?<=[.!?;])\s+|\n+")
_CONDITION = re.compile(
    r"^\s*(?:if|unless|when|suppose|imagine|assume|otherwise|where)\b", re.IGNORECASE
)


def clauses(question: str) -> Iterator[str]:
    """Yield the clauses of a question that may hold a demand, what they quote blanked."""
    text = _FENCED.sub(" ", question[:QUESTION_LIMIT].translate(_STRAIGHT))
    given = _INPUT.search(text)
    for clause in _CLAUSE_END.split(text[: given.start()] if given else text):
        if clause.strip() and not _CONDITION.match(clause):
            yield _QUOTED.sub(lambda quote: " " * len(quote[0]), clause[:CLAUSE_LIMIT])


# --------------------------------------------------------------------------- who is meant

_LEAD = re.compile(
    r"\W{0,6}(?:\d{1,2}[.)]\s*)?(?:(?:please|kindly|also|and|but|then|now|finally|so|just|hi|hello"
    r"|make sure|be sure|ensure|(?:can|could|would|will) you|you (?:must|should|are)|to|that"
    r"|(?:i|we)(?:'d| would)? (?:want|need|like)(?: you)?(?: to)?)\b\W{1,3}){0,4}",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"(?:write|generate|create|compose|give|provide|produce|craft|make|construct|draft|add|tell"
    r"|come up with|formulate|develop|prepare|output|return|convert|format|express|present|put"
    r"|read|do|explain|describe|summari[sz]e|outline|discuss|define|compare|answer|respond|reply"
    r"|speak|list|name|suggest|mention|identify|state|recommend|propose|offer|share|translate"
    r"|rewrite|keep|limit|use|using|include|contain|in|what are|think of|brainstorm|enumerate"
    r"|cite|invent|pick|choose|select|find|show|predict)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"(?:how|why|what(?! are)|what's|when|where|who|which|is|are|was|were|do (?:i|you|we"
    r"|they|the)|does|did|can|could|should|has|have)\b",
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
    r"|sql|app|schema|validator|pipeline|form|field|workflow|filter|passwords?|usernames?)\b",
    re.IGNORECASE,
)
_TOOL = re.compile(
    r"\b(?:in|with|using|via|by|from|through|on|my) (?:an? |the |my )?(?:bash|shell|powershell"
    r"|python|pandas|numpy|java|javascript|typescript|node|go|rust|ruby|php|perl|c|sql|postgres"
    r"|mysql|sqlite|excel|linux|docker|kubernetes|kubectl|git|curl|jq|awk|sed|grep|vim|css|html"
    r"|react|django|flask|regex|loop|script|command|lambda|servlet|top)(?![\w+#-])",
    re.IGNORECASE,
)
_DENIES = re.compile(
    r"\b(?:not(?! only)|never|avoid|without|cannot|you (?:can|may))\b|n't\b", re.IGNORECASE
)
_COURTESY = re.compile(r"\b(?:can|could) you\b|\b(?:not|n't|no) (?:more|less|fewer) than\b", re.I)
_CHOICE = re.compile(r"\s*(?:,\s*)?or\b", re.IGNORECASE)


def _is_meant(clause: str, at: int, end: int, what: str) -> bool:
    """Return True if the words of a clause from `at` to `end` are a demand on this answer."""
    if _DENIES.search(_COURTESY.sub("", clause[:end])) or _CHOICE.match(clause, end):
        return False
    of_code = _CODE.search(clause[:end]) or _CODE.search(clause[end : end + 30])
    if _TOOL.search(clause) or (what == "json" and of_code):
        return False
    lead = _LEAD.match(clause)
    head = min(lead.end() if lead else 0, at)
    if _ASKS.match(clause, head) or (at > head and not _ORDER.match(clause, head)):
        return False
    return not _ELSEWHERE.search(clause[head:at])


# --------------------------------------------------------------------------- items

NUMBER_WORDS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "fifty": 50,
    "a single": 1, "a dozen": 12,
}  # fmt: skip
_N = r"(?:\d{1,5}|" + "|".join(NUMBER_WORDS) + r")"
_EACH = re.compile(r"\b(?:each|every|per|how many)\b", re.IGNORECASE)
_ITEMS = re.compile(
    r"\b(?:list|name|give|provide|suggest|write|generate|identify|describe|come up with|think of"
    r"|mention|state|outline|propose|recommend|brainstorm|offer|share|explain|tell|draft|compose"
    r"|what are|discuss|cite|enumerate|invent|create|make|design)"
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
    parts sides answers responses files folders directories copies rows columns tables records users
    processes threads branches commits containers images pods tokens keys ids devices""".split()
)
_NO_PLURAL = re.compile(r"(?:is|was|as|has|its|this|plus|us|thus|does|\w{1,30}ss)$", re.IGNORECASE)
_IRREGULAR = frozenset(("people", "children", "women", "men", "criteria", "phenomena", "data"))


def _items(match: re.Match[str]) -> Demand | None:
    small = " ".join(match["n"].lower().split())
    value = NUMBER_WORDS[small] if small in NUMBER_WORDS else int(small)
    following = match["rest"].split()
    plural = next((word for word in following[:_NOUN_WITHIN] if _is_plural(word)), "")
    if not 2 <= value <= ITEMS_MOST or _EACH.search(match.string) or not plural:
        return None
    if following[0].lower() in _NOT_ITEMS or plural.lower() in _NOT_ITEMS:
        return None
    filler, said = match["filler"].lower(), match[0][:80].strip()
    if "up to" in filler:
        return Demand("items", said, None, value)
    if "at least" in filler:
        return Demand("items", said, value, None)
    return Demand("items", said, value, value, loose="exactly" not in filler)


def _is_plural(word: str) -> bool:
    small = word.lower()
    return small in _IRREGULAR or (small.endswith("s") and not _NO_PLURAL.match(word))


# --------------------------------------------------------------------------- JSON

_JSON = re.compile(
    r"\b(?:return|respond|reply|answer|output|give|provide|format(?:ted)?|write|generate|convert"
    r"|present|list)\b(?:[^\n]{0,120}?\b(?:in|as|into|to|only|with|an?))?\s+(?:an? )?"
    r"(?:(?:valid|single|raw|strict)\s+)?JSON\b"
    r"(?! (?:file|parser|schema|library|web|is|are|was)|[^.\n]{0,9}\bor\b)",
    re.IGNORECASE,
)


def _json(match: re.Match[str]) -> Demand:
    return Demand("json", match[0].strip())


RULES = (
    Rule("number of items", _ITEMS, _items, "List three ways to cope with stress.",
         "Compare the two recipes."),
    Rule("JSON", _JSON, _json, "Return it as JSON.",
         "Write a function that reads a file and returns it as JSON."),
)  # fmt: skip


def read(question: str, rules: tuple[Rule, ...] = RULES) -> tuple[Demand, ...]:
    """Return what the question asks for by these rules, each demand once, in their order."""
    parts = list(clauses(question))
    found: dict[tuple[object, ...], Demand] = {}
    for rule in rules:
        for clause in parts:
            for match in rule.pattern.finditer(clause):
                demand = rule.make(match)
                if demand and _is_meant(clause, *match.span(), demand.what):
                    found.setdefault((demand.what, demand.least, demand.most), demand)
    return tuple(found.values())


def asks_for_json(question: str) -> bool:
    """Return True if the question asks for JSON as the answer."""
    return "json" in question.lower() and bool(read(question, RULES[1:]))
