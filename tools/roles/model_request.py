"""Requests to models in a role, each with one retry that says what was wrong with the reply.

Rules of this module: whatever a model does is a result, never an exception, except that the
caller's cancellation passes through; a reply is scrubbed and redacted before it is read, and no
more of it is read than an answer may have, because searching megabytes for secrets takes seconds.
"""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import anyio

from reflection_mcp.tools.ports import Limits, Model, ModelFailed, Reply
from reflection_mcp.tools.redaction import redact
from reflection_mcp.tools.roles.inputs import RoleInput
from reflection_mcp.tools.roles.prompts import Prompts
from reflection_mcp.tools.roles.role import Unusable, read, render
from reflection_mcp.tools.untrusted import scrub
from reflection_mcp.tools.usage import NO_USAGE, Usage

ASKS = 2
LONGEST_REPLY = Limits().answer
ASK_AGAIN = (
    "Your last reply could not be read: {}. Reply again, with nothing but what was asked for, in "
    "the form that was asked for."
)

Seconds = Callable[[], float]
"""A monotonic clock, for measuring durations."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The result of asking one model. `value` is None when `reason` says why there is none."""

    model: str
    version: str = ""
    value: Any = None
    reason: str = ""
    usage: Usage = NO_USAGE


def failure_of(model: str, reason: str, ms: int) -> dict[str, Any]:
    """The facts of the event `model_failed`."""
    return {"model": model, "reason": reason.partition(":")[0], "ms": ms}


async def ask_in_turn(
    models: Sequence[Model],
    role: str,
    given: RoleInput,
    *,
    prompts: Prompts | None = None,
    patience: float = math.inf,
    seconds: Seconds = time.monotonic,
    fault: Callable[[Any], str] = lambda value: "",
) -> tuple[Asked, ...]:
    """Ask models in their order until one gives a reply that can be used: then it is the last.

    Args:
        models: who is asked.
        role: the name of a prompt.
        given: what it works on.
        prompts: other prompts than the packaged ones.
        patience: seconds for all models together.
        seconds: a clock, for telling how long it took.
        fault: why a reply that could be read cannot be used; an empty text if it can.
    """
    tried: list[Asked] = []
    deadline = anyio.current_time() + patience
    for model in models:
        asked = Asked(model=model.name, reason="timeout")
        with anyio.CancelScope(deadline=deadline):
            asked = await ask(model, role, given, prompts=prompts, seconds=seconds)
        if asked.value is not None and (reason := fault(asked.value)):
            asked = replace(asked, value=None, reason=reason)
        tried.append(asked)
        if asked.value is not None:
            break
    return tuple(tried)


async def ask(
    model: Model,
    role: str,
    given: RoleInput,
    *,
    prompts: Prompts | None = None,
    seconds: Seconds = time.monotonic,
) -> Asked:
    """Ask a model; a reply that cannot be read is asked for once more.

    Reasons: those of `ModelFailed` as the model gives them, `malformed`, `score_out_of_range`.
    """
    prompt = request = render(role, given, prompts)
    asked = Asked(model=model.name, version=prompt.version)
    started, usage = seconds(), NO_USAGE
    for _ in range(ASKS):
        try:
            reply = await model.complete(request)
        except ModelFailed as failure:
            asked = replace(asked, reason=failure.reason)
            usage += Usage(ms=failure.earlier_ms)
            break
        usage += reply.usage
        try:
            asked = replace(asked, value=read(role, _text(reply)), reason="")
            break
        except Unusable as fault:
            asked = replace(asked, reason=fault.reason)
            request = replace(prompt, user=f"{prompt.user}\n\n{ASK_AGAIN.format(fault.detail)}")
    return replace(asked, usage=usage + Usage(ms=round((seconds() - started) * 1000)))


def _text(reply: Reply) -> str:
    """Return a reply in the form in which it may be stored."""
    if len(reply.text) > LONGEST_REPLY:
        raise Unusable("malformed", f"it is longer than {LONGEST_REPLY:,} characters")
    return redact(scrub(reply.text))
