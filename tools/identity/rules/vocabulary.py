"""Words and phrases by which lines are judged, read from `vocabulary.words` when first needed.

Rule of this module: a section is a set of words or a tuple of phrases, one on a line; lines that
begin with `#` are comments.
"""

from functools import cache
from pathlib import Path

_FILE = Path(__file__).with_name("vocabulary.words")


@cache
def _sections() -> dict[str, str]:
    """The text of each section by its name."""
    lines = _FILE.read_text("utf-8").splitlines()
    text = "\n" + "\n".join(line for line in lines if not line.startswith("# "))
    blocks = (block.partition("\n") for block in text.split("\n== ")[1:])
    return {name: body for name, _, body in blocks}


@cache
def words(section: str) -> frozenset[str]:
    """The words of a section."""
    return frozenset(_sections()[section].split())


@cache
def phrases(section: str) -> tuple[str, ...]:
    """The phrases of a section, one on a line; a space at the end of a phrase is written `_`."""
    lines = _sections()[section].splitlines()
    return tuple(line.removesuffix("_") if line.endswith(" _") else line for line in lines if line)


@cache
def heads(section: str) -> dict[str, tuple[str, ...]]:
    """The phrases of a section by their first two characters."""
    found: dict[str, tuple[str, ...]] = {}
    for phrase in phrases(section):
        found[phrase[:2]] = (*found.get(phrase[:2], ()), phrase)
    return found
