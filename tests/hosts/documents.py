"""The sections of the documents about adding the server, made from the table of hosts: with the
texts for each, and the links that add it with one click.

Rule: a document never states a command by itself; a test compares the text between the marks with
what these functions return. A link is another way to write the same command.
"""

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from reflection_mcp.server.hosts.catalog import BY_KEY, HOSTS, SYSTEMS, Host, entry_of
from reflection_mcp.server.hosts.configuration import server_of
from reflection_mcp.server.hosts.launch import CLONED, NAME, PUBLISHED, Launch, claude_command

TITLE = "Reflection"


@dataclass(frozen=True, slots=True)
class InstallLink:
    """A host with a link to click, and a picture for it."""

    host: str
    address: str
    picture: str

    @property
    def badge(self) -> str:
        """The picture as a link, in Markdown."""
        return f"[![Add to {self.host}]({self.picture})]({self.address})"


def links(launch: Launch = PUBLISHED) -> tuple[InstallLink, ...]:
    """One link for every host that takes one."""
    return (
        InstallLink("VS Code", _vscode(launch), _shield("VS Code", "0098FF")),
        InstallLink(
            "Cursor", _coded("https://cursor.com/install-mcp", launch), _shield("Cursor", "222")
        ),
        InstallLink(
            "LM Studio",
            _coded("https://lmstudio.ai/install-mcp", launch),
            _shield("LM Studio", "5B4BD5"),
        ),
        InstallLink("goose", _goose(launch), _shield("goose", "444")),
    )


def codex_command(launch: Launch = PUBLISHED) -> str:
    """The command that adds the server to Codex."""
    return f"codex mcp add {NAME} -- {' '.join(launch.words)}"


def vscode_command(launch: Launch = PUBLISHED) -> str:
    """The command that adds the server to VS Code, for a shell that knows single quotes."""
    entry = {"name": NAME, **entry_of(BY_KEY["vscode"], launch)}
    return f"code --add-mcp '{json.dumps(entry)}'"


def _vscode(launch: Launch) -> str:
    config = _compact(entry_of(BY_KEY["vscode"], launch))
    return f"https://insiders.vscode.dev/redirect/mcp/install?name={NAME}&config={quote(config)}"


def _coded(page: str, launch: Launch) -> str:
    config = base64.b64encode(_compact(entry_of(BY_KEY["cursor"], launch)).encode()).decode()
    return f"{page}?{urlencode({'name': NAME, 'config': config})}"


def _goose(launch: Launch) -> str:
    words = [("arg", word) for word in launch.args]
    named = [("id", NAME), ("name", TITLE), ("description", "Reflection memory")]
    query = urlencode([("cmd", launch.command), *words, *named], quote_via=quote)
    return f"https://block.github.io/goose/extension?{query}"


def _shield(host: str, colour: str) -> str:
    return f"https://img.shields.io/badge/Add_to-{quote(host.replace(' ', '_'))}-{colour}"


def _compact(entry: Mapping[str, Any]) -> str:
    return json.dumps(entry, separators=(",", ":"))


OWN_COMMAND = {
    "claude-code": claude_command,
    "codex": codex_command,
    "vscode": vscode_command,
}
"""Hosts that add a server by a command of their own."""


def short_block() -> str:
    """For the README: one line a host, the block that most hosts read, and the badges."""
    rows = ["| assistant | HOST | afterwards |", "|---|---|---|"]
    rows += [f"| {host.name} | `{host.key}` | {host.then} |" for host in HOSTS]
    parts = (
        "Run this in your clone, with a HOST from the table. Without a HOST, it lists the "
        "assistants on this machine and asks which one you mean.",
        "```bash\nuv run --no-dev reflection-mcp install HOST\n```",
        "\n".join(rows),
        "Any other host:",
        f"```json\n{_short_json(CLONED)}\n```",
        f"Once the package is published, `{_install('HOST', PUBLISHED)}` does the same without "
        "a clone, and these buttons work:",
        "\n".join(link.badge for link in links(PUBLISHED)),
    )
    return "\n\n".join(parts) + "\n"


def long_block(launch: Launch = PUBLISHED) -> str:
    """Return the block for docs/hosts.md: the files of every host, and the text for each."""
    rows = ["| assistant | HOST | user's file | repository's file |", "|---|---|---|---|"]
    rows += [_files(host) for host in HOSTS]
    texts: dict[str, list[str]] = {}
    for host in HOSTS:
        texts.setdefault(_fenced(host, launch), []).append(host.name)
    parts = [f"{', '.join(names)}:\n\n{fenced}" for fenced, names in texts.items()]
    own = [f"| {BY_KEY[key].name} | `{make(launch)}` |" for key, make in OWN_COMMAND.items()]
    own = ["These hosts also have a command of their own:", "", "| | |", "|---|---|", *own]
    return "\n\n".join(["\n".join(rows), *parts, "\n".join(own)]) + "\n"


def _files(host: Host) -> str:
    user = _locations(host)
    if host.moved_by:
        user += f"; `{host.moved_by}` moves it"
    project = f"`{host.project[0]}`" if host.project else "none"
    return f"| {host.name} | `{host.key}` | {user} | {project} |"


def _fenced(host: Host, launch: Launch) -> str:
    text = server_of(host, launch).added("")
    return f"```{host.format}\n{text}```"


def _short_json(launch: Launch) -> str:
    """Return the entry that most hosts read, its arguments in one line."""
    entry = json.dumps(entry_of(BY_KEY["cursor"], launch))
    return f'{{\n  "mcpServers": {{\n    "{NAME}": {entry}\n  }}\n}}'


def _install(key: str, launch: Launch) -> str:
    return f"{' '.join(launch.words)} install {key}"


def _locations(host: Host) -> str:
    by_file: dict[str, list[str]] = {}
    for system, name in zip(SYSTEMS, ("Linux", "macOS", "Windows"), strict=True):
        by_file.setdefault(_readable(host, host.places(system)[0]), []).append(name)
    if len(by_file) == 1:
        return f"`{next(iter(by_file))}`"
    return "; ".join(f"{' and '.join(names)} `{file}`" for file, names in by_file.items())


def _readable(host: Host, place: str) -> str:
    folders = {"home": "~", "config": "~/.config", "roaming": "%APPDATA%"}
    folders["folder"] = host.folder.format_map(folders)
    return place.format_map(folders)
