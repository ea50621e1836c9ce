"""The arguments that the tools share: types, bounds, and the descriptions that models read.

The length of the descriptions is a budget, as in `tool_definitions`. Bounds are enforced for every
caller, and published only as far as the descriptions name them.
"""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

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
Conversation = Annotated[
    str, Field(max_length=200, description="only to name another conversation")
]
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
    Field(description="why a finding is wrong, by finding id"),
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
