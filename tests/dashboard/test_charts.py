"""Any numbers make a shape that a browser can draw."""

import re

from hypothesis import given
from hypothesis import strategies as st

from reflection_mcp.server.dashboard.charts import HEIGHT, bars, share
from tests.rows import each_row

COUNTS = st.lists(st.integers(min_value=0, max_value=10**12), max_size=40)


@given(COUNTS)
def test_each_count_above_0_has_a_bar_within_the_box(counts: list[int]) -> None:
    chart = bars(counts, "look-ups")
    heights = [int(high) for high in re.findall(r"v-(\d+)", chart.path)]
    assert len(heights) == sum(count > 0 for count in counts)
    assert all(1 <= high <= HEIGHT for high in heights)
    assert max(heights, default=HEIGHT) == HEIGHT


def test_a_chart_says_its_numbers_in_words() -> None:
    assert bars([0, 1_000], "look-ups").label == "look-ups: 0, 1,000"
    assert bars([], "look-ups").label == "look-ups: none"


@each_row(("part", "of", "percent"), [(0, 0, 0), (1, 0, 0), (1, 3, 33), (9, 3, 100), (-1, 3, 0)])
def test_a_share_is_between_0_and_100(part: int, of: int, percent: int) -> None:
    assert share(part, of) == percent
