"""The hosts this server can be added to, as `hosts.toml` lists them, and the entry for each.

Rule: a host is a row of that table, which says what its fields mean. A token is never written into
a file: what is written is the name of a variable, in the way in which the host reads variables.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reflection_mcp.server.hosts.config_formats import Entry, Format
from reflection_mcp.server.hosts.launch import Launch
from reflection_mcp.server.hosts.remote import PROJECT_HEADER, Remote
from reflection_mcp.tools.errors import InvalidInput

SYSTEMS = ("linux", "darwin", "win32")
_APPLICATIONS = ("{config}", "{home}/Library/Application Support", "{roaming}")
"""The folder in which desktop programs keep their settings, by system."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """One program that can start MCP servers."""

    key: str
    name: str
    then: str
    """The user's next step after the file was changed."""
    user: str | list[str] | Mapping[str, str]
    format: Format = "json"
    inside: str = "mcpServers"
    project: tuple[str, ...] = ()
    moved_by: str = ""
    folder: str = ""
    depth: int = 0
    entry: Entry = field(default_factory=lambda: {"command": "COMMAND", "args": "ARGS"})
    remote: Entry | None = None
    no_remote: str = (
        "how it reads a token from a variable is not known; add the URL in the host itself"
    )
    variable: str = ""
    token_key: str = ""
    """The key of an entry that names the variable of the token, where it is no header."""
    headers: str = "headers"
    hooks: str = ""
    """The file of the user's hooks, empty where none are written."""

    def places(self, system: str) -> list[str]:
        """The user's file on a system of `SYSTEMS`; of several the first that exists counts."""
        files = self.user.get(system, "") if isinstance(self.user, Mapping) else self.user
        app = _APPLICATIONS[SYSTEMS.index(system)]
        return [
            place.replace("{app}", app) for place in ([files] if isinstance(files, str) else files)
        ]


def _rows() -> tuple[Host, ...]:
    text = (Path(__file__).parent / "hosts.toml").read_text(encoding="utf-8")
    return tuple(Host(key=key, **row) for key, row in tomllib.loads(text).items())


HOSTS = _rows()
BY_KEY = {host.key: host for host in HOSTS}


def entry_of(host: Host, launch: Launch | Remote) -> Entry:
    """The entry of a host for a server that it starts, or for one that it asks.

    Raises:
        InvalidInput: the host takes no URL.
    """
    if isinstance(launch, Launch):
        words = list(launch.words)
        return _filled(host.entry, {"COMMAND": words[0], "ARGS": words[1:], "WORDS": words})
    if host.remote is None:
        raise InvalidInput(f"{host.name} cannot be given a URL", host.no_remote)
    entry = dict(_filled(host.remote, {"URL": launch.url}))
    headers: dict[str, str] = {}
    if launch.variable and host.token_key:
        entry[host.token_key] = launch.variable
    elif launch.variable:
        headers["Authorization"] = f"Bearer {host.variable.replace('NAME', launch.variable)}"
    if launch.project:
        headers[PROJECT_HEADER] = launch.project
    return {**entry, host.headers: headers} if headers else entry


def _filled(entry: Entry, values: Mapping[str, Any]) -> Entry:
    return {
        key: values.get(value, value) if isinstance(value, str) else value
        for key, value in entry.items()
    }


def user_file(host: Host, platform: str, environment: Mapping[str, str], home: Path) -> Path:
    """The user's configuration file of a host: the first candidate that exists, else the first.

    Args:
        host: whose.
        platform: `sys.platform`; any system but macOS and Windows is taken for a Linux.
        environment: the user's variables.
        home: the user's home folder.
    """
    places = host.places(platform if platform in SYSTEMS else "linux")
    return _first([_located(place, host, environment, home) for place in places])


def hooks_file(host: Host, environment: Mapping[str, str], home: Path) -> Path | None:
    """The file of a user's hooks; None where none are written."""
    return _located(host.hooks, host, environment, home) if host.hooks else None


def _located(place: str, host: Host, environment: Mapping[str, str], home: Path) -> Path:
    folders = {
        "home": str(home),
        "config": environment.get("XDG_CONFIG_HOME") or str(home / ".config"),
        "roaming": environment.get("APPDATA") or str(home / "AppData" / "Roaming"),
    }
    folders["folder"] = environment.get(host.moved_by) or host.folder.format_map(folders)
    return Path(place.format_map(folders))


def project_file(host: Host, folder: Path) -> Path | None:
    """The file of a repository in which a host looks for servers, None when it has none."""
    return _first([folder / place for place in host.project]) if host.project else None


def _first(candidates: list[Path]) -> Path:
    return next((path for path in candidates if path.exists()), candidates[0])
