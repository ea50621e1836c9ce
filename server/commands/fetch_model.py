"""`fetch-model`: the only command that downloads a model, and only the one that the user names."""

import argparse
import sys

from reflection_mcp.server.models.embedding import fetch_model
from reflection_mcp.tools.ports import MeaningMissing


def run(arguments: argparse.Namespace) -> int:
    """Download the model and say how to switch it on; returns the exit code."""
    name: str = arguments.name
    try:
        fetch_model(name)
    except MeaningMissing as missing:
        print(f"reflection-mcp: {missing}", file=sys.stderr)
        return 2
    print(f"fetched {name}; to use it, set REFLECTION_SEMANTIC_MODEL={name}", file=sys.stderr)
    return 0
