"""Whether an answer gives somebody another nationality than the context does.

Rules of this module: only the plain form counts on both sides, a name with "is" or "was" and the
nationality. A nationality that the source names in any place, or whose country it names, is never
faulted; one may hold two.
"""

import re
from collections.abc import Iterator

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.finding import at
from reflection_mcp.tools.judging.peoples import NATIONALITIES
from reflection_mcp.tools.judging.source import Source, fold

KIND = "grounding:name"
CLAIMS = 50
"""Claims of one answer that are looked at."""

_NATIONALITY = "|".join(sorted(NATIONALITIES))
# Who is British may be English as well, and the other way round.
_BRITISH = frozenset(("british", "english", "scottish", "welsh", "irish"))
_CLAIMED = re.compile(
    r"(?P<name>\b[^\W\d_a-z][\w'\u2019-]{1,30}) (?:is|was) (?:an? )?"
    rf"(?P<nationality>{_NATIONALITY.title()})\b(?!-)"
)


def check(case: Case, source: Source) -> Iterator[Check]:
    """Yield a finding for each person whose nationality the context tells otherwise."""
    context = ""
    for _, claim in zip(range(CLAIMS), _CLAIMED.finditer(case.prose), strict=False):
        context = context or fold(case.context)
        if source.has_word(claim["nationality"].lower()):
            continue
        told = re.search(
            rf"\b{re.escape(fold(claim['name']))}(?:\s?\([^()]{{0,300}}\))?,? (?:is|was) an? "
            rf"(?:[\w-]{{1,20}} ){{0,2}}(?P<nationality>{_NATIONALITY})\b",
            context,
        )
        both = {told["nationality"], claim["nationality"].lower()} if told else _BRITISH
        if told and not both <= _BRITISH:
            why = f"The context says {told['nationality'].title()} of {claim['name']}."
            stated, expected = claim["nationality"], told["nationality"].title()
            place = claim.span("nationality")
            yield at(case, *place, KIND, "wrong", why, stated=stated, expected=expected)
