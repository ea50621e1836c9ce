"""A secret becomes `[REDACTED:kind]`; everything that identifies an error stays."""

import pytest

from reflection_mcp.tools.redaction import find_secrets, redact, redact_all, redaction_of
from reflection_mcp.tools.redaction_tokens import TOKENS, Token


@pytest.mark.parametrize("token", TOKENS, ids=lambda token: "".join(token.example)[:12])
def test_each_provider_row_finds_its_example_and_leaves_its_counter_example(token: Token) -> None:
    example = "".join(token.example)
    assert redact(f"x={example} y") == f"x=[REDACTED:{token.kind}] y"
    assert redact(token.counter_example) == token.counter_example


def test_a_token_that_a_terminal_wrapped_is_found_whole() -> None:
    token = "".join(("gh", "p_", "0Fa1Ke2Te3St\n    4Va5Lu6Eq7Xz8Yw9VuAbCd"))
    assert redact(f"remote: {token} refused") == "remote: [REDACTED:github-token] refused"


def test_what_was_found_is_told_by_kind_and_count() -> None:
    token = "".join(TOKENS[0].example)
    found = redaction_of(f"{token} and {token}")
    assert found.kinds == ("aws-key", "aws-key")
    assert found.counts == {"aws-key": 2}
    assert [(secret.start, secret.end) for secret in find_secrets(token)] == [(0, len(token))]


def test_a_structure_is_redacted_in_keys_and_values() -> None:
    token = "".join(TOKENS[0].example)
    assert redact_all({token: [token, 1, None, True, 2.5, (token,)]}) == {
        "[REDACTED:aws-key]": ["[REDACTED:aws-key]", 1, None, True, 2.5, ("[REDACTED:aws-key]",)]
    }


def test_a_structure_that_nests_without_end_does_not_exhaust_the_stack() -> None:
    value: object = "x"
    for _ in range(5_000):
        value = [value]
    assert "nesting" in str(redact_all(value))
