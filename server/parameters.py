"""What the tools take: each argument a type with its bounds and the words that describe it.

The words are read by models, and their length is a budget, like the prose of `endpoints`. Bounds
are enforced for every caller and published only as far as the words say them.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

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
    """One thing that happened; `hook` is the host's event when a hook tells it, not a model."""

    model_config = ConfigDict(extra="forbid")

    type: Literal["tool_call", "tool_response", "model_call", "error", "system"] = "tool_response"
    id: str = ""
    content: str = ""
    tool: str = ""
    error: str = ""
    time: str = ""
    hook: str = ""
    metadata: dict[str, Any] = {}

    def happened(self) -> "Event":
        """The same, as the use cases take it."""
        from reflection_mcp.tools.learning.episode import Event, moment

        return Event(
            type=self.type,
            id=self.id,
            content=self.content,
            tool=self.tool,
            error=self.error,
            at=moment(self.time),
            metadata=self.metadata,
        )


EVENT_SCHEMA = {"type": "object"}  # its fields are told in the description, for a third of the cost
Events = Annotated[
    Sequence[Annotated[EventIn, WithJsonSchema(EVENT_SCHEMA)]],
    Field(
        max_length=200,
        description="{type, content, tool, error}",
    ),
]
Answers = Annotated[
    Mapping[str, str], WithJsonSchema({"type": "object"}), Field(description="by question id")
]
NO_ANSWERS: Mapping[str, str] = {}
