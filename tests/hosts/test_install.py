"""`reflection-mcp install HOST` on real files in a home of its own."""

import argparse
import io
import json
import os
import re
import shlex
import stat
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from reflection_mcp.server.hosts import (
    HOST_KEYS,
    add_install_command,
    configuration,
    entry_edit,
    hook_entries,
    json_edit,
)
from reflection_mcp.server.hosts.catalog import (
    BY_KEY,
    HOSTS,
    Host,
    entry_of,
    hooks_file,
    project_file,
    user_file,
)
from reflection_mcp.server.hosts.configuration import BACKUP
from reflection_mcp.server.hosts.hook_rows import hook_rows
from reflection_mcp.server.hosts.launch import Launch, this_launch
from reflection_mcp.tools.errors import InvalidInput

every_host = pytest.mark.parametrize("host", HOSTS, ids=lambda host: host.key)

EARLIER = {
    "json": '{\n  // mine\n  "a": 1\n}',
    "toml": 'model = "x"',
    "yaml": "MODEL: x",
}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home, which is also the folder we are in."""
    for name in ("XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.setenv("APPDATA", str(tmp_path / "AppData" / "Roaming"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def command(*words: str) -> int:
    """The sub-command, as the command line runs it."""
    parser = argparse.ArgumentParser()
    add_install_command(parser.add_subparsers().add_parser, lambda: None)
    arguments = parser.parse_args(["install", *words])
    return int(arguments.run(arguments))


def own_file(host: Host, home: Path) -> Path:
    return user_file(host, sys.platform, os.environ, home)


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


# --------------------------------------------------------------------------- the table of hosts


def test_the_help_text_knows_the_hosts_of_the_table() -> None:
    assert tuple(host.key for host in HOSTS) == HOST_KEYS


@every_host
@pytest.mark.parametrize("platform", ["linux", "darwin", "win32", "freebsd14"])
def test_every_host_has_a_place_on_every_system(host: Host, platform: str, tmp_path: Path) -> None:
    found = user_file(host, platform, {"APPDATA": str(tmp_path / "roaming")}, tmp_path)
    assert found.is_relative_to(tmp_path)
    assert "{" not in str(found)


PLACES = [
    ("claude-desktop", "darwin", "Library/Application Support/Claude/claude_desktop_config.json"),
    ("claude-desktop", "win32", "AppData/Roaming/Claude/claude_desktop_config.json"),
    ("claude-desktop", "linux", ".config/Claude/claude_desktop_config.json"),
    ("claude-code", "linux", ".claude.json"),
    ("vscode", "darwin", "Library/Application Support/Code/User/mcp.json"),
    ("codex", "win32", ".codex/config.toml"),
    ("zed", "win32", "AppData/Roaming/Zed/settings.json"),
    ("goose", "win32", "AppData/Roaming/Block/goose/config/config.yaml"),
    ("opencode", "linux", ".config/opencode/opencode.json"),
    ("copilot", "linux", ".copilot/mcp-config.json"),
    ("qwen", "win32", ".qwen/settings.json"),
    ("cline", "darwin", ".cline/data/settings/cline_mcp_settings.json"),
    ("continue", "linux", ".continue/mcpServers/reflection.json"),
]


@pytest.mark.parametrize(("key", "platform", "place"), PLACES)
def test_a_place_is_where_the_vendor_says(
    key: str, platform: str, place: str, tmp_path: Path
) -> None:
    assert user_file(BY_KEY[key], platform, {}, tmp_path) == tmp_path / place


def test_variables_that_move_a_configuration_are_followed(tmp_path: Path) -> None:
    environment = {
        "CODEX_HOME": str(tmp_path / "c"),
        "CLAUDE_CONFIG_DIR": str(tmp_path / "d"),
        "COPILOT_HOME": str(tmp_path / "p"),
        "XDG_CONFIG_HOME": str(tmp_path / "x"),
    }

    def place(key: str) -> str:
        found = user_file(BY_KEY[key], "linux", environment, tmp_path)
        return found.relative_to(tmp_path).as_posix()

    assert place("codex") == "c/config.toml"
    assert place("claude-code") == "d/.claude.json"
    assert place("copilot") == "p/mcp-config.json"
    assert place("zed") == "x/zed/settings.json"


def test_of_two_candidates_the_one_that_exists_is_taken(tmp_path: Path) -> None:
    (tmp_path / "opencode.jsonc").touch()
    assert project_file(BY_KEY["opencode"], tmp_path) == tmp_path / "opencode.jsonc"
    assert project_file(BY_KEY["windsurf"], tmp_path) is None


# --------------------------------------------------------------------------- in and out


@every_host
def test_a_host_without_a_file_gets_one_and_loses_it_again(host: Host, home: Path) -> None:
    assert command(host.key) == 0
    file = own_file(host, home)
    text = file.read_text("utf-8")
    assert all(json.dumps(word)[1:-1] in text for word in this_launch().words)
    if os.name == "posix":
        assert stat.S_IMODE(file.stat().st_mode) & 0o077 == 0
    assert command(host.key, "--uninstall") == 0
    assert files(home) == {}


@every_host
def test_a_file_of_the_user_is_byte_for_byte_what_it_was(host: Host, home: Path) -> None:
    file = own_file(host, home)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(EARLIER[host.format].encode())
    command(host.key)
    once = file.read_bytes()
    command(host.key)
    assert file.read_bytes() == once
    assert file.with_name(file.name + BACKUP).read_text("utf-8") == EARLIER[host.format]
    command(host.key, "--uninstall")
    assert files(home) == {file.relative_to(home).as_posix(): EARLIER[host.format].encode()}


@every_host
def test_printing_changes_nothing(
    host: Host, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(host.key, "--print") == 0
    told = capsys.readouterr()
    assert files(home) == {}
    assert host.inside in told.out
    assert str(own_file(host, home)) in told.err


@every_host
def test_a_repository_is_given_a_command_that_works_on_every_machine(
    host: Host, home: Path
) -> None:
    file = project_file(host, home)
    if file is None:
        with pytest.raises(InvalidInput, match="has no configuration file for a repository"):
            command(host.key, "--project")
        return
    command(host.key, "--project")
    assert set(files(home)) == {file.relative_to(home).as_posix()}
    assert '"uvx"' in file.read_text("utf-8")
    assert str(home) not in file.read_text("utf-8")


def test_what_was_written_is_what_the_host_reads(home: Path) -> None:
    for key in ("vscode", "opencode", "codex"):
        command(key)
    words = list(this_launch().words)
    vscode = json.loads(own_file(BY_KEY["vscode"], home).read_text("utf-8"))
    assert vscode == {
        "servers": {"reflection": {"type": "stdio", "command": words[0], "args": words[1:]}}
    }
    opencode = json.loads(own_file(BY_KEY["opencode"], home).read_text("utf-8"))
    assert opencode["mcp"]["reflection"]["command"] == words
    codex = tomllib.loads(own_file(BY_KEY["codex"], home).read_text("utf-8"))
    assert codex["mcp_servers"]["reflection"] == {"command": words[0], "args": words[1:]}


def test_what_is_done_and_what_is_left_to_do_is_said(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / ".cursor").mkdir()
    (home / ".cursor" / "mcp.json").write_text("{}")
    command("cursor")
    told = capsys.readouterr()
    assert told.out == ""
    assert f"Added reflection to {home / '.cursor' / 'mcp.json'}." in told.err
    assert f"Backup: {home / '.cursor' / 'mcp.json'}{BACKUP}" in told.err
    assert "Next: switch the server on" in told.err
    command("cursor")
    assert "already has reflection; nothing was changed" in capsys.readouterr().err
    command("cursor", "--uninstall")
    command("cursor", "--uninstall")
    assert "has no reflection; nothing was changed" in capsys.readouterr().err


def test_changes_of_the_user_since_then_survive_taking_it_out(home: Path) -> None:
    file = home / ".cursor" / "mcp.json"
    file.parent.mkdir()
    file.write_text('{"mcpServers": {}}')
    command("cursor")
    servers = json.loads(file.read_text())
    servers["mcpServers"]["other"] = {"command": "x"}
    file.write_text(json.dumps(servers))
    command("cursor", "--uninstall")
    assert json.loads(file.read_text()) == {"mcpServers": {"other": {"command": "x"}}}


OTHERS = {
    "json": '{"INSIDE": {"reflection": {"type": "remote", "url": "x"}}}',
    "toml": '[INSIDE.reflection]\nurl = "x"\n',
    "yaml": "INSIDE:\n  reflection:\n    type: sse\n    uri: x\n",
}


@every_host
@pytest.mark.parametrize("words", [(), ("--uninstall",)])
def test_another_server_of_the_same_name_is_left_as_it_is(
    host: Host, home: Path, words: tuple[str, ...]
) -> None:
    file = own_file(host, home)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(OTHERS[host.format].replace("INSIDE", host.inside))
    before = files(home)
    with pytest.raises(InvalidInput, match=r"was left as it is: its entry .*reflection starts"):
        command(host.key, *words)
    assert files(home) == before


def test_an_entry_of_ours_that_the_user_wrote_stays_in_the_copy(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = home / ".cursor" / "mcp.json"
    file.parent.mkdir()
    entry = '{"command": "reflection-mcp", "env": {"REFLECTION_PROJECT": "shop"}}'
    own = f'{{"mcpServers": {{"reflection": {entry}}}}} // mine\n'
    file.write_text(own)
    command("cursor")
    assert "REFLECTION_PROJECT" in file.read_text()
    command("cursor", "--uninstall")
    copy = file.with_name(file.name + BACKUP)
    assert copy.read_text() == own
    left = file.read_text()
    assert json_edit.value_of(left) == {"mcpServers": {}}
    assert left.endswith("} // mine\n")
    assert f"Backup: {copy}" in capsys.readouterr().err


@pytest.mark.parametrize("earlier", ["no json", '{"mcpServers": {"reflection": {"command": "x"}}}'])
def test_a_copy_that_is_not_what_we_changed_is_not_put_back(home: Path, earlier: str) -> None:
    command("cursor")
    file = home / ".cursor" / "mcp.json"
    file.with_name(file.name + BACKUP).write_text(earlier)
    command("cursor", "--uninstall")
    assert not file.exists()


# --------------------------------------------------------------------------- hooks

WITH_HOOKS = [host for host in HOSTS if host.hooks]
with_hooks = pytest.mark.parametrize("host", WITH_HOOKS, ids=lambda host: host.key)


def hooks_of(host: Host, home: Path) -> Any:
    file = hooks_file(host, os.environ, home)
    assert file is not None
    return json_edit.value_of(file.read_text("utf-8-sig")).get("hooks")


def one_hook(entry: Any) -> Any:
    """The hook of an entry, which some hosts list below a matcher."""
    return entry["hooks"][0] if "hooks" in entry else entry


@with_hooks
def test_a_host_gets_a_hook_for_each_event_that_it_can_answer(
    host: Host, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command(host.key)
    assert re.search("^Added (reflection and )?the hooks to ", capsys.readouterr().err, re.M)
    hooks = hooks_of(host, home)
    if host.key == "codex":
        assert hooks.keys() == {"PreToolUse", "UserPromptSubmit"}
        assert all(one_hook(entries[0])["server"] == "reflection" for entries in hooks.values())
        return
    assert hooks.keys() == hook_rows()[host.key].events.keys()
    for event, (entry,) in hooks.items():
        line = shlex.split(one_hook(entry)["command"])
        assert line == [*this_launch().words, "hook", host.key, event]


@with_hooks
def test_hooks_of_others_stay_and_ours_follow_the_program(
    host: Host, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = hooks_file(host, os.environ, home)
    assert file is not None
    file.parent.mkdir(parents=True, exist_ok=True)
    other = {"matcher": "x", "hooks": [{"type": "command", "command": "echo hi"}]}
    event = "PreToolUse" if host.key == "codex" else [*hook_rows()[host.key].events][-1]
    own = json.dumps({"hooks": {event: [other], "Else": ["odd"]}}, indent=2).replace(
        "[", "[ // mine\r\n", 1
    )
    file.write_bytes(f"\ufeff{own}".encode())
    command(host.key)
    once = file.read_bytes()
    command(host.key)
    assert file.read_bytes() == once
    moved = Launch("/opt/elsewhere/reflection-mcp")
    monkeypatch.setattr("reflection_mcp.server.hosts.command.this_launch", lambda: moved)
    command(host.key)
    hooks = hooks_of(host, home)
    ours, kept = hooks[event]
    assert (kept, hooks["Else"]) == (other, ["odd"])
    assert host.key == "codex" or "/opt/elsewhere" in one_hook(ours)["command"]
    assert "// mine" in file.read_text("utf-8")
    command(host.key, "--uninstall")
    assert hooks_of(host, home) == {event: [other], "Else": ["odd"]}


@with_hooks
def test_a_hook_of_others_below_our_matcher_stays(host: Host, home: Path) -> None:
    command(host.key)
    event, (entry, *_) = next(iter(hooks_of(host, home).items()))
    if "hooks" not in entry:
        return
    file = hooks_file(host, os.environ, home)
    assert file is not None
    others = [{"type": "command", "command": f"echo {n}"} for n in (1, 2)]
    text = json_edit.value_of(file.read_text("utf-8"))
    text["hooks"][event] = [{**entry, "hooks": [others[0], *entry["hooks"], others[1]]}, "odd"]
    file.write_text(json.dumps(text))
    command(host.key)
    command(host.key)
    kept = [{**entry, "hooks": others}, "odd"]
    assert hooks_of(host, home)[event] == [entry, *kept]
    command(host.key, "--uninstall")
    assert hooks_of(host, home)[event] == kept


@with_hooks
def test_hooks_are_left_out_on_request_in_repositories_and_for_a_server_elsewhere(
    host: Host, home: Path
) -> None:
    command(host.key, "--no-hooks")
    assert "hook" not in "".join(text.decode() for text in files(home).values())
    command(host.key, "--uninstall")
    if host.remote is not None:
        command(host.key, "--url", "https://memory.example.com/mcp")
        assert "hook" not in "".join(text.decode() for text in files(home).values())


@with_hooks
def test_printing_shows_the_hooks_too(
    host: Host, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command(host.key, "--print")
    told = capsys.readouterr()
    assert '"hooks"' in told.out
    assert str(hooks_file(host, os.environ, home)) in told.err
    assert files(home) == {}


@pytest.mark.parametrize(
    "content", ["{ broken", "[]", '{"hooks": []}', '{"hooks": {"postToolUse": {}}}']
)
def test_hooks_that_cannot_be_read_are_left_alone_and_the_server_is_added(
    content: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / ".cursor").mkdir()
    (home / ".cursor" / "hooks.json").write_text(content)
    assert command("cursor") == 0
    told = capsys.readouterr().err
    assert told.startswith(
        f"The hooks were not changed: {home / '.cursor' / 'hooks.json'} was left as it is"
    )
    assert f"Added reflection to {home / '.cursor' / 'mcp.json'}." in told
    assert (home / ".cursor" / "hooks.json").read_text() == content


def test_hooks_that_are_written_twice_are_not_changed() -> None:
    twice = '{"hooks": {"AfterTool": ["x"], "AfterTool": []}}'
    entries = hook_entries.hook_entries("gemini", Launch("reflection-mcp"))
    with pytest.raises(InvalidInput, match="too unusual"):
        hook_entries.with_hooks(twice, "gemini", entries)


# --------------------------------------------------------------------------- files in odd states


def test_a_link_to_a_file_elsewhere_stays_a_link(home: Path) -> None:
    (home / "dotfiles").mkdir()
    real = home / "dotfiles" / "mcp.json"
    real.write_text("{}")
    real.chmod(0o640)
    (home / ".cursor").mkdir()
    link = home / ".cursor" / "mcp.json"
    try:
        link.symlink_to(real)
    except OSError:
        return  # Windows lets only some users make links
    command("cursor")
    assert link.is_symlink()
    assert "reflection" in real.read_text()
    if os.name == "posix":
        assert stat.S_IMODE(real.stat().st_mode) == 0o640


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"\xff\xfe{\x00}\x00", "is not UTF-8"),
        (b"{ broken", "was left as it is: line 1 cannot be parsed"),
    ],
)
@pytest.mark.parametrize("words", [(), ("--uninstall",)])
def test_a_file_that_cannot_be_read_is_left_alone_and_named(
    home: Path, content: bytes, why: str, words: tuple[str, ...]
) -> None:
    file = home / ".cursor" / "mcp.json"
    file.parent.mkdir()
    file.write_bytes(content)
    with pytest.raises(InvalidInput) as refused:
        command("cursor", *words)
    assert why in refused.value.message
    assert str(file) in refused.value.message
    assert files(home) == {".cursor/mcp.json": content}


@pytest.mark.parametrize("words", [(), ("--uninstall",)])
def test_a_file_that_is_read_only_is_left_alone(home: Path, words: tuple[str, ...]) -> None:
    file = home / ".cursor" / "mcp.json"
    file.parent.mkdir()
    file.write_text('{"mcpServers": {"reflection": {"command": "reflection-mcp"}}}')
    file.chmod(0o444)
    before = files(home)
    with pytest.raises(InvalidInput, match="cannot be written") as refused:
        command("cursor", *words)
    assert refused.value.hint == "it is read-only; make it writable first"
    assert files(home) == before
    file.chmod(0o644)


@pytest.mark.parametrize("words", [(), ("--uninstall",)])
def test_what_is_no_file_is_not_replaced_by_one(home: Path, words: tuple[str, ...]) -> None:
    device = home / ".cursor" / "mcp.json"
    device.parent.mkdir()
    try:
        os.mkfifo(device)
    except (AttributeError, OSError):
        return  # Windows has no such files
    with pytest.raises(InvalidInput, match="cannot be read") as refused:
        command("cursor", *words)
    assert refused.value.hint == "it is not a regular file"
    assert stat.S_ISFIFO(device.stat().st_mode)


def test_a_link_to_a_file_that_is_not_there_yet_is_followed(home: Path) -> None:
    (home / ".cursor").mkdir()
    link = home / ".cursor" / "mcp.json"
    try:
        link.symlink_to(home / "dotfiles" / "mcp.json")
    except OSError:
        return  # Windows lets only some users make links
    command("cursor")
    assert link.is_symlink()
    assert "reflection" in (home / "dotfiles" / "mcp.json").read_text()


@every_host
def test_a_path_of_windows_with_spaces_and_signs_comes_through(host: Host, tmp_path: Path) -> None:
    launch = Launch("C:\\Program Files\\Größe & Co\\reflection-mcp.exe", ("--x", "a b"))
    file = tmp_path / "a folder" / "settings"
    additions = [configuration.server_of(host, launch)]
    configuration.install(file, additions)
    path = (host.inside, "reflection")
    found = entry_edit.server_in(host.format, file.read_text("utf-8"), path)
    assert found == entry_of(host, launch)
    configuration.uninstall(file, additions)
    assert not file.exists()


def test_a_folder_in_the_place_of_the_file_is_told(home: Path) -> None:
    (home / ".cursor" / "mcp.json").mkdir(parents=True)
    with pytest.raises(InvalidInput, match="cannot be read"):
        command("cursor")


def test_a_file_in_the_place_of_the_folder_is_told(home: Path) -> None:
    (home / ".cursor").write_text("not a folder")
    with pytest.raises(InvalidInput, match="cannot be"):
        command("cursor")


def test_a_disk_that_is_full_leaves_the_file_and_no_rest(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = home / ".cursor" / "mcp.json"
    file.parent.mkdir()
    file.write_text("{}")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(InvalidInput, match="cannot be written") as refused:
        command("cursor")
    assert refused.value.hint == "No space left on device"
    assert file.read_text() == "{}"
    assert {path.name for path in file.parent.iterdir()} == {"mcp.json", f"mcp.json{BACKUP}"}


def test_a_user_without_a_home_is_told_so(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", nowhere)
    with pytest.raises(InvalidInput, match="home folder is not known"):
        command("cursor")
    assert files(home) == {}


# --------------------------------------------------------------------------- without a name


@pytest.fixture
def two_hosts(home: Path) -> Path:
    """A home with the folder of one assistant and the file of another."""
    (home / ".cursor").mkdir()
    (home / ".claude.json").write_text("{}")
    return home


def answering(monkeypatch: pytest.MonkeyPatch, answer: str) -> None:
    """A person at a terminal who types this."""
    for name, stream in (("stdin", io.StringIO(f"{answer}\n")), ("stderr", io.StringIO())):
        monkeypatch.setattr(stream, "isatty", lambda: True)
        monkeypatch.setattr(sys, name, stream)


@pytest.mark.usefixtures("two_hosts")
def test_without_a_name_the_hosts_that_are_found_are_named_in_a_script() -> None:
    with pytest.raises(InvalidInput) as refused:
        command()
    assert refused.value.message == "found: Claude Code (claude-code), Cursor (cursor)"
    assert refused.value.hint == "pass one of these names, or --all"


def test_where_no_host_is_found_all_names_are_told(home: Path) -> None:
    with pytest.raises(InvalidInput) as refused:
        command("--all")
    assert all(key in refused.value.hint for key in HOST_KEYS)
    assert files(home) == {}


def test_a_person_is_asked_which_host_is_meant(
    two_hosts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answering(monkeypatch, "cursor")
    assert command() == 0
    assert (two_hosts / ".cursor" / "mcp.json").exists()
    assert (two_hosts / ".claude.json").read_text() == "{}"


def test_all_is_an_answer_too(two_hosts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answering(monkeypatch, "all")
    assert command() == 0
    assert (two_hosts / ".cursor" / "mcp.json").exists()
    assert "reflection" in (two_hosts / ".claude.json").read_text()


def test_no_name_is_a_no(two_hosts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = files(two_hosts)
    answering(monkeypatch, "")
    with pytest.raises(InvalidInput, match="nothing was changed"):
        command()
    assert files(two_hosts) == before


def test_all_goes_on_behind_a_file_that_cannot_be_changed(
    two_hosts: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (two_hosts / ".claude.json").write_text("no json")
    assert command("--all") == 1
    assert "claude-code: " in capsys.readouterr().err
    assert (two_hosts / ".cursor" / "mcp.json").exists()
    assert command("--all", "--uninstall") == 1
    assert not (two_hosts / ".cursor" / "mcp.json").exists()


def test_one_name_or_all_and_not_both() -> None:
    with pytest.raises(InvalidInput, match="a HOST and --all"):
        command("cursor", "--all")
