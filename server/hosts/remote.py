"""The entry of a server that is reached by a URL, in the words of each host that takes one.

Rule: a token is never written into a file. What is written is the name of a variable, in the way
in which the host reads variables; a host of which no such way is known is refused, not guessed at.
Sources: the vendors' pages on MCP, read in November 2026; not tried in the hosts themselves.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from reflection_mcp.server.access.exposure import PATH, is_loopback
from reflection_mcp.server.hosts.catalog import Entry, Host
from reflection_mcp.server.hosts.launch import Launch
from reflection_mcp.tools.errors import InvalidInput

PROJECT_HEADER = "X-Reflection-Project"
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
_URL = re.compile(r"[A-Za-z0-9._~:/\[\]@%+-]{1,2000}")
"""The characters of a URL that no host takes for a variable or a quotation mark."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remote:
    """A server elsewhere: its URL, the variable that holds the token, the project of the calls.

    Without a variable the host is left to sign in with OAuth.
    """

    url: str
    variable: str = ""
    project: str = ""

    def headers(self, variable: str) -> Mapping[str, str]:
        """The headers; `variable` is how the host writes one, with NAME in place of its name."""
        token = f"Bearer {variable.replace('NAME', self.variable)}" if self.variable else ""
        pairs = {"Authorization": token, PROJECT_HEADER: self.project}
        return {name: value for name, value in pairs.items() if value}


def remote_at(url: str, variable: str = "", project: str = "") -> Remote:
    """The server at a URL; the path of MCP is added to a URL that has none.

    Raises:
        InvalidInput: a token would be sent in the clear, or a value cannot be meant.
    """
    if variable.startswith("rmt_") or (variable and not _VARIABLE.fullmatch(variable)):
        raise InvalidInput(
            "--token-env takes the name of a variable, not a token", "such as REFLECTION_TOKEN"
        )
    return Remote(url=server_url(url), variable=variable, project=project)


def server_url(given: str) -> str:
    """The URL of MCP on a server.

    Raises:
        InvalidInput: it is none, or whatever is sent there could be read on the way.
    """
    example = "pass one such as https://memory.example.com/mcp"
    try:
        parts = urlsplit(given)
        _ = parts.port
    except ValueError as error:
        raise InvalidInput("--url is no URL", example) from error
    if not _URL.fullmatch(given) or parts.scheme not in ("http", "https") or not parts.hostname:
        raise InvalidInput("--url is no URL of a server", example)
    if parts.username is not None:
        raise InvalidInput("--url holds a user name", "pass the token by --token-env NAME")
    if parts.scheme == "http" and not is_loopback(parts.hostname):
        raise InvalidInput("--url is not https", "a token would be sent in the clear; use https")
    return given if parts.path.strip("/") else f"{given.rstrip('/')}{PATH}"


def entry_of(host: Host, launch: Launch | Remote) -> Entry:
    """The entry of a host for a server that it starts, or for one that it asks.

    Raises:
        InvalidInput: the host takes no URL.
    """
    if isinstance(launch, Launch):
        return host.entry(launch)
    if host.key not in _ENTRIES:
        raise InvalidInput(f"{host.name} cannot be given a URL", NOT.get(host.key, _UNKNOWN))
    return _ENTRIES[host.key](launch)


def _with_headers(remote: Remote, entry: Entry, variable: str) -> Entry:
    headers = remote.headers(variable)
    return {**entry, "headers": headers} if headers else entry


def _claude_code(remote: Remote) -> Entry:
    return _with_headers(remote, {"type": "http", "url": remote.url}, "${NAME}")


def _vscode(remote: Remote) -> Entry:
    return _with_headers(remote, {"type": "http", "url": remote.url}, "${env:NAME}")


def _cursor(remote: Remote) -> Entry:
    return _with_headers(remote, {"url": remote.url}, "${env:NAME}")


def _windsurf(remote: Remote) -> Entry:
    return _with_headers(remote, {"serverUrl": remote.url}, "${env:NAME}")


def _gemini(remote: Remote) -> Entry:
    return _with_headers(remote, {"httpUrl": remote.url}, "${NAME}")


def _opencode(remote: Remote) -> Entry:
    entry = {"type": "remote", "url": remote.url, "enabled": True}
    return _with_headers(remote, entry, "{env:NAME}")


def _codex(remote: Remote) -> Entry:
    entry: dict[str, object] = {"url": remote.url}
    if remote.variable:
        entry["bearer_token_env_var"] = remote.variable
    if remote.project:
        entry["http_headers"] = {PROJECT_HEADER: remote.project}
    return entry


_ENTRIES: Mapping[str, Callable[[Remote], Entry]] = {
    "claude-code": _claude_code,
    "codex": _codex,
    "cursor": _cursor,
    "gemini": _gemini,
    "opencode": _opencode,
    "qwen": _gemini,
    "vscode": _vscode,
    "windsurf": _windsurf,
}
REMOTE_HOSTS = tuple(_ENTRIES)
"""The keys of the hosts that can be given a URL."""

_UNKNOWN = "how it reads a token from a variable is not known; add the URL in the host itself"
NOT: Mapping[str, str] = {
    "claude-desktop": "add it in the app, under Settings, Connectors; that needs OAuth",
}
"""The way out where one is known."""
