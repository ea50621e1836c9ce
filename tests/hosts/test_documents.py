"""What documents say about hosts is made from the table of hosts, and their examples run.

`UPDATE_README=1 pytest tests/hosts/test_documents.py` writes the parts anew.
"""

import json
import os
import re
from pathlib import Path

import pytest

from reflection_mcp.server.hosts.hook_entries import hook_entries
from reflection_mcp.server.hosts.launch import NAME, PUBLISHED
from reflection_mcp.server.hosts.plugin import FOLDER
from tests.hosts import documents

ROOT = Path(__file__).parent.parent.parent
DOCS = ROOT / "docs"


def check(page: Path, name: str, made: str) -> None:
    """Hold the text between the marks against what is made."""
    text = page.read_text(encoding="utf-8")
    part = re.compile(rf"(<!-- {name}: [^>]*-->\n)(.*?)(<!-- /{name} -->)", re.DOTALL)
    if os.environ.get("UPDATE_README"):
        text = part.sub(lambda found: found[1] + made + found[3], text)
        page.write_text(text, encoding="utf-8")
    found = part.search(text)
    assert found is not None, f"{page.name} has no part called {name}"
    assert found[2] == made


def hook_for_settings() -> str:
    """The plugin's hooks, for a server that was added without the plugin."""
    hooks = json.loads((FOLDER / "hooks" / "hooks.json").read_bytes())["hooks"]
    text = json.dumps({"hooks": hooks}, indent=2).replace(f"plugin:reflection:{NAME}", NAME)
    return f"```json\n{text}\n```\n"


def hook_for_codex() -> str:
    """The hooks that `install codex` writes."""
    entries = hook_entries("codex", PUBLISHED)
    hooks = {event: [entry] for event, entry in entries.items()}
    return f"```json\n{json.dumps({'hooks': hooks}, indent=2)}\n```\n"


def test_the_readme_says_how_to_add_the_server() -> None:
    check(ROOT / "README.md", "hosts", documents.short_block())


def test_the_page_about_hosts_says_what_install_does() -> None:
    check(DOCS / "hosts.md", "hosts", documents.long_block())


def test_the_page_about_hooks_shows_the_hooks_of_the_plugin() -> None:
    check(DOCS / "hooks.md", "hook", hook_for_settings())


def test_the_page_about_hooks_shows_the_hook_for_codex() -> None:
    check(DOCS / "hooks.md", "codex", hook_for_codex())


def test_the_example_of_embedding_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (DOCS / "embedding.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    exec(compile(example, "embedding.md", "exec"), {"__name__": "__main__"})
    assert capsys.readouterr().out == "1 same The package that provides `yaml` is called PyYAML.\n"


def test_every_check_from_outside_is_documented_with_its_command() -> None:
    page = (DOCS / "hosts.md").read_text(encoding="utf-8")
    checks = sorted((ROOT / "tests" / "hosts" / "optin").glob("check_*.py"))
    assert checks
    assert [check.name for check in checks if f"tests/hosts/optin/{check.name}`" not in page] == []


def test_every_bench_that_is_named_exists() -> None:
    page = (DOCS / "evaluation.md").read_text(encoding="utf-8")
    named = re.findall(r"python -m tests\.bench\.(\w+)", page)
    assert named
    assert [name for name in named if not (ROOT / "tests" / "bench" / f"{name}.py").exists()] == []
