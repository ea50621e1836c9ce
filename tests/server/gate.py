"""`reflection-mcp` that stops at one import until it may go on: `python -m tests.server.gate`.

The environment names the module (GATE) and two descriptors: GATE_TELLS gets a line when the import
begins, which then waits until GATE_HEARS is closed or has a byte.
"""

import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

from reflection_mcp.server.__main__ import main


class Gate:
    """A finder that finds nothing, and takes its time for one module."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Wait at the gate, then let the others find it."""
        if name == os.environ["GATE"]:
            sys.meta_path.remove(self)
            os.write(int(os.environ["GATE_TELLS"]), b"at the gate\n")
            os.read(int(os.environ["GATE_HEARS"]), 1)
        return None


if __name__ == "__main__":
    sys.meta_path.insert(0, Gate())
    main()
