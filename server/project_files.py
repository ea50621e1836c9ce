"""The names of a project's files, as far as all of them can be listed quickly.

Rules: names only, nothing is opened; links are not followed, so that nothing outside the root is
seen; a listing that would take too many files or too long is no listing, because what it lacks
proves nothing.
"""

import os
import time
from collections.abc import Callable
from pathlib import Path

MOST_FILES = 20_000
PATIENCE = 0.15  # seconds
NOT_SOURCES = frozenset(
    """.git .hg .svn node_modules .venv venv __pycache__ .tox .mypy_cache .pytest_cache
    .ruff_cache .idea target dist build .next vendor""".split()
)
"""Folders that hold what was fetched or made; answers that name what is in them are left alone."""


def project_files(
    root: Path,
    *,
    most: int = MOST_FILES,
    patience: float = PATIENCE,
    seconds: Callable[[], float] = time.monotonic,
) -> frozenset[str] | None:
    """Return the paths of all files below a folder, from it, with `/` between their parts.

    Args:
        root: the folder.
        most: files and folders that are listed at most.
        patience: seconds that it may take.
        seconds: a clock.

    Returns:
        None when there are more, when it takes longer, or when a folder cannot be read.
    """
    begun = seconds()
    found: set[str] = set()
    folders = [""]
    while folders:
        if len(found) + len(folders) > most or seconds() - begun > patience:
            return None
        folder = folders.pop()
        try:
            with os.scandir(root / folder) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        if entry.name not in NOT_SOURCES:
                            folders.append(f"{folder}{entry.name}/")
                    else:
                        found.add(f"{folder}{entry.name}")
        except OSError:
            return None
    return frozenset(found)
