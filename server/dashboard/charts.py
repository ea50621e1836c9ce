"""The shapes of small charts, as the attributes of SVG elements.

Rules of this module: pure; any numbers give a shape, none and huge ones, too. A chart is never the
only place that says its numbers: its label says them in words.
"""

from collections.abc import Sequence
from dataclasses import dataclass

HEIGHT, STEP_OF_BARS = 20, 6  # units; the style sheet makes a bar 5 wide


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A path in a box of `width` and `height` units, and what it says."""

    path: str
    label: str
    width: int
    height: int = HEIGHT


def bars(counts: Sequence[int], label: str) -> Chart:
    """Return a bar for each count, the largest as high as the box; any count above 0 is seen."""
    most = max(counts, default=0)
    drawn: list[str] = []
    for place, count in enumerate(counts):
        if count > 0:
            high = max(1, round(count * HEIGHT / most))
            # A stroke as wide as a bar: a page has 1,500 of them.
            drawn.append(f"M{place * STEP_OF_BARS + STEP_OF_BARS // 2} {HEIGHT}v-{high}")
    said = ", ".join(f"{count:,}" for count in counts)
    return Chart(
        path="".join(drawn), label=f"{label}: {said or 'none'}", width=len(counts) * STEP_OF_BARS
    )


def share(part: float, whole: float) -> int:
    """Return a part in percent of the whole, 0 to 100; 0 of nothing."""
    return round(100 * min(1.0, max(0.0, part / whole))) if whole > 0 else 0
