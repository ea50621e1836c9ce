"""Finds the error in a sentence of a person: `we see "TimeoutError: pool is full" under load`.

Rules of this module: only a text of few lines is a gist. What stands before the error is talk only
where somebody speaks of himself, or says of something that it fails; a tool says that it failed. Of
whom it was said stays as a note, which can part two errors and never joins them.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from reflection_mcp.tools.identity.expression import Expression
from reflection_mcp.tools.identity.rule import Shape, any_of, compiled
from reflection_mcp.tools.identity.verdicts.marks import holds_any
from reflection_mcp.tools.identity.verdicts.reading import TYPE, is_exception
from reflection_mcp.tools.identity.verdicts.symptoms import tells_of_failure

MOST_LINES = 4
LONGEST = 1_000
_LONGEST_TALK = 120

_HIT = "got|get|getting|seeing|saw|hit|hitting|receiving|facing"
_FAILS = (
    "fails|failing|dies|dying|crashes|crashing|breaks|breaking|aborts|exits|bombs|stops|"
    "falls over|blows up|explodes|ends|errors|erroring"
)
_SAYS = (
    "throws|throwing|raises|raising|gives me|gives us|gives|giving|prints|printing|says|saying|"
    "shows|showing|reports|reporting|complains|returns|logs|logging"
)
_FAILED = "failed|died|crashed|broke|aborted|exited|blew up"
_TAGS = "bug|help|help wanted|issue|question|regression|crash|urgent|solved"
_ANNOUNCED = (
    r"(?: (?:a|an|the|this|following|strange|weird|new|message|saying|that says|like|of|as|:|"
    r"(?:error|exception)s?(?=:| ?['\"]| (?:message|saying|that|like|of|as)\b))){0,5}"
)
TALK: tuple[Shape, ...] = (
    Shape(
        "a person who gets it",
        r"[^\n:]{0,100}?\b(?:i|we)(?:'m|'re|'ve)? (?:(?:am|are|have|just|still|now|always|keep|"
        r"sometimes|often|also|only|then) ){0,2}(?:gets?|getting|got|sees?|seeing|saw|hit|hitting|"
        r"receive|received|receiving|have|had|run into|ran into|running into|encounter|"
        r"encountered|encountering|face|facing|found)" + _ANNOUNCED,
        "hi, after pulling main I get",
        "if the client gets",
        "i|we",
    ),
    Shape(
        "somebody who got it",
        r"(?:(?:still|now|just|keep|always|also|again|suddenly|sometimes) ){0,2}"
        r"(?:" + _HIT + r")"
        r"(?: (?:this|these|a|an|the|following|error|errors|issue|exception)){0,4}"
        r"(?: (?:in|on|from|with|for|at|when|after|during) [\w /.-]{1,40})?"
        r"(?::|(?= ['\"])|(?= (?-i:(?:\w{1,60}\.){0,6}[A-Z]\w{0,60}(?:Error|Exception))\b))",
        "Got this in prod:",
        "got error",
        _HIT,
    ),
    Shape(
        "question about it",
        r"(?:has |have |did |is |are )?(?:any|some)(?:one|body)(?: else| here)? "
        r"(?:seen|seeing|hit|met|got|had|getting|run into|know|knows)\b[\w ]{0,40}|"
        r"(?:help with|trouble with|problem with|issue with|stuck (?:on|with)|any ideas? \w{2,6}|"
        r"what (?:does|is|causes|do)|how (?:do (?:i|you|we)|to|can (?:i|we)) (?:fix|solve|resolve)|"
        r"why (?:is|does|am i getting|are we getting))" + _ANNOUNCED + r"(?= ?['\"]|"
        r" (?-i:(?:\w{1,60}\.){0,6}[A-Z]\w{0,60}(?:Error|Exception))\b)",
        "anyone seen",
        "anyone",
        "anyone|anybody|someone|somebody|help|trouble|problem|issue|stuck|any|what|how|why",
    ),
    Shape(
        "something that fails",
        r"[^\n:;'\"`(){}\[\]=<>]{2,100}? (?:(?:now|always|still|sometimes|often|randomly|"
        r"constantly|suddenly|just|keeps|is|starts) ){0,2}"
        r"(?:(?:" + _FAILS + r")(?: out)?(?: (?:with|on|due to|because of|at|in)\b:?|:)|"
        r"(?:" + _SAYS + r")\b(?: about| that)?:?)" + _ANNOUNCED,
        "the nightly job dies with",
        "the nightly job is dead with",
        f"{_FAILS}|{_SAYS}",
    ),
    Shape(
        "something that failed",
        r"[^\n:;'\"`(){}\[\]=<>]{2,100}? (?:" + _FAILED + r")"
        r"(?: out)?(?: (?:with|on|due to|because of))(?: (?:a|an|the|this|following))?:?"
        r"(?= (?-i:(?:\w{1,60}\.){0,6}[A-Z]\w{0,60}(?:Error|Exception): ))",
        "the nightly job died with",
        "the nightly job died with exit code 1",
        _FAILED,
    ),
    Shape(
        "tag of a report",
        r"\[(?:" + _TAGS + r")\]:?",
        "[bug]",
        "[redis]",
        _TAGS,
    ),
    Shape(
        "French, German, Spanish, Portuguese, Italian",
        r"[^\n'\":]{0,60}?\b(?:j'ai|j'obtiens|on a|nous avons|ich (?:bekomme|erhalte|habe|sehe)|"
        r"wir (?:bekommen|sehen|haben)|me sale|obtengo|tengo|recebo|estou recebendo|tenho|"
        r"ottengo|ricevo|ho)(?: (?:une?|l'|la|le|el|o|den|die|diese|einen|esta?|este|questo|"
        r"erreur|fehler|error|erro|errore|suivante?|:)){0,4}",
        "quand je lance, j'ai",
        "jai",
        "j|on|nous|ich|wir|me|obtengo|tengo|recebo|estou|tenho|ottengo|ricevo|ho",
    ),
    Shape(
        "Chinese, Japanese, Korean",
        r"[^\n'\"A-Za-z]{1,40}(?:\u62a5\u9519|\u9519\u8bef|\u63d0\u793a|\u51fa\u73b0|"
        r"\u30a8\u30e9\u30fc|\uc624\ub958)[^\n'\":]{0,6}:?",
        "\u542f\u52a8\u9879\u76ee\u62a5\u9519:",
        "\u62a5\u9519",
    ),
)
"""What stands before an error in a sentence about it, casefolded.

What a row needs are words here, of which the first is looked for; a row without is in no ASCII.
"""
_TALK = any_of(TALK, before="(?i)", after=r"(?=[ \t'\"])")
_WORDS = frozenset(
    needed.split()[0].encode() for row in TALK if row.needs for needed in row.needs.split("|")
)
_LETTERS = bytes(
    sign if chr(sign).isalnum() or sign == ord("_") else ord(" ")
    for sign in map(ord, map(str.lower, map(chr, range(128))))
).ljust(256)
"""Makes small letters of capitals, and blanks of what is no part of a word."""
_NO_TALK = Expression(r"(?!(?i:" + _HIT + r"):)[A-Za-z][!#-&(-9;-~]*+(?::|$)")
"""One word in front of a colon, or alone: who talks says more than a word, or but `got:`."""
_OF_A_PERSON = r"(?i).*\b(?:i|we|j'ai|ich|wir)\b"
_TOOL = r"(?!\w+ing )[a-z][\w.+-]{1,30} (?=(?!error\b)" + TYPE + r": )"
"""The name of a library right before the type of its exception."""
_PLAIN = (
    r"(?:[A-Za-z][a-z'-]{0,20},? ){2,14}(?=(['\"])[^'\"\n]{8,400}\1(?:[ ,.?!]|$)|"
    r"(?:error|fatal|panic): |" + TYPE + r"\b: )"
)
"""Plain words in front of a type or a quotation; talk if they tell of no failure themselves."""
_TYPED = r"(?:[a-z][\w.-]{0,40} ){0,3}(" + TYPE + r"\b(?:: .*|$))"

CLAUSES: tuple[Shape, ...] = (
    Shape(
        "when a person does something",
        r"(?:when(?:ever)?|while|after|if|as soon as|every time|each time|once|since|because|but|"
        r"and|even though|although) (?:i|we|you|my|our)\b.*",
        " when I start the app",
        " when called",
    ),
    Shape(
        "circumstance",
        r"(?:when(?:ever)?|while|after|since|during|on|under|in|at|with) "
        r"(?:(?:the|a|an|our|my|every|each|heavy|high|some|last|this|running|starting|calling|"
        r"upgrading|updating|deploying|installing|merging|pulling|building) ){0,3}"
        r"(?:load|start-?up|boot|deploy(?:ment)?|prod(?:uction)?|staging|ci|docker|windows|linux|"
        r"mac(?:os)?|upgrade|update|release|restart|migration|traffic|peak|night|morning|"
        r"tests?|server|client|laptop|machine|cluster|pipeline|build|login|checkout|[a-z]+ing)"
        r"(?: (?:to|from) (?:[a-z][\w.+-]{0,20} )?v?\d[\d.]{0,12})?",
        " under heavy load",
        " under version 2",
    ),
    Shape(
        "how often",
        r"(?:again|every time|each time|sometimes|randomly|intermittently|occasionally|often|"
        r"all the time|once in a while|for some reason|suddenly|lately|today|yesterday|now)",
        " every time",
        " once",
    ),
    Shape(
        "question",
        r"(?:any (?:ideas?|help|clue|hints?)|what (?:now|to do|is wrong|does it mean)|"
        r"how (?:to|do i|can i) (?:fix|solve)|why|help|please help|thanks)\b.{0,60}",
        " any ideas?",
        " anything",
    ),
)
"""What follows an error in a sentence about it, casefolded."""
_CLAUSE = any_of(CLAUSES, before=r"(?i)[ \t,.;!-]{1,4}\(?", after=r"\)?[.!?]{0,3}$")
_QUESTION = any_of(CLAUSES[-1:], before=r"(?i)[ \t,.;!-]{1,4}\(?", after=r"\)?[.!?]{0,3}$")
_CLOSES = {sign: sign + r"(?=[\s,.;:!?)]|$)" for sign in ("'", '"')}
"""A quote that closes: the one in `don't` does not."""
_FUNCTION = (
    r"[ \t]in ((?:\w{1,60}\.){0,6}(?:\w{0,60}_\w{1,60}|[a-z]\w{0,60}(?=\(\))|[a-z]+[A-Z]\w{0,60}))"
    r"(?:\(\))?$"
)
_ASKED = ("any", "what", "how", "why", "help", "thanks")
"""A question holds one of them, casefolded."""
_STARTS = (
    r"(?i)(?<=[^\s,.;!-])[ \t,.;!-]{1,4}(?=\(?(?:when|while|after|if|as|every|each|once|since|"
    r"because|but|and|even|although|during|on|under|in|at|with|again|sometimes|randomly|"
    r"intermittently|occasionally|often|all|for|suddenly|lately|today|yesterday|now|any|what|how|"
    r"why|help|please|thanks)\b)"
)
"""Where a clause can begin: most words are ruled out by this."""


_HAPPENS = (
    r"[ \t](?:happens|occurs|appears|shows up|pops up|comes up|is (?:thrown|raised|shown|logged)|"
    r"keeps (?:happening|coming|appearing))\b.{0,200}$"
)
"""What is said of an error that stands in front."""


class Gist(NamedTuple):
    """The lines of an error without the sentence around it, and what the sentence told."""

    lines: Sequence[str]
    function: str = ""
    of: str = ""


def _may_talk(line: str) -> bool:
    """Whether a line holds a word of talk; outside ASCII case is not so plain.

    To cut a line into words takes a tenth of what it takes to look for talk at each of its signs.
    """
    if not line.isascii():
        return True
    return not _WORDS.isdisjoint(line.encode().translate(_LETTERS).split())


def _after_talk(line: str) -> tuple[str, str]:
    """Talk at the beginning of a line, and what follows it."""
    if _NO_TALK.match(line):
        return "", line
    begin = line[: _LONGEST_TALK * 2]
    talk = _TALK.match(begin) if _may_talk(begin) else None
    if talk:
        return line[: talk.end()], line[talk.end() :].lstrip(" \t:")
    said = compiled(_TOOL).match(line) or compiled(_PLAIN).match(line)
    if said and not tells_of_failure(said[0]):
        return said[0], line[said.end() :]
    return "", line


def _without_clauses(line: str) -> str:
    """A line without what a person says behind the error, one clause after another."""
    while cut := _last_clause(line, _CLAUSE):
        line = line[:cut]
    return line


def _last_clause(line: str, clause: re.Pattern[str]) -> int:
    """Where a clause at the end of a line begins; 0 if there is none."""
    starts = (start.start() for start in compiled(_STARTS).finditer(line))
    return next((start for start in starts if clause.match(line, start)), 0)


def _unquoted(line: str) -> str:
    """What stands in quotes at the beginning of a line, if it is a message by itself."""
    if line[:1] in ("'", '"'):
        ends = [found.start() for found in compiled(_CLOSES[line[0]]).finditer(line, 1)]
        inner = line[1 : max(ends, default=0)].strip()
        if " " in inner and tells_of_failure(inner):
            return inner
    return line


def gist_of(lines: Sequence[str]) -> Gist | None:
    """The error in what a person wrote around it in few lines, if that is what the lines are."""
    first = lines[: MOST_LINES + 1]
    if len(first) > MOST_LINES and all(map(str.strip, first)):
        return None
    spoken = [said for line in lines if (said := line.strip())]
    if not 0 < len(spoken) <= MOST_LINES or len(spoken[0]) > LONGEST:
        return None
    talk, rest = _after_talk(spoken[0])
    raised = is_exception(rest)
    happens = compiled(_HAPPENS).search(rest) if raised else None
    if happens:
        rest = rest[: happens.start()]
    elif not talk and not (
        raised and holds_any(rest.casefold(), _ASKED) and _last_clause(rest, _QUESTION)
    ):
        return None
    if spoken[0].endswith("?"):
        rest = rest.rstrip("?")
    typed = compiled(_TYPED).match(rest)
    quoted = _unquoted(rest)
    core = quoted if quoted != rest else _without_clauses(typed[1] if typed else rest)
    place = compiled(_FUNCTION).search(core)
    core = core[: place.start()] if place else core
    if not tells_of_failure(core) or " " not in core:
        return None
    of = talk.strip(" :'\"")
    if compiled(_OF_A_PERSON).match(of) or " " not in talk.strip():
        of = f"the library {of}" if compiled(_TOOL).match(spoken[0]) else ""
    return Gist([core, *spoken[1:]], place[1] if place else "", of)
