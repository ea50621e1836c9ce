"""Values, sizes and directions of an answer with which its context disagrees."""

import pytest

from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.grounding.disagreement import check, values

LOG = """\
10:02:48 WARN  pool exhausted, waited 3400 ms
10:03:02 INFO  pool resized to 20 connections

Workers Planned: 2
Heap limit reached at 1438.2 MB
"""
LIMITS = """\
// 100 by default
MaxHeaders int
// how often in all; retries 3 times
Client.fetch
note VARCHAR(500),
backup: builds are stopped after 20 minutes
/dev/sda1  98G  91G  2.1G  98% /
38G  /var/log
"""
CHANGES = """\
-  ttl: 300
+  ttl: 900
instance "t3.small" -> "t3.large"
The timeout rises from 5 to 10 seconds.
- targets: deprecated, its place is taken by includes
"""


def faults(answer: str, context: str) -> list[str]:
    return [one.stated for one in check(Case(answer=answer, context=context))]


@pytest.mark.parametrize(
    ("answer", "context", "stated"),
    [
        ("The pool had 40 connections.", LOG, "40"),
        ("It ran with 4 workers.", LOG, "4"),
        ("The pool was exhausted and waited 9000 ms.", LOG, "9000"),
        ("The heap has 1538.2 MB and stays around it.", LOG, "1538.2"),
        ("\u4e0a\u9650\u306f1348.2 MB", LOG, "1348.2"),
        ("`MaxHeaders` is 1000 by default, and it may grow.", LIMITS, "1000"),
        ("`Client.fetch` retries 5 times.", LIMITS, "5"),
        ("`note` is a VARCHAR(255).", "note VARCHAR(500),\nkey TEXT", "255"),
        ("The `note` column holds VARCHAR(255).", LIMITS, "255"),
        ("Builds are stopped after 60 minutes.", LIMITS, "60"),
        ("`/` is 89 % full.", LIMITS, "89"),
        ("`/var/log` holds 83 GB.", LIMITS, "83"),
        ("It lowers ttl from 900 to 300.", CHANGES, "from 900 to 300"),
        ("The timeout falls from 10 to 5 seconds.", CHANGES, "from 10 to 5"),
        ("Replace `includes` with `targets`.", CHANGES, "Replace `includes` with `targets`"),
        ("It goes from t3.large to t3.small.", CHANGES, "from t3.large to t3.small"),
    ],
)
def test_another_value_or_the_other_direction_is_found(
    answer: str, context: str, stated: str
) -> None:
    assert faults(answer, context) == [stated]


@pytest.mark.parametrize(
    ("answer", "context"),
    [
        ("The pool was resized to 20 connections after 3.4 s.", LOG),
        ("The pool was exhausted and waited 3.4 s.", LOG),
        ("Use a pool of 40 connections.", LOG),
        ("The pool had 12 connections.", LOG),  # some of those that are counted
        ("The heap limit is 1.4 GB.", LOG),
        ("The heap has 1438.20 MB.", LOG),
        ("The heap has 99999 objects.", LOG),
        ("It took 5000 s.", LOG),
        ("`MaxHeaders` is 100.", LIMITS),
        ("`MaxHeaders` is 1000 if you set it.", LIMITS),
        ("`MaxBody` is 1000.", LIMITS),
        ("`MaxHeaders` of the (new) server were 1000.", LIMITS),
        ("It goes from 5 to 10 seconds.", CHANGES),
        ("It goes from 6 to 12 seconds.", CHANGES),
        ("It has 3 things.", "a: 1 thing\nb: 2 things\nc: 4 things\nd: 5 things"),
        ("It went from 1 to 2.", "from 1 to 2, then from 2 to 1"),
    ],
)
def test_what_agrees_or_is_no_plain_statement_is_none(answer: str, context: str) -> None:
    assert faults(answer, context) == []


def test_of_a_long_number_only_one_near_one_can_be_meant() -> None:
    assert faults("It has 52345 rows.", "12345 and 92345") == []
    assert faults("It has 52345 rows.", "12345 lines\nother") == ["52345"]


@pytest.mark.parametrize("text", ["2024-05-06", "10.0.0.1", "v1.2.3", "10:02:48", "a1"])
def test_dates_versions_and_addresses_hold_no_values(text: str) -> None:
    assert values(text) == []
