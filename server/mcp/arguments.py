"""The arguments that the tools share: types, bounds, and the descriptions that models read.

The length of the descriptions is a budget, as in `tool_definitions`. Bounds are enforced for every
caller, and published only as far as the descriptions name them.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Literal, cast

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    WithJsonSchema,
    model_validator,
)

from reflection_mcp.store.scrub import scrub

if TYPE_CHECKING:
    from reflection_mcp.tools.learning.episode import Event

Question = Annotated[
    str, Field(max_length=20_000, description="the question or task, as the user put it")
]
Context_ = Annotated[
    str,
    Field(
        max_length=200_000,
        description="what the answer is based on: logs, files, documents, tool output",
    ),
]
Raw = Annotated[
    str,
    Field(description="the error as printed, with its traceback"),  # of any size: see `input_lines`
]
Tags = Annotated[
    Sequence[str], Field(max_length=20, description='key words, such as ["docker", "timeout"]')
]
Situations = Annotated[
    Sequence[str],
    Field(
        max_length=10,
        description="5 to 10 short phrases for when the lesson is needed, in other words than the "
        "lesson: symptoms, goals, key words",
    ),
]
Rephrased = Annotated[
    Sequence[str],
    Field(
        max_length=10,
        description="5 to 8 rewordings of the query as a lesson might put it: symptoms, likely "
        "cause, remedy",
    ),
]
ProjectName = Annotated[
    str,
    Field(max_length=64, description="a project other than this repository, or `global`"),
]
Conversation = Annotated[str, Field(max_length=200, description="only for another conversation")]
Limit = Annotated[int, Field(ge=1, le=50, description="how many at most, 1-50")]
Self = Annotated[
    float | None,
    Field(ge=0, le=1, allow_inf_nan=False, description="your own score, 0-1; only recorded"),
]
ResponseFormat = Annotated[
    Literal["concise", "detailed"],
    Field(description="`detailed` adds where each lesson comes from"),
]


class EventIn(BaseModel):
    """One thing that happened, under whatever names its host gives the fields; `hook` is the host's
    event when a hook reports it, not a model.
    """

    model_config = ConfigDict(extra="allow")

    hook: str = ""

    @model_validator(mode="after")
    def _says_something(self) -> "EventIn":
        from reflection_mcp.tools.learning.event_fields import is_understood

        if not self.hook and not is_understood(self.model_extra or {}):
            raise ValueError("no field of it is understood; pass tool, content, error or exit_code")
        return self

    def happened(self) -> "Event":
        """The same, as the use cases take it."""
        from reflection_mcp.tools.learning.event_fields import event_of

        return event_of(self.model_extra or {})


EVENT_SCHEMA = {"type": "object"}  # the description names its fields, for a third of the cost
Events = Annotated[
    Sequence[Annotated[EventIn, WithJsonSchema(EVENT_SCHEMA)]],
    Field(
        max_length=200,
        description="what happened, oldest first, each such as "
        '{"tool": "pytest", "content": "1 failed", "exit_code": 1}',
    ),
]
Answers = Annotated[
    Mapping[str, str],
    WithJsonSchema({"type": "object"}),
    Field(description="answers to the verification questions of an earlier result, by id"),
]
Disputed = Annotated[
    Mapping[str, str],
    WithJsonSchema({"type": "object"}),
    Field(description='{"finding id": "why it is wrong"}'),
]
ClosedWorld = Annotated[
    bool | None,
    WithJsonSchema({"type": "boolean"}),
    Field(description="true: the context is the only allowed source"),
]


def _depth(value: object) -> str:
    """A depth by its name, or as a number of retries."""
    given = str(value).strip()
    if not re.fullmatch("none|fast|balanced|deep|[0-9]", given):
        raise ValueError("pass none, fast, balanced, deep or a number from 0 to 9")
    return given


Depth = Annotated[
    str,
    BeforeValidator(_depth),
    Field(description="none, fast, balanced (2 retries), deep (3), or how many retries, 0-9"),
]
NO_ANSWERS: Mapping[str, str] = {}


def changed_input(given: Mapping[str, object]) -> list[str]:
    """Return a line on each argument that is not taken as it was given, and what to pass."""
    lines = [
        f"characters that are no text (NUL, half a surrogate pair) were left out of {name}; "
        "pass it without them"
        for name, value in given.items()
        if any(scrub(text) != text for text in _texts(value))
    ]
    if given.get("limit") in (0, "0") and not isinstance(given["limit"], bool):
        lines.append("limit 0 counts as none given; pass a whole number from 1 to 50")
    return lines


def _texts(value: object) -> Iterator[str]:
    """Yield the texts of a JSON value."""
    left = [value]
    while left:
        each = left.pop()
        if isinstance(each, str):
            yield each
        elif isinstance(each, Mapping):
            left += cast("Mapping[str, object]", each).values()
        elif isinstance(each, Sequence):
            left += cast("Sequence[object]", each)
