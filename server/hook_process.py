"""`reflection-mcp hook HOST EVENT`: one event of a host that starts a process for each event.

Rule: it answers from the store alone, without the SDK, and whatever happens it prints an answer
that neither allows nor blocks the action: some hosts block an action when a hook fails.
"""

import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reflection_mcp.server.mcp.hook_constants import PROMPT, SILENCE

if TYPE_CHECKING:
    from reflection_mcp.server.hosts.hook_rows import HookRow
    from reflection_mcp.tools.learning.episode import Event

LONGEST = 16_000_000  # bytes of an event; a longer one holds a file or a picture
DEADLINE = 4.0  # seconds; the entries that `install` writes wait for five
FAREWELL = 0.1  # seconds that the end waits for a process that holds the store
NO_FLAGS: Mapping[str, str] = {}
USAGE = "reflection-mcp: assistants call this as `hook HOST EVENT`, with the event as JSON on stdin"


def run_hook(words: Sequence[str], flags: Mapping[str, str] = NO_FLAGS) -> int:
    """Answer the event on stdin; returns the exit code, which is 0 for every event of a host."""
    from reflection_mcp.server.hosts.hook_rows import hook_rows

    row = hook_rows().get(words[0]) if len(words) == 2 else None
    if row is None or sys.stdin.isatty():
        print(USAGE, file=sys.stderr)
        return 1
    host, event = words
    try:
        text = _text(row, host, event, _given(), flags)
    except Exception as trouble:
        print(f"reflection-mcp: the hook failed: {type(trouble).__name__}", file=sys.stderr)
        text = SILENCE
    try:
        sys.stdout.buffer.write(f"{row.answered(event, text)}\n".encode())
        sys.stdout.flush()
    except OSError:  # the host waits no more; what is left goes nowhere, and is no failure
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _given() -> bytes:
    """The event; all of it is read, for a host may fall over a pipe that closes early."""
    given = sys.stdin.buffer.read(LONGEST)
    while sys.stdin.buffer.read(LONGEST):
        pass
    return given


def _text(row: "HookRow", host: str, event: str, given: bytes, flags: Mapping[str, str]) -> str:
    """The answer that a hook of the plugin would get."""
    payload: Any = json.loads(given)
    told = row.read(event, payload)
    if told is None:
        return SILENCE
    folders = row.folders_of(payload)
    folder = next((each for each in folders if Path(each).is_dir()), "" if folders else ".")
    if not folder:  # the lessons of the folder in which the hook runs may be those of others
        return SILENCE
    os.chdir(folder)
    import asyncio

    return asyncio.run(
        asyncio.wait_for(_answer(host, row.conversation_of(payload), told, flags), DEADLINE)
    )


async def _answer(
    host: str, conversation: str, told: tuple[str, "Event"], flags: Mapping[str, str]
) -> str:
    from reflection_mcp.server.front.entry import loaded_settings
    from reflection_mcp.server.front.loader import Loader
    from reflection_mcp.server.mcp.hook_text import hook_text, was_briefed

    application = Loader(lambda: loaded_settings(flags)).application()
    caller = application.caller(host)
    try:
        if told[0] == PROMPT and await was_briefed(application, caller, conversation):
            return SILENCE
        return await hook_text(application, caller, "", conversation, [told])
    finally:
        await application.close(FAREWELL)  # the host waits for the end of this process
