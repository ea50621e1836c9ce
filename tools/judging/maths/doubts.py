"""Reasons not to believe one's own finding that a statement is false.

Rules of this module: a row of `DOUBTS` is one way in which a false-looking statement is right, or
is not meant as a claim at all; any of them turns "wrong" into "unchecked". Where a family of such
statements is rare, all of it is left alone rather than worked out.
"""

import re

from reflection_mcp.tools.judging.maths.readings import READINGS
from reflection_mcp.tools.judging.maths.surroundings import SURROUNDINGS
from reflection_mcp.tools.judging.maths.suspect import Suspect

DOUBTS = (*READINGS, *SURROUNDINGS)


def doubt(suspect: Suspect) -> str:
    """Return the name of the first reason that applies, or nothing."""
    # Not a row: its example would need a question beside the answer.
    said = re.escape("".join(suspect.said.split()))
    question = "".join(suspect.question.split())
    if re.search(rf"(?<![\d.,]){said}(?![.,]?\d)", question):
        return "repeated from the question"
    return next((row.name for row in DOUBTS if row.applies(suspect)), "")
