"""Checks for answers that say nothing: empty ones, placeholders, promises and mere guesses.

Rules of this module: a placeholder, a promise or a guess is a fault only where the whole answer
consists of it. A refusal, or the word that something is not known, may be the right answer and is
none. Asked to write a message or a template, an answer may hold these words.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.finding import at, whole

Kind = Literal["placeholder", "deferral", "guess"]
LONGEST = 25
"""Words of an answer beyond which it usually answers after all."""
HEAD = 400
"""Characters at the start in which an answer says that it is none."""
_WHY: dict[Kind, str] = {
    "placeholder": "The answer is a placeholder.",
    "deferral": "The answer only promises an answer.",
    "guess": "The answer says that it does not know, and guesses.",
}


@dataclass(frozen=True, slots=True)
class Phrase:
    """One way of not answering, with which an answer begins."""

    kind: Kind
    name: str
    pattern: re.Pattern[str]
    example: str
    counter_example: str


def _phrase(kind: Kind, name: str, pattern: str, example: str, counter_example: str) -> Phrase:
    begun = re.compile(rf"[^\w\[<({{]{{0,6}}{pattern}", re.IGNORECASE)
    return Phrase(kind, name, begun, example, counter_example)


_ASSENT = r"(?:sure|certainly|of course|okay|ok|absolutely|got it|no problem|alright|right)"
_LATER = (
    r"(?:look|check|get (?:back|started|right|on)|start(?! with| by)|begin(?! with| by)|think"
    r"|work on|research|investigate|find out|see what|take a look|do (?:that|this|it)|analy[sz]e"
    r"|review|prepare|gather|dig|explore|examine|read|search|handle|proceed|help you with"
    r"|come back)"
)
_BLANK = (
    r"(?:insert|your|add|fill|placeholder|put|enter|write|type|answer|response|output|content|text)"
)
_UNSURE = (
    r"(?:i(?:'m| am) )?(?:honestly )?(?:not (?:really |quite |entirely |too )?(?:sure|certain)"
    r"|unsure|(?:i have )?no idea|(?:i )?(?:do not|don't) (?:really )?know|dunno"
    r"|(?:i )?(?:can't|cannot) (?:say|tell)|(?:it's |it is )?(?:hard|difficult) to (?:say|tell))"
)
_GUESS = (
    r"(?:but |and |it |that |this |they |is |was |are |my |i ){0,4}(?:maybe|perhaps|possibly"
    r"|probably|presumably|might|may|could|guess|suppose|best guess|assume)\b"
)

PHRASES = (
    _phrase(
        "placeholder", "to be done",
        r"[\[<({]?(?:todo|tbd|tba|fixme|xxx|wip|coming soon|work in progress|"
        r"to be (?:determined|done|added|completed|written|filled in))\b(?:\W|$)",
        "TODO: fill in the answer here.", "To do this well, start early.",
    ),
    _phrase(
        "placeholder", "not applicable",
        r"(?:n/a|not applicable|no (?:answer|output|response|content)|null|undefined|nan|"
        r"placeholder|answer|response)\W{0,4}$",
        "N/A", "Not applicable to cars, only to bicycles.",
    ),
    _phrase(
        "placeholder", "brackets to be filled",
        rf"[\[<({{]{{1,2}}\s?{_BLANK}\b[^\]>)}}\n]{{0,120}}[\]>)}}]{{1,2}}\W{{0,4}}$",
        "[insert answer here]", "(Your guess is as good as mine) said the man.",
    ),
    _phrase(
        "deferral", "let me do it later",
        rf"(?:{_ASSENT}[,.!]?\s+)?(?:let me|i'll|i will|i am going to|i'm going to"
        rf"|(?:please )?allow me to)(?: just| quickly| first| now)? (?:to )?{_LATER}\b",
        "Let me look into that and get back to you.", "Let me explain: it is blue.",
    ),
    _phrase(
        "deferral", "wait a moment",
        r"(?:please )?(?:one moment(?=\W|$)(?! of)|just a (?:moment|second|minute)|"
        r"give me (?:a|one) (?:moment|second|minute)|hold on|please wait|bear with me|stand by|"
        r"working on it)\b",
        "One moment please.", "One moment of joy is enough.",
    ),
    _phrase(
        "guess", "a guess",
        rf"{_UNSURE}[.,;:!\u2026\u2014 -]{{1,4}}{_GUESS}[^.!?\n]{{0,120}}[.!?\u2026]{{0,3}}$",
        "Not sure. Maybe randomly chosen.", "I don't know. The report gives no date.",
    ),
)  # fmt: skip

# Requests whose right answer may hold such words.
MEANT: dict[Kind, re.Pattern[str]] = {
    "placeholder": re.compile(
        r"\b(?:todo|to-do|tbd|n/a|lorem ipsum|placeholders?|dummy|filler|templates?|null|none|"
        r"not applicable|undefined|nan|insert)\b",
        re.IGNORECASE,
    ),
    "deferral": re.compile(
        r"\b(?:reply|respond|response|voicemail|messages?|e-?mails?(?! subject)|script|dialogue|"
        r"dialog|conversation|translate|rewrite|rephrase|promise|song|poem|quote|role-?play)\b",
        re.IGNORECASE,
    ),
    "guess": re.compile(
        r"\b(?:guess|estimate|predict\w*|opinion|think|feel|believe|might|may|could|would|should"
        r"|likely|possibl[ey]|reply|message|dialogue|script|story|poem|translate|rewrite|say)\b",
        re.IGNORECASE,
    ),
}
_ANNOUNCES = re.compile(
    r"(?:here(?:'s| is| are)|below (?:is|are)|following|as follows|sure|certainly|of course)\b",
    re.IGNORECASE,
)
_SALUTATION = re.compile(r"(?:dear|to|hello|hi)\b", re.IGNORECASE)
_EMPTY_SIGNS = frozenset(".\u2026-\u2013\u2014_*~#>|?! \n\t")


def check(case: Case) -> Iterator[Check]:
    """Yield a finding if the answer is nothing, or begins with a placeholder or a promise."""
    text = case.answer.strip()
    if not text:
        yield whole("completeness:placeholder", "wrong", "The answer is empty.")
        return
    start = len(case.answer) - len(case.answer.lstrip())
    end = start + len(text)
    if _EMPTY_SIGNS.issuperset(text):
        why = "The answer holds no word."
        yield at(case, start, end, "completeness:placeholder", "wrong", why)
    count = len(text.split())
    if count > LONGEST or not case.english:
        return
    head = text[:HEAD].replace("\u2019", "'")
    for phrase in PHRASES:
        found = phrase.pattern.match(head)
        if not found or (phrase.kind == "deferral" and _is_kept(head[found.end() :])):
            continue
        place = (case, start, start + found.end(), f"completeness:{phrase.kind}")
        if MEANT[phrase.kind].search(case.question):
            why = "Not checked: the question may ask for these words."
            yield at(*place, "unchecked", why)
        else:
            yield at(*place, "wrong", _WHY[phrase.kind])
        return
    # An announcement with nothing after it: "Sure! Here is the answer:".
    if (
        text.endswith(":")
        and not _SALUTATION.match(head)
        and (count >= 6 or _ANNOUNCES.search(head))
    ):
        why = "The answer announces something and then ends."
        yield at(case, start, end, "completeness:deferral", "wrong", why)


def _is_kept(rest: str) -> bool:
    """Return True if a promise is kept at once: "Let me check: it is 4."."""
    return bool(rest.partition(":")[2].strip())
