"""What an answer names only in order to say that it is not told: "There is no mention of Hamburg."

Rules of this module: what counts is the general form, a negation and a word of telling in the same
clause. A clause of its own claims what it says, whatever the one beside it denies: "it is not told,
but it was Ann Lee". Of the words that tell, those that do much else besides ("give", "find") count
in the passive, or with a text or the writer as their subject.
"""

import re
from bisect import bisect_right
from functools import cached_property
from typing import Literal, NamedTuple

from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.texts.hedges import phrases


class Denial(NamedTuple):
    """One form of saying that something is not told, and what of its clause it speaks of.

    That is all of the `clause`; all but its own subject, if only an `object` is not told; or what
    stands `behind` the match.
    """

    name: str
    pattern: re.Pattern[str]
    example: str
    counter: str
    of: Literal["clause", "object", "behind"] = "clause"


_TOLD = (
    r"(?:mentioned|stated|specified|said|told|given|provided|named|listed|described|discussed"
    r"|disclosed|reported|noted|indicated|referred to|referenced|cited|documented|recorded|quoted"
    r"|addressed|detailed|defined|explained|shown|known|found|determined|confirmed|verified"
    r"|tested|checked|covered by|inferred|derived|clear|identified)\b"
)
_TELL = (
    r"(?:mention|state|specify|say|name|list|describe|discuss|disclose|report|note|indicate"
    r"|refer to|reference|cite|document|record|quote|address|detail|define|explain|allude to"
    r"|speak of|talk about|comment on|touch on)\b"
)
_SHOW = (
    r"(?:give|provide|include|contain|cover|show|have|hold|tell|know|see|find|locate|determine"
    r"|confirm|verify|test|check|identify|infer|derive|allow)\b"
)
_APPEAR = r"(?:appear|occur|feature|figure|come up|show up|exist|turn up)\b"
_TEXTS = (
    r"(?:text|context|document|article|passage|report|page|source|paragraph|file|log|e-?mail"
    r"|message|letter|readme|documentation|docs?|manual|guide|table|list|notes?|transcript|excerpt"
    r"|snippet|statement|contract|policy|study|paper|author|speaker|records?|data|information"
    r"|material|content|abstract|chapter|section|changelog|announcement|summary|minutes|spec"
    r"|specification|profile|listing|description|sentences?)s?\b"
)
_NEWS = (
    r"(?:mention|information|info|data|details?|references?|indication|evidence|records?|figures?"
    r"|word|statement|trace|numbers?|values?|entry|entries|date|names?|answer|description)\b"
)
_NO = r"\b(?:no|none|nothing|nobody|neither|nowhere|without)\b"
_NOT = r"(?:\bnot\b|n['\u2019]t\b|\bnever\b|\bcannot\b)"
_SOME = r"(?: [\w'\u2019-]{1,20}){0,3}?"

_TELLER = rf"(?:\b(?:I|we|it|this|that|which|there)\b|\b{_TEXTS})"
_TELLS = (
    r"(?:mentions?|states?|says?|names?|lists?|gives?|refers?|describes?|covers?|shows?|reports?"
    r"|specif(?:y|ies)|provides?|contains?|tells?|has|have|holds?|includes?)\b"
)


def _form(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


DENIALS = (
    Denial(
        "not told",
        _form(rf"{_NOT}{_SOME} {_TOLD}"),
        "The revenue for 2021 is not explicitly given.",
        "The revenue for 2021 is not low, as expected.",
    ),
    Denial(
        "untold",
        _form(
            r"(?:\b(?:is|are|was|were|remains?|leaves?|left)\b|:)(?: \w{1,12})?"
            r" un(?:mentioned|specified|stated|disclosed|named|known|clear)\b"
            r"|\bsilent (?:on|about|as to)\b|\bn/a\b"
        ),
        "The revenue for 2021 remains unknown.",
        "An unknown painter of 2021 did it.",
    ),
    Denial(
        "nobody tells",
        _form(
            rf"{_NO}(?:,? [\w'\u2019.-]{{1,30}}){{0,8}}? (?:is|are|was|were|been|be|gets?)"
            rf"(?: \w{{1,12}})? {_TOLD}"
            rf"|\b(?:nothing|nobody|nowhere|none|no {_TEXTS})[^.,]{{0,60}}? {_TELLS}"
        ),
        "Neither Debian nor Fedora is mentioned.",
        "Neither Debian nor Fedora is used.",
    ),
    Denial(
        "no news",
        _form(
            rf"\b(?:no|any|lacks?|lacking|without|omits?){_SOME} {_NEWS}(?= (?:of|on|about|for|to"
            r"|as|whether|regarding|concerning|is|are|was|were|that)\b)"
            r"|\bnothing (?:about|on|regarding|concerning|of)\b"
            rf"|\b{_NEWS}[^.]{{0,40}}? {_NOT}{_SOME} (?:available|present|there)\b"
        ),
        "There is no mention of Hamburg.",
        "There is no office in Hamburg.",
    ),
    Denial(
        "does not tell",
        _form(rf"(?:{_NOT}|\b(?:fail|neglect|declin)\w{{0,3}} to\b){_SOME} {_TELL}"),
        "The text does not mention Hamburg.",
        "Yes, Per Dahl did not mention it.",
        of="object",
    ),
    Denial(
        "a text does not show",
        _form(rf"{_TELLER}[^.]{{0,40}}?(?:{_NOT}|\b(?:fails?|unable) to\b){_SOME} {_SHOW}"),
        "I could not find Hamburg in the text.",
        "She could not find Hamburg.",
    ),
    Denial(
        "a text shows nothing",
        _form(
            rf"{_TELLER} (?:\w{{1,12}} )?(?:{_TELLS} (?:no|nothing|neither)\b"
            r"|(?:lacks?|omits?|leaves? out)\b)"
        ),
        "The document contains no figure for 2021.",
        "The company has no office in Hamburg.",
    ),
    Denial(
        "tells of another, not of this",
        _form(rf"\b{_TELLS}[^.]{{0,80}}? not (?:for|in|of|about)\b"),
        "The report gives the revenue for 2020, but not for 2021.",
        "The revenue grew in 2021, but not for long.",
        of="behind",
    ),
    Denial(
        "does not appear",
        _form(rf"{_NOT}{_SOME} {_APPEAR}"),
        "Debian does not appear in it.",
        "It does not run on Debian.",
    ),
    Denial(
        "not in the text",
        _form(
            rf"(?:{_NO}|{_NOT}|\bmissing|\babsent)[^.]{{0,60}}? (?:in|from|within|by) "
            rf"(?:the|this|that|these|your|our) (?:\w{{1,15}} )?{_TEXTS}"
        ),
        "The 2021 figure is missing from the report.",
        "The 2021 figure is taken from the report.",
    ),
)
"""The forms, without regard to capitals."""

_OF_OTHER_LANGUAGES = phrases(
    """
    brak
    nie podano
    nie wspomniano
    keine angabe*
    kein hinweis
    nicht genannt
    nicht angegeben
    aucune mention
    aucune information
    non mentionn*
    non pr\u00e9cis*
    no consta
    no se menciona*
    sin datos
    """
)
# A negation that denies nothing of what follows it.
_NO_NEGATION = re.compile(
    r"\b(?:no (?:doubt|question|wonder|secret|longer|other|one else)"
    r"|not (?:only|just|merely|simply|until)|nothing (?:but|else)|none other)\b"
)
_CUT = re.compile(
    r"(?P<hard>[;()]|,?\s(?:but(?! not\b)|although|though|while|whereas|because|since|yet|so|except"
    r"|unlike|instead)\s|,\s(?:which|who|whose)\s)"
    r"|(?P<dash>\s[\u2013\u2014-]\s|\u2014)"
    r"|(?P<joint>,\s(?:and|or|nor)\s)"
    r"|(?P<soft>,\s|:\s|\s?\|\s?|\s(?:and|or|nor)\s)",
    re.IGNORECASE,
)
_OR = re.compile(r"\W*n?or\s", re.IGNORECASE)
_VERB = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|does|do|did|can|could|will|would|may|might|must"
    r"|should|cannot|\w{1,12}n['\u2019]t|became|says?|gives?|mentions?|names?|lists?|states?|shows?|"
    r"contains?|covers?|provides?|tells?|lacks?|omits?|fails?|goes|runs?|mentioned|stated|given"
    r"|specified|listed|told|said|silent|uses?|lies|works?|serves?|remains?|seems?)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[a-z]{2,}")
_AUXILIARY = frozenset(
    "does do did has have had can could will would may might is was are were".split()
)
LONGEST = 600
"""Characters of a sentence in which one is looked for; a longer one is a text of its own."""


class _Clause(NamedTuple):
    start: int
    end: int
    has_verb: bool


class Unsaid:
    """Where an answer says that something is not told."""

    def __init__(self, case: Case) -> None:
        self._case = case

    @cached_property
    def _starts(self) -> list[int]:
        return [sentence.start for sentence in self._case.sentences]

    def covers(self, start: int, end: int) -> bool:
        """Tell whether the clause around a place of the answer says that it is not told."""
        first, _, text = self._case.sentences[bisect_right(self._starts, start) - 1]
        if len(text) > LONGEST:
            return False
        clauses = _clauses(text)
        starts = [clause.start for clause in clauses]
        clause = clauses[max(0, bisect_right(starts, start - first) - 1)]
        offset = first + clause.start
        return _denied(text[clause.start : clause.end], start - offset, end - offset)


def _clauses(text: str) -> list[_Clause]:
    """Return the parts of a sentence that each claim something of their own.

    A part without a verb belongs to the one before it, or to the next one where none has begun.
    """
    cuts = list(_CUT.finditer(text))
    starts = [0, *(cut.end() for cut in cuts)]
    ends = [*(cut.start() for cut in cuts), len(text)]
    verbs = [bool(_VERB.search(text, *place)) for place in zip(starts, ends, strict=True)]
    found = [_Clause(0, ends[0], verbs[0])]
    for place, cut in enumerate(cuts, 1):
        last, end, verb = found[-1], ends[place], verbs[place]
        opens = (verb or cut["joint"] or cut["dash"]) and last.has_verb and not _OR.match(cut[0])
        if cut["joint"] and not verb:
            opens = opens and _verb_follows(cuts, verbs, place)
        if cut["hard"] or opens:
            found.append(_Clause(starts[place], end, verb))
        else:
            found[-1] = _Clause(last.start, end, last.has_verb or verb)
    return found


def _verb_follows(cuts: list[re.Match[str]], verbs: list[bool], place: int) -> bool:
    """Tell whether a part without a verb stands before one that has one."""
    for cut, verb in zip(cuts[place:], verbs[place + 1 :], strict=True):
        if cut["hard"]:
            return False
        if verb:
            return True
    return False


def _denied(text: str, start: int, end: int) -> bool:
    bare = _NO_NEGATION.sub(lambda found: "-" * len(found[0]), text)
    if _OF_OTHER_LANGUAGES.search(bare):
        return True
    return any(
        _speaks_of(denial, found, bare, start, end)
        for denial in DENIALS
        for found in denial.pattern.finditer(bare)
    )


def _speaks_of(denial: Denial, found: re.Match[str], text: str, start: int, end: int) -> bool:
    if denial.of == "behind":
        return start >= found.end()
    if denial.of == "clause" or start >= found.start():
        return True
    # "In 2021 the text did not mention it": the subject is another one than the year.
    between = _WORD.findall(text[end : found.start()].lower())
    return not _AUXILIARY.issuperset(between)
