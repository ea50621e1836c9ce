"""The bundle for Claude Desktop (MCPB), and the registry's document about a release.

Rule: a bundle has this program's own source and a list of its requirements; uv, which the host
brings, makes an environment from both. Everything in it is derived from what is installed, so that
it cannot name another version, another tool or another requirement than the program.

`reflection-mcp install claude-desktop --bundle OUT` writes `OUT/reflection-mcp-VERSION.mcpb` and
`OUT/server.json`.
"""

import hashlib
import io
import json
import sys
import zipfile
from collections.abc import Mapping, Sequence
from importlib.metadata import metadata, requires, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio

from reflection_mcp.server.hosts.launch import MODULE, PACKAGE
from reflection_mcp.server.hosts.plugin import FOLDER
from reflection_mcp.server.settings.values import describe

if TYPE_CHECKING:
    from mcp_types import Tool

REGISTRY_NAME = "io.github.reflection-mcp/reflection-mcp"
REPOSITORY = "https://github.com/reflection-mcp/reflection-mcp"
_PACKAGES = ("server", "tools", "store")
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the zip format's first date: the same source, the same bundle
_DESCRIPTION = "Learns from failures: proves faults, drives retries, recalls what fixed an error"
"""At most 100 characters, which is what the registry takes."""
_PRIVACY = "https://www.anthropic.com/legal/privacy"
"""The privacy policy for what a judge with a key is sent; without a key nothing leaves."""


def bundle_files(tools: "Sequence[Tool] | None" = None) -> dict[str, bytes]:
    """The files of the bundle, by their path in it."""
    source = Path(__file__).parents[2]
    files = {
        f"reflection_mcp/{path.relative_to(source).as_posix()}": path.read_bytes()
        for package in _PACKAGES
        for path in sorted((source / package).rglob("*"))
        if path.is_file() and path.suffix != ".pyc"
    }
    manifest = json.dumps(_manifest(anyio.run(_tools) if tools is None else tools), indent=2) + "\n"
    return {
        "manifest.json": manifest.encode(),
        "pyproject.toml": _project().encode(),
        "main.py": _MAIN.encode(),
        "icon.png": (FOLDER / "icon.png").read_bytes(),
        **files,
    }


def bundle(files: Mapping[str, bytes]) -> bytes:
    """The files as one archive, the same bytes for the same files."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, _EPOCH), content, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


def registry_document(packed: bytes, file_name: str) -> dict[str, Any]:
    """Return `server.json` for a release: the package, and the bundle with its digest."""
    release = version(PACKAGE)
    variables = [
        {"name": row.variable, "description": row.description, "isRequired": False}
        for row in describe()
    ]
    key = {
        "name": "ANTHROPIC_API_KEY",
        "description": "a key for judging answers; without one nothing leaves the machine",
        "isRequired": False,
        "isSecret": True,
    }
    stdio = {"type": "stdio"}
    return {
        "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
        "name": REGISTRY_NAME,
        "title": "Reflection",
        "description": _DESCRIPTION,
        "repository": {"url": REPOSITORY, "source": "github"},
        "version": release,
        "packages": [
            {
                "registryType": "pypi",
                "identifier": PACKAGE,
                "version": release,
                "runtimeHint": "uvx",
                "transport": stdio,
                "environmentVariables": [*variables, key],
            },
            {
                "registryType": "mcpb",
                "identifier": f"{REPOSITORY}/releases/download/v{release}/{file_name}",
                "version": release,
                "fileSha256": hashlib.sha256(packed).hexdigest(),
                "transport": stdio,
            },
        ],
    }


def release_files() -> dict[str, bytes]:
    """The files of a release, by their names: the bundle, and the registry's document."""
    packed = bundle(bundle_files())
    name = f"{PACKAGE}-{version(PACKAGE)}.mcpb"
    document = json.dumps(registry_document(packed, name), indent=2) + "\n"
    return {name: packed, "server.json": document.encode()}


# --------------------------------------------------------------------------- the parts


_MAIN = '''"""Starts the server; the host runs this file with uv."""

from reflection_mcp.server.__main__ import main

main()
'''


def _project() -> str:
    """A project that uv can install: our source, and what it needs to run."""
    needs = [need for need in requires(PACKAGE) or () if "extra ==" not in need]
    # JSON's lists of strings are TOML's.
    return f"""[build-system]
requires = ["hatchling>=1.27"]
build-backend = "hatchling.build"

[project]
name = "{PACKAGE}"
version = "{version(PACKAGE)}"
requires-python = "{metadata(PACKAGE)["Requires-Python"]}"
dependencies = {json.dumps(needs, indent=4)}

[tool.hatch.build.targets.wheel]
packages = ["reflection_mcp"]
"""


def _manifest(tools: "Sequence[Tool]") -> dict[str, Any]:
    settings = {
        "store": ("Store", "Where everything is kept; empty for a file in your data folder", ""),
        "project": ("Project", "Which part of the memory this app uses", "desktop"),
    }
    key = {
        "type": "string",
        "title": "Anthropic API key",
        "description": "For judging answers. Without it the assistant judges, and nothing is sent",
        "sensitive": True,
        "required": False,
        "default": "",
    }
    return {
        "manifest_version": "0.4",
        "name": PACKAGE,
        "display_name": "Reflection",
        "version": version(PACKAGE),
        "description": _DESCRIPTION,
        "author": {"name": PACKAGE},
        "repository": {"type": "git", "url": REPOSITORY},
        "license": "MIT",
        "icon": "icon.png",
        "keywords": ["reflection", "memory", "errors", "self-correction"],
        "privacy_policies": [_PRIVACY],
        "server": {
            "type": "uv",
            "entry_point": "main.py",
            "mcp_config": {
                "command": "uv",
                "args": ["run", "--directory", "${__dirname}", "main.py"],
                "env": {
                    "REFLECTION_STORE": "${user_config.store}",
                    "REFLECTION_PROJECT": "${user_config.project}",
                    "ANTHROPIC_API_KEY": "${user_config.anthropic_api_key}",
                },
            },
        },
        "tools": [{"name": tool.name, "description": tool.description} for tool in tools],
        "user_config": {
            **{
                name: {
                    "type": "string",
                    "title": title,
                    "description": what,
                    "required": False,
                    "default": default,
                }
                for name, (title, what, default) in settings.items()
            },
            "anthropic_api_key": key,
        },
        "compatibility": {
            "platforms": ["darwin", "win32", "linux"],
            "runtimes": {"python": metadata(PACKAGE)["Requires-Python"]},
        },
    }


async def _tools() -> "Sequence[Tool]":
    """Return the tools as the server that is installed here lists them to a client."""
    from mcp import Client, StdioServerParameters

    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", MODULE],
        env={"REFLECTION_STORE": "memory:", "REFLECTION_LOG_LEVEL": "off"},
    )
    async with Client(server) as client:
        return (await client.list_tools()).tools
