"""The intent of a query: trouble, an ordinary task, or making something new.

Rule: lessons are about trouble. Words of trouble lower the score that a lesson needs to be shown; a
wish to have something explained, written or designed raises it; every other query is in between.
Measured: of 225 questions that a lesson answers, two in three contain words of trouble; of 75
harmless ones that none answers, one in twenty-five (`tests/bench/paraphrase.py`). The rows are in
`intent.rules`, in their order: who asks for something new and has trouble has trouble.
"""

import re
from dataclasses import dataclass
from typing import Literal

Intent = Literal["trouble", "task", "making"]


@dataclass(frozen=True, slots=True)
class IntentCue:
    """A way to tell an intent; `example` shows it, `counter_example` does not."""

    name: str
    intent: Intent
    pattern: str
    example: str
    counter_example: str


SIGNS: tuple[IntentCue, ...] = (
    IntentCue(
        "asks for an explanation",
        "making",
        r"^(?:please )?(?:explain|describe|compare|summari[sz]e"
        r"|what(?:'s| is| are| does)(?! (?:wrong|missing|failing))"
        r"|how (?:does|do|many|much|tall|old|far)|the difference|difference between)\b",
        "explain how a hash map works",
        "speed up the query",
    ),
    IntentCue(
        "an error by name or number",
        "trouble",
        r"\b[a-z]\w{0,60}(?:error|exception|warning)\b|\b(?:error|exit code|status) \S{0,3}\d"
        r"|\b[45]\d\d\b",
        "KeyError while importing",
        "list the five largest files",
    ),
    IntentCue(
        "something fails",
        "trouble",
        r"\b(?:errors?|exceptions?|warnings?|fail\w{0,4}|crash\w{0,3}|broken|breaks?|broke"
        r"|invalid|unexpected|unsupported|malformed|corrupt\w{0,3}|illegal|garbage|mistakes?"
        r"|bugs?|wrong\w{0,2}|incorrect\w{0,2}|overflow\w{0,3}|undefined|nan|null|oom\w{0,6})\b",
        "the import fails",
        "write a birthday card",
    ),
    IntentCue(
        "something does not happen",
        "trouble",
        r"n't\b|\b(?:not|cannot|no|never|nothing|without|unable|ignor\w{1,4}|skip\w{0,4}|missing"
        r"|miss(?:es|ed)|empty|only|los[et]\w?|lost|vanish\w{0,3}|disappear\w{0,3}|forg[eo]t\w{0,3}"
        r"|drops?|dropped|truncated|stops?|stopped)\b",
        "the value is not saved",
        "sort a list by name",
    ),
    IntentCue(
        "somebody is refused",
        "trouble",
        r"\b(?:denied|refused?s?|reject\w{0,4}|forbidden|unauthori[sz]ed|block(?:s|ed)|locked"
        r"|expired?s?|conflict\w{0,3}|contradict\w{0,3}|unprotected|untrusted|complain\w{0,3})\b",
        "access denied for the upload",
        "choose a lock for the bike",
    ),
    IntentCue(
        "too much, too long, twice",
        "trouble",
        r"\b(?:too|exceed\w{0,3}|slow\w{0,2}|hangs?|hung|stuck|forever|infinite|endless|timeouts?"
        r"|timed? out|times out|deadlock\w{0,3}|freez\w{1,4}|leak\w{0,4}|twice|again"
        r"|duplicat\w{1,4}|killed|dies|full|stale|disconnect\w{0,3}|flaky)\b",
        "the page is too slow",
        "plan a long weekend",
    ),
    IntentCue(
        "against what was expected",
        "trouble",
        r"\b(?:but|although|though|despite|in spite|still|even though|instead of|strange)\b",
        "it is in the path but the shell finds another one",
        "add a footer",
    ),
    IntentCue(
        "asks for something new",
        "making",
        r"^(?:please )?(?:write|draft|create|design|draw|suggest|plan|build|implement|generate"
        r"|introduce|translate|name ideas|make an?|add an?|set up|how to|best way"
        r"|learn|recommend|convert)\b",
        "write a haiku about autumn",
        "rename a database column in a migration",
    ),
)
"""The table, in its order: who asks for something new and tells of trouble has trouble."""

_COMPILED: tuple[tuple[Intent, re.Pattern[str]], ...] = tuple(
    (sign.intent, re.compile(sign.pattern, re.IGNORECASE)) for sign in SIGNS
)


def intent_of(query: str) -> Intent:
    """Return the intent of a query; `task` when no row matches."""
    looked_at = " ".join(query[:1000].split())
    for intent, sign in _COMPILED:
        if sign.search(looked_at):
            return intent
    return "task"
