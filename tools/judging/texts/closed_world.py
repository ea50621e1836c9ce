"""Recognition of questions that allow nothing but their context.

Rule of this module: only the question says so ("according to the text", "summarise"), or the caller
does. A question that also asks for advice, reasons or something new asks for more than the context
has.
"""

import re
import tomllib
from functools import cache
from typing import NamedTuple

from reflection_mcp.tools.data_files import data_text

QUESTION = 4_000
"""Characters of a question at its head, and at its end, that are read."""


class Row(NamedTuple):
    """One way of asking; `pattern` is looked for in small letters."""

    name: str
    pattern: re.Pattern[str]
    examples: tuple[str, ...]
    counter_examples: tuple[str, ...]


@cache
def rows(table: str) -> tuple[Row, ...]:
    """Return the rows of `row` (asks for a closed world) or `open` (asks for more)."""
    text = data_text("reflection_mcp.tools.judging.texts", "closed_world.toml")
    data = tomllib.loads(text)
    return tuple(
        Row(
            row["name"],
            re.compile(row["pattern"].replace("{text}", data["nouns"])),
            tuple(row["examples"]),
            tuple(row["counter_examples"]),
        )
        for row in data[table]
    )


def asked_for(question: str) -> bool:
    """Return True if a question asks for an answer from its context alone.

    >>> asked_for("According to the article, who won?"), asked_for("Why did the build fail?")
    (True, False)
    """
    asked = (
        question if len(question) <= 2 * QUESTION else question[:QUESTION] + question[-QUESTION:]
    )
    asked = asked.lower()
    if not any(row.pattern.search(asked) for row in rows("row")):
        return False
    strict = any(row.pattern.search(asked) for row in rows("row")[:STRICT])
    return strict or not any(row.pattern.search(asked) for row in rows("open"))


STRICT = 2
"""The first rows leave no room for anything else, whatever more is asked."""
