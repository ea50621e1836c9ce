"""What a caller passes to a tool: taken as it was meant, or refused in one line that helps.

Rules: an argument that does not exist is refused, with the name that was probably meant. A value
that does not fit is refused with what to pass instead, by name, and is never echoed: it may be
large or secret, and hosts show errors to the model. An argument that may be text arrives as the
text that was sent, also when that text looks like JSON.

SDK fault (mcp 2.3.0): text that looks like JSON is parsed for every argument that is not exactly
`str`, and a refusal echoes the value. Can go when a release leaves text as it was sent, and its
refusals name the argument only.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, Self, get_args

from annotated_types import Ge
from mcp.server.mcpserver.utilities.func_metadata import FuncMetadata
from mcp_types import CallToolResult, InputRequiredResult
from pydantic import BaseModel, ValidationError

from reflection_mcp.server.transport.failures import one_line
from reflection_mcp.server.transport.schema import Schema, in_words
from reflection_mcp.server.transport.surrogates import encodable

SHOWN = 4
"""Bad arguments named in one refusal; a fifth would not fit into the line."""

_FAULTS = {
    "missing": "missing",
    "string_too_long": "too long",
    "too_long": "too many",
}
"""pydantic's kinds of error that add something to "pass ..."."""


class FaithfulMetadata(FuncMetadata):
    """What the SDK knows of a tool's function, without two of its traps.

    It parses a text that looks like JSON for every argument whose annotation is not exactly `str`,
    so that for `str | None` the text `null` becomes None and a JSON document becomes a dict. And it
    fails over, or sends and dies of, a result that holds a lone surrogate.
    """

    @classmethod
    def of(cls, known: FuncMetadata) -> Self:
        """The same knowledge, faithful."""
        return cls(
            arg_model=known.arg_model,
            output_schema=known.output_schema,
            output_model=known.output_model,
            wrap_output=known.wrap_output,
        )

    def pre_parse_json(self, data: dict[str, Any]) -> dict[str, Any]:
        """Leave out what only fills a place, and parse JSON texts only for arguments that cannot
        be text."""
        known = _arguments(self.arg_model)
        given = {n: each for n, each in data.items() if n not in known or not known[n].fills(each)}
        others = {
            n: each for n, each in given.items() if n not in known or not known[n].may_be_text
        }
        return given | super().pre_parse_json(others) if others else given

    def convert_result(self, result: Any) -> CallToolResult | InputRequiredResult:
        """Make a result out of what the function returned, without lone surrogates."""
        clean = encodable(result)
        # Made by the class whose schema is published: there is nothing left to validate.
        return clean if isinstance(clean, CallToolResult) else super().convert_result(clean)


class _Argument(NamedTuple):
    """What matters of an argument before its value is validated."""

    is_required: bool
    begins_at_one: bool
    may_be_text: bool

    def fills(self, value: object) -> bool:
        """Return True if an optional argument is null, empty text, or a 0 below its range: clients
        in strict mode must send every argument, and send these for "not given"."""
        if self.is_required or isinstance(value, bool):
            return False
        return value is None or value == "" or (value == 0 and self.begins_at_one)


@cache
def _arguments(model: type[BaseModel]) -> Mapping[str, _Argument]:
    return {
        field.alias or name: _Argument(
            is_required=field.is_required(),
            begins_at_one=any(isinstance(b, Ge) and b.ge == 1 for b in field.metadata),
            may_be_text=field.annotation is str or str in get_args(field.annotation),
        )
        for name, field in model.model_fields.items()
    }


_MEANT = {
    **dict.fromkeys(("max_iterations", "iterations", "max_retries", "max_attempts"), "depth"),
    **dict.fromkeys(("message", "stderr", "traceback", "exception"), "error"),
    **dict.fromkeys(("response", "output", "solution"), "answer"),
    **dict.fromkeys(("prompt", "task", "problem"), "question"),
    **dict.fromkeys(("k", "top_k", "max_results", "count"), "limit"),
    **dict.fromkeys(("rating", "vote", "score"), "feedback"),
}
"""Wrong names of arguments whose spelling does not show which argument is meant."""
_KINDS = {"string_type": "text", "model_type": "an object"}
"""pydantic's kinds of error of what is inside our arguments, and what to pass there."""


def unknown_argument(given: Mapping[str, object], known: Sequence[str]) -> str | None:
    """Return why these arguments cannot be used, if one of them has a name that does not exist."""
    stray = next((name for name in given if name not in known), None)
    if stray is None:
        return None
    return one_line(f"unknown argument {shown(stray)}; {instead(stray, known)}")


def shown(name: str) -> str:
    """A name that came from outside, quoted and short."""
    return repr(one_line(name, 40))


def instead(name: str, known: Sequence[str]) -> str:
    """What was probably meant by `name`, else all that would have been understood."""
    from difflib import get_close_matches  # 3 ms that only a mistake should cost

    meant = _MEANT.get(name.casefold())
    near = [meant] if meant in known else get_close_matches(name[:80], known, n=1)
    return f"did you mean {near[0]!r}?" if near else f"known: {', '.join(known) or 'none'}"


def refusal(error: ValidationError, parameters: Schema) -> str:
    """Return one line that names each argument that cannot be used and says what to pass."""
    faults = dict(_faults(error, parameters["properties"]))
    lines = [f"{where}: {what}" for where, what in faults.items()]
    more = [f"and {len(lines) - SHOWN} more"] if len(lines) > SHOWN else []
    return one_line("; ".join(lines[:SHOWN] + more))


def _faults(error: ValidationError, properties: Schema) -> Iterator[tuple[str, str]]:
    for fault in error.errors(include_input=False, include_url=False):
        kind, (name, *inside) = fault["type"], fault["loc"]
        where = str(name)
        for part in inside:
            where += f"[{part}]" if isinstance(part, int) else f".{one_line(part, 40)}"
        if kind == "value_error":
            yield where, str(fault.get("ctx", {}).get("error", ""))
        else:
            # What is inside an argument is described, not published.
            wanted = (
                _KINDS.get(kind, "what its description says")
                if inside
                else in_words(properties[str(name)])
            )
            why = _FAULTS.get(kind)
            yield where, f"{why}; pass {wanted}" if why else f"pass {wanted}"
