"""The bundle for Claude Desktop (MCPB), and the registry's document about a release.

Rule: a bundle has this program's own source and a list of its requirements; uv, which the host
brings, makes an environment from both. What a release fills in is derived from what is installed,
so that no document names another version, tool or requirement than the program.

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
from reflection_mcp.server.settings.options import describe

if TYPE_CHECKING:
    from mcp_types import Tool

TEMPLATES = Path(__file__).parent / "claude_desktop"
"""The two documents, without what a release fills in."""
_PACKAGES = ("server", "tools", "store")
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the zip format's first date: the same source, the same bundle


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
    document: dict[str, Any] = json.loads((TEMPLATES / "server.json").read_bytes())
    package, bundled = document["packages"]
    for each in (document, package, bundled):
        each["version"] = release
    variables = [
        {"name": row.variable, "description": row.description, "isRequired": False}
        for row in describe()
    ]
    package["environmentVariables"] = [*variables, *package["environmentVariables"]]
    source = document["repository"]["url"]
    bundled["identifier"] = f"{source}/releases/download/v{release}/{file_name}"
    bundled["fileSha256"] = hashlib.sha256(packed).hexdigest()
    return document


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
    manifest: dict[str, Any] = json.loads((TEMPLATES / "manifest.json").read_bytes())
    manifest["version"] = version(PACKAGE)
    manifest["tools"] = [{"name": tool.name, "description": tool.description} for tool in tools]
    manifest["compatibility"]["runtimes"]["python"] = metadata(PACKAGE)["Requires-Python"]
    return manifest


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
