"""A role of a model: its input as a prompt, and the reading of its reply.

Rules of this module: what others wrote stands between tags of its own and cannot close them; a
reply that does not fit is `Unusable` with a reason and with what a model needs to do better.
"""

import re
from collections.abc import Mapping
from dataclasses import fields
from string import Template
from typing import TYPE_CHECKING, Any

from reflection_mcp.tools.ports import Prompt
from reflection_mcp.tools.roles.excerpt import excerpt
from reflection_mcp.tools.roles.inputs import RoleInput
from reflection_mcp.tools.roles.prompts import Prompts, packaged_prompts

if TYPE_CHECKING:
    from pydantic import BaseModel

BEST_GRADE = 4
NOTHING = "(none)"
JUDGING_TOKENS = 2000  # of a reply; thinking counts, and fewer than 1500 cut verdicts short
WRITING_TOKENS = 4000  # of a reply, at least; a revision is about as long as what it revises
MOST_TOKENS = 16_000

SHAPES: Mapping[str, str] = {
    "evaluator": "Judgement",
    "critic": "Criticism",
    "reflector_failure": "ReflectorReply",
    "reflector_success": "ReflectorReply",
}
"""The class in `replies` of what a role sends back; the reply of any other role is plain text."""


class Unusable(Exception):
    """A reply that cannot be read. `reason` is a short name, `detail` is for the model."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail


def render(role: str, given: RoleInput, prompts: Prompts | None = None) -> Prompt:
    """The prompt of a role for an input; the same input always gives the same prompt."""
    text = (prompts or packaged_prompts())[role]
    material = Template(text.material)
    values = {name: getattr(given, name) for name in material.get_identifiers()}
    if "context" in values:
        values["context"] = excerpt(given.context, f"{given.question}\n{given.answer}")
    shape = _shape(role)
    return Prompt(
        role=role,
        version=text.version,
        system=text.system,
        user=material.substitute({name: _material(value) for name, value in values.items()}),
        schema=shape.model_json_schema() if shape else None,
        max_tokens=JUDGING_TOKENS
        if shape
        else min(MOST_TOKENS, WRITING_TOKENS + len(given.answer) // 2),
    )


def read(role: str, text: str) -> Any:
    """Read a reply: an object of the role's class, or a text that is not empty.

    Raises:
        Unusable: it is neither.
    """
    shape = _shape(role)
    if shape is not None:
        return _object(shape, text)
    if not text.strip():
        raise Unusable("malformed", "it is empty")
    return text.strip()


def _shape(role: str) -> "type[BaseModel] | None":
    if role not in SHAPES:
        return None
    from reflection_mcp.tools.roles import replies  # pydantic, needed only where a model is asked

    shape: type[BaseModel] = getattr(replies, SHAPES[role])
    return shape


def _object(shape: "type[BaseModel]", text: str) -> "BaseModel":
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
    outside = all(e["type"] == "literal_error" and e["msg"].endswith("3 or 4") for e in errors)
    raise Unusable("score_out_of_range" if outside else "malformed", "; ".join(lines))


_TAG = re.compile(rf"<(/?)({'|'.join(field.name for field in fields(RoleInput))})\b", re.I)


def _material(value: str | tuple[str, ...]) -> str:
    """Return a field as text that cannot close the tag around it."""
    if isinstance(value, tuple):
        value = "\n".join(f"{number}. {line}" for number, line in enumerate(value, 1))
    return _TAG.sub(r"&lt;\1\2", value) if value.strip() else NOTHING
