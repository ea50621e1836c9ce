"""The entry for a server that is reached by a URL, instead of one that the host starts."""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from reflection_mcp.server.access.exposure import PATH, is_loopback
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
        raise InvalidInput("--url is not a URL", example) from error
    if not _URL.fullmatch(given) or parts.scheme not in ("http", "https") or not parts.hostname:
        raise InvalidInput("--url is not the URL of a server", example)
    if parts.username is not None:
        raise InvalidInput("--url holds a user name", "pass the token with --token-env NAME")
    if parts.scheme == "http" and not is_loopback(parts.hostname):
        raise InvalidInput("--url is not https", "a token would be sent in the clear; use https")
    return given if parts.path.strip("/") else f"{given.rstrip('/')}{PATH}"
