"""Findings about names that are not where an answer says they are.

Rule of this module: a name that stands anywhere in the context or the question is known, and one
that its sentence proposes, guesses or denies is no fault.
"""

import re
from collections.abc import Collection

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.artefacts import mentions
from reflection_mcp.tools.judging.artefacts.mentions import Mention
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.finding import at

READ_AGAIN = 2_000
"""Characters that are searched for a name by a unit of work."""
BEHIND = 24
"""Characters behind a name in which a sentence may say that it is not there."""


def is_known(case: Case, name: str) -> bool:
    """Return True if a name stands in the context or the question, or nobody can look any more."""
    work = 1 + (len(case.context) + len(case.question)) // READ_AGAIN
    return not case.budget.grant(1, work) or name in case.context or name in case.question


def can_compare(case: Case, listed: Collection[str], at_once: int = 1) -> bool:
    """Return True if there is work left to hold a name against all that is listed, so many of them
    by a unit of work."""
    return case.budget.grant(1, 1 + len(listed) // at_once) == 1


def is_open(case: Case, mention: Mention, name: str) -> bool:
    """Return True if a name that a listing lacks is asserted, and occurs nowhere else."""
    return not mentions.is_new(case, mention.sentence) and not is_known(case, name)


def fault(case: Case, mention: Mention, name: str, kind: str, where: str) -> Check:
    """Return the finding that something has no such name, at the place where it is said."""
    begin = case.answer.find(name, max(0, mention.start - 1))
    begin = begin if begin >= 0 else mention.start
    why = f"{where} has no “{name}”."
    return at(case, begin, begin + len(name), f"artefact:{kind}", "wrong", why, stated=name)


def around(case: Case, start: int, end: int) -> str:
    """Return what stands in front of a name in its line, and right behind it."""
    behind = re.split(r"[,;(\n]", case.answer[end : end + BEHIND])[0]
    first = max(0, start - mentions.LONGEST_SENTENCE)
    return case.answer[max(first, case.answer.rfind("\n", first, start) + 1) : start] + behind
