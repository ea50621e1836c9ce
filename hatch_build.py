"""Gives server/, tools/ and store/ their import name in an editable install.

A wheel renames the folders to reflection_mcp/<folder>. An editable install cannot rename, so it
gets .dev/reflection_mcp/<folder>, links to the real folders, on its path. A plain path entry, and
not an import hook, because type checkers follow the one and not the other.
"""

import os
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ENTRY = "from reflection_mcp.server.__main__ import main\n\nmain()\n"
"""What `python -m reflection_mcp` runs: a namespace has no file of its own for it."""


class InstallHook(BuildHookInterface):  # type: ignore[type-arg]  # hatchling leaves the parameter open
    """Makes the link tree of an editable install."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Link each folder below `.dev/reflection_mcp`, keeping links that exist."""
        tree = Path(self.root, ".dev", "reflection_mcp")
        tree.mkdir(parents=True, exist_ok=True)
        entry = tree / "__main__.py"
        entry.unlink(missing_ok=True)
        entry.write_text(ENTRY, "utf-8")
        if version != "editable":
            build_data["force_include"][str(entry)] = "reflection_mcp/__main__.py"
            return
        for name in ("server", "tools", "store"):
            link = tree / name
            if not link.exists():
                target = os.path.relpath(Path(self.root, name), tree)
                link.symlink_to(target, target_is_directory=True)
