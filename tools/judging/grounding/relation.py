"""An answer that names the one to whom another was asked for: the uncle of Ann Lee is not Ann Lee.

Rules of this module: only a question for a relation that nobody has to himself is looked at, and
only an answer that names its other side in full and says nothing that the question did not say.
"""

import re
from collections.abc import Iterator

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.finding import at
from reflection_mcp.tools.judging.texts.names import names
from reflection_mcp.tools.judging.texts.source import fold
from reflection_mcp.tools.judging.texts.wording import content

KIND = "grounding:name"
LENGTH = 400
"""Characters of a question and of an answer that are looked at; longer ones tell a story."""

_NAME = r"[^\W\d_a-z][\w'\u2019.-]{0,30}(?: [^\W\d_a-z][\w'\u2019.-]{0,30}){1,5}"
_ASKED = re.compile(
    r"\b(?:[Ww]ho|[Ww]hom|[Ww]hich|[Ww]hat)\b.{0,200}?\b(?:uncle|aunt|nephew|niece|friend|wife|husband|rival|"
    rf"mentor|successor|predecessor|teacher|pupil|student|widow|neighbou?r) of (?P<whose>{_NAME})"
)
_OFFERS = re.compile(r"\b(?:or|either|between)\b")


def check(case: Case) -> Iterator[Check]:
    """Yield a finding if the answer is the one whose relation was asked for."""
    question, answer = case.question, case.answer
    asked = _ASKED.search(question) if max(len(question), len(answer)) <= LENGTH else None
    if asked is None or _OFFERS.search(question):
        return
    if not set(content(fold(answer))) <= set(content(fold(question))):
        return
    whose = fold(asked["whose"]).rstrip(".").split()
    for name in names(answer, 0, alone=True):
        if list(name.words) == whose:
            why = f"It was asked for another one than {asked['whose']}."
            yield at(case, name.start, name.end, KIND, "wrong", why, stated=name.written)
            return
