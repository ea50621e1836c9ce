"""The start over stdio with the front, if everything that it needs is at hand.

The rule: what is out of the ordinary (a sub-command, a terminal, a setting that cannot be used, no
snapshot) is left to the command line, which starts the SDK first and words every refusal.
"""

import gc
import os
import sys
from collections.abc import Mapping, Sequence

from reflection_mcp.server.transport.descriptors import claimed_input, claimed_output, has_polls

TYPE_CHECKING = False  # importing `typing` takes a tenth of what a list is waited for
if TYPE_CHECKING:
    from reflection_mcp.server.settings.settings import Settings

UNUSABLE = 2
"""The exit code where a setting cannot be used."""

FLAGS = ("store", "tenant", "project", "mode", "config")

CALLED_BY_HOOKS = frozenset(("claude-code",))
"""Clients whose calls mostly come from the hooks of the plugin: for these the SDK loads late."""


def serve_at_once(argv: Sequence[str]) -> int | None:
    """Serve the client on stdin and stdout; returns the exit code, or None where the command line
    is to do that."""
    flags = _flags(argv)
    if flags is None or not has_polls() or not _is_open(0) or not _is_open(1) or os.isatty(0):
        return None
    from reflection_mcp.server.front.facts import facts_file, facts_of, known_facts
    from reflection_mcp.server.front.snapshot import current
    from reflection_mcp.tools.errors import ReflectionError

    settings: Settings | None = None
    try:
        snapshot = current()
        answers = snapshot and snapshot.read()
        if snapshot is None or not answers:
            return None
        file = facts_file(snapshot, flags, os.environ)
        facts = known_facts(file) if file else None
        if facts is None:
            settings = loaded_settings(flags)
            facts = facts_of(settings, file)
    except (ReflectionError, OSError):
        return None
    from reflection_mcp.server.front.front import Front
    from reflection_mcp.server.front.hook_calls import HookCalls
    from reflection_mcp.server.front.loader import Loader
    from reflection_mcp.server.front.replies import Replies

    loader = Loader(lambda: settings or loaded_settings(flags))
    replies = Replies(answers, facts.views)
    with claimed_input() as wire_in, claimed_output() as wire_out:
        front = Front(
            replies=replies,
            wire_in=wire_in,
            wire_out=wire_out,
            load=loader.load,
            # Consolidating when idle is the work of the whole server.
            is_lazy=lambda client: client in CALLED_BY_HOOKS and facts.mode == "lite",
            rehearse=loader.rehearse,
        )
        # What is imported stays: looking for garbage among it takes a tenth of the time until a
        # prompt is answered. The loader switches the collector on again.
        gc.disable()
        hooks = HookCalls(loader, facts.store, front.writer, replies.stamp, front.wake)
        try:
            return front.run(hooks)
        except ReflectionError as refusal:  # of settings that could be used at an earlier start
            print(f"reflection-mcp: {refusal.message}: {refusal.hint}", file=sys.stderr)
            return UNUSABLE


def loaded_settings(flags: Mapping[str, str]) -> "Settings":
    """The settings in force, after their warnings."""
    from pathlib import Path

    from reflection_mcp.server.settings.settings import load

    given = dict(flags)
    config = given.pop("config", None)
    settings = load(given, os.environ, Path(config) if config else None)
    for warning in settings.warnings:
        print(f"reflection-mcp: {warning}", file=sys.stderr)
    return settings


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
