"""The clauses of a question that may hold a demand: no quotations, no input, no conditions."""

import re
from collections.abc import Iterator

QUESTION_LIMIT = 8_000
"""Characters of a question that are searched for demands; a longer one is mostly input."""
CLAUSE_LIMIT = 600
"""Characters of one clause; keeps the patterns, which look ahead inside a clause, linear."""
_INPUT = re.compile(
    r"(?:^[ \t]{0,8}|(?<=[.!?:] ))(?:input|text|passage|article|context|sentences?|paragraph|data"
    r"|code|document|email|story|source|excerpt|transcript|output|original)\s{0,4}:",
    re.IGNORECASE | re.MULTILINE,
)
_FENCED = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
QUOTED = re.compile(r"\"[^\"\n]{1,400}\"|(?<!\w)'[^'\n]{1,200}'(?!\w)")
_STRAIGHT = str.maketrans("\u201c\u201d\u2018\u2019", "\"\"''")
_CLAUSE_END = re.compile(r"(?<=[.!?;])\s+|\n+")
_CONDITION = re.compile(
    r"^\s*(?:if|unless|when|suppose|imagine|assume|otherwise|where)\b", re.IGNORECASE
)


def clauses(question: str) -> Iterator[str]:
    """Yield the clauses of a question that may hold a demand."""
    text = _FENCED.sub(" ", question[:QUESTION_LIMIT].translate(_STRAIGHT))
    given = _INPUT.search(text)
    for clause in _CLAUSE_END.split(text[: given.start()] if given else text):
        if clause.strip() and not _CONDITION.match(clause):
            yield clause[:CLAUSE_LIMIT]
