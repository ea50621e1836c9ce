"""What an answer says of two together, or of one of them, where the context tells of each.

Rules of this module: "yes" for both is wrong where the context tells the place, or the stuff, of
one of them only; "no" is wrong where it tells every word that was asked for of each. The one that
an answer chooses is wrong where all that tells the two apart is told of the other. Comparisons, and
what two have in common, take more than words and are left alone.
"""

import re
from collections.abc import Iterator

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.finding import at
from reflection_mcp.tools.judging.grounding.pairs import Pair, Side, pair
from reflection_mcp.tools.judging.texts.peoples import DEMONYMS, STATES
from reflection_mcp.tools.judging.texts.source import Source, fold
from reflection_mcp.tools.judging.texts.wording import STOP

KIND = "grounding:claim"
CHOICE = 30
"""Words of an answer that chooses one of two; a longer one says more of them."""

_ASKS_OF_BOTH = re.compile(r"\W*(?:are|were|is|was|do|does|did|have|has|had)\b", re.IGNORECASE)
_ASKS_WHICH = re.compile(r"\b(?:which|who|what|is|was)\b", re.IGNORECASE)
_YES = re.compile(r"\W*(?:yes|both)\b", re.IGNORECASE)
_NO = re.compile(r"\W*no\b", re.IGNORECASE)
_SAME_STATE = re.compile(r"\bsame (?:u\.?s\.? )?state\b", re.IGNORECASE)
_STUFF = re.compile(r"\b(?:based on|made (?:of|from|with|out of)|about) ([a-z]{4,20})\W*$")
# Words of a question that ask for more than what stands in the text of each.
_OF_COMPARING = frozenset(
    """same different similar common share shared sharing related each other more less fewer most
    least older younger oldest youngest newer earlier later first last longer shorter larger bigger
    smaller higher lower taller closer farther further better worse born alive still ever never not
    only current currently today now long many much between located""".split()
)
_GENERAL = frozenset(
    """both which what who whom types type kind kinds name named called part form forms considered
    following known""".split()
)
_DENIES = re.compile(r"\b(?:not|no longer|never|former|formerly|\w+n['\u2019]t)\b")
_TURNS = re.compile(
    r"\b(?:not|unlike|rather|neither|both|than|but|while)\b|n['\u2019]t\b", re.IGNORECASE
)


def check(case: Case) -> Iterator[Check]:
    """Yield a finding if the context tells otherwise of the two that the question names."""
    why = ""
    if _ASKS_OF_BOTH.match(case.question) and " and " in case.question:
        why = _of_both(case)
    elif _ASKS_WHICH.search(case.question) and " or " in case.question:
        why = _of_one(case)
    if why:
        stated = case.answer.strip()
        start = case.answer.index(stated)
        yield at(case, start, start + len(stated), KIND, "wrong", why, stated=stated)


def _of_both(case: Case) -> str:
    yes, no = _YES.match(case.prose), _NO.match(case.prose)
    two = pair(case, "and") if yes or no else None
    if two is None:
        return ""
    sides = two.one, two.two
    if _SAME_STATE.search(case.question):
        states = [_states(side.told) for side in sides]
        apart = all(states) and states[0].isdisjoint(states[1])
        return "The context tells of different states." if yes and apart else ""
    asked = list(map(fold, two.rest))
    if not _OF_COMPARING.isdisjoint(asked):
        return ""
    if yes:
        return next(
            (
                f"The context does not say so of {side.name!r}."
                for side, other in (sides, sides[::-1])
                if _only_of(other, side, two, case.question)
            ),
            "",
        )
    content = [word for word in asked if len(word) > 3 and word not in STOP | _GENERAL]
    told = content and all(side.told.has_word(word) for side in sides for word in content)
    denied = any(_DENIES.search(side.told.text) for side in sides)
    return "The context says so of each of the two." if told and not denied else ""


def _only_of(one: Side, other: Side, two: Pair, question: str) -> bool:
    """Tell whether the context tells what was asked for of one side only."""
    places = [fold(word) for word in two.rest[1:] if word[0].isupper()]
    places = [word for word in places if word not in STOP | DEMONYMS and len(word) > 2]
    if places and all(map(one.told.has_word, places)):
        return not any(_knows(other.told, word) for word in places)
    stuff = _STUFF.search(question.rstrip("?. "))
    if stuff is None:
        return False
    return one.told.has_word(stuff[1]) and not other.told.has_word(stuff[1])


def _knows(told: Source, word: str) -> bool:
    return told.has_word(word) or told.has_like(word) or told.may_imply(word)


def _states(told: Source) -> frozenset[str]:
    return frozenset(
        state.names[0]
        for state in STATES
        if any(f" {name} " in told.joined for name in (*state.names, *state.places))
    )


def _of_one(case: Case) -> str:
    """Return why the one of two that an answer chooses is the other one, or ""."""
    answer = Source(case.prose).joined
    if len(answer.split()) > CHOICE or _TURNS.search(case.prose):
        return ""
    two = pair(case, "or")
    if two is None or not _OF_COMPARING.isdisjoint(map(fold, two.rest)):
        return ""
    chosen = [side for side in (two.one, two.two) if f" {side.name} " in answer]
    if len(chosen) != 1 or not _only_chooses(answer, chosen[0], case.question):
        return ""
    other = two.two if chosen[0] is two.one else two.one
    asked = {word for word in map(fold, two.rest) if len(word) > 3} - STOP - _GENERAL
    only_other = {word for word in asked if other.told.has_word(word)}
    only_chosen = {word for word in asked if chosen[0].told.has_word(word)}
    if len(only_other - only_chosen) < APART or only_chosen - only_other:
        return ""
    told = ", ".join(sorted(only_other - only_chosen))
    return f"The context tells of {other.name!r} what was asked for: {told}."


def _only_chooses(answer: str, chosen: Side, question: str) -> bool:
    """Tell whether an answer says nothing beside the name that the question did not say."""
    asked = Source(question)
    others = answer.replace(f" {chosen.name} ", " ").split()
    return all(word in STOP or asked.has_word(word) for word in others)


APART = 2
"""Words that tell two apart."""
