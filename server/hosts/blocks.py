"""The sections of the documents about adding the server, made from the table of hosts.

Rule: a document never states a command by itself; a test compares the text between the marks with
what these functions return.
"""

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
        "In your clone, with a HOST of this table; without one, it lists the assistants that "
        "it finds on this machine and asks:",
        "```bash\nuv run --no-dev reflection-mcp install HOST\n```",
        "\n".join(rows),
        "Any other host:",
        _fenced(BY_KEY["cursor"], CLONED),
        f"Once the package is published, `{_install('HOST', PUBLISHED)}` does the same without "
        "a clone, and these buttons work:",
        "\n".join(link.badge for link in links(PUBLISHED)),
    )
    return "\n\n".join(parts) + "\n"


def long_block(launch: Launch = PUBLISHED) -> str:
    """Return the block for docs/hosts.md: per host its command, its files, and their content."""
    return "\n\n".join(_section(host, launch) for host in HOSTS) + "\n"


def _section(host: Host, launch: Launch) -> str:
    lines = [f"### {host.name}", "", f"`{_install(host.key, launch)}`"]
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
    text = entry_edit.snippet(host.format, (host.inside, NAME), host.entry(launch))
    return f"```{host.format}\n{text}```"


def _install(key: str, launch: Launch) -> str:
    return f"{' '.join(launch.words)} install {key}"


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
