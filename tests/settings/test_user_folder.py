"""The folders of a user: those of platformdirs, whoever is asked."""

import os
import sys

import platformdirs
import pytest

from reflection_mcp.server.settings.user_folder import user_folder

KINDS = ("cache", "config", "data")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "environment",
    [
        {"HOME": "/home/ann"},
        {"HOME": "/home/ann/"},
        {"HOME": "/home/ann", "XDG": "/var/ann"},
        {"HOME": "/home/ann", "XDG": "relative"},
        {"HOME": "/home/ann", "XDG": ""},
        {"HOME": "relative"},
        {"HOME": ""},
        {"XDG": "/var/ann"},
        {},
    ],
)
@pytest.mark.parametrize("platform", [sys.platform, "elsewhere"])
def test_the_folder_is_the_one_of_platformdirs(
    kind: str, environment: dict[str, str], platform: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    variables = {"HOME": "HOME", "XDG": f"XDG_{kind.upper()}_HOME"}
    for short, name in variables.items():
        monkeypatch.delenv(name, raising=False)
        if short in environment:
            monkeypatch.setenv(name, environment[short])
    expected = getattr(platformdirs, f"user_{kind}_path")("reflection-mcp", appauthor=False)
    monkeypatch.setattr(sys, "platform", platform)
    assert os.path.normpath(user_folder(kind)) == os.fspath(expected)
