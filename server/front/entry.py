"""Serving over stdio from the first moment, where everything needed for that is at hand.

The rule: what is out of the ordinary (a sub-command, a terminal, a setting that cannot be used, no
snapshot) is left to the command line, which starts the SDK first and words every refusal.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from reflection_mcp.server.descriptors import claimed_input, claimed_output, has_polls

FLAGS = ("store", "tenant", "project", "mode", "config")

CALLED_BY_HOOKS = frozenset(("claude-code",))
"""Clients whose calls mostly come from the hooks of the plugin: for these the SDK loads late."""


def serve_at_once(argv: Sequence[str]) -> int | None:
    """Serve the client on stdin and stdout; returns the exit code, or None where the command line
    is to do that."""
    flags = _flags(argv)
    if flags is None or not has_polls() or not _is_open(0) or not _is_open(1) or os.isatty(0):
        return None
    from reflection_mcp.server.front.snapshot import current
    from reflection_mcp.server.settings import load
    from reflection_mcp.tools.errors import ReflectionError

    try:
        snapshot = current()
        answers = snapshot and snapshot.read()
        if not answers:
            return None
        config = flags.pop("config", None)
        settings = load(flags, os.environ, Path(config) if config else None)
    except (ReflectionError, OSError):
        return None
    for warning in settings.warnings:
        print(f"reflection-mcp: {warning}", file=sys.stderr)
    from reflection_mcp.server.front.front import Front
    from reflection_mcp.server.front.hook_calls import HookCalls
    from reflection_mcp.server.front.loader import Loader
    from reflection_mcp.server.front.replies import Replies

    loader, replies = Loader(settings), Replies(answers, settings.views)
    with claimed_input() as wire_in, claimed_output() as wire_out:
        front = Front(
            replies=replies,
            wire_in=wire_in,
            wire_out=wire_out,
            load=loader.load,
            # Consolidating when idle is the work of the whole server.
            is_lazy=lambda client: client in CALLED_BY_HOOKS and settings.mode == "lite",
            rehearse=loader.rehearse,
        )
        hooks = HookCalls(loader, front.writer, replies.stamp, front.wake)
        return front.run(hooks)


def _flags(argv: Sequence[str]) -> dict[str, str] | None:
    """The flags of a command line that only serves, None for any other one."""
    found: dict[str, str] = {}
    words = iter(argv)
    serves = False
    for word in words:
        if word == "serve" and not serves:
            serves = True
            continue
        name, equals, value = word.removeprefix("--").partition("=")
        if name not in FLAGS or not word.startswith("--"):
            return None
        found[name] = value if equals else next(words, "")
        if found[name].startswith("-"):
            return None
    return found


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True
