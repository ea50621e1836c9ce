"""`fetch-model`: the only command that downloads a model, and only the one that the user names."""

import sys

from reflection_mcp.server.models.embedding import fetch_model
from reflection_mcp.tools.ports import MeaningMissing


def run_fetch_model(name: str) -> int:
    """Download the model and say how to switch it on; returns the exit code."""
    try:
        fetch_model(name)
    except MeaningMissing as missing:
        print(f"reflection-mcp: {missing}", file=sys.stderr)
        return 2
    print(f"fetched {name}; to use it, set REFLECTION_SEMANTIC_MODEL={name}", file=sys.stderr)
    return 0
