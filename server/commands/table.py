"""Rows of text under headings, as wide as the terminal.

Rule: plain text. Every column but the last is as wide as its widest cell; the last takes what is
left and is cut there. Nothing is cut when the output is not a terminal, so that it can be searched.
"""

import shutil
import sys
from collections.abc import Sequence

GAP = "  "
LEAST = 20  # characters that the last column keeps, however narrow the terminal


def table(headings: Sequence[str], rows: Sequence[Sequence[str]], width: int | None = None) -> str:
    """The table as lines; `width` None does not cut."""
    cells = [[" ".join(cell.split()) for cell in row] for row in (headings, *rows)]
    widths = [max(len(row[at]) for row in cells) for at in range(len(headings) - 1)]
    used = sum(widths) + len(GAP) * len(widths)
    last = max(LEAST, width - used) if width else None
    return "\n".join(_line(row, widths, last) for row in cells)


def _line(row: Sequence[str], widths: Sequence[int], last: int | None) -> str:
    *others, end = row
    if last is not None and len(end) > last:
        closing = "”" if end.endswith("”") else ""
        end = f"{end[: last - 1 - len(closing)]}…{closing}"
    return GAP.join([*(cell.ljust(w) for cell, w in zip(others, widths, strict=True)), end])


def terminal_width() -> int | None:
    """Characters in a line of the terminal, or None when stdout is not one."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None
