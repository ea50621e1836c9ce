"""`reflection-mcp`, which is also `python -m reflection_mcp`.

A signal ends the process with 128 + its number from here on, imports included: what is done until
a server listens is nothing that could be lost. So this module imports next to nothing itself.
"""

import gc
import os
import signal
import sys
from types import FrameType


def main() -> None:
    """Run the command line, and leave with its exit code."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _leave)
    if sys.argv[1:2] == ["hook"] and sys.argv[2:3] != ["--help"]:
        gc.disable()  # nothing imported is freed before the process ends, which is soon
        from reflection_mcp.server.hook_process import run_hook

        code = run_hook(sys.argv[2:])
    else:
        code = _serve_or_run()
    sys.stdout.flush()
    # This skips the interpreter's shutdown, in which a signal has its usual effect again and a
    # thread that still computes may touch what is no longer there.
    os._exit(code)


def _serve_or_run() -> int:
    from reflection_mcp.server.front.entry import serve_at_once

    code = serve_at_once(sys.argv[1:])
    if code is None:
        from reflection_mcp.server.cli import main as run

        code = run()
    return code


def _leave(number: int, _: FrameType | None) -> None:
    os._exit(128 + number)


if __name__ == "__main__":
    main()
