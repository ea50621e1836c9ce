"""Draws the picture of the README from what `reflection-mcp demo` really prints.

    uv run --group lint python -m tests.readme_picture

Writes `docs/demo-light.svg` and `docs/demo-dark.svg`: the part of the story in which a lesson comes
back, and a look-alike does not get it. `tests/test_readme_picture.py` holds them against the demo.
"""

import io
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

README = Path(__file__).parent.parent / "README.md"
DOCS = README.parent / "docs"
PICTURES = {name: DOCS / f"demo-{name}.svg" for name in ("light", "dark")}
BEGINS, ENDS = "4. Another day", "6. The lesson worked"
TITLE = "reflection-mcp demo"
COLUMNS = 102
STYLES = (
    (r"“[^”]*”", "yellow"),
    (r"^\d\. .*", "bold"),
    (r"^  → \w+", "bold cyan"),
    (r"(?<=^  │ )(?:New|Seen (?:[\w ]+ )?before \(\w+\))", "bold green"),
    (r"(?<=^  │ )Next:", "bold"),
    (r"(?<=differs in )module: “\w+”", "bold magenta"),
    (r"^  │", "default dim"),
)
"""What is made to stand out; a later row overrides an earlier one."""
_INCIDENTAL = re.compile(
    r"(?P<kind>ref|str|att|look|conv)-[2-9a-z]{10}|\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\dZ)?"
)


def printed(**environment: str) -> str:
    """What the demo prints now."""
    return subprocess.run(
        [sys.executable, "-m", "reflection_mcp.server", "demo"],
        stdout=subprocess.PIPE,
        check=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
        timeout=60,
    ).stdout


def told(story: str) -> list[str]:
    """The lines of that part of what the demo printed."""
    return story[story.index(BEGINS) : story.index(ENDS)].rstrip().splitlines()


def lasting(lines: Sequence[str]) -> str:
    """The text without ids, dates and white space: what no second run changes."""
    joined = "".join("".join(lines).split())
    return _INCIDENTAL.sub(lambda match: match["kind"] or "date", joined)


def drawn(picture: Path) -> list[str]:
    """The lines that a picture shows."""
    rows: dict[float, list[tuple[float, str]]] = {}
    for text in ElementTree.parse(picture).getroot().iter("{http://www.w3.org/2000/svg}text"):
        if "clip-path" in text.attrib:  # the others are the title of the window
            place = float(text.attrib["y"])
            rows.setdefault(place, []).append((float(text.attrib["x"]), text.text or ""))
    lines = ["".join(part for _, part in sorted(parts)) for _, parts in sorted(rows.items())]
    return [line.replace("\xa0", " ") for line in lines]


def draw(lines: Sequence[str]) -> None:
    """Write both pictures."""
    from rich._export_format import CONSOLE_SVG_FORMAT
    from rich.console import Console
    from rich.terminal_theme import DEFAULT_TERMINAL_THEME, SVG_EXPORT_THEME
    from rich.text import Text

    for name, theme in (("light", DEFAULT_TERMINAL_THEME), ("dark", SVG_EXPORT_THEME)):
        console = Console(record=True, width=COLUMNS, file=io.StringIO(), color_system="standard")
        shown = Text("\n".join(lines))
        for pattern, style in STYLES:
            shown.highlight_regex(re.compile(pattern, re.MULTILINE), style)
        console.print(shown, no_wrap=True, highlight=False)
        # A picture must not fetch a font from somewhere.
        form = re.sub(r"@font-face \{\{.*?\}\}\s*", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
        console.save_svg(
            str(PICTURES[name]), title=TITLE, theme=theme, code_format=form, unique_id="demo"
        )


if __name__ == "__main__":
    draw(told(printed()))
