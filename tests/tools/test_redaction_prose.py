"""The words of an error stay: it could not be recognised again without them."""

from pathlib import Path

import pytest

from reflection_mcp.tools.redaction import redact

ORDINARY = (Path(__file__).parent / "data/ordinary_errors.txt").read_text("utf-8").splitlines()


@pytest.mark.parametrize("error", ORDINARY)
def test_an_ordinary_error_is_left_as_it_is(error: str) -> None:
    assert redact(error) == error


def test_ordinary_errors_are_left_as_they_are_when_they_stand_together() -> None:
    text = "\n".join(ORDINARY)
    assert redact(text) == text
