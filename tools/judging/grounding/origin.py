"""Whether an answer gives somebody another nationality than the context does.

Rules of this module: only the plain form counts on both sides, a name with "is" or "was" and the
nationality. A nationality that the source names in any place, or whose country it names, is never
faulted; one may hold two. Only of two that a question compares each is taken for itself.
"""

import re
from collections.abc import Iterator
from itertools import islice

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.finding import at
from reflection_mcp.tools.judging.texts.peoples import KIN, NATIONALITIES
from reflection_mcp.tools.judging.texts.source import Source, fold

KIND = "grounding:name"
CLAIMS = 50
"""Claims of one answer that are looked at."""

_NATIONALITY = "|".join(sorted(NATIONALITIES))
_CAPITALISED = frozenset(map(str.title, NATIONALITIES))
# Who is British may be English as well, and the other way round.
_BRITISH = frozenset(("british", "english", "scottish", "welsh", "irish"))
_CLAIMED = re.compile(
    r"(?P<name>\b[^\W\d_a-z][\w'\u2019-]{1,30}) (?:is|was) (?:an? )?"
    rf"(?P<nationality>{_NATIONALITY.title()})\b(?!-)"
)
_ANY = re.compile(rf"\b(?:{_NATIONALITY})\b", re.IGNORECASE)
_ASKS_NATIONALITY = re.compile(r"\b(?:what|which) nationality\b", re.IGNORECASE)
# "Are A and B both American?", "Do A and B share the same nationality?", "A and B are what?"
_ASKS_OF_BOTH = re.compile(
    r"^(?:(?:are|were|do|did|is) )?(?:both )?(?P<one>[^,?]{2,80}?) and (?P<two>[^,?]{2,80}?)"
    rf"(?: (?:of the same|share|have|are|were|both|from)\b|,? (?=(?:{_NATIONALITY})\b))",
    re.IGNORECASE,
)
_SAME = re.compile(r"\bsame nationalit", re.IGNORECASE)
_SAYS_BOTH = re.compile(r"\W*(?:yes|both)\b", re.IGNORECASE)
QUESTION = 300
"""Characters of a question about two; longer ones tell a story."""


def check(case: Case, source: Source) -> Iterator[Check]:
    """Yield a finding for each person whose nationality the context tells otherwise."""
    context = ""
    claimed = () if _CAPITALISED.isdisjoint(case.words) else _CLAIMED.finditer(case.prose)
    for claim in islice(claimed, CLAIMS):
        context = context or fold(case.context)
        if source.has_word(claim["nationality"].lower()):
            continue
        told = _told(claim["name"], context)
        if told and _differ(told, claim["nationality"].lower()):
            why = f"The context says {told.title()} of {claim['name']}."
            stated, expected = claim["nationality"], told.title()
            place = claim.span("nationality")
            yield at(case, *place, KIND, "wrong", why, stated=stated, expected=expected)
    yield from _asked_for(case, source)
    yield from _of_both(case)


def _told(name: str, context: str) -> str:
    """Return the nationality that a context in small plain letters gives to a name, or ""."""
    told = re.search(
        rf"\b{re.escape(fold(name))}(?:\s?\([^()]{{0,300}}\))?,? (?:is|was|are|were) an? "
        rf"(?:[\w-]{{1,20}} ){{0,2}}(?P<nationality>{_NATIONALITY})\b(?!-)",
        context,
    )
    return told["nationality"] if told else ""


def _differ(one: str, other: str) -> bool:
    return one != other and not {one, other} <= _BRITISH and other not in KIN.get(one, ())


def _asked_for(case: Case, source: Source) -> Iterator[Check]:
    """Check a nationality that was asked for, where the context names another one only."""
    stated = _ANY.search(case.prose) if _ASKS_NATIONALITY.search(case.question) else None
    if stated is None or source.has_word(stated[0].lower()):
        return
    others = sorted(word for word in NATIONALITIES if word in source.words)
    if others and all(_differ(other, stated[0].lower()) for other in others):
        why = f"The context does not say {stated[0]} but {others[0].title()}."
        yield at(case, *stated.span(), KIND, "wrong", why, stated=stated[0])


def _of_both(case: Case) -> Iterator[Check]:
    """Check what an answer says of the two that a question names, where the context dates each."""
    question = case.question[:QUESTION].strip()
    asked = _ASKS_OF_BOTH.search(question) if len(case.question) <= QUESTION else None
    if asked is None or not _SAYS_BOTH.match(case.prose):
        return
    context = fold(case.context)
    told = [_told(asked[name], context) for name in ("one", "two")]
    claimed = _ANY.search(case.prose) or _ANY.search(question)
    start = len(case.answer) - len(case.answer.lstrip())
    end = len(case.answer.rstrip())
    if _SAME.search(question) and all(told) and _differ(*told):
        why = f"The context says {told[0].title()} and {told[1].title()}."
        yield at(case, start, end, KIND, "wrong", why, stated="the same nationality")
    elif claimed:
        other = next((one for one in told if one and _differ(one, claimed[0].lower())), "")
        if other:
            why = f"The context says {other.title()} of one of the two."
            yield at(case, start, end, KIND, "wrong", why, stated=claimed[0])
