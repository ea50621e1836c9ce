"""The parts of the documents that say how to add the server, made from the table of hosts.

Rule: a document never states a command by itself; a test holds the text between the marks against
what these functions return.
"""

from reflection_mcp.server.hosts import editing
from reflection_mcp.server.hosts.catalog import BY_KEY, HOSTS, NAME, Host
from reflection_mcp.server.hosts.launch import PUBLISHED, Launch
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


def short_block(launch: Launch = PUBLISHED) -> str:
    """For the README: badges, one line a host, and the block that most hosts read."""
    rows = ["| host | one command |", "|---|---|"]
    rows += [f"| {host.name} | `{_install(host, launch)}` |" for host in HOSTS]
    badges = "\n".join(link.badge for link in links(launch))
    plain = _fenced(BY_KEY["cursor"], launch)
    return "\n\n".join((badges, "\n".join(rows), "Any other host:", plain)) + "\n"


def long_block(launch: Launch = PUBLISHED) -> str:
    """For docs/hosts.md: per host its command, its files, and what stands in them."""
    return "\n\n".join(_section(host, launch) for host in HOSTS) + "\n"


def _section(host: Host, launch: Launch) -> str:
    lines = [f"### {host.name}", "", f"`{_install(host, launch)}`"]
    if host.key in OWN_COMMAND:
        lines[-1] += f", or `{OWN_COMMAND[host.key](launch)}`"
    lines[-1] += f". Then: {host.then}."
    lines += ["", f"File of the user: {_places(host)}."]
    if host.variable:
        lines[-1] += f" `{host.variable[0]}` moves it."
    if host.project:
        lines[-1] += f" Of a repository: `{host.project[0]}`."
    return "\n".join([*lines, "", _fenced(host, launch)])


def _fenced(host: Host, launch: Launch) -> str:
    text = editing.snippet(host.format, (host.inside, NAME), host.entry(launch))
    return f"```{host.format}\n{text}```"


def _install(host: Host, launch: Launch) -> str:
    return f"{' '.join(launch.words)} install {host.key}"


def _places(host: Host) -> str:
    systems = {"Linux": host.user.linux, "macOS": host.user.darwin, "Windows": host.user.win32}
    told = {system: _readable(host, files[0]) for system, files in systems.items()}
    if len(set(told.values())) == 1:
        return f"`{told['Linux']}`"
    return ", ".join(f"{system} `{file}`" for system, file in told.items())


def _readable(host: Host, place: str) -> str:
    folders = {"home": "~", "config": "~/.config", "appdata": "%APPDATA%"}
    if host.variable is not None:
        folders["folder"] = host.variable[1].format_map(folders)
    return place.format_map(folders)
