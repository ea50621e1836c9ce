"""What records promise: they are values, and whoever checks types refuses to change one."""

from dataclasses import replace

import pytest

from reflection_mcp.store.columns import strings_from
from reflection_mcp.store.records import Key


def test_records_of_equal_fields_are_equal_and_have_one_hash() -> None:
    key = Key(kind="strict", digest="0" * 16)
    assert {key: "stored"}[replace(key)] == "stored"
    assert replace(key, kind="line") != key


def test_a_change_is_refused_by_whoever_checks_types_and_by_nobody_at_run_time() -> None:
    key = Key(kind="strict", digest="0" * 16)
    key.kind = "line"  # type: ignore[misc]  # mypy would tell of a comment that ignores nothing
    assert key == Key(kind="line", digest="0" * 16)


@pytest.mark.parametrize("stored", ['{"a": 1}', '["a", 2]', "7"])
def test_what_is_no_list_of_texts_is_damage(stored: str) -> None:
    with pytest.raises(TypeError, match="no list of texts"):
        strings_from(stored)
