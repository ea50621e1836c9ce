"""The bundle, held against the tool that Claude Desktop's makers give out.

uv run pytest tests/hosts/optin/check_bundle.py
"""

from pathlib import Path

from reflection_mcp.server.hosts.bundle import bundle_files
from reflection_mcp.server.hosts.command import write_folder
from tests.hosts.optin.programs import program, run


def test_the_bundle_is_valid_and_can_be_packed(tmp_path: Path) -> None:
    mcpb = program("@anthropic-ai/mcpb", "2.1.2", "mcpb")
    write_folder(tmp_path / "bundle", bundle_files())
    done = run([*mcpb, "validate", str(tmp_path / "bundle" / "manifest.json")], tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    packed = tmp_path / "out.mcpb"
    done = run([*mcpb, "pack", str(tmp_path / "bundle"), str(packed)], tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert packed.stat().st_size > 100_000
