"""The names of the project's files, listed only for an answer that names a file."""

import re

from reflection_mcp.tools.ports import Workshop

_NAMES_A_FILE = re.compile(r"[\w@-]/[\w@-][\w@.-]{0,100}\.[a-zA-Z]{1,5}\b")


def project_of(workshop: Workshop, answer: str) -> frozenset[str] | None:
    """Return the paths that the answer can be held against; None when there is nothing to hold."""
    if workshop.project_names is None or not _NAMES_A_FILE.search(answer):
        return None
    return workshop.project_names()
