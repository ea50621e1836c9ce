"""Further hosts and agent libraries: a turn through all five tools.

    uv run pytest -n0 tests/hosts/optin/check_clients.py

Installs each of them from npm or PyPI (4.5 GB) below REFLECTION_OUTSIDE. No key, no network after
that.
"""

from pathlib import Path

import pytest

from tests.hosts.optin.clients import HERE, SESSION, library, saw_all


@pytest.mark.parametrize("name", HERE)
def test_a_turn_goes_through_all_five_tools(name: str, tmp_path: Path) -> None:
    assert saw_all(HERE[name][1](tmp_path))


@pytest.mark.parametrize("name", SESSION)
def test_so_does_one_that_starts_a_process_for_each_call(name: str, tmp_path: Path) -> None:
    assert saw_all(library(name, tmp_path, session=False))
