"""What an answer says of a setting that its context gives another value."""

import pytest

from reflection_mcp.tools.judging import check_answer
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.grounding.contradiction import check

CONFIG = """\
# behaves by default as if this were your configuration
line-length = 88  # as in Black
proxy_read_timeout 60s;
"max_entries": 10000,
retries: 3
port: 80
port: 443
"""


def faults(answer: str, context: str = CONFIG) -> list[str]:
    return [one.stated for one in check(Case("What is it?", answer, context))]


@pytest.mark.parametrize(
    ("answer", "stated"),
    [
        ("Ruff's default line length is 79, as in PEP 8.", "79"),
        ("`proxy_read_timeout` is 30s, so long exports are cut off.", "30"),
        ("The cache is small. `max_entries` is 1000 there.", "1000"),
        ("At the moment `retries` is set to 5.", "5"),
    ],
)
def test_another_value_of_a_setting_is_a_contradiction(answer: str, stated: str) -> None:
    assert faults(answer) == [stated]


@pytest.mark.parametrize(
    "answer",
    [
        "`proxy_read_timeout` is 60s.",
        "`proxy_read_timeout` is 1 minute.",
        "`proxy_read_timeout` should be enough if `proxy_read_timeout` is 300s.",
        "Set it so that `retries` is 5.",
        "`port` is 8080.",
        "The `timeout` is 30.",
        "Before the change `retries` was 5.",
        "`max_entries` is 10000.",
        "`retries` is 3.5.1 in the lock file.",
    ],
)
def test_what_agrees_or_is_no_plain_statement_is_none(answer: str) -> None:
    assert faults(answer) == []


def test_a_default_is_compared_only_with_a_context_that_speaks_of_defaults() -> None:
    assert faults("The default `retries` is 10.", "retries: 3") == []
    assert faults("`retries` is 10.", "retries: 3") == ["10"]
    assert faults("`retries` is 10.", "nothing of that kind") == []


def test_it_is_a_fault_in_an_open_world_and_told_once() -> None:
    found = check_answer("What is it?", "`retries` is 50 and nothing else.", CONFIG)
    assert [(one.kind, one.status) for one in found if one.kind.startswith("grounding")] == [
        ("grounding:contradiction", "wrong")
    ]
    closed = check_answer("What is it?", "The retries is 50.", CONFIG, closed_world=True)
    assert [one.kind for one in closed if one.status == "wrong"] == ["grounding:contradiction"]
