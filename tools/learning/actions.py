"""The actions of an episode and the candidate for a fix: the steps between failure and success.

Rules: an action is a tool call with the result that follows it. Two actions are the same when tool
and operands are the same; white space and options (`-x`, `--verbose`) do not matter, since a second
try often only asks for more output. What happened between the failure of an action and its success
is a candidate for the fix: offered with its origin, never stored as a lesson by itself, because a
step may have had nothing to do with it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from reflection_mcp.store.records import Attempt
from reflection_mcp.tools.learning.episode import Event, failed

MOST_STEPS = 8
STEP_LENGTH = 200  # characters of a step that are shown
CUT = "…"
FAILURES = ("failure", "error", "timeout")


@dataclass(frozen=True, slots=True)
class Action:
    """A tool call and how it ended; `worked` is None when no result followed."""

    tool: str
    content: str
    worked: bool | None

    @property
    def identity(self) -> tuple[str, tuple[str, ...]]:
        """The tool and the operands: two actions with the same identity are the same action."""
        words = self.content.split()
        return self.tool.casefold(), tuple(word for word in words if not word.startswith("-"))

    def __str__(self) -> str:
        """Return the step as one line: its tool and the beginning of its input."""
        line = " ".join(self.content.split())
        shown = line if len(line) <= STEP_LENGTH else f"{line[:STEP_LENGTH]}{CUT}"
        return f"{self.tool}: {shown}" if self.tool else shown


def actions(events: Sequence[Event]) -> tuple[Action, ...]:
    """Return the tool calls of an episode with their results, in order.

    The result of a call is the next response or error that names the same tool, or none at all,
    before that tool is called again.
    """
    found: list[Action] = []
    for place, event in enumerate(events):
        if event.type == "tool_call":
            ended = False if failed(event) else _result(event, events[place + 1 :])
            found.append(Action(event.tool, event.content, ended))
    return tuple(found)


def _result(call: Event, later: Sequence[Event]) -> bool | None:
    for event in later:
        if event.type == "tool_call" and event.tool == call.tool:
            return None
        if event.type in ("tool_response", "error") and event.tool in ("", call.tool):
            return not failed(event)
    return None


def results(events: Sequence[Event]) -> tuple[Action, ...]:
    """Return an action for each response that says how it ended, for hosts that report no calls."""
    ended = ("exit_code", "success", "is_error")
    return tuple(
        Action(event.tool, str(event.metadata.get("command", "")), not failed(event))
        for event in events
        if event.type in ("tool_response", "error")
        and event.tool
        and (failed(event) or not event.metadata.keys().isdisjoint(ended))
    )


def candidate_fix(events: Sequence[Event]) -> tuple[str, ...]:
    """Return the steps between the last failure of an action and its success.

    Empty when nothing failed and worked later, or nothing was done in between.
    """
    taken = actions(events)
    for end in range(len(taken) - 1, 0, -1):
        if not taken[end].worked:
            continue
        same = taken[end].identity
        before = [n for n in range(end) if taken[n].identity == same and taken[n].worked is False]
        if before:
            between = taken[before[-1] + 1 : end]
            steps = [str(step) for step in between if step.worked is not False]
            steps = [step for step in steps if step != str(taken[before[-1]])]  # a mere repetition
            if steps:
                return tuple(dict.fromkeys(steps))[-MOST_STEPS:]
    return ()


def fixed_since(attempts: Sequence[Attempt], question: str) -> tuple[str, ...]:
    """Return the questions attempted between a failed attempt at a question and its success now.

    Args:
        attempts: of one conversation, newest first.
        question: what the attempt that has just succeeded was about.

    Returns:
        The questions of the attempts in between that did not fail, oldest first.
    """
    between: list[str] = []
    for attempt in attempts:
        if attempt.question == question:
            if attempt.outcome in FAILURES:
                return tuple(dict.fromkeys(reversed(between)))[-MOST_STEPS:]
            if attempt.outcome is not None:
                return ()
        elif attempt.outcome not in FAILURES:
            between.append(attempt.question[:STEP_LENGTH])
    return ()
