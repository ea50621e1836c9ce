"""What is shipped for Claude Code and Claude Desktop fits the program it is shipped with."""

import hashlib
import io
import json
import struct
import tomllib
import zipfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp_types import TextContent, Tool

from reflection_mcp.server.app import build
from reflection_mcp.server.application import Application
from reflection_mcp.server.hosts import bundle
from reflection_mcp.server.hosts.launch import PUBLISHED, Launch
from reflection_mcp.server.hosts.plugin import FOLDER, marketplace, plugin_files
from reflection_mcp.server.hosts.skills import SKILL, frontmatter, skill_bytes
from reflection_mcp.server.settings.settings import Settings
from reflection_mcp.tools.errors import InvalidInput
from tests.hosts.test_install import command, files, home
from tests.rows import each_row

__all__ = ["home"]

ROOT = Path(__file__).parent.parent.parent
SERVER = "plugin:reflection:reflection"


def loaded(name: str) -> Any:
    return json.loads((FOLDER / name).read_bytes())


async def tools() -> list[Tool]:
    application = Application(settings=Settings(store="memory:"), project="shop")
    async with Client(build(application)) as client:
        return (await client.list_tools()).tools


# --------------------------------------------------------------------------- the plugin


def test_the_plugin_has_the_version_of_the_program() -> None:
    assert loaded(".claude-plugin/plugin.json")["version"] == version("reflection-mcp")


def test_the_repository_offers_the_plugin_that_lies_in_it() -> None:
    offered = json.loads((ROOT / ".claude-plugin" / "marketplace.json").read_bytes())
    assert offered == marketplace("./server/hosts/claude_code")
    assert (ROOT / offered["plugins"][0]["source"]).samefile(FOLDER)


def test_the_plugin_of_the_repository_starts_the_published_server() -> None:
    made = plugin_files(PUBLISHED)
    assert made[".mcp.json"] == (FOLDER / ".mcp.json").read_bytes()


def calls() -> list[Any]:
    hooks = loaded("hooks/hooks.json")["hooks"]
    return [call for event in hooks.values() for row in event for call in row["hooks"]]


@pytest.mark.anyio
@each_row("call", calls(), ids=lambda call: call["tool"])
async def test_a_hook_calls_a_tool_with_arguments_that_it_takes_and_is_silent(call: Any) -> None:
    assert (call["type"], call["server"]) == ("mcp_tool", SERVER)
    application = Application(settings=Settings(store="memory:"), project="shop")
    async with Client(build(application)) as client:
        result = await client.call_tool(call["tool"], call["input"])
    assert not result.is_error
    (text,) = result.content
    assert isinstance(text, TextContent)
    assert text.text == "{}"


def test_a_plugin_for_this_machine_starts_the_server_of_this_machine(home: Path) -> None:
    assert command("claude-code", "--plugin", str(home / "p")) == 0
    made = files(home / "p")
    assert made == plugin_files(Launch(*_started(made)))
    assert json.loads(made[".claude-plugin/marketplace.json"])["plugins"][0]["source"] == "./"
    assert command("claude-code", "--plugin", str(home / "p")) == 0


def _started(made: dict[str, bytes]) -> tuple[str, tuple[str, ...]]:
    server = json.loads(made[".mcp.json"])["mcpServers"]["reflection"]
    return server["command"], tuple(server["args"])


def test_a_folder_with_other_files_is_not_written_to(home: Path) -> None:
    (home / "p").mkdir()
    (home / "p" / "letter.txt").write_text("dear")
    with pytest.raises(InvalidInput, match=r"holds other files, such as letter\.txt"):
        command("claude-code", "--plugin", str(home / "p"))
    assert files(home) == {"p/letter.txt": b"dear"}


def test_a_folder_that_cannot_be_made_is_told(home: Path) -> None:
    (home / "file").write_text("")
    with pytest.raises(InvalidInput, match="cannot be written"):
        command("claude-code", "--plugin", str(home / "file" / "p"))


@pytest.mark.parametrize(("host", "flag"), [("cursor", "--plugin"), ("claude-code", "--bundle")])
def test_what_is_made_for_one_host_is_not_made_for_another(
    host: str, flag: str, home: Path
) -> None:
    with pytest.raises(InvalidInput, match="is for Claude"):
        command(host, flag, str(home / "p"))
    assert files(home) == {}


def test_the_icon_is_a_picture_of_the_size_that_stores_take() -> None:
    picture = (FOLDER / "icon.png").read_bytes()
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", picture[16:24]) == (512, 512)


# --------------------------------------------------------------------------- the skill


def test_the_skill_says_when_to_use_it_within_the_bounds_of_its_format() -> None:
    text = skill_bytes().decode("utf-8")
    fields = frontmatter(text)
    assert fields["name"] == SKILL == (FOLDER / "skills").glob("*").__next__().name
    assert "Use it as soon as something fails" in fields["description"]
    assert len(fields["description"]) <= 1024
    assert len(text.splitlines()) < 100


@pytest.mark.anyio
async def test_the_skill_names_only_tools_that_exist_and_all_of_them() -> None:
    text = skill_bytes().decode("utf-8")
    assert [tool.name for tool in await tools() if f"`{tool.name}`" not in text] == []


# --------------------------------------------------------------------------- the bundle


def made_bundle() -> dict[str, bytes]:
    tool = Tool(name="reflect", description="Judge", input_schema={"type": "object"})
    return bundle.bundle_files([tool])


def test_the_bundle_holds_the_program_and_what_it_needs() -> None:
    made = made_bundle()
    project = tomllib.loads(made["pyproject.toml"].decode())["project"]
    own = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["name"] == own["name"]
    assert project["version"] == own["version"]
    assert {need.split("<")[0].split(">")[0] for need in project["dependencies"]} == {
        need.split("<")[0].split(">")[0] for need in own["dependencies"]
    }
    for folder in ("server", "tools", "store"):
        assert f"reflection_mcp/{folder}/py.typed" in made
    assert not [name for name in made if name.endswith(".pyc")]


def test_the_manifest_of_the_bundle_points_at_what_is_in_it() -> None:
    made = made_bundle()
    manifest = json.loads(made["manifest.json"])
    assert manifest["icon"] in made
    assert manifest["server"]["entry_point"] in made
    assert manifest["tools"] == [{"name": "reflect", "description": "Judge"}]
    asked = set(manifest["user_config"])
    used = {value[14:-1] for value in manifest["server"]["mcp_config"]["env"].values()}
    assert used == asked
    assert manifest["user_config"]["anthropic_api_key"]["sensitive"] is True


def test_the_same_files_make_the_same_archive() -> None:
    made = made_bundle()
    packed = bundle.bundle(made)
    assert packed == bundle.bundle(made)
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == made


def test_a_release_tells_the_registry_what_its_bundle_is(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command("claude-desktop", "--bundle", str(home / "out")) == 0
    archive, document = map(Path, capsys.readouterr().out.splitlines())
    said = json.loads(document.read_text("utf-8"))
    pypi, packed = said["packages"]
    assert packed["fileSha256"] == hashlib.sha256(archive.read_bytes()).hexdigest()
    assert packed["identifier"].endswith(archive.name)
    assert pypi["version"] == packed["version"] == said["version"] == version("reflection-mcp")
    assert len(said["description"]) <= 100
    assert f"mcp-name: {said['name']}" in (ROOT / "README.md").read_text("utf-8")
    with zipfile.ZipFile(archive) as inside:
        manifest = json.loads(inside.read("manifest.json"))
    assert len(manifest["tools"]) == 5
