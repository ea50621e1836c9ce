"""The hosts this server can be added to: where each keeps its servers, and what it wants to read.

Rule: a host is a row. Places are what the vendors document for Linux, macOS and Windows; `{…}` is
filled in from the environment of the user, and where a program follows a variable of its own, the
variable is named in the row.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from reflection_mcp.server.hosts.launch import Launch

NAME = "reflection"
"""The name of the server in a host; tools show up as `mcp__reflection__reflect` and the like."""

Format = Literal["json", "toml", "yaml"]
Entry = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """The same file on three systems; several candidates, of which the first that exists counts."""

    linux: tuple[str, ...]
    darwin: tuple[str, ...]
    win32: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """One program that can start MCP servers."""

    key: str
    name: str
    format: Format
    inside: str
    """The key of the document below which the servers are."""
    entry: Callable[[Launch], Entry]
    user: Places
    project: tuple[str, ...] = ()
    """Files of a repository, empty when the host has none."""
    variable: tuple[str, str] | None = None
    """A variable that moves the folder of the configuration, and the folder it replaces."""
    depth: int = 0
    """The number of folders above that of the file the host itself makes its first one."""
    then: str
    """The user's next step after the file was changed."""


def _plain(launch: Launch) -> Entry:
    return {"command": launch.command, "args": list(launch.args)}


def _typed(launch: Launch) -> Entry:
    return {"type": "stdio", **_plain(launch)}


def _copilot(launch: Launch) -> Entry:
    return {"type": "local", **_plain(launch), "tools": ["*"]}


def _opencode(launch: Launch) -> Entry:
    return {"type": "local", "command": list(launch.words), "enabled": True}


def _goose(launch: Launch) -> Entry:
    return {
        "enabled": True,
        "type": "stdio",
        "name": NAME,
        "description": "Reflection memory",
        "cmd": launch.command,
        "args": list(launch.args),
        "timeout": 300,
    }


def _everywhere(*places: str) -> Places:
    return Places(linux=places, darwin=places, win32=places)


def _application(place: str) -> Places:
    """Return the folder in which desktop programs store their settings, by system."""
    return Places(
        linux=(f"{{config}}/{place}",),
        darwin=(f"{{home}}/Library/Application Support/{place}",),
        win32=(f"{{appdata}}/{place}",),
    )


HOSTS = (
    Host(
        key="claude-desktop",
        name="Claude Desktop",
        format="json",
        inside="mcpServers",
        entry=_plain,
        user=_application("Claude/claude_desktop_config.json"),
        then="quit Claude Desktop and start it again",
    ),
    Host(
        key="claude-code",
        name="Claude Code",
        format="json",
        inside="mcpServers",
        entry=_typed,
        user=_everywhere("{folder}/.claude.json"),
        project=(".mcp.json",),
        variable=("CLAUDE_CONFIG_DIR", "{home}"),
        then="start a new session; /mcp shows the server",
    ),
    Host(
        key="cursor",
        name="Cursor",
        format="json",
        inside="mcpServers",
        entry=_plain,
        user=_everywhere("{home}/.cursor/mcp.json"),
        project=(".cursor/mcp.json",),
        then="switch the server on under Settings, MCP",
    ),
    Host(
        key="vscode",
        name="VS Code",
        format="json",
        inside="servers",
        entry=_typed,
        user=_application("Code/User/mcp.json"),
        project=(".vscode/mcp.json",),
        then='run "MCP: List Servers" and start it',
    ),
    Host(
        key="codex",
        name="Codex",
        format="toml",
        inside="mcp_servers",
        entry=_plain,
        user=_everywhere("{folder}/config.toml"),
        project=(".codex/config.toml",),
        variable=("CODEX_HOME", "{home}/.codex"),
        then="start a new session",
    ),
    Host(
        key="gemini",
        name="Gemini CLI",
        format="json",
        inside="mcpServers",
        entry=_plain,
        user=_everywhere("{home}/.gemini/settings.json"),
        project=(".gemini/settings.json",),
        then="start a new session in a trusted folder; /mcp shows the server",
    ),
    Host(
        key="opencode",
        name="opencode",
        format="json",
        inside="mcp",
        entry=_opencode,
        user=_everywhere("{config}/opencode/opencode.json", "{config}/opencode/opencode.jsonc"),
        project=("opencode.json", "opencode.jsonc"),
        then="start a new session",
    ),
    Host(
        key="zed",
        name="Zed",
        format="json",
        inside="context_servers",
        entry=_plain,
        user=Places(
            linux=("{config}/zed/settings.json",),
            darwin=("{home}/.config/zed/settings.json",),
            win32=("{appdata}/Zed/settings.json",),
        ),
        project=(".zed/settings.json",),
        then="Zed starts it at once",
    ),
    Host(
        key="windsurf",
        name="Windsurf",
        format="json",
        inside="mcpServers",
        entry=_plain,
        user=_everywhere("{home}/.codeium/windsurf/mcp_config.json"),
        then="press refresh under Cascade, MCP servers",
    ),
    Host(
        key="goose",
        name="goose",
        format="yaml",
        inside="extensions",
        entry=_goose,
        user=Places(
            linux=("{config}/goose/config.yaml",),
            darwin=("{home}/.config/goose/config.yaml",),
            win32=("{appdata}/Block/goose/config/config.yaml",),
        ),
        then="start a new session",
    ),
    Host(
        key="copilot",
        name="GitHub Copilot CLI",
        format="json",
        inside="mcpServers",
        entry=_copilot,
        user=_everywhere("{folder}/mcp-config.json"),
        project=(".github/mcp.json",),
        variable=("COPILOT_HOME", "{home}/.copilot"),
        then="start a new session; /mcp show lists the server",
    ),
    Host(
        key="qwen",
        name="Qwen Code",
        format="json",
        inside="mcpServers",
        entry=_plain,
        user=_everywhere("{home}/.qwen/settings.json"),
        project=(".qwen/settings.json",),
        then="start a new session; /mcp shows the server",
    ),
    Host(
        key="cline",
        name="Cline",
        format="json",
        inside="mcpServers",
        entry=_plain,
        user=_everywhere("{home}/.cline/data/settings/cline_mcp_settings.json"),
        depth=2,
        then="start a new session",
    ),
    Host(
        key="continue",
        name="Continue",
        format="json",
        inside="mcpServers",
        entry=_plain,
        user=_everywhere("{home}/.continue/mcpServers/reflection.json"),
        project=(".continue/mcpServers/reflection.json",),
        depth=1,
        then="reload the editor's window; the CLI `cn` needs a line in config.yaml (docs/hosts.md)",
    ),
)
BY_KEY = {host.key: host for host in HOSTS}


def user_file(host: Host, platform: str, environment: Mapping[str, str], home: Path) -> Path:
    """The user's configuration file of a host: the first candidate that exists, else the first.

    Args:
        host: whose.
        platform: `sys.platform`; any system but macOS and Windows is taken for a Linux.
        environment: the user's variables.
        home: the user's home folder.
    """
    places = getattr(host.user, platform if platform in ("darwin", "win32") else "linux")
    folders = {
        "home": str(home),
        "config": environment.get("XDG_CONFIG_HOME") or str(home / ".config"),
        "appdata": environment.get("APPDATA") or str(home / "AppData" / "Roaming"),
    }
    if host.variable is not None:
        name, usual = host.variable
        folders["folder"] = environment.get(name) or usual.format_map(folders)
    return _first([Path(place.format_map(folders)) for place in places])


def project_file(host: Host, folder: Path) -> Path | None:
    """The file of a repository in which a host looks for servers, None when it has none."""
    return _first([folder / place for place in host.project]) if host.project else None


def _first(candidates: list[Path]) -> Path:
    return next((path for path in candidates if path.exists()), candidates[0])
