"""The plugin for Claude Code, made from the files beside this module.

Rule: what is in the repository is what is installed from it. Only the command differs: the copy
that is written for one machine starts the server that is installed on that machine.
"""

import json
from pathlib import Path

from reflection_mcp.server.hosts.launch import NAME, Launch

FOLDER = Path(__file__).parent / "claude_code"
SERVER_FILE = ".mcp.json"
MARKET = "reflection-mcp"
PLUGIN = "reflection"


def plugin_files(launch: Launch) -> dict[str, bytes]:
    """The files of the plugin by their path in its folder, with a marketplace that offers it."""
    files = {
        path.relative_to(FOLDER).as_posix(): path.read_bytes()
        for path in sorted(FOLDER.rglob("*"))
        if path.is_file()
    }
    server = {"command": launch.command, "args": list(launch.args)}
    files[SERVER_FILE] = _json({"mcpServers": {NAME: server}})
    files[".claude-plugin/marketplace.json"] = _json(marketplace("./"))
    return files


def marketplace(source: str) -> dict[str, object]:
    """Return the document that Claude Code reads to offer the plugin in `source`."""
    manifest = json.loads((FOLDER / ".claude-plugin" / "plugin.json").read_bytes())
    described = {"description": manifest["description"]}
    return {
        "name": MARKET,
        "owner": manifest["author"],
        "metadata": described,
        "plugins": [{"name": PLUGIN, "source": source, **described}],
    }


def _json(value: object) -> bytes:
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode("utf-8")
