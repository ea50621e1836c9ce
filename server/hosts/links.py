"""Links that add the server to a host with one click, all made from one launch.

Rule: a link is another way to write the same command; decoding it gives that command.
"""

import base64
import json
from dataclasses import dataclass
from urllib.parse import quote, urlencode

from reflection_mcp.server.hosts.catalog import BY_KEY, NAME, Entry
from reflection_mcp.server.hosts.launch import PUBLISHED, Launch

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


def claude_command(launch: Launch = PUBLISHED) -> str:
    """The command that adds the server to Claude Code."""
    return f"claude mcp add {NAME} -- {' '.join(launch.words)}"


def codex_command(launch: Launch = PUBLISHED) -> str:
    """The command that adds the server to Codex."""
    return f"codex mcp add {NAME} -- {' '.join(launch.words)}"


def vscode_command(launch: Launch = PUBLISHED) -> str:
    """The command that adds the server to VS Code, for a shell that knows single quotes."""
    entry = {"name": NAME, **BY_KEY["vscode"].entry(launch)}
    return f"code --add-mcp '{json.dumps(entry)}'"


def _vscode(launch: Launch) -> str:
    config = _compact(BY_KEY["vscode"].entry(launch))
    return f"https://insiders.vscode.dev/redirect/mcp/install?name={NAME}&config={quote(config)}"


def _coded(page: str, launch: Launch) -> str:
    config = base64.b64encode(_compact(BY_KEY["cursor"].entry(launch)).encode()).decode()
    return f"{page}?{urlencode({'name': NAME, 'config': config})}"


def _goose(launch: Launch) -> str:
    words = [("arg", word) for word in launch.args]
    named = [("id", NAME), ("name", TITLE), ("description", "Reflection memory")]
    query = urlencode([("cmd", launch.command), *words, *named], quote_via=quote)
    return f"https://block.github.io/goose/extension?{query}"


def _shield(host: str, colour: str) -> str:
    return f"https://img.shields.io/badge/Add_to-{quote(host.replace(' ', '_'))}-{colour}"


def _compact(entry: Entry) -> str:
    return json.dumps(entry, separators=(",", ":"))
