"""The figures of a text that are amounts, which somebody else could work out again.

Rule of this module: in doubt a figure is no amount. A part of a date, an id, a version, a path or
code cannot be worked out, only looked up or remembered, and a guess at it proves nothing.
"""

import re

from reflection_mcp.tools.judging.grounding.dates import days
from reflection_mcp.tools.judging.texts.numbers import Figure, figures, spelled

CODE = re.compile(r"[={}`\\\[\]<>|]|\w\(")
"""Signs that a text is code or data, or an equation, which is checked elsewhere."""

# A figure after one of these names something; it is no amount that could be worked out.
_LABEL = re.compile(
    r"\b(?:v|version|release|build|ids?|no|nr|number|code|status|error|exit|https?|port|lines?|"
    r"pages?|row|column|step|item|chapter|section|figure|table|question|room|flight|gate|ticket|"
    r"issue|request|pr|commit|order|invoice|parcel|account|customer|user|case|job|task|phone|zip|"
    r"python|node|java|ubuntu|windows|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|"
    r"july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)[.:]?\s?$",
    re.IGNORECASE,
)
_BEFORE_YEAR = re.compile(
    r"\b(?:in|by|of|since|until|till|from|to|after|before|year|early|late|mid)[\s-]?$",
    re.IGNORECASE,
)
_JOINED = re.compile(r"[-\u2013_]\w")
BEFORE = 12
"""Characters before a figure in which its label stands."""


def holds_numbers(question: str) -> bool:
    """Tell whether a question gives at least two numbers, so that a third can be worked out."""
    if days(question) or CODE.search(question):
        return False
    ends = {one.end for one in amounts(question)} | {end for _, end, _ in spelled(question)}
    return len(ends) > 1  # "2 million" ends once


def amounts(text: str) -> list[Figure]:
    """Return the figures of a text that are amounts: no part of a date, an id or a version."""
    return [figure for figure in figures(text) if _is_amount(text, figure)]


def _is_amount(text: str, figure: Figure) -> bool:
    before = text[max(0, figure.start - BEFORE) : figure.start]
    named = _LABEL.search(before) or (figure.shape == "year" and _BEFORE_YEAR.search(before))
    return figure.shape in ("figure", "year") and not named and not _JOINED.match(text, figure.end)
