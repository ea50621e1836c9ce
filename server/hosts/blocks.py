"""The sections of the documents about adding the server, made from the table of hosts.

Rule: a document never states a command by itself; a test compares the text between the marks with
what these functions return.
"""

import json

from reflection_mcp.server.hosts import entry_edit
from reflection_mcp.server.hosts.catalog import BY_KEY, HOSTS, NAME, Host
from reflection_mcp.server.hosts.launch import CLONED, PUBLISHED, Launch
from reflection_mcp.server.hosts.links import (
    claude_command,
    codex_command,
    links,
    vscode_command,
)

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
    if host.variable:
        user += f"; `{host.variable[0]}` moves it"
    project = f"`{host.project[0]}`" if host.project else "none"
    return f"| {host.name} | `{host.key}` | {user} | {project} |"


def _fenced(host: Host, launch: Launch) -> str:
    text = entry_edit.snippet(host.format, (host.inside, NAME), host.entry(launch))
    return f"```{host.format}\n{text}```"


def _short_json(launch: Launch) -> str:
    """Return the entry that most hosts read, its arguments in one line."""
    entry = json.dumps(BY_KEY["cursor"].entry(launch))
    return f'{{\n  "mcpServers": {{\n    "{NAME}": {entry}\n  }}\n}}'


def _install(key: str, launch: Launch) -> str:
    return f"{' '.join(launch.words)} install {key}"


def _locations(host: Host) -> str:
    systems = {"Linux": host.user.linux, "macOS": host.user.darwin, "Windows": host.user.win32}
    by_file: dict[str, list[str]] = {}
    for system, files in systems.items():
        by_file.setdefault(_readable(host, files[0]), []).append(system)
    if len(by_file) == 1:
        return f"`{next(iter(by_file))}`"
    return "; ".join(f"{' and '.join(names)} `{file}`" for file, names in by_file.items())


def _readable(host: Host, place: str) -> str:
    folders = {"home": "~", "config": "~/.config", "appdata": "%APPDATA%"}
    if host.variable is not None:
        folders["folder"] = host.variable[1].format_map(folders)
    return place.format_map(folders)
