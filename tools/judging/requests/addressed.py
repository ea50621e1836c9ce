"""Whether words about a form are said to whoever answers, and of the answer.

Rules of this module: a demand stands in an order to the answerer, in a statement about the answer,
or set off from the rest ("In one word: ..."). A question about a form, a statement about something
of the asker's, what code or a tool is to do, and what a part of the sentence says of another thing
ask nothing of the answer. In doubt nothing is asked. Every row of `form` and `length` goes by it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

Mood = Literal["order", "wish", "question", "statement", ""]

TEXT_NOUN = (
    r"(?:answer|response|reply|output|essay|story|poem|summary|text|letter|e-?mail|article|post|"
    r"paragraph|rap|song|resume|riddle|description|explanation|proposal|ad|advert|advertisement|"
    r"tweet|review|speech|dialogue|report|message|bio|introduction|conclusion|caption|sentence|"
    r"haiku|limerick|sonnet|verse|line|headline|slogan|tagline|note|memo|template|abstract|"
    r"critique|analysis|overview|definition|blurb|joke|fable|tale|monologue|toast|itinerary|guide|"
    r"statement|announcement|invitation|sms|greeting|lyrics|ballad|ode|passage|biography)"
)
"""What consists of words, so that a demand on it is one on the answer that holds it."""
_OWN_ANSWER = re.compile(
    r"\byour (?:entire |whole |full |final )?(?:answer|response|reply|explanation)\b|"
    r"\b(?:answer|respond|reply|explain|describe|summari[sz]e)\b",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"\b(?:regex|regexp|regular expression|function|script|program|code|quer(?:y|ies)|endpoint|api|"
    r"class|method|librar(?:y|ies)|parser?|rule|selector|command|macro|formula|test|loop|component|"
    r"css|html|sql|app|schema|validator|workflow|one-liner|snippet|passwords?|usernames?)\b"
    rf"(?! {TEXT_NOUN}\b)",
    re.IGNORECASE,
)
_TOOL = re.compile(
    r"\b(?:in|with|using|via|by|from|through|on) (?:an? |the )?(?:\w{1,20} )?"
    r"(?:bash|shell|zsh|powershell|python|pandas|numpy|java|javascript|js|typescript|node|go|golang|"
    r"rust|ruby|php|perl|r|c|c\+\+|c#|kotlin|swift|scala|sql|postgres|postgresql|psql|mysql|sqlite|"
    r"oracle|mongodb|mongo|redis|excel|sheets|linux|unix|windows|docker|kubernetes|kubectl|git|"
    r"github|terraform|ansible|aws|azure|curl|jq|awk|sed|grep|vim|emacs|css|html|react|vue|django|"
    r"flask|express|rails|spring|laravel|matlab|latex|(?:microsoft|ms) word|jinja|yaml|regex|loop|"
    r"script|command)"
    r"(?![\w+#-])",
    re.IGNORECASE,
)
"""By what a machine is made to do it: then the answer tells how, and does not itself have it."""

# --------------------------------------------------------------------------- moods of a piece

_CUT = re.compile(
    r"[:;(]\s*|,\s+|\s[-\u2013\u2014]\s+|\)\s+|"
    r"\s(?:and|but|then) (?=(?:i|you|your|please|make sure|be sure|ensure)\b)",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"\W{0,6}(?:\d{1,2}[.)]\s*)?(?:(?:please|kindly|also|and|but|or|then|now|next|finally|lastly|"
    r"first|so|just|additionally|furthermore|moreover|in addition|again|instead|however|hi|hello|"
    r"hey|ok|okay|thanks|note that|at the (?:end|start|beginning)|you are to|you have to|"
    r"in (?:your|the) (?:entire |whole )?(?:answer|response|reply|output|text)|"
    r"[a-z]{2,15}ly)\b\W{1,3}){0,4}",
    re.IGNORECASE,
)
_ASKING = re.compile(
    r"(?:(?:can|could|would|will) (?:you|thou)\b(?: (?:please|kindly|also|just|help me|to)){0,3}|"
    r"help me(?: to)?|let(?:'s| us)|you (?:must|should|shall|cannot|can't|need to|will|"
    r"(?:may|can)(?= (?:only|not|use (?:at most|no more|up to))\b))"
    r"(?: (?:also|only)){0,2}|you (?:are|aren't)(?: not)?(?= (?:allowed|permitted))|"
    r"(?:i|we)(?:'d| would)? (?:want|need|like|love|prefer) (?:you|thee) to)\s+",
    re.IGNORECASE,
)
_WISH = re.compile(
    r"(?:(?:i|we)(?:'d| would)? (?:want|need|like|love|prefer)|(?:make sure|be sure|ensure|"
    r"see to it|be certain|remember|try|take care|do ensure)(?: that)?)\s+"
    r"(?!to (?!see|get|have|use|includ|mention|start|begin|end|finish|avoid|keep|"
    r"not|add|wrap|highlight|answer|respond|write))"
    r"(?:to )?(?:have |get |see )?",
    re.IGNORECASE,
)
_SELF = re.compile(r"(?:i|we)\b", re.IGNORECASE)
_QUESTION = re.compile(
    r"(?:how|why|what|what's|whats|when|where|who|who's|whom|whose|which|is|isn't|are|aren't|am|"
    r"was|were|do(?! (?:not|it|this|that|so)\b)|does|doesn't|did|didn't|had|can|could|would|will|"
    r"(?:has|have|should|shall|must|may|might) (?:i|we|you|it|he|she|they|one|there|the|an?|my|our|"
    r"this|that|these|those|all|every|your))\b",
    re.IGNORECASE,
)
MAKES = (
    "write", "compose", "draft", "generate", "create", "make", "give", "provide", "produce",
    "craft", "construct", "formulate", "form", "develop", "prepare", "come up with", "design",
    "devise", "compile", "supply", "show", "find", "pick", "choose", "select", "predict", "return",
    "output", "print", "format", "convert", "express", "present", "put", "wrap", "get", "display",
)  # fmt: skip
"""Verbs of which a thing that is no text may be the object, too."""
_TELLS = (
    "explain", "describe", "summari[sz]e", "outline", "discuss", "define", "compare", "answer",
    "respond", "reply", "speak", "say", "tell", "list", "name", "suggest", "mention", "identify",
    "state", "recommend", "propose", "offer", "share", "enumerate", "cite", "invent", "analy[sz]e",
    "evaluate", "review", "rewrite", "rephrase", "paraphrase", "translate", "critique", "continue",
    "complete", "brainstorm", "plan", "think of", "recite", "elaborate", "classify", "report",
    "introduce", "argue", "retell", "condense", "shorten", "word", "phrase",
)  # fmt: skip
_FORMS = (
    "include", "contain", "use", "incorporate", "add", "avoid", "refrain", "start", "begin",
    "open", "end", "finish", "conclude", "close", "highlight", "limit", "keep", "restrict", "do",
    "don't", "never", "not", "no", "without", "must", "should", "shouldn't", "mustn't", "be",
    "have", "leave", "mark", "separate", "consider", "read", "look", "take", "research", "given",
    "stick", "allowed", "permitted", "set", "repeat",
)  # fmt: skip
_ORDER = re.compile(
    rf"(?:(?P<makes>{'|'.join(MAKES)})|(?P<tells>{'|'.join(_TELLS)})|"
    rf"(?P<forms>{'|'.join(_FORMS)}))(?![\w'])",
    re.IGNORECASE,
)
_MODAL = (
    r"(?:should|shouldn't|must|mustn't|needs? to|has to|have to|shall|may not|cannot|can't|will|"
    r"(?:is|are) to|to|do not|does not)"
)
_ABOUT_ANSWER = re.compile(
    rf"(?:everything in )?(?:(?P<own>your (?:\w{{1,20}} ){{0,2}}{TEXT_NOUN}s?|"
    r"the (?:(?:entire|whole|full|final) )?(?:answer|reply))|"
    rf"(?:(?:the|this|its|each|both) )?(?:(?:entire|whole|full|final|complete|cover|blog) ){{0,2}}"
    rf"{TEXT_NOUN}s?(?: template)?|it|this|they|everything|"
    r"(?:the )?words (?:in|with) all capital letters|"
    r"(?:the )?(?:key)?(?:word|letter)\b[^,;:]{0,70}?|"
    r"(?:the )?(?:length|word count|total))"
    rf"\s+(?:(?:also|itself|only)\s+)?(?:(?P<modal>{_MODAL})\b|(?P<is>is|are|has|have|in|as|with|"
    r"appears?|occurs?|contains?|includes?|uses?|does|starts?|begins?|ends?)\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a clause between two marks, with how it is meant; `body` is behind its verb."""

    start: int
    head: int
    mood: Mood
    body: int
    makes: bool = False


@lru_cache(maxsize=64)
def pieces(clause: str) -> tuple[Piece, ...]:
    """Return the parts of a clause, each with its mood as far as its first words tell it."""
    starts = [0, *(cut.end() for cut in _CUT.finditer(clause))]
    return tuple(_piece(clause, start) for start in starts)


def _piece(clause: str, start: int) -> Piece:
    lead = _LEAD.match(clause, start)
    head = lead.end() if lead else start
    asking = _ASKING.match(clause, head)
    wish = _WISH.match(clause, head)
    verb = _ORDER.match(clause, asking.end() if asking else head)
    if asking:
        return Piece(start, head, "order", verb.end() if verb else asking.end(), _makes(verb))
    if wish:
        return Piece(start, head, "wish", wish.end(), True)
    if _QUESTION.match(clause, head):
        return Piece(start, head, "question", head)
    about = _ABOUT_ANSWER.match(clause, head)
    if about and about["modal"]:
        return Piece(start, head, "statement", head)
    if verb:
        return Piece(start, head, "order", verb.end(), _makes(verb))
    return Piece(start, head, "statement" if _SELF.match(clause, head) else "", head)


def _makes(verb: re.Match[str] | None) -> bool:
    return bool(verb and verb["makes"])


# --------------------------------------------------------------------------- the whole question


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
                codes |= piece.makes and bool(_CODE.search(clause, piece.body))
            codes |= bool(_MENDS.match(clause, piece.head))
    return Scene(asks, orders, codes)


_MENDS = re.compile(
    r"(?:fix|debug|refactor|implement|deploy|configure|install|compile|run)\b", re.IGNORECASE
)
LENGTHS = frozenset(("words", "sentences", "paragraphs", "lines", "characters"))
_JOINS = re.compile(r"(?:with|in|of|using|having|to)\s+(?:an? )?", re.IGNORECASE)
_FRAGMENT = re.compile(r"(?:in|within|using|without|as|no|not|all)\b", re.IGNORECASE)


def addressed(clause: str, around: Scene, at: int, end: int, what: str) -> bool:
    """Tell whether the words of `clause` from `at` to `end` are a demand on this answer.

    Args:
        clause: one clause of the question, words in quotation marks blanked.
        around: what the question as a whole is about.
        at, end: where the words of the demand stand.
        what: the kind of demand.
    """
    if around.codes and what in LENGTHS and not _OWN_ANSWER.search(clause):
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
        if piece.head >= at or _JOINS.fullmatch(clause, piece.head, at):
            return _set_off(clause, found, at, end)
    return False


_DENIES = re.compile(
    r"(?:[\w']{1,20} ){0,3}?(?:do not|don't|never|not(?! only)|avoid|without|refrain|no need|"
    r"\w{2,8}n't|cannot)\b",
    re.IGNORECASE,
)
_AND = re.compile(r"\b(?:and|but|then)\s", re.IGNORECASE)
_CHOICE = re.compile(r"\s*(?:,\s*)?or\b", re.IGNORECASE)


def denied(clause: str, at: int) -> bool:
    """Tell whether the words at this place are said of what the answer is not to have or do."""
    piece = [piece for piece in pieces(clause) if piece.start <= at][-1]
    said = clause[min(piece.head, at) : at]
    return bool(_DENIES.match(_AND.split(said)[-1]))


def leaves_a_choice(clause: str, end: int) -> bool:
    """Tell whether something else will do as well: "in JSON or YAML"."""
    return bool(_CHOICE.match(clause, end))


_DEFINES = re.compile(
    r"(?:what|who)(?:'s| is| are| was| were) (?!\w{1,20}(?:est|ed)\b|the \w{1,20}(?:est|ed)\b)"
    r"(?:\w{1,20} ){1,5}$",
    re.IGNORECASE,
)


def _asks_for(clause: str, piece: Piece, at: int, end: int, what: str) -> bool:
    """Of a question only "What are the three ...?" and "What is rain in one sentence?" count."""
    if what == "items":
        return at == piece.head
    closing = re.fullmatch(r"[\s?.!]*", clause[end:])
    within = re.match(r"in(?:side)?\b", clause[at:], re.IGNORECASE)
    return bool(what in LENGTHS and closing and within and _DEFINES.match(clause[piece.head : at]))


def _set_off(clause: str, found: Sequence[Piece], at: int, end: int) -> bool:
    """Tell whether words that begin a piece bind the answer: "What is it, in one word?"."""
    first = len(found) == 1
    marked = re.match(r"\s*(?:[,:.!?)]|$)", clause[end:])
    questions = any(piece.mood == "question" for piece in pieces(clause))
    own = bool(_FRAGMENT.match(clause, at))
    return bool(marked) and (own or first) if questions else first or own or _orders(found)


def _orders(found: Sequence[Piece]) -> bool:
    return any(piece.mood in ("order", "wish") for piece in found)


_BACK = re.compile(
    r"\b(?:how|why|which|what|is|can|does)\b[^.?]{0,80}\b(?:it|this|that)\b|\bhow\?", re.IGNORECASE
)


def _of_the_answer(clause: str, head: int, around: Scene) -> bool:
    about = _ABOUT_ANSWER.match(clause, head)
    if not about:
        return False
    if about["own"]:
        return True
    # "It must start with ..." may be said of a thing that a question or some code is about.
    return not around.codes and (around.orders or not around.asks) and not _BACK.search(clause)


_INFINITIVE = re.compile(
    r"\bto (?!(?:the|an?|my|your|his|her|our|their|its|me|us|him|them|it|this|that|these|those|"
    r"some|any|every|each|all|no|one|two|three|be)\b)(?![a-z]{1,20}(?<!s)s\b)[a-z]{2,20}\b|\bto\s*$"
)
_OTHERS = re.compile(
    r"\b(?:how|why|what|when|where|whether|if|who|whom|whose|which|that|because)\b", re.IGNORECASE
)
_DESCRIBES = re.compile(r"\b(?:that|which|who) (?:is|are|was|were|am)\b", re.IGNORECASE)
_RELATIVE = re.compile(
    rf"\b{TEXT_NOUN}s?,? (?:that|which|where|in which)"
    r"(?: (?:the|also|must|should|does|do|can|only|is|to be)){0,4}\s*$",
    re.IGNORECASE,
)
_WRITING = re.compile(
    r"\b(?:writ|say|summari|limit|split|cut|fit|trunc|shorten|put|express|compos|match|restrict|"
    r"check|valid|count|generat|creat|us(?:e|ing)\b|make)",
    re.IGNORECASE,
)
_ADJUNCT = re.compile(r"(?:in|within|using|use)\b", re.IGNORECASE)
_PART = re.compile(r"(?:not )?(?:contain(?:s|ing)|has|have|having)\b", re.IGNORECASE)
_ATTACHED = re.compile(rf"\b{TEXT_NOUN}s?\b", re.IGNORECASE)


_REPORTED = re.compile(
    r"\b(?:says?|said|complains?|reads?|states?|shows?|reports?|warns?|told|tells|error|warning)\b"
    r"[^:;.]{0,30}:\s*$",
    re.IGNORECASE,
)


def _ordered(clause: str, piece: Piece, at: int, end: int, what: str) -> bool:
    """Tell whether the object of an order is the answer, and the demand said of that object."""
    if _REPORTED.search(clause[: piece.start]):
        return False
    if piece.makes and what not in ("language", "items") and by_a_tool(clause):
        return False
    if piece.body >= at:  # the demand is the order itself
        return not (piece.makes and what != "items" and _CODE.search(clause, piece.body))
    between = clause[piece.body : at]
    if piece.makes and what != "items" and _CODE.search(clause, piece.body):
        return False
    said = clause[at:end]
    if _PART.match(said) or re.match(r"not contain", said, re.IGNORECASE):
        return bool(re.search(rf"\b{TEXT_NOUN}s?(?:,? (?:that|which))?(?: \w+n't| does| do)?\s*$",
                              between, re.IGNORECASE))  # fmt: skip
    if what in LENGTHS and not _ADJUNCT.match(said) and piece.makes:
        return bool(_ATTACHED.search(clause[piece.body : end])) and not _elsewhere(between)
    if what in LENGTHS and _ADJUNCT.match(said) and not piece.makes:
        return not (_elsewhere(between) and _WRITING.search(between))
    return not _elsewhere(between)


def _elsewhere(between: str) -> bool:
    """Tell whether what follows these words of an order is said of another thing or doing."""
    if _RELATIVE.search(between):
        between = _RELATIVE.sub("", between)
    plain = _DESCRIBES.sub("", between)
    return bool(_OTHERS.search(plain) or _INFINITIVE.search(plain))


def by_a_tool(clause: str) -> bool:
    """Tell whether a tool is named by which something is to be done."""
    return bool(_TOOL.search(clause)) and not _OWN_ANSWER.search(clause)


_WHOSE = re.compile(rf"(?:\w{{1,20}} ){{1,6}}?{_MODAL}\b", re.IGNORECASE)


def _wished(clause: str, piece: Piece, around: Scene, at: int, end: int) -> bool:
    """Tell whether "I want ..." and "make sure that ..." speak of the answer."""
    if _ABOUT_ANSWER.match(clause, piece.body):
        return _of_the_answer(clause, piece.body, around)
    between = clause[piece.body : at]
    verb = _ORDER.match(between)
    if piece.body >= at or between.lower() in ("you ", "to ") or (verb and verb["forms"]):
        return True
    if _WHOSE.match(clause[piece.body : end]) or by_a_tool(clause):
        return False
    return not _elsewhere(between) and not _CODE.search(between)
