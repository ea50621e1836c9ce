"""A role: renders its input to a prompt, reads the reply.

Rules of this module: what others wrote stands between tags of its own and cannot close them; a
reply that does not fit is `Unusable` with a reason and with what a model needs to do better.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from string import Template
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from reflection_mcp.tools.ports import Prompt
from reflection_mcp.tools.roles.excerpt import excerpt
from reflection_mcp.tools.roles.inputs import (
    AnswererInput,
    CriticInput,
    EvaluatorInput,
    ReflectorInput,
    ReviserInput,
)
from reflection_mcp.tools.roles.prompts import INPUTS, Prompts, packaged_prompts

if TYPE_CHECKING:
    from pydantic import BaseModel

    from reflection_mcp.tools.roles.replies import Criticism, Judgement, ReflectorReply

In = TypeVar("In")
Out = TypeVar("Out")
_Shape = TypeVar("_Shape", bound="BaseModel")

NOTHING = "(none)"
JUDGING_TOKENS = 2000  # of a reply; thinking counts, and fewer than 1500 cut verdicts short
WRITING_TOKENS = 4000  # of a reply, at least; a revision is about as long as what it revises
MOST_TOKENS = 16_000


class Unusable(Exception):
    """A reply that cannot be read. `reason` is a short name, `detail` is for the model."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail


@dataclass(frozen=True, kw_only=True)
class Role(Generic[In, Out]):
    """One task for a model.

    name: the name of its prompt.
    parse: from the text of a reply to its meaning, or `Unusable`.
    schema: makes the JSON schema of the reply; None when the reply is plain text.
    tokens: how long a reply may be.
    """

    name: str
    parse: Callable[[str], Out]
    schema: Callable[[], Mapping[str, Any]] | None = None
    tokens: Callable[[In], int] = lambda given: JUDGING_TOKENS

    def render(self, given: In, prompts: Prompts | None = None) -> Prompt:
        """The prompt for an input; the same input always gives the same prompt."""
        text = (prompts or packaged_prompts())[self.name]
        values = {field.name: getattr(given, field.name) for field in fields(INPUTS[self.name])}
        if "context" in values:
            about = f"{values['question']}\n{values.get('answer', '')}"
            values["context"] = excerpt(values["context"], about)
        return Prompt(
            role=self.name,
            version=text.version,
            system=text.system,
            user=Template(text.material).substitute(
                {name: _material(value) for name, value in values.items()}
            ),
            schema=self.schema() if self.schema else None,
            max_tokens=self.tokens(given),
        )


def evaluator() -> "Role[EvaluatorInput, Judgement]":
    """Scores an answer and quotes what is wrong with it."""
    from reflection_mcp.tools.roles.replies import Judgement

    return _reading("evaluator", Judgement)


def critic() -> "Role[CriticInput, Criticism]":
    """Looks for what is wrong where nothing could be proven."""
    from reflection_mcp.tools.roles.replies import Criticism

    return _reading("critic", Criticism)


def reviser() -> "Role[ReviserInput, str]":
    """Redoes the steps that are wrong, and only those."""
    return Role(name="reviser", parse=_text, tokens=lambda given: _as_long_as(given.answer))


def answerer() -> "Role[AnswererInput, str]":
    """Writes the first answer."""
    return Role(name="answerer", parse=_text, tokens=lambda given: WRITING_TOKENS)


def reflector(*, success: bool) -> "Role[ReflectorInput, ReflectorReply]":
    """The role that extracts a lesson from an episode."""
    from reflection_mcp.tools.roles.replies import ReflectorReply

    return _reading("reflector_success" if success else "reflector_failure", ReflectorReply)


def _reading(name: str, shape: type[_Shape]) -> Role[Any, _Shape]:
    return Role(name=name, parse=lambda text: _object(shape, text), schema=shape.model_json_schema)


def _object(shape: type[_Shape], text: str) -> _Shape:
    """Read a JSON object, also where a model put a fence or a sentence around it."""
    from pydantic import ValidationError

    start, end = text.find("{"), text.rfind("}")
    if start < 0 or end < start:
        raise Unusable("malformed", "there is no JSON object in it")
    try:
        return shape.model_validate_json(text[start : end + 1])
    except ValidationError as fault:
        errors = fault.errors(include_url=False, include_input=False, include_context=False)
    lines = [f"{'.'.join(map(str, e['loc'])) or 'the whole'}: {e['msg']}" for e in errors[:5]]
    outside = all(e["type"] == "literal_error" and e["loc"][-1] in _GRADES for e in errors)
    raise Unusable("score_out_of_range" if outside else "malformed", "; ".join(lines))


_GRADES = (
    "relevance", "completeness", "correctness", "helpfulness", "safety", "efficiency", "severity",
    "importance", "confidence",
)  # fmt: skip


def _text(text: str) -> str:
    if not text.strip():
        raise Unusable("malformed", "it is empty")
    return text.strip()


def _as_long_as(text: str) -> int:
    return min(MOST_TOKENS, WRITING_TOKENS + len(text) // 2)


_NAMES = sorted({field.name for given in INPUTS.values() for field in fields(given)})
_TAG = re.compile(rf"<(/?)({'|'.join(_NAMES)})\b", re.I)


def _material(value: str | tuple[str, ...]) -> str:
    """Return a field as text that cannot close the tag around it."""
    if isinstance(value, tuple):
        value = "\n".join(f"{number}. {line}" for number, line in enumerate(value, 1))
    return _TAG.sub(r"&lt;\1\2", value) if value.strip() else NOTHING
