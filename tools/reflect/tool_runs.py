"""The runs of tools that a piece of work came with: of its events, and of the error it names."""

from collections.abc import Sequence
from dataclasses import replace

from reflection_mcp.tools.judging.evidence.runs import runs_of
from reflection_mcp.tools.judging.run import Run
from reflection_mcp.tools.learning.episode import Event, failed
from reflection_mcp.tools.reflect.request import ReflectRequest

READERS = frozenset(
    """read view cat write edit multiedit create str_replace glob grep search ls list webfetch
    websearch fetch notebookedit todowrite apply_patch""".split()
)
"""Tools that show or change a file: what stands in it is no outcome of running something."""


def runs_of_work(request: ReflectRequest) -> tuple[Run, ...]:
    """Return the runs that came with the work, the newest last.

    The error of a work that succeeded is the one it mended. Any other may be older than the answer.
    """
    found = list(runs_of_events(request.events))
    carried = any(event.error or event.type == "error" for event in request.events)
    if request.error and not carried and request.outcome != "success":
        found = [*(replace(run, old=True) for run in runs_of(request.error)), *found]
    return tuple(found)


def runs_of_events(events: Sequence[Event]) -> tuple[Run, ...]:
    """Return the runs that events tell of, in the order of their times where all have one."""
    ordered = list(events)
    times = [event.at for event in ordered if event.at is not None]
    if len(times) == len(ordered):
        ordered.sort(key=lambda event: event.at or times[0])
    commands: dict[str, str] = {}
    found: list[Run] = []
    for event in ordered:
        if event.type == "model_call":
            continue
        command = str(event.metadata.get("command", ""))
        code = event.metadata.get("exit_code")
        code = code if isinstance(code, int) and not isinstance(code, bool) else None
        if event.type == "tool_call" and code is None and event.metadata.get("success") is None:
            commands[event.tool] = command or event.content
            continue
        if event.tool.rpartition("__")[2].casefold() in READERS:
            continue
        command = command or commands.get(event.tool, "")
        text = "\n".join(filter(None, (event.content, event.error)))
        runs = runs_of(text, command=command, exit_code=code)
        if code is None and failed(event) and not any(run.failed for run in runs):
            runs = (*runs, *_reported(text, command))
        found += runs
    return tuple(found)


def _reported(text: str, command: str) -> tuple[Run, ...]:
    """The run of an event that says of itself that it failed, and not how."""
    last = next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "")
    return tuple(
        replace(run, line=f"failed: {last}" if last else "failed")
        for run in runs_of("", command=command, exit_code=1)
    )
