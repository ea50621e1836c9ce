"""The phrases by which a plain statement is known from advice, a plan, a comparison or a sum."""

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from reflection_mcp.tools.data_files import data_text

TERM = r"[`\"']?((?:--?(?=\w))?[\w%](?:[\w.%=-]{0,39}[\w%])?)(?![\w%])[`\"']?"
"""Something that is changed into something else."""
BEHIND = 24
"""Characters behind a value in which its part of a sentence may say that it is no plain claim."""

Finding = tuple[int, int, str, str]
"""Start and end in the sentence, what is stated, and what the context says."""


class Phrases(NamedTuple):
    """The expressions of `plain.toml`."""

    hedge: re.Pattern[str]
    link: re.Pattern[str]
    stated: re.Pattern[str]
    changes: Sequence[re.Pattern[str]]
    undone: re.Pattern[str]


@cache
def phrases() -> Phrases:
    """Return the compiled expressions, read when first needed."""
    table = tomllib.loads(data_text("reflection_mcp.tools.judging.grounding", "plain.toml"))
    hedges = {name: text.replace("\n", "") for name, text in table["hedges"].items()}
    anywhere = hedges.pop("cjk")
    link = "|".join(table["links"].values())
    verbs = "|".join(one for one in link.split("|") if one not in ("to", "of", "at", "a", "has"))
    return Phrases(
        re.compile(
            rf"\b(?:{'|'.join(hedges.values())})\b|[?~\u2248]|n['\u2019]t\b|{anywhere}", re.I
        ),
        re.compile(rf"`?(?: (?:value|setting|option))? ?(?:{link}|=|:|\u306f) ?`?$"),
        re.compile(
            rf"`?\b([A-Za-z][\w.-]{{1,40}}(?: [a-z]{{2,20}}){{0,2}})`? ?(?:{verbs}|\u306f) ?"
            r"(?:`?(\d{1,9}(?:\.\d{1,6})?)(?: ?([A-Za-z%]{1,8}))?\b(?!\w|[.,:-]\d)"
            r"|`\"?([\w.-]{2,40})\"?`)"
        ),
        tuple(
            re.compile(rf"(?<![^\W\d_]){one.replace('X', TERM).replace('Y', TERM)}(?![\w-])", re.I)
            for one in (*table["changes"].values(), "(?:replace|rename|change) X (?:with|by|to) Y")
        ),
        re.compile(rf"\b(?:{table['turns']['undone']})\b", re.IGNORECASE),
    )


_PART = re.compile(r"[,;(]| (?:and|but) ")
WORKED_OUT = re.compile(r"[=\u00d7*+/\u2212] ?[`$\u20ac]?$")


def is_plain(text: str, start: int, end: int) -> bool:
    """Return True if a part of a sentence states something."""
    behind = _PART.split(text[end : end + BEHIND])[0]
    return not phrases().hedge.search(text[:end] + behind)
