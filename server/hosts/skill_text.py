"""The skill `reflecting-on-failures`: one text, in the plugin and served by the protocol."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

SKILL = "reflecting-on-failures"
SKILL_FILE = Path(__file__).parent / "claude_code" / "skills" / SKILL / "SKILL.md"


@cache
def skill_bytes() -> bytes:
    """SKILL.md byte for byte: its digest is made of these."""
    return SKILL_FILE.read_bytes()


def frontmatter(text: str) -> Mapping[str, str]:
    """The fields before the text: `key: value` lines between two lines of dashes."""
    head = text.split("---\n", 2)[1]
    pairs = (line.partition(": ") for line in head.splitlines())
    return {key: value for key, _, value in pairs}
