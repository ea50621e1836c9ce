"""What the tools take: each argument a type with its bounds and the words that describe it.

The words are read by models, and their length is a budget, like the prose of `endpoints`. Bounds
are enforced for every caller and published only as far as the words say them.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

if TYPE_CHECKING:
    from reflection_mcp.tools.learning.episode import Event

ANY_SIZE = 10_000_000
"""Characters that an error may have on arrival; what is used is its head and tail."""
Question = Annotated[str, Field(max_length=20_000, description="as asked")]
Context_ = Annotated[str, Field(max_length=200_000, description="sources")]
Raw = Annotated[str, Field(max_length=ANY_SIZE, description="raw text")]
Words = Annotated[Sequence[str], Field(max_length=20, description="words")]
Situations = Annotated[
    Sequence[str], Field(max_length=10, description="5-10 ways to ask: symptoms, goals")
]
Rephrased = Annotated[
    Sequence[str],
    Field(max_length=10, description="5-8 ways a lesson may say it: symptoms, cause, remedy"),
]
ProjectName = Annotated[str, Field(max_length=64, description="or global")]
Conversation = Annotated[str, Field(max_length=200, description="other")]
Limit = Annotated[int, Field(ge=1, le=50, description="1-50")]
Self = Annotated[float | None, Field(ge=0, le=1, allow_inf_nan=False, description="0-1, yours")]


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
        description="{tool, content, exit_code}",
    ),
]
Answers = Annotated[
    Mapping[str, str], WithJsonSchema({"type": "object"}), Field(description="by question id")
]
Disputed = Annotated[
    Mapping[str, str],
    WithJsonSchema({"type": "object"}),
    Field(description="finding id: why none"),
]
ClosedWorld = Annotated[
    bool | None, WithJsonSchema({"type": "boolean"}), Field(description="context only")
]
NO_ANSWERS: Mapping[str, str] = {}
