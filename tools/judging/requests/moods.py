"""How each part of a sentence is meant: as an order, a wish, a question or a statement.

Rules of this module: a mood is told by the first words of a part alone, by the first row of
`OPENINGS` that fits; what no row knows has none.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from reflection_mcp.tools.judging.requests.nouns import TEXT_NOUN
from reflection_mcp.tools.judging.requests.wording import RequestPhrase, anywhere, opening

Mood = Literal["order", "wish", "question", "statement", ""]

_CUT = anywhere(
    r"[:;(]\s*|,\s+|\s[-\u2013\u2014]\s+|\)\s+|"
    r"\s(?:and|but|then) (?=(?:i|you|your|please|make sure|be sure|ensure)\b)",
    example="Write a note and please be brief",
    counter="Write a note and a letter",
)
"""Where a new part of a sentence begins."""
_LEAD = re.compile(
    r"\W{0,6}(?:\d{1,2}[.)]\s*)?(?:(?:please|kindly|also|and|but|or|then|now|next|finally|lastly|"
    r"first|so|just|additionally|furthermore|moreover|in addition|again|instead|however|hi|hello|"
    r"hey|ok|okay|thanks|note that|at the (?:end|start|beginning)|you are to|you have to|"
    r"in (?:your|the) (?:entire |whole )?(?:answer|response|reply|output|text)|"
    r"[a-z]{2,15}ly)\b\W{1,3}){0,4}",
    re.IGNORECASE,
)
"""What stands before the first word that counts: "1. Please also ...", or nothing."""
_ASKED = opening(
    r"(?:(?:can|could|would|will) (?:you|thou)\b(?: (?:please|kindly|also|just|help me|to)){0,3}|"
    r"help me(?: to)?|let(?:'s| us)|you (?:must|should|shall|cannot|can't|need to|will|"
    r"(?:may|can)(?= (?:only|not|use (?:at most|no more|up to))\b))"
    r"(?: (?:also|only)){0,2}|you (?:are|aren't)(?: not)?(?= (?:allowed|permitted))|"
    r"(?:i|we)(?:'d| would)? (?:want|need|like|love|prefer) (?:you|thee) to)\s+",
    example="Can you return JSON",
    counter="Can curl return JSON",
)
_WISH = opening(
    r"(?:(?:i|we)(?:'d| would)? (?:want|need|like|love|prefer)|(?:make sure|be sure|ensure|"
    r"see to it|be certain|remember|try|take care|do ensure)(?: that)?)\s+"
    r"(?!to (?!see|get|have|use|includ|mention|start|begin|end|finish|avoid|keep|"
    r"not|add|wrap|highlight|answer|respond|write))"
    r"(?:to )?(?:have |get |see )?",
    example="I want JSON",
    counter="I want to return JSON",
)
_QUESTION = opening(
    r"(?:how|why|what|what's|whats|when|where|who|who's|whom|whose|which|is|isn't|are|aren't|am|"
    r"was|were|do(?! (?:not|it|this|that|so)\b)|does|doesn't|did|didn't|had|can|could|would|will|"
    r"(?:has|have|should|shall|must|may|might) (?:i|we|you|it|he|she|they|one|there|the|an?|my|our|"
    r"this|that|these|those|all|every|your))\b",
    example="Do you return JSON",
    counter="Do not return JSON",
)
_SELF = opening(r"(?:i|we)\b", example="I return JSON", counter="In JSON")

MODAL = (
    r"(?:should|shouldn't|must|mustn't|needs? to|has to|have to|shall|may not|cannot|can't|will|"
    r"(?:is|are) to|to|do not|does not)"
)
ABOUT_ANSWER = opening(
    rf"(?:everything in )?(?:(?P<own>your (?:\w{{1,20}} ){{0,2}}{TEXT_NOUN}s?|"
    r"the (?:(?:entire|whole|full|final) )?(?:answer|reply))|"
    rf"(?:(?:the|this|its|each|both) )?(?:(?:entire|whole|full|final|complete|cover|blog) ){{0,2}}"
    rf"{TEXT_NOUN}s?(?: template)?|it|this|they|everything|"
    r"(?:the )?words (?:in|with) all capital letters|"
    r"(?:the )?(?:key)?(?:word|letter)\b[^,;:]{0,70}?|"
    r"(?:the )?(?:length|word count|total))"
    rf"\s+(?:(?:also|itself|only)\s+)?(?:(?P<modal>{MODAL})\b|(?P<is>is|are|has|have|in|as|with|"
    r"appears?|occurs?|contains?|includes?|uses?|does|starts?|begins?|ends?)\b)",
    example="The whole answer must end with a question",
    counter="My string must end with a question",
)
"""A statement about the answer: `own` where nothing else can be meant, `modal` where it binds."""

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
ORDER = opening(
    rf"(?:(?P<makes>{'|'.join(MAKES)})|(?P<tells>{'|'.join(_TELLS)})|"
    rf"(?P<forms>{'|'.join(_FORMS)}))(?![\w'])",
    example="Describe it",
    counter="Descriptions of it",
)
"""A verb that tells the answerer what to make, to tell, or how to form it."""

OPENINGS: tuple[tuple[Mood, RequestPhrase], ...] = (
    ("order", _ASKED),
    ("wish", _WISH),
    ("question", _QUESTION),
    ("statement", ABOUT_ANSWER),
    ("order", ORDER),
    ("statement", _SELF),
)
"""What the first words of a part make of it; the first row that fits decides."""


@dataclass(frozen=True, slots=True)
class ClausePart:
    """A part of a clause between two marks, with how it is meant; `body` is behind its verb."""

    start: int
    head: int
    mood: Mood
    body: int
    makes: bool = False


@lru_cache(maxsize=64)
def pieces(clause: str) -> tuple[ClausePart, ...]:
    """Return the parts of a clause, each with its mood as far as its first words tell it."""
    starts = [0, *(cut.end() for cut in _CUT.pattern.finditer(clause))]
    return tuple(_piece(clause, start) for start in starts)


def _piece(clause: str, start: int) -> ClausePart:
    lead = _LEAD.match(clause, start)
    head = lead.end() if lead else start
    for mood, wording in OPENINGS:
        found = wording.found(clause, head)
        if not found or (wording is ABOUT_ANSWER and not found["modal"]):
            continue
        if mood == "wish":
            return ClausePart(start, head, mood, found.end(), makes=True)
        if mood == "order":
            verb = found if wording is ORDER else ORDER.found(clause, found.end())
            body = verb.end() if verb else found.end()
            return ClausePart(start, head, mood, body, makes=bool(verb and verb["makes"]))
        return ClausePart(start, head, mood, head)
    return ClausePart(start, head, "", head)
