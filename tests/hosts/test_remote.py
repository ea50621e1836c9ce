"""`reflection-mcp install HOST --url URL` on real files in a home of its own."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from reflection_mcp.server.hosts.catalog import BY_KEY, HOSTS
from reflection_mcp.server.hosts.configuration import BACKUP
from reflection_mcp.server.hosts.remote import PROJECT_HEADER, remote_at
from reflection_mcp.server.project import identify_project
from reflection_mcp.tools.errors import InvalidInput
from tests.hosts.test_install import EARLIER, command, files, home, own_file
from tests.requirements import requirement
from tests.rows import each_row

__all__ = ["home"]  # the fixture

REMOTE_HOSTS = tuple(host.key for host in HOSTS if host.remote)
URL = "https://memory.example.com/mcp"
every_remote_host = pytest.mark.parametrize("key", REMOTE_HOSTS)


def value_of(file: Path) -> Any:
    read = tomllib.loads if file.suffix == ".toml" else json.loads
    return read(file.read_text("utf-8"))


ENTRIES: list[tuple[str, dict[str, Any]]] = [
    ("claude-code", {"type": "http", "url": URL, "headers": {"Authorization": "Bearer ${T}"}}),
    ("codex", {"url": URL, "bearer_token_env_var": "T"}),
    ("cursor", {"url": URL, "headers": {"Authorization": "Bearer ${env:T}"}}),
    ("gemini", {"httpUrl": URL, "headers": {"Authorization": "Bearer ${T}"}}),
    (
        "opencode",
        {
            "type": "remote",
            "url": URL,
            "enabled": True,
            "headers": {"Authorization": "Bearer {env:T}"},
        },
    ),
    ("qwen", {"httpUrl": URL, "headers": {"Authorization": "Bearer ${T}"}}),
    ("vscode", {"type": "http", "url": URL, "headers": {"Authorization": "Bearer ${env:T}"}}),
    ("windsurf", {"serverUrl": URL, "headers": {"Authorization": "Bearer ${env:T}"}}),
]


def test_every_host_that_takes_a_url_has_a_row() -> None:
    assert {key for key, _ in ENTRIES} == set(REMOTE_HOSTS)


@requirement("hosts:remote")
@pytest.mark.parametrize(("key", "entry"), ENTRIES)
def test_a_host_gets_the_url_and_the_name_of_a_variable(
    key: str, entry: dict[str, Any], home: Path
) -> None:
    assert command(key, "--url", URL, "--token-env", "T") == 0
    host = BY_KEY[key]
    assert value_of(own_file(host, home)) == {host.inside: {"reflection": entry}}
    command(key, "--url", URL, "--uninstall")
    assert files(home) == {}


@every_remote_host
def test_a_file_of_the_user_is_byte_for_byte_what_it_was(key: str, home: Path) -> None:
    host = BY_KEY[key]
    file = own_file(host, home)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(EARLIER[host.format].encode())
    command(key, "--url", URL, "--token-env", "T")
    once = file.read_bytes()
    command(key, "--url", URL, "--token-env", "T")
    assert file.read_bytes() == once
    command(key, "--url", URL, "--uninstall")
    assert files(home) == {file.relative_to(home).as_posix(): EARLIER[host.format].encode()}


@every_remote_host
def test_a_file_of_a_repository_says_which_project_it_is_about(key: str, home: Path) -> None:
    if not BY_KEY[key].project:
        with pytest.raises(InvalidInput, match="no configuration file for a repository"):
            command(key, "--url", URL, "--project")
        return
    command(key, "--url", URL, "--project")
    text = (home / BY_KEY[key].project[0]).read_text("utf-8")
    assert PROJECT_HEADER in text
    assert identify_project(home) in text
    assert "Authorization" not in text


@pytest.mark.parametrize("key", [host.key for host in HOSTS if host.key not in REMOTE_HOSTS])
def test_a_host_that_cannot_be_given_a_url_is_refused_by_name(key: str, home: Path) -> None:
    with pytest.raises(InvalidInput, match="cannot be given a URL") as refusal:
        command(key, "--url", URL, "--token-env", "T")
    assert BY_KEY[key].name in refusal.value.message
    assert files(home) == {}


def test_a_server_that_was_started_here_is_replaced_by_the_one_at_the_url(home: Path) -> None:
    file = home / ".cursor" / "mcp.json"
    file.parent.mkdir()
    own: dict[str, object] = {
        "command": "reflection-mcp",
        "args": [],
        "env": {"A": "b"},
        "disabled": False,
    }
    file.write_text(json.dumps({"mcpServers": {"reflection": own}}))
    command("cursor", "--url", URL)
    assert value_of(file)["mcpServers"]["reflection"] == {"disabled": False, "url": URL}
    assert file.with_name(file.name + BACKUP).exists()


@pytest.mark.parametrize(
    "words",
    [(), ("--uninstall",), ("--url", "https://other.example/mcp")],
    ids=["started here", "taken out", "elsewhere"],
)
def test_a_server_at_another_url_is_left_as_it_is(home: Path, words: tuple[str, ...]) -> None:
    command("cursor", "--url", URL)
    before = files(home)
    with pytest.raises(InvalidInput, match="or names another URL"):
        command("cursor", *words)
    assert files(home) == before


def test_the_user_is_told_where_the_token_comes_from(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("T", raising=False)
    command("cursor", "--url", "https://memory.example.com/", "--token-env", "T")
    told = capsys.readouterr().err
    assert f"It asks: {URL}\n" in told
    assert "The token: in the variable T, which is not set here." in told
    command("cursor", "--url", URL, "--uninstall")
    monkeypatch.setenv("T", "rmt_x")
    command("cursor", "--url", URL, "--token-env", "T")
    told = capsys.readouterr().err
    assert "The token: in the variable T." in told
    assert "rmt_x" not in told + (home / ".cursor" / "mcp.json").read_text("utf-8")
    command("vscode", "--url", URL)
    assert "Without --token-env the host signs in with OAuth." in capsys.readouterr().err


def test_what_would_be_added_can_be_shown(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command("codex", "--url", URL, "--token-env", "T", "--print")
    told = capsys.readouterr().out
    assert told == (f'[mcp_servers.reflection]\nurl = "{URL}"\nbearer_token_env_var = "T"\n')
    assert files(home) == {}


@each_row(
    ("url", "variable", "why"),
    [
        ("memory.example.com", "", "not the URL of a server"),
        ("ftp://memory.example.com", "", "not the URL of a server"),
        ("https://", "", "not the URL of a server"),
        ("https://memory.example.com/${HOME}", "", "not the URL of a server"),
        ("https://[::1/mcp", "", "is not a URL"),
        ("https://memory.example.com:port/mcp", "", "is not a URL"),
        ("https://ann@memory.example.com/mcp", "", "holds a user name"),
        ("http://memory.example.com/mcp", "", "is not https"),
        (URL, "rmt_abc", "the name of a variable"),
        (URL, "A-B", "the name of a variable"),
    ],
)
def test_a_url_that_cannot_be_meant_is_refused(url: str, variable: str, why: str) -> None:
    with pytest.raises(InvalidInput, match=why):
        remote_at(url, variable)


def test_a_server_on_this_machine_needs_no_tls() -> None:
    assert remote_at("http://127.0.0.1:8931").url == "http://127.0.0.1:8931/mcp"
    assert remote_at("http://localhost:8931/x/mcp").url == "http://localhost:8931/x/mcp"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("cursor", "--token-env", "T"), "without --url"),
        (("claude-code", "--url", URL, "--plugin", "p"), "start a server on this machine"),
    ],
)
def test_words_that_do_not_belong_together_are_refused(
    home: Path, words: tuple[str, ...], why: str
) -> None:
    with pytest.raises(InvalidInput, match=why):
        command(*words)
    assert files(home) == {}
