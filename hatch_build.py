"""Gives server/, tools/ and store/ their import name in an editable install; derives rule rows.

A wheel renames the folders to reflection_mcp/<folder>. An editable install cannot rename, so it
gets .dev/reflection_mcp/<folder>, links to the real folders, on its path. A plain path entry, and
not an import hook, because type checkers follow the one and not the other.

Both kinds of install get the generated file that `tools/identity/rules/table.py` reads.
"""

import os
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

RULES = "tools/identity/rules"
ENTRY = "from reflection_mcp.server.__main__ import main\n\nmain()\n"
"""What `python -m reflection_mcp` runs: a namespace has no file of its own for it."""


def write_derived_rows(folder: Path) -> Path:
    """Derive the rows of all rule files of a folder into one file in it, and return its path."""
    # By its path, because what is built cannot be imported by its name yet.
    spec = spec_from_file_location("rule_table", folder / "table.py")
    assert spec and spec.loader
    table = module_from_spec(spec)
    sys.modules[spec.name] = table  # where dataclasses look for it
    spec.loader.exec_module(table)
    made: Path = folder / table.DERIVED
    made.write_text(table.derived(folder), "utf-8")
    return made


class InstallHook(BuildHookInterface):  # type: ignore[type-arg]  # hatchling leaves the parameter open
    """Derives the rows of the rule files, and makes the link tree of an editable install."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Link each folder below `.dev/reflection_mcp`, keeping links that exist."""
        derived = write_derived_rows(Path(self.root, RULES))
        tree = Path(self.root, ".dev", "reflection_mcp")
        tree.mkdir(parents=True, exist_ok=True)
        entry = tree / "__main__.py"
        entry.unlink(missing_ok=True)
        entry.write_text(ENTRY, "utf-8")
        if version != "editable":
            build_data["force_include"][str(derived)] = f"reflection_mcp/{RULES}/{derived.name}"
            build_data["force_include"][str(entry)] = "reflection_mcp/__main__.py"
            return
        for name in ("server", "tools", "store"):
            link = tree / name
            if not link.exists():
                target = os.path.relpath(Path(self.root, name), tree)
                link.symlink_to(target, target_is_directory=True)
