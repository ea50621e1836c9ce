"""Every way to write the command down is decoded here, and each gives the same command back."""

import base64
import json
import re
import shlex
import tomllib
from urllib.parse import parse_qs, parse_qsl, urlsplit

import pytest

from reflection_mcp.server.hosts.catalog import HOSTS, Host
from reflection_mcp.server.hosts.launch import CLONED, PUBLISHED, Launch, claude_command
from tests.hosts import documents
from tests.hosts.documents import codex_command, links, vscode_command
from tests.rows import each_row

LAUNCHES = [PUBLISHED, Launch("/opt/a b/ü+&", ("-m", "x=1&y", "#"))]
every_launch = pytest.mark.parametrize("launch", LAUNCHES, ids=["published", "odd"])


def address(host: str, launch: Launch) -> str:
    (found,) = [link.address for link in links(launch) if link.host == host]
    return found


def words(entry: dict[str, object]) -> list[object]:
    args = entry["args"]
    assert isinstance(args, list)
    return [entry["command"], *args]


@every_launch
def test_vs_code_finds_the_command_in_its_link(launch: Launch) -> None:
    query = parse_qs(urlsplit(address("VS Code", launch)).query, strict_parsing=True)
    assert query["name"] == ["reflection"]
    config = json.loads(query["config"][0])
    assert config.pop("type") == "stdio"
    assert words(config) == list(launch.words)


@every_launch
@each_row("host", ["Cursor", "LM Studio"])
def test_hosts_that_read_base64_find_the_command_in_their_link(host: str, launch: Launch) -> None:
    query = parse_qs(urlsplit(address(host, launch)).query, strict_parsing=True)
    assert query["name"] == ["reflection"]
    entry = json.loads(base64.b64decode(query["config"][0], validate=True))
    assert words(entry) == list(launch.words)


@every_launch
def test_goose_finds_the_command_in_its_link(launch: Launch) -> None:
    pairs = parse_qsl(urlsplit(address("goose", launch)).query, strict_parsing=True)
    assert [value for key, value in pairs if key in ("cmd", "arg")] == list(launch.words)
    assert dict(pairs)["id"] == "reflection"


def test_a_badge_is_a_picture_that_leads_to_the_link() -> None:
    link = links()[0]
    assert link.badge == f"[![Add to {link.host}]({link.picture})]({link.address})"


def test_command_lines_of_hosts_end_in_the_command() -> None:
    for line in (claude_command(), codex_command()):
        assert shlex.split(line)[-3:] == ["--", *PUBLISHED.words]
    code, flag, config = shlex.split(vscode_command())
    assert (code, flag) == ("code", "--add-mcp")
    assert words(json.loads(config)) == list(PUBLISHED.words)


def test_the_short_block_names_every_host_and_stays_short() -> None:
    made = documents.short_block()
    assert [host.key for host in HOSTS if f"| `{host.key}` |" not in made] == []
    assert len(made.splitlines()) <= 45
    plain = made[made.index("```json\n") + 8 : made.rindex("```")]
    assert words(json.loads(plain)["mcpServers"]["reflection"]) == list(CLONED.words)


def test_the_long_block_names_every_host_and_its_files() -> None:
    made = documents.long_block()
    assert [host.name for host in HOSTS if f"| {host.name} | `{host.key}` |" not in made] == []
    assert "| `~/.codex/config.toml`; `CODEX_HOME` moves it | `.codex/config.toml` |" in made
    assert "; Windows `%APPDATA%/Claude/claude_desktop_config.json` | none |" in made
    assert "| Linux and macOS `~/.config/zed/settings.json`; Windows" in made


@each_row("host", HOSTS, ids=[host.key for host in HOSTS])
def test_the_long_block_has_a_text_with_the_command_for_every_host(host: Host) -> None:
    texts = re.findall(r"^([^\n|]+):\n\n```(\w+)\n(.*?)```$", documents.long_block(), re.M | re.S)
    ((form, text),) = [
        (form, text) for names, form, text in texts if host.name in names.split(", ")
    ]
    assert form == host.format
    if host.format == "yaml":
        assert "    cmd: uvx\n    args:\n    - reflection-mcp\n" in text
        return
    read = tomllib.loads if host.format == "toml" else json.loads
    entry = read(text)[host.inside]["reflection"]
    command = entry["command"]
    assert (command if isinstance(command, list) else words(entry)) == list(PUBLISHED.words)
